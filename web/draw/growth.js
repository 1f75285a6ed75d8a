/** A square that grows with the text beside one that does not, on one scale. */
import { PALETTE } from './palette.js';
import { line, rect, text } from './shapes.js';

const FOOT = 44;

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ room: number, tokens: number, side: [number, number], kind: 'softmax' | 'linear',
 *   words: { scores: string, table: string, scoresSize: string, tableSize: string } }} o
 *   tokens: side of the score square; side: the table's rows and columns
 * @returns {{ width: number, height: number, shapes: import('./shapes.js').Shape[] }}
 */
export function growth(theme, { room, tokens, side: [rows, cols], kind, words }) {
  const ink = PALETTE[theme];
  const square = Math.min(168, (room - 24) / 2);
  const unit = square / Math.max(tokens, rows, cols);
  const one = (/** @type {number} */ x, /** @type {number} */ w, /** @type {number} */ h, /** @type {string} */ fill, /** @type {boolean} */ now) => [
    rect(x, square - h, Math.max(1, w), Math.max(1, h), { fill, opacity: now ? 1 : 0.55 }),
    ...(now ? [rect(x - 3, square - h - 3, Math.max(1, w) + 6, Math.max(1, h) + 6, { stroke: ink.hand, width: 2 })] : []),
  ];
  const label = (/** @type {number} */ x, /** @type {string} */ name, /** @type {string} */ size) => [
    text(x, square + 22, name, { fill: ink.ink, weight: 600 }),
    text(x, square + 40, size, { fill: ink.ink2 }),
  ];
  const right = square + 24;
  const cells = tokens * unit;
  const lines = tokens <= 24 ? Array.from({ length: tokens - 1 }, (_, i) => (i + 1) * unit).flatMap((at) => [
    line(at, square - cells, at, square, { stroke: ink.plate, width: 1 }), line(0, square - at, cells, square - at, { stroke: ink.plate, width: 1 }),
  ]) : [];
  return {
    width: right + square,
    height: square + FOOT,
    shapes: [
      ...one(0, cells, cells, ink.k, kind === 'softmax'), ...lines,
      ...one(right, cols * unit, rows * unit, ink.state, kind === 'linear'),
      line(0, square + 4, right + square, square + 4, { stroke: ink.axis, width: 1.5 }),
      ...label(0, words.scores, words.scoresSize), ...label(right, words.table, words.tableSize),
    ],
  };
}
