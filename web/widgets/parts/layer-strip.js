/** The layers of a model in a row: those with an attention table can be picked, linear ones are dashed and say why not. */
import { css, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

export const layerStripStyles = css`
  .strip { border: 0; margin: 0 0 8px; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 3px; }
  .strip legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .strip label, .strip .linear { display: grid; place-items: center; position: relative; }
  .strip label { min-width: 44px; min-height: 40px; padding: 0 8px; border: 2px solid var(--attn-ink); background: var(--attn-paper);
    font-weight: 600; cursor: pointer; white-space: nowrap; }
  .strip .linear { min-width: 22px; height: 26px; border: 1px dashed var(--attn-axis); color: var(--attn-ink2); font-size: 0.8125rem; }
  .strip .later { border-style: dashed; color: var(--attn-ink2); cursor: default; }
  .strip input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: inherit; }
  .strip label:has(:checked) { border: 3px solid var(--attn-hand); color: var(--attn-hand); }
  .strip label:has(:focus-visible) { outline: 3px solid var(--attn-ink); outline-offset: 3px; }
  .strip-words { margin: 0 0 20px; font-size: 0.8125rem; color: var(--attn-ink2); }
  @container (max-width: 36rem) {
    .strip label { min-height: 44px; padding: 0 4px; }
    .strip label .long { display: none; }
    .strip .linear { min-width: 4px; width: 4px; height: 18px; border: 0; border-inline-start: 2px solid var(--attn-axis); font-size: 0; }
  }
`;

/**
 * @param {import('../../lab/text.js').Text} t
 * @param {{ layerTypes: readonly string[], value: number, ready?: (layer: number) => boolean, onPick: (layer: number) => void }} o
 *   ready: has this layer been computed? A layer on its way is dashed too.
 */
export function layerStrip(t, { layerTypes, value, ready = () => true, onPick }) {
  const full = layerTypes.filter((type) => type === 'full_attention').length;
  const box = (/** @type {string} */ type, /** @type {number} */ i) => (type === 'full_attention'
    ? html`<label class=${ready(i) ? '' : 'later'}><input type="radio" name="layer" .checked=${live(i === value)} ?disabled=${!ready(i)}
        aria-label=${t('strip.layer', { layer: i })} @change=${() => onPick(i)}><span aria-hidden="true">${
  layerTypes.length > 12 ? html`<span class="long">${t('strip.before')}</span>${i}<span class="long">${t('strip.after')}</span>`
    : t('strip.layer', { layer: i })}</span></label>`
    : html`<span class="linear" aria-hidden="true">${i}</span>`);
  return html`<fieldset class="strip"><legend>${t('strip.legend')}</legend>${layerTypes.map(box)}</fieldset>
    ${full < layerTypes.length ? html`<p class="strip-words">${t('strip.words', { full: t.count(full), linear: t.count(layerTypes.length - full) })}</p>`
    : nothing}`;
}
