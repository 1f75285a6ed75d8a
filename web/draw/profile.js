/** Two models by layer on one scale, and the published figures on the same scale beside them. */
import { scaleLinear } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { apart } from './chart.js';
import { noNumber } from './no-number.js';
import { PALETTE } from './palette.js';
import { arrow, circle, line, path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {{ x: number, y: number, dots?: number[] }} Point */
/** @typedef {{ name: string, gated: boolean, points: Point[] }} Series  points: by layer */

const [LEFT, RIGHT, TOP, BOTTOM] = [44, 106, 12, 28];

/** @param {number} height @param {number} top */
const upward = (height, top) => scaleLinear().domain([0, top]).range([height - BOTTOM, TOP]);

/** @param {Theme} theme @param {{ y: any, left: number, right: number, format: (n: number) => string }} o */
function ruled(theme, { y, left, right, format }) {
  const ink = PALETTE[theme];
  return y.ticks(y.range()[0] > 180 ? 4 : 3).flatMap((/** @type {number} */ v) => [
    line(left, y(v), right, y(v), { stroke: v === 0 ? ink.axis : ink.rule, width: 1 }),
    text(left - 8, y(v) + 4, format(v), { fill: ink.ink2, size: 12, anchor: 'end' }),
  ]);
}

/** How a model with and one without the gate are told apart: colour, and solid or dashed. @param {Theme} theme @param {boolean} gated */
export const seriesStyle = (theme, gated) => (gated ? { stroke: PALETTE[theme].gate } : { stroke: PALETTE[theme].ink, dash: '7 5' });

/**
 * @param {Theme} theme
 * @param {{ width: number, height: number, top: number, layers: number, marks: number[], picked: number, series: Series[],
 *   even: { y: number, name: string } | null, format: (n: number) => string }} o
 *   top: end of the value axis; marks: layers named below; even: the line of an even split
 * @returns {import('./shapes.js').Shape[]}
 */
export function profileChart(theme, { width, height, top, layers, marks, picked, series, even, format }) {
  const ink = PALETTE[theme];
  const right = width - RIGHT;
  const x = scaleLinear().domain([0, Math.max(1, layers - 1)]).range([LEFT + 14, right - 14]);
  const y = upward(height, top);
  const known = (/** @type {Point} */ p) => Number.isFinite(p.y);
  const draw = lineOf((/** @type {Point} */ p) => x(p.x), (/** @type {Point} */ p) => y(p.y)).defined(known);
  const ends = [
    ...series.map((s) => ({ at: y(s.points.filter(known).at(-1)?.y ?? 0), name: s.name, fill: seriesStyle(theme, s.gated).stroke, weight: 600 })),
    ...(even ? [{ at: y(even.y), name: even.name, fill: ink.ink2, weight: 400 }] : []),
  ];
  const places = apart(ends.map((e) => e.at), 16);
  return [
    ...ruled(theme, { y, left: LEFT, right, format }),
    ...marks.map((m) => text(x(m), height - 8, String(m), { fill: m === picked ? ink.hand : ink.ink2, size: 12, weight: m === picked ? 600 : 400, anchor: 'middle' })),
    ...(picked >= 0 ? [line(x(picked), TOP, x(picked), height - BOTTOM, { stroke: ink.hand, width: 1.5 })] : []),
    ...(even ? [line(LEFT, y(even.y), right, y(even.y), { stroke: ink.axis, width: 1.5, dash: '2 4' })] : []),
    ...series.flatMap((s, n) => {
      const style = seriesStyle(theme, s.gated);
      return [
        ...(s.points.length > 1 ? [path(draw(s.points) ?? '', { ...style, width: 2.5 })] : []),
        ...s.points.flatMap((p) => (p.dots ?? []).map((v) => circle(x(p.x) + (n * 2 - 1) * 7, y(v), 2.5, { fill: style.stroke, opacity: 0.75 }))),
        ...s.points.flatMap((p) => (known(p) ? [circle(x(p.x), y(p.y), 5, { fill: style.stroke, stroke: ink.plate, width: 1.5 })]
          : noNumber(theme, x(p.x) - 7, y(0) - 15 - n * 16, 14))),
      ];
    }),
    ...ends.map((e, i) => text(right + 8, places[i] + 4, e.name, { fill: e.fill, weight: e.weight, size: e.weight === 600 ? 13 : 12 })),
  ];
}

/**
 * Published figures: a range from low to high, a dot at the mean; or two dots and an arrow between them.
 * @typedef {{ name: string, gated: boolean, low?: number, high?: number, mean?: number, from?: number, words: [number, string][] }} Published  words: beside their values
 * @param {Theme} theme
 * @param {{ width: number, height: number, top: number, columns: Published[], even: { y: number, name: string } | null,
 *   guess?: { y: number, name: string } | null, format: (n: number) => string }} o
 */
export function publishedChart(theme, { width, height, top, columns, even, guess, format }) {
  const ink = PALETTE[theme];
  const y = upward(height, top);
  const step = (width - LEFT) / columns.length;
  return [
    ...ruled(theme, { y, left: LEFT, right: width, format }),
    ...(even ? [line(LEFT, y(even.y), width, y(even.y), { stroke: ink.axis, width: 1.5, dash: '2 4' }),
      text(LEFT + 4, y(even.y) + 12, even.name, { fill: ink.ink2, size: 12, halo: ink.paper })] : []),
    ...(guess ? [line(LEFT, y(guess.y), width, y(guess.y), { stroke: ink.hand, width: 2, dash: '6 4' }),
      text(width, y(guess.y) - 6, guess.name, { fill: ink.hand, size: 12, weight: 600, anchor: 'end', halo: ink.paper })] : []),
    ...columns.flatMap(({ name, gated, low, high, mean, from, words }, i) => {
      const at = LEFT + i * step + Math.min(22, step * 0.2);
      const { stroke, dash } = seriesStyle(theme, gated);
      return [
        ...(low !== undefined && high !== undefined
          ? [rect(at - 6, y(high), 12, y(low) - y(high), { stroke, width: 1.5, dash })] : []),
        ...(low === undefined && high !== undefined ? [line(at - 8, y(high), at + 8, y(high), { stroke, width: 2.5 })] : []),
        ...(from === undefined || mean === undefined ? [] : [circle(at, y(from), 5, { stroke: ink.ink, width: 1.5 }),
          ...arrow(at, y(from) + 6, at, y(mean) - 6, { stroke: ink.ink2, width: 1.5 })]),
        ...(mean === undefined ? [] : [circle(at, y(mean), 5, { fill: stroke, stroke: ink.paper, width: 1.5 })]),
        ...words.map(([value, said], n) => text(at + 14, y(value) + 4.5, said, {
          fill: ink.ink, size: 13, weight: n === 0 ? 600 : 400, halo: ink.paper,
        })),
        text(LEFT + i * step, height - 8 + (step < 100 ? (i % 2) * 15 : 0), name, { fill: stroke, size: 12, weight: 600 }),
      ];
    }),
  ];
}

/**
 * Gates of one layer from shut to open: the middle four fifths, the mean.
 * @param {Theme} theme @param {{ low: number, high: number, mean: number, width: number, picked: boolean, cited: { low: number, high: number } }} o
 */
export function spreadBar(theme, { low, high, mean, width, picked, cited }) {
  const ink = PALETTE[theme];
  const x = scaleLinear().domain([0, 1]).range([8, width - 8]);
  return [
    ...[0, 0.25, 0.5, 0.75, 1].map((v) => line(x(v), 0, x(v), 36, { stroke: ink.rule, width: 1 })),
    rect(x(cited.low), 0, x(cited.high) - x(cited.low), 36, { stroke: ink.ink2, width: 1.5, dash: '4 3' }),
    line(x(low), 18, x(high), 18, { stroke: ink.gate, width: 6 }),
    line(x(low), 11, x(low), 25, { stroke: ink.gate, width: 2 }),
    line(x(high), 11, x(high), 25, { stroke: ink.gate, width: 2 }),
    ...(Number.isFinite(mean) ? [circle(x(mean), 18, 7, { fill: ink.ink, stroke: picked ? ink.hand : ink.plate, width: 3 })]
      : noNumber(theme, 8, 9, 18)),
  ];
}
