/** F27: why the gate lives in q_proj, block by block; a wrong split can be tried on a small layer. */
import { html } from 'lit';
import { outputStrips, rowBlocks } from '../../draw/split-gate.js';
import { moved } from '../../draw/shapes.js';
import { QWEN } from '../../lab/gqa.js';
import {
  gateCost, halvesOf, HIDDEN, FULL_LAYERS, headsThatDiffer, MODEL_PARAMETERS, ownerOf, rowsOf, SMALL, trySplits,
} from '../../lab/split.js';
import { largestDifference } from '../../lab/measure.js';
import { birthMark } from './marks.js';
import { legend, predictCard } from './cards.js';
import { choice, scrub } from './controls.js';
import { headPicker } from './head-picker.js';
import { rich } from './rich.js';
import { drawn } from './shapes.js';
import { rowWords } from './split-heads.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {any} Host the figure: AttnSplit */

const { heads: H, headDim: D, kvHeads: G } = QWEN;
/** The head the reader is asked about. */
const ASKED = 2;
const GUESSES = [halvesOf(ASKED, H, D).query, /** @type {any} */ (rowsOf(ASKED, D, true).gate), halvesOf(ASKED, H, D).gate];
const CHUNKS = Array.from({ length: 2 * H }, (_, c) => c);

/** Rows that the layout on display takes for a head. @param {Host} f @param {number} h */
const rowsFor = (f, h) => /** @type {{ query: any, gate: any }} */ (f.state.layout === 'heads' ? rowsOf(h, D, true) : halvesOf(h, H, D));

const stored = CHUNKS.map((c) => ownerOf(c * D, D));
const read = { heads: stored, halves: CHUNKS.map((c) => ({ head: c % H, gate: c >= H })) };

/** @param {{ head: number, gate: boolean }} o */
const named = ({ head, gate }) => `${gate ? 'g' : 'Q'}${head}`;

/** @param {Host} f @param {Text} t */
function blocks(f, t) {
  const { layout, devices, picked } = f.state;
  return rowBlocks(f.environment.theme, {
    room: f.room, heads: H, groups: G, stored, read: read[/** @type {'heads' | 'halves'} */ (layout)], picked, devices,
    names: {
      stored: t('gateIn.stored'), read: t('gateIn.read'), short: [t('gateIn.stored.short'), t('gateIn.read.short')], device: [t('gateIn.device', { n: 0 }), t('gateIn.device', { n: 1 })],
      rows: [0, H * D, 2 * H * D].map((n) => t('gateIn.rowAt', { n: t.count(n) })),
    },
  });
}

/** @param {Host} f @param {Text} t */
function strips(f, t) {
  const { tried, state } = f;
  if (!tried) return null;
  const max = Math.max(...[tried.separate, tried.heads, tried.halves].flatMap((a) => Array.from(a, Math.abs)));
  const width = Math.min(520, f.width > 960 ? (f.room - 24) / 2 - 34 : f.room - (f.width <= 576 ? 0 : 34));
  return { max, width, ...outputStrips(f.environment.theme, {
    width, heads: SMALL.heads, groups: SMALL.kvHeads, dim: SMALL.dim, max,
    rows: [{ name: t('gateIn.separate'), data: tried.separate }, { name: t(`gateIn.out.${state.layout}`), data: tried[state.layout] }],
  }) };
}

/** Same words for page, table and voice. @param {Host} f @param {Text} t */
function verdict(f, t) {
  const { tried, state } = f;
  if (!tried) return '';
  const mine = tried[state.layout];
  const most = largestDifference(tried.separate, mine);
  const count = headsThatDiffer(tried.separate, mine).length;
  return count === 0 ? t('gateIn.equal', { most: t.exponent(most) })
    : t('gateIn.differs', { most: t.fixed(most), count: t.count(count), heads: SMALL.heads });
}

/** @param {Host} f @param {Text} t @param {number} h */
function veiled(f, t, h) {
  const { query, gate } = rowsFor(f, h);
  const hide = h === ASKED && !f.revealed && f.state.layout === 'heads';
  return { query: rowWords(t, query), gate: hide ? '?' : rowWords(t, gate) };
}

export const splitGate = {
  words: 'gateIn',
  number: 27,
  keeps: { layout: ['layout', ['heads', 'halves']], devices: ['devices', [true]], head: ['picked', { min: 0, max: H - 1 }], seed: ['seed', { min: 1, max: 999 }] },
  fresh: () => ({ layout: 'heads', devices: false, picked: 0, seed: 1 }),

  /** @param {Host} f */
  async compute(f) {
    const { seed } = f.state;
    if (f.tried?.seed === seed) return;
    const found = await f.run((/** @type {any} */ engine) => trySplits(engine, seed));
    if (found) f.tried = { ...found, seed };
  },

  /** @param {Host} f @param {Text} t */
  sentence(f, t) {
    const { picked, layout } = f.state;
    const { query, gate } = rowsFor(f, picked);
    if (layout === 'heads') return t('gateIn.say', { h: picked, ...veiled(f, t, picked) });
    return t('gateIn.say.halves', {
      h: picked, query: rowWords(t, query), gate: rowWords(t, gate), isQuery: named(ownerOf(query[0], D)), isGate: named(ownerOf(gate[0], D)),
    });
  },

  /** @param {Host} f @param {Text} t */
  controls(f, t) {
    const { layout, devices } = f.state;
    return html`${choice({
      name: 'layout', legend: t('gateIn.layout'), value: layout,
      options: ['heads', 'halves'].map((value) => ({ value, label: t(`gateIn.layout.${value}`) })), onPick: (value) => f.set({ layout: value }),
    })}<label class="check"><input type="checkbox" .checked=${devices} @change=${() => f.set({ devices: !devices })}>${t('gateIn.devices')}</label>`;
  },

  /** @param {Host} f @param {Text} t */
  plate(f, t) {
    const { layout, devices, picked, seed } = f.state;
    const bar = blocks(f, t);
    const out = strips(f, t);
    const cost = gateCost({ heads: H, dim: D });
    return html`<svg class="blocks" viewBox="0 0 ${bar.width} ${bar.height}" aria-hidden="true">${drawn(bar.shapes)}</svg>
      <div class="below"><div class="sheet">
        ${headPicker(t, { heads: H, kvHeads: G, value: picked, theme: f.environment.theme, onPick: (h) => f.set({ picked: h }) })}
        <p>${this.sentence(f, t)}</p>
        ${devices ? html`<p>${t(`gateIn.devices.${layout}`)}</p>` : ''}
        <p class="heading">${t('gateIn.why')}</p><ol class="reasons">${['same', 'word', 'once', 'travel'].map((key) => html`<li>${rich(t, `gateIn.why.${key}`)}</li>`)}</ol></div>
      <div class="sheet"><p class="heading">${t('gateIn.try')}</p>
        ${out ? html`<svg class="strips" viewBox="0 0 ${out.width} ${out.height}" aria-hidden="true" .style="max-width:${out.width}px">${drawn(out.shapes)}</svg>
          ${legend(t, {
    name: 'signed', theme: f.environment.theme, min: t.fixed(-out.max, 2), max: t.fixed(out.max, 2), words: t('gateIn.legend'),
  })}` : ''}
        <p class="verdict">${birthMark('live', t('mark.live'))} ${verdict(f, t)}</p>
        <p class="quiet-text">${t('gateIn.small')} <label>${t('gateIn.seed')} ${scrub({
  value: seed, text: t, label: t('gateIn.seed'), min: 1, max: 999, step: 1, big: 10, digits: 0, onChange: (n) => f.set({ seed: n }),
})}</label></p>
        <p>${rich(t, 'gateIn.cost', {
    sum: `${t.count(HIDDEN)} × ${t.count(H * D)} = ${t.count(cost.layer)}`, layers: FULL_LAYERS, all: t.count(cost.all),
    part: `${t.short(cost.part * 100, 1)}%`, model: t.count(MODEL_PARAMETERS),
  })}</p></div></div>`;
  },

  /** @param {Host} f @param {Text} t */
  caption: (f, t) => html`${rich(t, 'gateIn.caption')}`,

  /** @param {Host} f @param {Text} t */
  aside: (f, t) => predictCard(t, {
    key: 'p27', options: GUESSES.map((rows) => rowWords(t, rows)), guess: f.guess, revealed: f.revealed,
    answer: t('p27.answer', { rows: rowWords(t, GUESSES[1]) }),
    onGuess: (/** @type {number} */ i) => { f.guess = i; f.revealed = true; f.set({ picked: ASKED }); },
    onReveal: () => { f.revealed = true; f.set({ picked: ASKED }); },
  }),

  /** @param {Host} f @param {Text} t */
  table: (f, t) => ({
    caption: `${t('gateIn.title')}. ${verdict(f, t)}`,
    columns: [t('split.col.head'), t('gateIn.col.query'), t('gateIn.col.gate'), t('gateIn.col.isQuery'), t('gateIn.col.isGate')],
    rows: Array.from({ length: H }, (_, h) => {
      const { query, gate } = rowsFor(f, h);
      const words = veiled(f, t, h);
      return [`Q${h}`, words.query, words.gate, named(ownerOf(query[0], D)), named(ownerOf(gate[0], D))];
    }),
  }),

  /** @param {Host} f @param {Text} t */
  picture(f, t) {
    const bar = blocks(f, t);
    const out = strips(f, t);
    return { width: bar.width, height: bar.height + (out ? out.height + 16 : 0), shapes: [...bar.shapes, ...(out ? moved(out.shapes, 0, bar.height + 16) : [])] };
  },
};
