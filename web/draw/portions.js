/** What one word has at a stop of the map: bars of one scale, cut into heads. */
import { headColour } from './colour.js';
import { PALETTE } from './palette.js';
import { rect, text } from './shapes.js';

const ROW = 26;
const NAME = 44;
/** A full bar: the 2,048 numbers of eight heads. */
const FULL = 2048;

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ room: number, rows: { name: string, parts: number, size: number }[], groups: number, rotary: number,
 *   count: (n: number) => string }} o  rotary: how many of each part turn, 0 when nothing does
 * @returns {{ width: number, height: number, shapes: import('./shapes.js').Shape[] }}
 */
export function portions(theme, { room, rows, groups, rotary, count }) {
  const ink = PALETTE[theme];
  /** @type {Record<string, string>} */
  const colours = { h: ink.axis, out: ink.axis, k: ink.k, v: ink.v, gate: ink.gate, S: ink.state, α: ink.state, β: ink.state };
  const number = 84;
  const longest = Math.max(FULL, ...rows.map(({ parts, size }) => parts * size));
  const unit = (room - NAME - number) / longest;
  const shapes = rows.flatMap(({ name, parts, size }, r) => {
    const y = r * ROW + 4;
    const width = parts * size * unit;
    const step = width / parts;
    const thin = step < 3;
    const one = (/** @type {number} */ h) => {
      const fill = colours[name] ?? (parts === 1 ? ink.ink2 : headColour(h, parts, Math.min(groups, parts), theme));
      const [x, w] = [NAME + h * step, Math.max(0.5, step - (thin ? 0 : 1))];
      return rotary ? [rect(x, y, w, 16, { fill, opacity: 0.4 }), rect(x, y, (w * rotary) / size, 16, { fill })] : [rect(x, y, w, 16, { fill })];
    };
    return [
      text(0, y + 13, name, { fill: ink.ink, weight: 600 }),
      ...Array.from({ length: parts }, (_, h) => one(h)).flat(),
      text(NAME + width + 8, y + 13, parts > 1 ? `${count(parts)} × ${count(size)}` : count(size), { fill: ink.ink2, size: 12 }),
    ];
  });
  return { width: room, height: rows.length * ROW, shapes };
}
