/** Pencil: dashed strokes without numbers, for what is drawn and not measured. */
import { PALETTE } from './palette.js';
import { path, rect, text } from './shapes.js';

/** Strokes across a square of side s, from lower left to upper right. @param {number} x @param {number} y @param {number} s @param {number} n */
export function strokes(x, y, s, n) {
  const at = (/** @type {number} */ v) => Math.round(v * 10) / 10;
  return Array.from({ length: n }, (_, i) => {
    const c = ((i + 1) * 2 * s) / (n + 1);
    const [from, to] = [Math.max(0, c - s), Math.min(s, c)];
    return `M${at(x + from)} ${at(y + c - from)}L${at(x + to)} ${at(y + c - to)}`;
  }).join('');
}

/**
 * A lower triangle of pencilled cells.
 * @param {import('./palette.js').Theme} theme
 * @param {{ words: string[], cell: number, strength: (i: number, j: number) => number, lit?: number }} o  lit: a marked row
 */
export function pencilMap(theme, { words, cell, strength, lit = -1 }) {
  const ink = PALETTE[theme];
  const [left, top] = [58, 26];
  const label = (/** @type {number} */ i) => (i === lit ? { fill: ink.hand, weight: 600, size: 14 } : { fill: ink.ink, size: 14 });
  const shapes = words.flatMap((word, i) => [
    text(left - 8, top + i * cell + cell / 2 + 5, word, { ...label(i), anchor: /** @type {const} */ ('end') }),
    text(left + i * cell + cell / 2, top - 8, word, { fill: ink.ink, size: 14, anchor: /** @type {const} */ ('middle') }),
    ...words.slice(0, i + 1).flatMap((_, j) => {
      const [x, y, n] = [left + j * cell, top + i * cell, [0, 3, 5, 9][strength(i, j)]];
      return [
        rect(x + 1, y + 1, cell - 2, cell - 2, { stroke: ink.axis, width: 1, dash: '3 3' }),
        ...(n ? [path(strokes(x + 4, y + 4, cell - 8, n), { stroke: ink.ink, width: n > 5 ? 2 : 1.2, dash: '7 2' })] : []),
      ];
    }),
  ]);
  return { shapes, width: left + words.length * cell + 2, height: top + words.length * cell + 2 };
}
