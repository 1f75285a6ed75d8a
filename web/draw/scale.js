/** Scores as bricks on one fixed axis, their softmax as a row of bars, the largest share against the width d. */
import { scaleLinear, scaleLog } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { toHex, valueScale } from './colour.js';
import { PALETTE } from './palette.js';
import { circle, line, path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {import('./shapes.js').Shape} Shape */

export const HEIGHT = { bricks: 196, row: 148, curve: 148 };
const BRICK = 4.4;
const FOOT = 24;

/**
 * One brick per score. The outline is the same scores before they were divided.
 * @param {Theme} theme
 * @param {{ width: number, reach: number, bin: number, bins: number[], before: number[] | null, label: string,
 *   format: (n: number) => string }} o
 * @returns {Shape[]}
 */
export function bricks(theme, { width, reach, bin, bins, before, label, format }) {
  const ink = PALETTE[theme];
  const x = scaleLinear().domain([-reach, reach]).range([0, width]);
  const base = HEIGHT.bricks - FOOT;
  const step = x(bin) - x(0);
  const shapes = /** @type {Shape[]} */ ([
    line(0, base + 0.5, width, base + 0.5, { stroke: ink.axis, width: 1.5 }),
    line(x(0), 8, x(0), base, { stroke: ink.rule, width: 1 }),
    ...[-48, -32, -16, 0, 16, 32, 48].flatMap((v) => [
      line(x(v), base, x(v), base + 5, { stroke: ink.axis, width: 1 }),
      text(x(v), HEIGHT.bricks - 4, format(v), { fill: ink.ink2, size: 12, anchor: 'middle' }),
    ]),
  ]);
  bins.forEach((count, i) => {
    for (let n = 0; n < count; n += 1) {
      shapes.push(rect(x(-reach) + i * step + 0.5, base - (n + 1) * BRICK, step - 1, BRICK - 1, { fill: ink.ink }));
    }
  });
  if (before) {
    const top = (/** @type {number} */ i) => base - before[i] * BRICK - 1;
    const d = before.map((_, i) => `L${i * step} ${top(i)}L${(i + 1) * step} ${top(i)}`).join('');
    shapes.push(path(`M0 ${base}${d}L${width} ${base}`, { stroke: ink.ink2, width: 1.5, dash: '4 3' }));
    shapes.push(text(x(24), base - 44, label, { fill: ink.ink2, size: 13, halo: ink.plate }));
  }
  return shapes;
}

/**
 * @param {Theme} theme
 * @param {{ width: number, probs: ArrayLike<number>, even: string, format: (n: number) => string }} o
 * @returns {Shape[]}
 */
export function shareRow(theme, { width, probs, even, format }) {
  const ink = PALETTE[theme];
  const colour = valueScale('probability', theme);
  const list = Array.from(probs);
  const base = HEIGHT.row - FOOT;
  const y = scaleLinear().domain([0, 1]).range([base, 14]);
  const left = 26;
  const step = (width - left) / list.length;
  const top = list.indexOf(Math.max(...list));
  const at = left + (top + 0.5) * step;
  return [
    ...[0, 0.5, 1].flatMap((v) => [
      line(left, y(v) + 0.5, width, y(v) + 0.5, { stroke: v ? ink.rule : ink.axis, width: v ? 1 : 1.5 }),
      text(left - 6, y(v) + 4, format(v), { fill: ink.ink2, size: 12, anchor: 'end' }),
    ]),
    ...list.map((p, i) => rect(left + i * step + 0.5, y(p), Math.max(1, step - 1), Math.max(1, base - y(p)), {
      fill: toHex(colour(0.35 + 0.6 * p)),
    })),
    line(left, y(1 / list.length), width, y(1 / list.length), { stroke: ink.ink2, width: 1.5, dash: '2 3' }),
    text(width, HEIGHT.row - 4, even, { fill: ink.ink2, size: 12, anchor: 'end' }),
    text(at + (top > list.length * 0.8 ? -8 : 8), Math.max(24, y(list[top]) - 6), format(list[top]), {
      fill: ink.ink, weight: 600, size: 13, halo: ink.plate, anchor: top > list.length * 0.8 ? 'end' : 'start',
    }),
  ];
}

/**
 * @param {Theme} theme
 * @param {{ width: number, dims: number[], plain: number[] | null, divided: number[], dim: number, names: { plain: string, divided: string },
 *   format: (n: number) => string, count: (n: number) => string }} o
 * @returns {Shape[]}
 */
export function topCurve(theme, { width, dims, plain, divided, dim, names, format, count }) {
  const ink = PALETTE[theme];
  const left = 26;
  const x = scaleLog().base(2).domain([dims[0], dims[dims.length - 1]]).range([left + 6, width - 10]);
  const y = scaleLinear().domain([0, 1]).range([HEIGHT.curve - FOOT, 14]);
  const draw = lineOf((/** @type {number} */ _, i) => x(dims[i]), (value) => y(value));
  const named = (/** @type {number[]} */ values, /** @type {string} */ name, /** @type {number} */ dy, /** @type {string} */ dash) => [
    path(draw(values) ?? '', { stroke: ink.ink, width: 2.5, dash }),
    ...values.map((v, i) => circle(x(dims[i]), y(v), 2.5, { fill: ink.ink })),
    text(width, y(values[values.length - 1]) + dy, name, { fill: ink.ink, weight: 600, size: 12, anchor: 'end', halo: ink.plate }),
  ];
  return [
    ...[0, 0.5, 1].flatMap((v) => [
      line(left, y(v) + 0.5, width, y(v) + 0.5, { stroke: v ? ink.rule : ink.axis, width: v ? 1 : 1.5 }),
      text(left - 6, y(v) + 4, format(v), { fill: ink.ink2, size: 12, anchor: 'end' }),
    ]),
    ...dims.filter((_, i) => i % 2 === 1).map((d) => text(x(d), HEIGHT.curve - 4, count(d), { fill: ink.ink2, size: 12, anchor: 'middle' })),
    line(x(dim), 14, x(dim), HEIGHT.curve - FOOT, { stroke: ink.hand, width: 1.5 }),
    ...(plain ? named(plain, names.plain, plain[plain.length - 1] > 0.8 ? 22 : -10, '6 4') : []),
    ...named(divided, names.divided, -10, ''),
  ];
}
