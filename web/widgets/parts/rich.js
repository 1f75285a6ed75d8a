/** Catalogue text as a lit template: emphasis becomes elements, placeholders become any template value. */
import { html } from 'lit';

/**
 * @param {import('../../lab/text.js').Text} t
 * @param {string} key
 * @param {Record<string, unknown>} [args]
 */
export function rich(t, key, args = {}) {
  /** @param {import('../../lab/text.js').Segment[]} list @returns {unknown[]} */
  const render = (list) => list.map((s) => {
    if ('arg' in s) return s.forms ? t.wordFor(args[s.arg], ...s.forms) : args[s.arg];
    if ('strong' in s) return html`<strong>${render(s.strong)}</strong>`;
    if ('code' in s) return html`<code>${s.code}</code>`;
    return s.text;
  });
  return render(t.segments(key));
}
