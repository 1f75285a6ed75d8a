/** Scene "blank" (F14): the string misses the origin; ten tries to hit it. */
import { html } from 'lit';
import { freshBlank, passed, tried, TRIES } from '../../lab/toy-scenes.js';
import { lengthOf, WORDS } from '../../lab/toy.js';
import { predictCard } from './cards.js';
import { figureLink } from './figure-link.js';
import { rich } from './rich.js';
import { workTable } from './toy-table.js';
import { isFound } from './ways.js';

/** Ways out of the blank sheet, and the figure that shows each. @type {[import('./ways.js').Way, number][]} */
const WAYS = [['sink', 16], ['plusOne', 30], ['gate', 18]];

/** @type {import('../attn-toy.js').Act} */
export const blank = {
  words: 'blank',
  figure: 14,
  tab: 'mixing',
  fresh: freshBlank,
  keeps: { tries: ['tries', [...Array(TRIES).keys()].map((n) => n + 1)], nearest: ['nearest', { least: 0, most: 10 }] },
  // whoever opens an address has not tried anything yet
  settled: (own, toy) => ({ ...own, at: toy.queries[toy.picked] }),

  answered(host) {
    host.own = passed(host.own, host.result.out);
  },

  rested(host) {
    host.own = tried(host.own, host.toy.queries[host.toy.picked]);
    if (host.own.tries === TRIES) host.revealed = true;
  },

  sentence({ result, own }, t) {
    return t('blank.say', {
      x: t.fixed(result.out[0]), y: t.fixed(result.out[1]), distance: t.fixed(lengthOf(result.out)), nearest: t.fixed(own.nearest),
    });
  },

  sheet(host, t) {
    const { own, result } = host;
    const fact = (/** @type {string} */ name, /** @type {string} */ value) => html`<div><dt>${t(`blank.${name}`)}</dt><dd>${value}</dd></div>`;
    return html`${workTable(host, t)}<dl class="facts">
      ${fact('distance', result ? t.fixed(lengthOf(result.out)) : '')}
      ${fact('nearest', Number.isFinite(own.nearest) ? t.fixed(own.nearest) : '')}
      ${fact('tries', t('blank.tries.of', { tries: t.count(own.tries), all: t.count(TRIES) }))}</dl>`;
  },

  below(_host, t) {
    return html`<div class="sheet below"><p class="ways-name" id="ways">${t('blank.ways')}</p>
      <ul class="ways" aria-labelledby="ways">${WAYS.map(([way, n]) => html`<li class=${isFound(way) ? 'found' : ''}><span>${
        t(`blank.way.${way}`)}</span> <span>${isFound(way) ? `✓ ${t('blank.found')} · ` : ''}${figureLink(t, n)}</span></li>`)}</ul></div>`;
  },

  caption(host, t) { return rich(t, 'blank.caption', { token: WORDS[host.toy.picked], q: host.queryVector(t) }); },

  aside(host, t) {
    return predictCard(t, {
      key: 'p11', options: [0, 1, 2].map((i) => t(`p11.option.${i}`)), guess: host.guess, revealed: host.revealed,
      answer: t('p11.answer'),
      onGuess: (i) => {
        host.guess = i;
        host.revealed = true;
      },
      onReveal: () => { host.revealed = true; },
    });
  },

  conclusion: (host) => host.revealed,
};
