/** F5: one vector in, eight strips out; the width of a head is a choice. */
import { html, nothing } from 'lit';
import { splitBox, splitLayout, splitPicture } from '../../draw/split.js';
import { divisors, QWEN } from '../../lab/gqa.js';
import { HIDDEN, rowsOf } from '../../lab/split.js';
import { predictCard } from './cards.js';
import { choice, scrub } from './controls.js';
import { headOverlay } from './head-overlay.js';
import { rich } from './rich.js';
import { drawn } from './shapes.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {any} Host the figure: AttnSplit */

const MOST_HEADS = 16;
const MOST_DIM = 512;

/** @param {Text} t @param {import('../../lab/split.js').Rows} rows */
export const rowWords = (t, [from, to]) => `${t.count(from)}–${t.count(to)}`;

/** @param {Host} f */
const split = ({ state: { heads, dim, groups, gated } }) => ({ heads, dim, groups, gated, hidden: HIDDEN });

/** Only divisors of H can be drawn. @param {any} state */
const settled = (state) => ({
  ...state, groups: divisors(state.heads).filter((d) => d <= state.groups).pop() ?? 1, picked: Math.min(state.picked, state.heads - 1),
});

/** CSS pixels the picture has. @param {Host} f */
const artRoom = (f) => (f.width > 960 ? Math.round((f.room - 36) * 0.58) : f.room);

/** @param {Host} f @param {Text} t */
function art(f, t) {
  const s = split(f);
  const layout = splitLayout(artRoom(f), s);
  const per = s.dim * (s.gated ? 2 : 1);
  const shapes = splitPicture(f.environment.theme, layout, s, {
    picked: f.state.picked,
    names: {
      input: t.count(HIDDEN), query: `${s.gated ? t('split.with') : 'Q'}: ${s.heads} × ${t.count(per)}`,
      key: `K: ${s.groups} × ${t.count(s.dim)}`, value: `V: ${s.groups} × ${t.count(s.dim)}`,
    },
  });
  return { layout, shapes };
}

/** @param {Host} f @param {Text} t */
function total(f, t) {
  const { heads, dim } = f.state;
  return `${t.count(heads)} × ${t.count(dim)} = ${f.revealed ? t.count(heads * dim) : '?'}`;
}

export const splitHeads = {
  words: 'split',
  number: 5,
  settled,
  keeps: { H: ['heads', { min: 1, max: MOST_HEADS }], d: ['dim', { min: 16, max: MOST_DIM }], G: ['groups', { min: 1, max: MOST_HEADS }], gate: ['gated', [true]], head: ['picked', { min: 0, max: MOST_HEADS - 1 }] },
  fresh: () => ({ heads: QWEN.heads, dim: QWEN.headDim, groups: QWEN.kvHeads, gated: false, picked: 2 }),

  /** @param {Host} f @param {Text} t */
  sentence(f, t) {
    const { heads, dim, groups, picked } = f.state;
    return t('split.say', {
      h: picked, g: Math.floor(picked / (heads / groups)), rows: rowWords(t, rowsOf(picked, dim, false).query),
      gated: rowWords(t, rowsOf(picked, dim, true).query),
    });
  },

  /** @param {Host} f @param {Text} t */
  controls(f, t) {
    const { heads, dim, groups, gated } = f.state;
    return html`<label>${t('gqa.heads')} ${scrub({
      value: heads, text: t, label: t('gqa.heads'), min: 1, max: MOST_HEADS, step: 1, big: 4, digits: 0, onChange: (n) => f.set(settled({ ...f.state, heads: n })),
    })}</label><label>${t('gqa.headDim')} ${scrub({
      value: dim, text: t, label: t('gqa.headDim'), min: 16, max: MOST_DIM, step: 16, big: 64, digits: 0, onChange: (n) => f.set({ dim: n }),
    })}</label>${choice({
      name: 'groups', legend: t('gqa.groups'), value: groups,
      options: divisors(heads).map((n) => ({ value: n, label: t.count(n) })), onPick: (n) => f.set({ groups: Number(n) }),
    })}<label class="check"><input type="checkbox" .checked=${gated} @change=${() => f.set({ gated: !gated })}>${t('split.gate')}</label>`;
  },

  /** @param {Host} f @param {Text} t */
  plate(f, t) {
    const { layout, shapes } = art(f, t);
    const { heads, dim, groups, picked } = f.state;
    const classic = HIDDEN / heads;
    const [plain, gated] = [rowsOf(picked, dim, false), rowsOf(picked, dim, true)];
    return html`<div class="pair"><div class="art">
      <svg viewBox="0 0 ${layout.width} ${layout.height}" aria-hidden="true" .style="max-width:${layout.width}px">${drawn(shapes)}</svg>
      ${headOverlay({ legend: t('gqa.pick'), heads, picked, box: (h) => splitBox(layout, h), layout, onPick: (h) => f.set({ picked: h }) })}</div>
      <div class="sheet"><p class="big">H × d = ${total(f, t)}</p>
        <p>${rich(t, 'split.kv', { sum: html`<strong>${groups} × ${t.count(dim)} = ${t.count(groups * dim)}</strong>` })}</p>
        <p>${rich(t, 'split.picked', { h: picked, rows: html`<strong>${rowWords(t, plain.query)}</strong>` })}</p>
        <p>${rich(t, 'split.picked.gated', {
    rows: html`<strong>${rowWords(t, gated.query)}</strong>`, gate: gated.gate ? html`<strong>${rowWords(t, gated.gate)}</strong>` : nothing,
  })}</p>
        <p class="quiet-text">${t('split.classic', { classic: t.short(classic, 1), heads: t.count(heads) })}
          ${Number.isInteger(classic) && classic >= 16 && classic <= MOST_DIM && classic !== dim
    ? html`<button type="button" class="link" @click=${() => f.set({ dim: classic })}>${t('split.classic.set', { classic: t.count(classic) })}</button>`
    : nothing}</p></div></div>`;
  },

  /** @param {Host} f @param {Text} t */
  caption: (f, t) => html`${rich(t, 'split.caption')}`,

  /** @param {Host} f @param {Text} t */
  aside: (f, t) => predictCard(t, {
    key: 'p4', options: [t('p4.option.0'), t('p4.option.1')], guess: f.guess, revealed: f.revealed,
    answer: t('p4.answer'), onGuess: (/** @type {number} */ i) => { f.guess = i; f.revealed = true; },
    onReveal: () => { f.revealed = true; },
  }),

  /** @param {Host} f @param {Text} t */
  table(f, t) {
    const { heads, dim, groups } = f.state;
    return {
      caption: t('split.title'),
      columns: [t('split.col.head'), t('split.col.rows'), t('split.col.gated'), t('split.col.gate'), t('split.col.reads')],
      rows: Array.from({ length: heads }, (_, h) => {
        const gated = rowsOf(h, dim, true);
        const g = Math.floor(h / (heads / groups));
        return [`Q${h}`, rowWords(t, rowsOf(h, dim, false).query), rowWords(t, gated.query), gated.gate ? rowWords(t, gated.gate) : '', `K${g} V${g}`];
      }),
    };
  },

  /** @param {Host} f @param {Text} t */
  picture(f, t) {
    const { layout, shapes } = art(f, t);
    return { width: layout.width, height: layout.height, shapes };
  },
};
