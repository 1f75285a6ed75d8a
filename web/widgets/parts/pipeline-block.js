/** The map of F8: numbered stops down a line, the stop on display beside it, and what grows with the text. */
import { html } from 'lit';
import { birthMark } from './marks.js';
import { drawn } from './shapes.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../attn-pipeline.js').AttnPipeline} Figure */

/** @param {Text} t @param {Figure} figure */
export function blockPlate(t, figure) {
  const { stops, step, kind, width } = figure;
  const now = stops[step - 1];
  const stop = (/** @type {import('../../lab/pipeline.js').Stop} */ s, /** @type {number} */ i) => html`<li class=${
    i + 1 < step ? 'past' : i + 1 === step ? 'here' : 'ahead'}><button type="button" aria-current=${i + 1 === step ? 'step' : 'false'}
    @click=${() => figure.go(i + 1)}><span class="number">${i + 1}</span><span><strong>${figure.stopName(t, s.key)}</strong><span class="brief">${
  t(`block.${kind}.${s.key}.brief`)}</span></span></button></li>`;
  const room = width > 800 ? Math.min(470, (width - 48) * 0.54 - 60) : width - (width > 576 ? 82 : 24);
  const square = figure.growth(t, Math.max(200, room));
  const bars = figure.portions(t, Math.max(200, room));
  return html`<div class="block"><div><ol class="stops ${kind}">${stops.map(stop)}</ol>${figure.bar(t, figure.stopName(t, now.key))}</div>
    <div class="side"><div class="sheet stop-card"><p class="stop-name">${figure.stopName(t, now.key)}</p><code>${figure.stopShapes(t, now)}</code>
      <p>${t(`block.${kind}.${now.key}.words`)}</p>
      <p class="each">${t(now.key === 'update' ? 'block.portion.all' : 'block.portion')}</p>
      <svg width=${bars.width} height=${bars.height} viewBox="0 0 ${bars.width} ${bars.height}" aria-hidden="true">${drawn(bars.shapes)}</svg></div>
      <div class="sheet grows"><div class="dial">${figure.tokenDial(t)}${figure.tokenSlider(t)}</div>
        <svg width=${square.width} height=${square.height} viewBox="0 0 ${square.width} ${square.height}" role="img" aria-label=${
  figure.keptText(t)}>${drawn(square.shapes)}</svg>
        <table><caption>${t('block.kept')} ${birthMark('counted', t('mark.counted'))}</caption><tbody>${
  (/** @type {const} */ (['softmax', 'linear'])).map((k) => html`<tr class=${k === kind ? 'mine' : ''}><th scope="row">${
    t(`block.short.${k}`)}</th><td>${figure.keptFormula(t, k)}</td></tr>`)}</tbody></table></div></div></div>`;
}
