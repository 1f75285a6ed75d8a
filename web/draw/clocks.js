/** A head as RoPE sees it: pairs that turn like clocks, and numbers that stand still. */
import { PALETTE } from './palette.js';
import { circle, line } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */

/** Still marks to a row, and the step between them. */
const ROW = 32;

/**
 * @param {Theme} theme
 * @param {{ angles: number[], columns: number, room: number, still: number }} o  angles: radians, 0 points up, turning left
 * @returns {{ width: number, height: number, split: number, shapes: import('./shapes.js').Shape[] }} split: where the still part begins
 */
export function clocks(theme, { angles, columns, room, still }) {
  const ink = PALETTE[theme];
  const step = Math.min(44, room / columns);
  const r = step * 0.4;
  const faces = angles.flatMap((angle, i) => {
    const [x, y] = [(i % columns) * step + step / 2, Math.floor(i / columns) * step + step / 2];
    return [
      circle(x, y, r, { fill: ink.paper, stroke: ink.axis, width: 1.5 }),
      line(x, y - r, x, y - r + 4, { stroke: ink.axis, width: 1.5 }),
      line(x, y, x - Math.sin(angle) * (r - 3), y - Math.cos(angle) * (r - 3), { stroke: ink.ink, width: 2.5 }),
    ];
  });
  const split = Math.ceil(angles.length / columns) * step + 34;
  const width = columns * step;
  const pitch = width / ROW;
  const marks = Array.from({ length: still }, (_, i) => {
    const [x, y] = [(i % ROW) * pitch + pitch / 2, split + Math.floor(i / ROW) * 13];
    return line(x, y, x, y + 8, { stroke: ink.ink2, width: 2 });
  });
  return { width, split, height: split + Math.ceil(still / ROW) * 13, shapes: [...faces, ...marks] };
}
