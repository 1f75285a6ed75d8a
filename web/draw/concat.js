/** Concat then W_O beside a sum of contributions: the same strips, once glued and once apart. */
import { headColour, parseHex, textOn, toHex, valueScale } from './colour.js';
import { PALETTE } from './palette.js';
import { line, rect, text } from './shapes.js';
import { textWidth } from './text-width.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {import('./shapes.js').Shape} Shape */
/**
 * @typedef {{ sizes: { heads: number, kvHeads: number, dim: number, width: number }, x: ArrayLike<number>, w: ArrayLike<number>,
 *   parts: ArrayLike<number>[], whole: ArrayLike<number>, sum: ArrayLike<number> | null, picked: number, max: number,
 *   format: (n: number) => string }} Data  sum null: not shown yet
 */

const TOP = 26;
const BAND = 45;
const RESULT = 30;

/**
 * @param {number} room CSS pixels for one side
 * @param {{ heads: number, dim: number, width: number }} sizes
 */
export function concatLayout(room, { heads, width }) {
  const small = room < 400;
  const [tag, cell, mini, gap] = small ? [20, 12, 5, 5] : [34, 18, 13, 10];
  const apart = tag + cell + width * mini + 5 * gap;
  const fit = (/** @type {number} */ beside) => Math.max(34, Math.min(50, Math.floor((room - beside) / width)));
  const together = tag + cell + 3 * gap;
  const columns = { glued: fit(together), added: fit(apart) };
  return {
    tag, cell, mini, gap, columns, band: BAND,
    gluedWidth: together + width * columns.glued,
    addedWidth: apart + width * columns.added,
    height: TOP + heads * BAND + 16 + RESULT,
  };
}

/** @typedef {ReturnType<typeof concatLayout>} Layout */

/** @param {Theme} theme @param {Data} data */
function painter(theme, { max, format }) {
  const ink = PALETTE[theme];
  const colour = valueScale('signed', theme, max);
  return {
    ink,
    /** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} value @param {boolean} [printed] */
    cell: (x, y, w, h, value, printed = false) => {
      const ground = colour(value);
      const box = rect(x, y, w - 1, h - 1, { fill: toHex(ground) });
      const words = { fill: textOn(ground), size: 12, anchor: /** @type {const} */ ('middle') };
      return printed ? [box, text(x + w / 2, y + h / 2 + 4, format(value), words)] : [box];
    },
  };
}

/** Head tag, its numbers and, for the picked one, the hand's outline. @param {Theme} theme @param {Layout} l @param {Data} data */
function heads(theme, { tag, cell, gap, band }, data, rowHeight) {
  const { cell: paint } = painter(theme, data);
  const { sizes: { heads: count, kvHeads, dim }, x } = data;
  return Array.from({ length: count }, (_, h) => {
    const colour = headColour(h, count, kvHeads, theme);
    const y = TOP + h * band;
    const label = tag < 30 ? String(h) : `Q${h}`;
    return [
      rect(0, y, tag, dim * rowHeight - 1, { fill: colour }),
      text(tag / 2, y + (dim * rowHeight) / 2 + 4, label, {
        fill: textOn(parseHex(colour)), anchor: /** @type {const} */ ('middle'), weight: 600, size: 13,
      }),
      ...Array.from({ length: dim }, (__, i) => paint(tag + gap, y + i * rowHeight, cell, rowHeight, x[h * dim + i])).flat(),
    ];
  }).flat();
}

/**
 * One long vector, one matrix, one product.
 * @param {Theme} theme @param {Layout} l @param {Data} data @param {{ matrix: string }} words
 * @returns {Shape[]}
 */
export function glued(theme, l, data, words) {
  const { ink, cell } = painter(theme, data);
  const { sizes: { heads: count, dim, width }, w, whole, picked } = data;
  const row = l.band / dim;
  const left = l.tag + l.cell + 3 * l.gap;
  const [bottom, rows] = [TOP + count * l.band, count * dim];
  const result = bottom + 16;
  return [
    text(l.tag + l.gap, 14, 'o', { fill: ink.ink2, weight: 600 }),
    text(left, 14, words.matrix, { fill: ink.ink2 }),
    ...heads(theme, l, data, row),
    ...Array.from({ length: rows * width }, (_, n) => (
      cell(left + (n % width) * l.columns.glued, TOP + Math.floor(n / width) * row, l.columns.glued, row, w[n]))).flat(),
    rect(-3, TOP + picked * l.band - 2, l.gluedWidth + 5, l.band + 3, { stroke: ink.hand, width: 2 }),
    line(left, bottom + 8, left + width * l.columns.glued, bottom + 8, { stroke: ink.ink, width: 1.5 }),
    text(left - l.gap, result + RESULT / 2 + 5, l.tag < 30 ? 'Σ =' : 'o · W_O =', { fill: ink.ink, weight: 600, anchor: 'end' }),
    ...Array.from(whole, (value, i) => cell(left + i * l.columns.glued, result, l.columns.glued, RESULT, value, true)).flat(),
  ];
}

/**
 * Eight short vectors, eight strips, eight products and their sum.
 * @param {Theme} theme @param {Layout} l @param {Data} data @param {{ strip: string, part: string, waiting: string }} words
 * @returns {Shape[]}
 */
export function added(theme, l, data, words) {
  const { ink, cell } = painter(theme, data);
  const { sizes: { heads: count, dim, width }, w, parts, sum, picked } = data;
  const row = 13;
  const strip = l.tag + l.cell + 2 * l.gap;
  const left = strip + width * l.mini + 3 * l.gap;
  const bottom = TOP + count * l.band;
  const result = bottom + 16;
  const sign = { fill: ink.ink2, anchor: /** @type {const} */ ('middle') };
  return [
    text(l.tag + l.gap, 14, 'o', { fill: ink.ink2, weight: 600 }),
    text(strip, 14, words.strip, { fill: ink.ink2 }),
    text(Math.max(left, strip + textWidth(words.strip) + l.gap), 14, words.part, { fill: ink.ink2 }),
    ...heads(theme, l, data, row),
    ...Array.from({ length: count }, (_, h) => {
      const y = TOP + h * l.band;
      return [
        ...Array.from({ length: dim * width }, (__, n) => (
          cell(strip + (n % width) * l.mini, y + Math.floor(n / width) * row, l.mini, row, w[h * dim * width + n]))).flat(),
        text(left - 1.5 * l.gap, y + 24, h === 0 ? '=' : '+', sign),
        ...Array.from(parts[h], (value, i) => cell(left + i * l.columns.added, y + 6, l.columns.added, 26, value, true)).flat(),
      ];
    }).flat(),
    rect(-3, TOP + picked * l.band - 3, l.addedWidth + 5, dim * row + 5, { stroke: ink.hand, width: 2 }),
    line(left, bottom + 8, left + width * l.columns.added, bottom + 8, { stroke: ink.ink, width: 1.5 }),
    text(left - l.gap, result + RESULT / 2 + 5, 'Σ =', { fill: ink.ink, weight: 600, anchor: 'end' }),
    ...(sum ? Array.from(sum, (value, i) => cell(left + i * l.columns.added, result, l.columns.added, RESULT, value, true)).flat() : [
      rect(left, result, width * l.columns.added - 1, RESULT - 1, { stroke: ink.hand, width: 1.5, dash: '5 4' }),
      text(left + (width * l.columns.added) / 2, result + RESULT / 2 + 4, words.waiting, { ...sign, fill: ink.hand, weight: 600 }),
    ]),
  ];
}
