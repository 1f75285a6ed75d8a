/** Dates down a line, for a saved image. */
import { PALETTE } from './palette.js';
import { circle, line, text } from './shapes.js';

const ROW = 52;

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ when: string, what: string, source: string, lit: boolean }[]} rows  lit: a remedy to replay
 */
export function timelineShapes(theme, rows) {
  const ink = PALETTE[theme];
  return {
    width: 720,
    height: rows.length * ROW,
    shapes: [
      line(110, 14, 110, rows.length * ROW - 26, { stroke: ink.axis, width: 2 }),
      ...rows.flatMap(({ when, what, source, lit }, i) => [
        text(88, i * ROW + 19, when, { fill: ink.ink, weight: 600, anchor: 'end' }),
        circle(110, i * ROW + 14, 6, { fill: lit ? ink.ink : ink.plate, stroke: ink.ink, width: 2 }),
        text(132, i * ROW + 19, what, { fill: ink.ink, weight: 600, size: 14 }),
        text(132, i * ROW + 37, `⊢ ${source}`, { fill: ink.ink2, size: 12 }),
      ]),
    ],
  };
}
