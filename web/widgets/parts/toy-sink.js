/** Scene "sink" (F16): the reader moves the first value home and turns the query to it. */
import { html } from 'lit';
import { agreeing, freshSight, MASK, seenBy, SILENT, ticked, VALUE_REACH } from '../../lab/toy-scenes.js';
import { lengthOf, WORDS } from '../../lab/toy.js';
import { predictCard } from './cards.js';
import { figureLink } from './figure-link.js';
import { rich } from './rich.js';
import { workTable } from './toy-table.js';
import { foundWay } from './ways.js';

/** @typedef {import('../../lab/text.js').Text} Text */

/** @param {import('../attn-toy.js').AttnToy} host */
const silent = ({ result, toy }) => Boolean(result) && lengthOf(result.out) < SILENT && lengthOf(toy.values[0]) === 0;

/** Which queries can see which token: nine boxes to tick. @param {import('../attn-toy.js').AttnToy} host @param {Text} t */
function sightGrid(host, t) {
  const { ticks, checked } = host.own;
  const right = agreeing(ticks);
  const check = () => {
    host.own = { ticks, checked: true };
    if (right === MASK.length) host.revealed = true;
  };
  const words = () => (right < MASK.length ? t('dig.check.some', { right: t.count(right), all: t.count(MASK.length) })
    : t('dig.check.all', { list: WORDS.map((word, j) => t('dig.seen', { token: word, n: t.count(seenBy()[j]) })).join(t('list.comma')) }));
  return html`<fieldset class="sheet below sight"><legend>${t('dig.sight')}</legend>
    <table><thead><tr><th scope="col">${t('dig.asks')}</th>${WORDS.map((word) => html`<th scope="col">${word}</th>`)}</tr></thead>
    <tbody>${WORDS.map((row, i) => html`<tr><th scope="row">${row}</th>${WORDS.map((col, j) => html`<td><label><input type="checkbox"
      aria-label=${t('dig.tick', { row, col })} .checked=${ticks[i * WORDS.length + j]}
      @change=${() => { host.own = ticked(host.own, i * WORDS.length + j); }}></label></td>`)}</tr>`)}</tbody></table>
    <p><button type="button" class="button" @click=${check}>${t('dig.check')}</button> <span role="status">${checked ? words() : ''}</span></p>
  </fieldset>`;
}

/** @type {import('../attn-toy.js').Act} */
export const sink = {
  words: 'dig',
  figure: 16,
  tab: 'mixing',
  fresh: freshSight,
  keeps: { ticks: ['ticks', { flags: MASK.length }], checked: ['checked', [true]] },
  movable: 0,
  reach: 'first',

  answered(host) {
    if (silent(host)) foundWay('sink');
  },

  sentence({ result, toy }, t) {
    return t('dig.say', {
      token: WORDS[0], length: t.fixed(lengthOf(toy.values[0])), share: t.fixed(result.probs[0]), out: t.fixed(lengthOf(result.out)),
    });
  },

  sheet(host, t) {
    const { toy, result } = host;
    const fact = (/** @type {string} */ name, /** @type {number | undefined} */ value) => html`<div><dt>${
      t(`dig.fact.${name}`, { token: WORDS[0] })}</dt><dd>${value === undefined ? '' : t.fixed(value)}</dd></div>`;
    return html`${workTable(host, t, { hand: (i) => i === 0, reach: [0, VALUE_REACH] })}<dl class="facts">
      ${fact('value', lengthOf(toy.values[0]))}${fact('share', result?.probs[0])}${fact('out', result ? lengthOf(result.out) : undefined)}</dl>
      <p class="verdict">${silent(host) ? html`<strong>${t('dig.silent')}</strong>`
        : t(lengthOf(toy.values[0]) ? 'dig.todo.value' : 'dig.todo.query')}</p>`;
  },

  below: sightGrid,

  caption(host, t) {
    return rich(t, 'dig.caption', { token: WORDS[0], asker: WORDS[host.toy.picked], q: host.queryVector(t), mask: figureLink(t, 2) });
  },

  aside(host, t) {
    return predictCard(t, {
      key: 'p12', options: [0, 1, 2].map((i) => t(`p12.option.${i}`)), guess: host.guess, revealed: host.revealed,
      answer: t('p12.answer'),
      onGuess: (i) => { host.guess = i; },
      onReveal: () => {
        host.own = { ticks: [...MASK], checked: true };
        host.revealed = true;
      },
    });
  },

  conclusion: (host) => host.revealed,
};
