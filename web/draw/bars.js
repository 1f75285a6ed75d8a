/** Bars: a share in its box, and key/value storage side by side. */
import { toHex, valueScale } from './colour.js';
import { noNumber } from './no-number.js';
import { PALETTE } from './palette.js';
import { line, rect } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */

/**
 * One softmax share in a box of full width 1.
 * @param {Theme} theme @param {number} share @param {number} w @param {number} h
 */
export function shareBar(theme, share, w, h) {
  const { paper, axis } = PALETTE[theme];
  const fill = toHex(valueScale('probability', theme)(share));
  return [
    rect(0.5, 0.5, w - 1, h - 1, { fill: paper, stroke: axis, width: 1 }),
    ...(Number.isFinite(share)
      ? [rect(1, 1, Math.max(0, Math.min(1, share)) * (w - 2), h - 2, { fill })]
      : noNumber(theme, 0.5, 0.5, h - 1)),
  ];
}

/**
 * Keys and values kept, as a part of the full width.
 * @param {Theme} theme @param {number} part 0..1 @param {number} w @param {number} h
 */
export function keptBar(theme, part, w, h) {
  const { paper, rule, k, v } = PALETTE[theme];
  const half = (part * (w - 2)) / 2;
  return [
    rect(0.5, 0.5, w - 1, h - 1, { fill: paper, stroke: rule, width: 1 }),
    rect(1, 1, half, h - 2, { fill: k }),
    rect(1 + half, 1, half, h - 2, { fill: v }),
  ];
}

/**
 * What a head brought (outline) and what its gate lets through (filled), one row per dimension, 0 in the middle.
 * @param {Theme} theme
 * @param {{ before: number[], after: number[], gate: number[], width: number, height: number }} data
 */
export function gatedBars(theme, { before, after, gate, width, height }) {
  const ink = PALETTE[theme];
  const half = width / 2;
  const unit = (half - 8) / Math.max(1.25, ...before.map(Math.abs));
  const step = height / before.length;
  const close = step < 40; // beside the rows of a table
  const [above, below, under] = close ? [3, 9, 3] : [6, 14, 5];
  const bar = (/** @type {number} */ value) => ({ x: Math.min(half, half + value * unit), w: Math.abs(value) * unit });
  return [
    line(half, 0, half, height, { stroke: ink.axis, width: 1.5 }),
    ...before.flatMap((value, d) => {
      const [y, h] = [d * step + above, step - above - below];
      const [was, is] = [bar(value), bar(after[d])];
      return [
        rect(was.x, y, was.w, h, { stroke: ink.ink2, width: 1.5, dash: '4 3' }),
        rect(is.x, y, is.w, h, { fill: ink.gate }),
        rect(0, y + h + under, width, 3, { fill: ink.rule }),
        rect(0, y + h + under, gate[d] * width, 3, { fill: ink.gate }),
      ];
    }),
  ];
}
