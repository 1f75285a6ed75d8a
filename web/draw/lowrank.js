/** What a value path costs, areas to scale: shared downs, an own up for each head, and the free map they stand in for. */
import { headColour, parseHex, textOn } from './colour.js';
import { PALETTE } from './palette.js';
import { path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */

const TOP = 28;
const GAP = 3;

/**
 * @param {Theme} theme
 * @param {{ room: number, heads: number, groups: number, dim: number, hidden: number, picked: number,
 *   names: { down: string, up: string, free: string, freeCount: string, pair: string } }} o
 */
export function lowRank(theme, { room, heads, groups, dim, hidden, picked, names }) {
  const ink = PALETTE[theme];
  const narrow = room < 480;
  const width = Math.max(232, Math.min(room, 560));
  const side = Math.min(narrow ? 84 : 124, (300 * hidden) / (heads * dim));
  const [thin, step] = [(side * dim) / hidden, Math.max((side * dim) / hidden, 1) + GAP];
  const stack = heads * step - GAP;
  const upX = narrow ? width - side : Math.min(250, width * 0.45);
  const size = heads / groups;
  const high = Math.max(stack, groups * (side + 10) - 10);
  const upTop = TOP + (high - stack) / 2;
  const up = (/** @type {number} */ h) => upTop + h * step;
  const pitch = high / groups;
  const down = (/** @type {number} */ g) => TOP + g * pitch + (pitch - side) / 2;
  const colour = (/** @type {number} */ h) => headColour(h, heads, groups, theme);
  const label = { fill: ink.ink2, size: 13 };
  const mid = (thin + upX) / 2;
  const shapes = [
    text(0, 16, names.down, label),
    text(upX + (narrow ? side : 0), 16, names.up, { ...label, anchor: narrow ? 'end' : 'start' }),
    ...Array.from({ length: heads }, (_, h) => {
      const [a, b] = [down(Math.floor(h / size)), up(h)];
      return path(`M${thin} ${a}C${mid} ${a} ${mid} ${b} ${upX} ${b}L${upX} ${b + thin}C${mid} ${b + thin} ${mid} ${a + side} ${thin} ${a + side}Z`,
        { fill: colour(h), opacity: h === picked ? 0.6 : 0.1 });
    }),
    ...Array.from({ length: groups }, (_, g) => [
      rect(0, down(g), thin, side, { fill: ink.v }),
      ...(thin >= 18 ? [text(thin / 2, down(g) + side / 2 + 4, `V${g}`, {
        fill: ink.v.startsWith('#') ? textOn(parseHex(ink.v)) : ink.paper, weight: 600, size: 12, anchor: /** @type {const} */ ('middle'),
      })] : []),
    ]).flat(),
    ...Array.from({ length: heads }, (_, h) => [
      rect(upX, up(h), side, Math.max(thin, 1), { fill: colour(h) }),
      ...(thin >= 13 ? [text(upX + side / 2, up(h) + thin / 2 + 4, `O${h}`, {
        fill: textOn(parseHex(colour(h))), weight: 600, size: 12, anchor: /** @type {const} */ ('middle'),
      })] : []),
      ...(h === picked ? [rect(upX - 3, up(h) - 3, side + 6, thin + 6, { stroke: ink.hand, width: 2 })] : []),
    ]).flat(),
  ];
  const group = Math.floor(picked / size);
  shapes.push(rect(-3, down(group) - 3, thin + 6, side + 6, { stroke: ink.hand, width: 2 }));
  const freeX = narrow ? 0 : Math.max(width - side, upX + side + 50);
  const freeY = narrow ? TOP + high + 52 : TOP + (high - side) / 2;
  shapes.push(
    rect(freeX, freeY, side, side, { fill: 'none', stroke: ink.ink, width: 1.5, dash: '5 4' }),
    text(freeX, freeY - 12, names.free, { ...label, anchor: 'start' }),
    text(freeX + side / 2, freeY + side / 2 + 5, names.freeCount, { fill: ink.ink, weight: 600, size: 13, anchor: 'middle' }),
  );
  if (narrow) shapes.push(text(side + 16, freeY + side / 2 + 5, names.pair, { fill: ink.ink, size: 13 }));
  else shapes.push(text(upX, TOP + high + 26, names.pair, { fill: ink.ink, size: 13, weight: 600 }));
  return { shapes, width, height: narrow ? freeY + side + 6 : TOP + high + 36, boxes: Array.from({ length: heads }, (_, h) => (
    { x: upX, y: up(h), w: side, h: Math.max(thin, 1) })) };
}
