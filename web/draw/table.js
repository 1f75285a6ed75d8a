/** A plain table as shapes, for saved images. */
import { PALETTE } from './palette.js';
import { line, text } from './shapes.js';

export const ROW = 26;

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ columns: string[], rows: string[][] }} table  first column reads from the left, the others end at the right
 * @param {number} width
 * @returns {{ shapes: import('./shapes.js').Shape[], height: number }}
 */
export function tableShapes(theme, { columns, rows }, width) {
  const ink = PALETTE[theme];
  const first = width * 0.28;
  const step = (width - first) / Math.max(1, columns.length - 1);
  const put = (/** @type {string[]} */ cells, /** @type {number} */ y, /** @type {number} */ weight) => cells.map((cell, i) => (
    i === 0 ? text(0, y, cell, { fill: ink.ink, weight }) : text(first + i * step, y, cell, {
      fill: ink.ink, weight, anchor: 'end',
    })));
  const shapes = [
    ...put(columns, 16, 600),
    line(0, ROW, width, ROW, { stroke: ink.ink, width: 1.5 }),
    ...rows.flatMap((row, r) => [
      ...put(row, (r + 1) * ROW + 18, 400),
      line(0, (r + 2) * ROW, width, (r + 2) * ROW, { stroke: ink.rule, width: 1 }),
    ]),
  ];
  return { shapes, height: (rows.length + 1) * ROW + 2 };
}
