/** The toy's work, one row a token: key, score, share, value, and the output below. */
import { html, nothing } from 'lit';
import { shareBar } from '../../draw/bars.js';
import { STEPS, WORDS } from '../../lab/toy.js';
import { vector } from './controls.js';
import { drawn } from './shapes.js';
import { tokenBox } from './tokens.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../attn-toy.js').AttnToy} Toy */

/**
 * @param {Toy} host @param {Text} t
 * @param {{ whole?: boolean, hand?: (token: number) => boolean, reach?: [number, number] }} [o]
 *   whole: with keys and raw scores, tokens to pick; hand: whose value may be changed; reach: how far
 */
export function workTable(host, t, { whole = false, hand = () => whole, reach = [-4, 4] } = {}) {
  const { toy, result } = host;
  const { step, picked } = toy;
  const [min, max] = reach;
  const pair = (/** @type {'keys' | 'values'} */ part, /** @type {number} */ i) => {
    const name = t(`toy.${part}`, { token: WORDS[i] });
    return vector({
      value: toy[part][i], text: t, min, max, labels: [`${name} x`, `${name} y`],
      onChange: (axis, to) => host.set(part, i, axis, to),
    });
  };
  const from = (/** @type {number} */ first, /** @type {unknown} */ shown) => (result && step >= first ? shown : '\u2007');
  const only = (/** @type {unknown} */ cell) => (whole ? cell : nothing);
  const sum = result?.probs.reduce((a, b) => a + b, 0) ?? 0;
  const row = (/** @type {string} */ word, /** @type {number} */ i) => html`<tr>
    <th scope="row">${whole ? tokenBox(word, { picked: i === picked, label: t('toy.answer', { token: word }),
    onPick: () => host.pick(i) }) : tokenBox(word, { picked: i === picked })}${
  t('toy.gloss.0') ? html`<span class="gloss">${t(`toy.gloss.${i}`)}</span>` : nothing}</th>
    ${only(html`<td class="key">${pair('keys', i)}</td><td class="raw">${from(1, t.fixed(result?.raw[i] ?? 0, 2))}</td>`)}
    <td>${from(2, t.fixed(result?.scores[i] ?? 0, 2))}</td>
    <td class="share"><span>${step >= 3 ? html`<svg viewBox="0 0 64 17" width="56" height="17" preserveAspectRatio="none" aria-hidden="true">${
  drawn(shareBar(host.environment.theme, result?.probs[i] ?? 0, 64, 17))}</svg>` : nothing}<output>${
  from(3, t.fixed(result?.probs[i] ?? 0))}</output></span></td>
    <td>${hand(i) ? pair('values', i) : toy.values[i].map((x) => t.short(x)).join(', ')}</td></tr>`;
  return html`<table>
    <thead><tr><th scope="col">token</th>${only(html`<th scope="col" class="key">key</th><th scope="col" class="raw">q·k</th>`)}
      <th scope="col">÷√2</th><th scope="col" class="share">softmax</th><th scope="col">value</th></tr></thead>
    <tbody>${WORDS.map(row)}</tbody>
    <tfoot><tr><th scope="row"><strong>${t('toy.out')}</strong></th>${only(html`<td class="key"></td><td class="raw"></td>`)}
      <td class="sum"><span>${only(from(3, t('toy.sum')))}</span></td>
      <td class="share"><span><i></i><output>${from(3, t.fixed(sum))}</output></span></td>
      <td><strong class="out">${from(STEPS, result ? `${t.fixed(result.out[0])}, ${t.fixed(result.out[1])}` : '')}</strong></td>
    </tr></tfoot></table>`;
}

/** The same as rows of text. @param {Toy} host @param {Text} t */
export function workRows({ toy, result }, t) {
  const point = (/** @type {ArrayLike<number>} */ p) => `${t.short(p[0])}, ${t.short(p[1])}`;
  const cell = (/** @type {number[] | undefined} */ list, /** @type {number} */ i) => (list ? t.fixed(list[i]) : '');
  const rows = WORDS.map((word, i) => [
    word, point(toy.keys[i]), cell(result?.raw, i), cell(result?.scores, i), cell(result?.probs, i), point(toy.values[i]),
  ]);
  const out = result ? `${t.fixed(result.out[0])}, ${t.fixed(result.out[1])}` : '';
  rows.push([t('toy.out'), '', '', '', result ? t.fixed(result.probs.reduce((a, b) => a + b, 0)) : '', out]);
  return { columns: ['token', 'key', 'q·k', '÷√2', 'softmax', 'value'], rows };
}
