/** F7: the value path of a head as a down and an up, against one free map. */
import { html } from 'lit';
import { lowRank } from '../../draw/lowrank.js';
import { QWEN } from '../../lab/gqa.js';
import { HIDDEN, pathCosts } from '../../lab/split.js';
import { choice, scrub } from './controls.js';
import { headOverlay } from './head-overlay.js';
import { rich } from './rich.js';
import { drawn } from './shapes.js';
import { slider } from './slider.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {any} Host the figure: AttnSplit */

const LEAST = 16;
const MOST = 1024;
const { heads: HEADS } = QWEN;

/** @param {Host} f */
const costs = ({ state: { dim, groups } }) => pathCosts({ heads: HEADS, groups, dim });

/** @param {Text} t @param {number} n parameters in millions */
const millions = (t, n) => `${t.short(n / 1e6, 2)}M`;

/** @param {Host} f @param {Text} t */
function art(f, t) {
  const { dim, groups, picked } = f.state;
  const cost = costs(f);
  return lowRank(f.environment.theme, {
    room: f.width > 960 ? Math.round((f.room - 36) * 0.58) : f.room, heads: HEADS, groups, dim, hidden: HIDDEN, picked,
    names: {
      down: t('lowrank.down'), up: t('lowrank.up'), free: t('lowrank.free'), freeCount: millions(t, cost.free),
      pair: t('lowrank.pair', { count: millions(t, cost.one) }),
    },
  });
}

/** @param {Host} f @param {Text} t */
function rows(f, t) {
  const cost = costs(f);
  const { dim, groups } = f.state;
  const [n, d] = [t.count(HIDDEN), t.count(dim)];
  return [
    { name: t('lowrank.row.free'), sum: `${n} × ${n}`, count: cost.free, kind: 'free' },
    { name: t('lowrank.row.one'), sum: `2 × ${n} × ${d}`, count: cost.one, kind: 'now' },
    { name: t('lowrank.row.allFree', { heads: HEADS }), sum: `${HEADS} × ${n} × ${n}`, count: cost.allFree, kind: 'free' },
    { name: t('lowrank.row.own', { heads: HEADS }), sum: `${HEADS} × 2 × ${n} × ${d}`, count: cost.own, kind: '' },
    { name: t('lowrank.row.shared', { heads: HEADS, groups: t.count(groups) }), sum: `(${groups} + ${HEADS}) × ${n} × ${d}`, count: cost.shared, kind: 'now' },
  ];
}

export const splitLowRank = {
  words: 'lowrank',
  number: 7,
  keeps: { d: ['dim', { min: LEAST, max: MOST }], G: ['groups', [1, 2, 4, 8]], head: ['picked', { min: 0, max: HEADS - 1 }] },
  fresh: () => ({ dim: QWEN.headDim, groups: QWEN.kvHeads, picked: 0 }),

  /** @param {Host} f @param {Text} t */
  sentence(f, t) {
    const { one, free } = costs(f);
    const key = one < free ? 'lowrank.say' : one === free ? 'lowrank.say.same' : 'lowrank.say.more';
    return t(key, { dim: t.count(f.state.dim), one: t.count(one), free: t.count(free), part: t.percent(one / free) });
  },

  /** @param {Host} f @param {Text} t */
  controls(f, t) {
    const { dim, groups } = f.state;
    const label = t('gqa.headDim');
    const set = (/** @type {number} */ n) => f.set({ dim: n });
    return html`<div class="dial">
      <span>${label}</span>${slider({ value: dim, min: LEAST, max: MOST, step: 16, label, words: t.count(dim), onInput: set })}
      ${scrub({ value: dim, text: t, label, min: LEAST, max: MOST, step: 16, big: 64, digits: 0, onChange: set })}</div>
      ${choice({
    name: 'groups', legend: t('gqa.groups'), value: groups, options: [1, 2, 4, 8].map((n) => ({ value: n, label: t.count(n) })),
    onPick: (n) => f.set({ groups: Number(n) }),
  })}`;
  },

  /** @param {Host} f @param {Text} t */
  plate(f, t) {
    const picture = art(f, t);
    const list = rows(f, t);
    const most = Math.max(...list.map((r) => r.count));
    return html`<div class="pair"><div class="art">
      <svg viewBox="0 0 ${picture.width} ${picture.height}" aria-hidden="true" .style="max-width:${picture.width}px">${drawn(picture.shapes)}</svg>
      ${headOverlay({
    legend: t('gqa.pick'), heads: HEADS, picked: f.state.picked, layout: picture, box: (h) => picture.boxes[h], onPick: (h) => f.set({ picked: h }),
  })}</div>
      <div class="sheet"><table class="cost"><thead><tr><th scope="col">${t('lowrank.col.what')}</th><td></td><th scope="col">${
  t('lowrank.col.count')}</th></tr></thead><tbody>${list.map((r) => html`<tr class=${r.kind}><th scope="row">${r.name}</th>
        <td class="bar"><i .style="width:${(100 * r.count) / most}%"></i></td><td>${t.count(r.count)}</td></tr>`)}</tbody></table>
        <p>${this.sentence(f, t)}</p></div></div>`;
  },

  /** @param {Host} f @param {Text} t */
  caption: (f, t) => html`${rich(t, 'lowrank.caption')}`,

  /** @param {Host} f @param {Text} t */
  table: (f, t) => ({
    caption: t('lowrank.title'), columns: [t('lowrank.col.what'), t('lowrank.col.sum'), t('lowrank.col.count')],
    rows: rows(f, t).map((r) => [r.name, r.sum, t.count(r.count)]),
  }),

  /** @param {Host} f @param {Text} t */
  picture: (f, t) => art(f, t),
};
