/** A row of numbers as stripes, one colour each: what a head brought, its gate, what got through. */
import { toHex, valueScale } from './colour.js';
import { noNumber } from './no-number.js';
import { PALETTE } from './palette.js';
import { line, moved, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */

/**
 * @param {Theme} theme @param {ArrayLike<number>} values
 * @param {{ width: number, height: number, scale: 'signed' | 'gate', max?: number }} o
 */
export function barcode(theme, values, { width, height, scale, max = 1 }) {
  const colour = valueScale(scale, theme, max || 1);
  const step = width / values.length;
  return [
    ...Array.from(values, (v, i) => rect(i * step, 0, step + 0.3, height, { fill: toHex(colour(v)) })),
    rect(0.5, 0.5, width - 1, height - 1, { stroke: PALETTE[theme].axis, width: 1 }),
  ];
}

/**
 * What is added, against the residual stream before it; dashed: without the gate.
 * @param {Theme} theme @param {{ residual: number, added: number, ungated: number, gated: boolean, width: number }} o
 */
export function streamBars(theme, { residual, added, ungated, gated, width }) {
  const ink = PALETTE[theme];
  const unit = (width - 2) / Math.max(...[residual, added, ungated].filter(Number.isFinite), 1e-9);
  /** @param {number} value @param {number} y @param {number} h @param {string} fill */
  const bar = (value, y, h, fill) => (
    Number.isFinite(value) ? [rect(0, y, value * unit, h, { fill })] : noNumber(theme, 2, y, h));
  const dashed = { stroke: ink.ink2, width: 1.5, dash: '4 3' };
  return [
    ...bar(residual, 2, 14, ink.axis),
    ...(gated && Number.isFinite(ungated) ? [rect(1, 24, Math.max(1, ungated * unit), 16, dashed)] : []),
    ...bar(added, 24, 16, ink.gate),
    line(0, 0, 0, 44, { stroke: ink.ink, width: 1.5 }),
  ];
}

/**
 * The whole way as one picture, for a saved image.
 * @param {Theme} theme
 * @param {{ rows: { name: string, values: ArrayLike<number>, scale: 'signed' | 'gate', max?: number, words: string }[],
 *   bars: Parameters<typeof streamBars>[1], barsName: string, barsWords: string[] }} o
 */
export function followPicture(theme, { rows, bars, barsName, barsWords }) {
  const ink = PALETTE[theme];
  const [left, width] = [190, 560];
  const name = (/** @type {string} */ words, /** @type {number} */ y) => text(0, y, words, { fill: ink.ink, weight: 600 });
  const value = (/** @type {string} */ words, /** @type {number} */ y) => text(left + width + 16, y, words, { fill: ink.ink });
  const shapes = rows.flatMap((row, i) => [
    name(row.name, i * 58 + 22), ...moved(barcode(theme, row.values, { width, height: 34, scale: row.scale, max: row.max }), left, i * 58),
    value(row.words, i * 58 + 22),
  ]);
  const y = rows.length * 58;
  return {
    width: left + width + 220,
    height: y + 52,
    shapes: [...shapes, name(barsName, y + 26), ...moved(streamBars(theme, { ...bars, width }), left, y), ...barsWords.map((w, i) => value(w, y + 14 + i * 22))],
  };
}
