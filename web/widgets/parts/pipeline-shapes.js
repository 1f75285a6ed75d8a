/** The walk of F28: a line of code at a time, its shape in letters and in numbers, its stop on the map. */
import { html, nothing } from 'lit';
import { shapeText, stopNumber } from '../../lab/pipeline.js';
import { figureLink } from './figure-link.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../attn-pipeline.js').AttnPipeline} Figure */
/** @typedef {ReturnType<typeof import('../../lab/pipeline.js').codeRows>[number]} Row */

/** The figure that draws the map. */
const MAP = 8;

/** @param {Text} t @param {Figure} figure */
export function shapesPlate(t, figure) {
  const { rows, step, sizes } = figure;
  const now = rows[step - 1];
  const shape = (/** @type {Row} */ r) => r.shapes.map((s, i) => html`${i ? (r.key === 'norm' || r.key === 'rope' ? ', ' : ' → ') : nothing}<span>${shapeText(s)}</span>`);
  const line = (/** @type {Row} */ r, /** @type {number} */ i) => html`<tr class=${i + 1 === step ? 'now' : ''}>
    <th scope="row"><button type="button" class="link" aria-current=${i + 1 === step ? 'step' : 'false'} @click=${() => figure.go(i + 1)}>${
  r.name}</button>${r.code.split('\n').map((c) => html`<code>${c}</code>`)}</th><td class="shape">${shape(r)}</td><td class="count">${
  t.count(r.numbers)}</td></tr>`;
  return html`<div class="walk"><div class="sheet lines"><table><thead><tr><th scope="col">${t('shapes.line')}</th><th scope="col">${
    t('shapes.shape')}</th><th scope="col" class="count">${t('shapes.numbers')}</th></tr></thead><tbody>${rows.map(line)}</tbody></table></div>
    <div class="side"><div class="sheet"><p class="stop-name">${now.name}</p>
      <dl><dt>${t('shapes.letters')}</dt><dd><code>${now.letters}</code></dd><dt>${t('shapes.here')}</dt><dd><code>${shape(now)}</code></dd></dl>
      <p>${t(`shapes.${now.key}.words`)}</p>
      <p class="on-map">${t('shapes.stop', { stop: t.count(stopNumber(sizes, now.stop)) })} ${figureLink(t, MAP, { kind: 'softmax', stop: stopNumber(sizes, now.stop) })}</p></div>
      ${figure.bar(t, now.name)}</div></div>`;
}
