/** A plain table as shapes, for saved images. */
import { PALETTE } from './palette.js';
import { line, text } from './shapes.js';
import { textWidth } from './text-width.js';

export const ROW = 26;
/** Least room between two columns. */
const GAP = 16;
const HEAD = { weight: 600 };
const BODY = { weight: 400 };

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ columns: string[], rows: string[][] }} table  first column reads from the left, the others end at the right
 * @param {number} room what it is to fill; it grows wider where its words need more
 * @returns {{ shapes: import('./shapes.js').Shape[], width: number, height: number }}
 */
export function tableShapes(theme, { columns, rows }, room) {
  const ink = PALETTE[theme];
  const widths = columns.map((name, i) => (
    Math.max(textWidth(name, HEAD), ...rows.map((row) => textWidth(row[i] ?? '', BODY)))));
  const full = widths.reduce((sum, w) => sum + w, 0);
  const gap = Math.max(GAP, (room - full) / Math.max(1, columns.length - 1));
  const ends = widths.map((_, i) => widths.slice(0, i + 1).reduce((sum, w) => sum + w, i * gap));
  const width = Math.max(room, ends[ends.length - 1]);
  const put = (/** @type {string[]} */ cells, /** @type {number} */ y, /** @type {{ weight: number }} */ letters) => (
    cells.map((cell, i) => (i === 0 ? text(0, y, cell, { fill: ink.ink, ...letters })
      : text(ends[i], y, cell, { fill: ink.ink, anchor: 'end', ...letters }))));
  const shapes = [
    ...put(columns, 16, HEAD),
    line(0, ROW, width, ROW, { stroke: ink.ink, width: 1.5 }),
    ...rows.flatMap((row, r) => [
      ...put(row, (r + 1) * ROW + 18, BODY),
      line(0, (r + 2) * ROW, width, (r + 2) * ROW, { stroke: ink.rule, width: 1 }),
    ]),
  ];
  return { shapes, width, height: (rows.length + 1) * ROW + 2 };
}
