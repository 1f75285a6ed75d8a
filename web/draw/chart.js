/** A line chart on the grid: named curves, a cursor, axes with whole ticks. */
import { scaleLinear } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { PALETTE } from './palette.js';
import { circle, line, path, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {{ name: string, values: ArrayLike<number>, colour: string, dash?: string }} Curve */

/**
 * @param {{ width: number, height: number, left?: number, right?: number, steps: number, top: number, bottom?: number }} box
 *   top and bottom: the ends of the value axis
 */
export function chartScales({ width, height, left = 44, right = 92, steps, top, bottom = 0 }) {
  return {
    x: scaleLinear().domain([0, steps]).range([left, width - right]),
    y: scaleLinear().domain([bottom, top]).range([height - 28, 12]),
    width,
    height,
    left,
    right,
  };
}

/**
 * @param {Theme} theme
 * @param {ReturnType<typeof chartScales>} scales
 * @param {{ curves: Curve[], cursor: number, shown: number, format: (n: number) => string, count: (n: number) => string }} data
 *   cursor: the step on display; shown: how far the curves are known
 * @returns {import('./shapes.js').Shape[]}
 */
export function chart(theme, { x, y, width, height, left, right }, { curves, cursor, shown, format, count }) {
  const ink = PALETTE[theme];
  const small = { fill: ink.ink2, size: 12 };
  const draw = lineOf((/** @type {number} */ value) => value).defined(Number.isFinite)
    .x((_, i) => x(i)).y((value) => y(value));
  const grid = y.ticks(4).flatMap((v) => [
    line(left, y(v), width - right, y(v), { stroke: ink.rule, width: 1 }),
    text(left - 8, y(v) + 4, format(v), { ...small, anchor: 'end' }),
  ]);
  const steps = x.ticks(5).map((s) => text(x(s), height - 8, count(s), { ...small, anchor: 'middle' }));
  const at = Math.min(cursor, shown);
  const labels = apart(curves.map((c) => y(c.values[shown])), 17);
  return [
    ...grid,
    ...steps,
    line(x(cursor), 12, x(cursor), height - 28, { stroke: ink.hand, width: 1.5 }),
    ...curves.flatMap((c, i) => [
      path(draw(Array.from(c.values).slice(0, shown + 1)) ?? '', { stroke: c.colour, width: 2.5, dash: c.dash }),
      circle(x(at), y(c.values[at]), 4.5, { fill: c.colour, stroke: ink.plate, width: 1.5 }),
      ...(c.name ? [text(width - right + 10, labels[i] + 4, c.name, { fill: c.colour, weight: 600 })] : []),
    ]),
  ];
}

/** Moves label positions apart until none is nearer than `gap`; order is kept. @param {number[]} ys @param {number} gap */
export function apart(ys, gap) {
  const order = ys.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  for (let n = 1; n < order.length; n += 1) order[n].y = Math.max(order[n].y, order[n - 1].y + gap);
  const result = ys.slice();
  for (const { y, i } of order) result[i] = y;
  return result;
}
