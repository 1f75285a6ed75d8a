/** F22, scene "gates" of attn-profile: how far the gates of each full layer open, on the whole. */
import { css, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { spreadBar } from '../../draw/profile.js';
import { PALETTE } from '../../draw/palette.js';
import { moved, text as words } from '../../draw/shapes.js';
import { mostlyShut, spreadOf } from '../../lab/gates.js';
import { CITED } from '../../lab/profile.js';
import { cited } from './cited.js';
import { figureLink } from './figure-link.js';
import { rich } from './rich.js';
import { drawn } from './shapes.js';

/** @typedef {import('../../lab/text.js').Text} Text */

export const gatesStyles = css`
  .taps { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: 2px; }
  .taps legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .taps label { position: relative; display: grid; grid-template-columns: 6.5rem minmax(0, 1fr) 4rem; gap: 0 16px; align-items: center; min-height: 44px;
    cursor: pointer; }
  .taps input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
  .taps label:has(:checked) { color: var(--attn-hand); font-weight: 600; }
  .taps label:has(:focus-visible) { outline: 3px solid var(--attn-ink); }
  .taps svg { width: 100%; forced-color-adjust: none; }
  .taps b { font-weight: 600; text-align: end; }
  .taps-axis { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr) 4rem; gap: 0 16px; font-size: 0.8125rem; color: var(--attn-ink2); }
  .taps-axis span { grid-column: 2; display: flex; justify-content: space-between; }
  .taps-axis b { font-weight: 400; }
  .key { margin: 12px 0 0; font-size: 0.875rem; color: var(--attn-ink2); }
  @container (max-width: 36rem) { .taps label, .taps-axis { grid-template-columns: 4.5rem minmax(0, 1fr) 3rem; gap: 0 8px; } }
`;

export class ProfileGates {
  #host;
  /** @type {WeakMap<object, ReturnType<typeof spreadOf>>} */
  #spreads = new WeakMap();

  /** @param {import('./model-figure.js').ModelFigure} host */
  constructor(host) {
    this.#host = host;
  }

  words = 'gateProfile';

  /** Layers that are done and have gates. */
  get #layers() {
    const { context } = this.#host;
    return context.fullLayers.filter((i) => context.layers[i]?.gate).map((layer) => {
      const { gate } = context.layers[layer];
      let spread = this.#spreads.get(gate);
      if (!spread) this.#spreads.set(gate, spread = spreadOf(gate));
      return { layer, gate, spread };
    });
  }

  /** @param {Text} t */
  run(t) {
    const { context, environment: { theme }, width } = this.#host;
    const layers = this.#layers;
    if (layers.length === 0) return html`<p>${t('gateMap.none')}</p>`;
    const wide = Math.max(140, width - (width > 576 ? 248 : 148));
    return html`<fieldset class="taps"><legend>${t('gateProfile.pick')}</legend>${layers.map(({ layer, spread }) => {
      const picked = layer === context.selection.layer;
      return html`<label><input type="radio" name="layer" .checked=${live(picked)} aria-label=${this.#say(t, layer, spread)}
        @change=${() => context.select({ layer })}><span aria-hidden="true">${t('strip.layer', { layer })}</span>
        <svg viewBox="0 0 ${wide} 36" height="36" preserveAspectRatio="none" aria-hidden="true">${
  drawn(spreadBar(theme, { ...spread, width: wide, picked, cited: CITED.gates }))}</svg><b aria-hidden="true">${t.fixed(spread.mean)}</b></label>`;
    })}</fieldset>
      <div class="taps-axis" aria-hidden="true"><span><b>${t('gateMap.shut')}</b><b>${t('gateMap.wide')}</b></span></div>
      <p class="key">${t('gateProfile.key')}</p>`;
  }

  /** @param {Text} t @param {number} layer @param {ReturnType<typeof spreadOf>} spread */
  #say(t, layer, { mean, low, high }) {
    return t('gateProfile.say', { layer, mean: t.fixed(mean), low: t.fixed(low), high: t.fixed(high) });
  }

  /** @param {Text} t */
  caption(t) {
    return html`${rich(t, 'gateProfile.caption', { figure: figureLink(t, 20) })}${cited(t, rich(t, 'gateProfile.cited'))}`;
  }

  bearsOut() {
    const { context, shown } = this.#host;
    const layers = this.#layers;
    if (layers.length === 0 || layers.length < context.fullLayers.length) return null;
    if (!layers.every(({ spread }) => Number.isFinite(spread.mean))) return null;
    return !shown?.untrained && layers.every(({ gate }) => mostlyShut(gate));
  }

  /** @param {Text} t */
  table(t) {
    const rows = this.#layers.map(({ layer, spread: s }) => [
      t('strip.layer', { layer }), t.fixed(s.mean), t.fixed(s.low), t.fixed(s.high), t.percent(s.open / s.of), t.percent(s.shut / s.of)]);
    return { caption: t('gateProfile.title'), columns: ['layer', 'mean', 'low', 'high', 'open', 'shut'].map((c) => t(`gateProfile.col.${c}`)), rows };
  }

  /** @param {Text} t */
  picture(t) {
    const theme = this.#host.environment.theme === 'forced' ? 'light' : this.#host.environment.theme;
    const layers = this.#layers;
    const shapes = layers.flatMap(({ layer, spread }, i) => [
      words(0, i * 44 + 23, t('strip.layer', { layer }), { fill: PALETTE[theme].ink }),
      ...moved(spreadBar(theme, { ...spread, width: 560, picked: false, cited: CITED.gates }), 100, i * 44),
      words(680, i * 44 + 23, t.fixed(spread.mean), { fill: PALETTE[theme].ink, weight: 600 }),
    ]);
    return { width: 740, height: layers.length * 44, shapes };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.#layers.map(({ layer, spread }) => this.#say(t, layer, spread)).join(' ')} ${t('gateProfile.key')}`; }

  controls() { return nothing; }
  aside() { return nothing; }
  reset() {}
}
