/** Loss against cache size: every seed a dot, their range and mean beside them. */
import { scaleLinear } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { PALETTE } from './palette.js';
import { circle, line, path, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {{ kvHeads: number, cache: number, values: number[], mean: number, low: number, high: number }} Group */

const [LEFT, RIGHT, TOP, BOTTOM] = [52, 20, 24, 44];

/** Colour of so many K/V heads: the fewer, the further from ink. @param {Theme} theme @param {number} i place in the list */
export const kvColour = (theme, i) => [PALETTE[theme].ink, PALETTE[theme].v, PALETTE[theme].state][i];
/** @param {number} i */
export const kvDash = (i) => [undefined, '8 4', '3 4'][i];

/**
 * @param {Theme} theme
 * @param {{ width: number, height: number, groups: Group[], cache: number[], format: (n: number) => string,
 *   words: { axis: string, kv: (kvHeads: number) => string } }} o  cache: sizes on the axis, largest first
 */
export function kvScatter(theme, { width, height, groups, cache, format, words }) {
  const ink = PALETTE[theme];
  const small = { fill: ink.ink2, size: 12 };
  const x = scaleLinear().domain([0, cache[0] * 1.12]).range([LEFT, width - RIGHT]);
  const y = scaleLinear().domain([0, Math.max(0.02, ...groups.map((g) => g.high)) * 1.1]).range([height - BOTTOM, TOP]);
  const through = lineOf((/** @type {Group} */ g) => x(g.cache), (/** @type {Group} */ g) => y(g.mean))(groups);
  return [
    ...y.ticks(4).flatMap((v) => [
      line(LEFT, y(v), width - RIGHT, y(v), { stroke: v === 0 ? ink.axis : ink.rule, width: 1 }),
      text(LEFT - 8, y(v) + 4, format(v), { ...small, anchor: 'end' }),
    ]),
    ...cache.map((c) => text(x(c), height - 24, format(c), { ...small, anchor: 'middle' })),
    text((LEFT + width - RIGHT) / 2, height - 6, words.axis, { ...small, anchor: 'middle' }),
    ...(groups.length > 1 ? [path(through ?? '', { stroke: ink.axis, width: 1.5 })] : []),
    ...groups.flatMap((g) => {
      const at = x(g.cache);
      const i = cache.indexOf(g.cache);
      return [
        line(at, y(g.low), at, y(g.high), { stroke: kvColour(theme, i), width: 4, opacity: 0.35 }),
        ...g.values.map((v) => circle(at, y(v), 4, { fill: ink.plate, stroke: kvColour(theme, i), width: 1.5 })),
        line(at - 12, y(g.mean), at + 12, y(g.mean), { stroke: kvColour(theme, i), width: 3 }),
        text(at, TOP - 8, words.kv(g.kvHeads), { fill: ink.ink, weight: 600, anchor: 'middle' }),
      ];
    }),
  ];
}
