/** The sigmoid with a tangent, and the hill of its slope below on the same axis. */
import { scaleLinear } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { PALETTE } from './palette.js';
import { circle, line, path, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */

const LEFT = 44;
const RIGHT = 20;
const CURVE = { top: 16, bottom: 226 };
const HILL = { top: 278, bottom: 378 };
export const HEIGHT = 412;
/** The hill's peak is 0.25. */
const PEAK = 0.25;

/** @param {number} width CSS pixels @param {number} reach scores from -reach to reach */
export function slopeScales(width, reach) {
  return {
    width,
    x: scaleLinear().domain([-reach, reach]).range([LEFT, width - RIGHT]),
    gate: scaleLinear().domain([0, 1]).range([CURVE.bottom, CURVE.top]),
    hill: scaleLinear().domain([0, PEAK]).range([HILL.bottom, HILL.top]),
  };
}

/** @typedef {ReturnType<typeof slopeScales>} Scales */

/**
 * @param {Theme} theme @param {Scales} scales
 * @param {{ scores: number[], gates: ArrayLike<number>, z: number, gate: number, slope: number, format: (n: number) => string,
 *   words: { gate: string, slope: string, slow: string } }} o
 * @returns {import('./shapes.js').Shape[]}
 */
export function slopeScene(theme, { width, x, gate: y, hill }, { scores, gates, z, gate, slope, format, words }) {
  const ink = PALETTE[theme];
  const small = { fill: ink.ink2, size: 12 };
  const end = { ...small, anchor: /** @type {const} */ ('end') };
  const middle = { ...small, anchor: /** @type {const} */ ('middle') };
  const right = width - RIGHT;
  const drawn = (/** @type {(i: number) => number} */ at) => lineOf((/** @type {number} */ s) => x(s)).x((s) => x(s)).y((_, i) => at(i))(scores) ?? '';
  const across = (/** @type {(n: number) => number} */ scale, /** @type {number} */ n) => [
    line(LEFT, scale(n), right, scale(n), { stroke: ink.rule, width: 1 }), text(LEFT - 8, scale(n) + 4, format(n), end),
  ];
  const [lo, hi] = x.domain();
  const [from, to] = [Math.max(lo, z - Math.min(2, gate / slope)), Math.min(hi, z + Math.min(2, (1 - gate) / slope))];
  const tangent = (/** @type {number} */ at) => y(gate + (at - z) * slope);
  const area = `${drawn((i) => hill(gates[i] * (1 - gates[i])))}L${x(scores[scores.length - 1])} ${hill(0)}L${x(scores[0])} ${hill(0)}Z`;
  return [
    ...[0, 0.5, 1].flatMap((n) => across(y, n)),
    ...[0, PEAK].flatMap((n) => across(hill, n)),
    ...x.ticks(7).map((n) => text(x(n), HEIGHT - 14, format(n), middle)),
    text(x((lo + hi) / 2 + 1), HEIGHT - 14, 'z', { ...middle, fill: ink.ink, weight: 600 }),
    text(LEFT + 8, CURVE.top + 16, words.gate, { fill: ink.gate, weight: 600, halo: ink.plate }),
    text(LEFT + 8, HILL.top - 14, words.slope, { fill: ink.ink, weight: 600 }),
    ...[lo + 1.2, hi - 1.2].map((at) => text(x(at), hill(0) - 22, words.slow, middle)),
    path(drawn((i) => y(gates[i])), { stroke: ink.gate, width: 3 }),
    path(area, { fill: ink.gate, opacity: 0.18 }),
    path(drawn((i) => hill(gates[i] * (1 - gates[i]))), { stroke: ink.ink, width: 2 }),
    line(x(z), y(gate), x(z), hill(0), { stroke: ink.hand, width: 1.5, dash: '3 4' }),
    line(x(from), tangent(from), x(to), tangent(to), { stroke: ink.ink, width: 2 }),
    circle(x(z), hill(slope), 5, { fill: ink.ink, stroke: ink.plate, width: 1.5 }),
  ];
}

/** The ring the hand takes hold of. @param {Theme} theme @param {Scales} scales @param {number} z @param {number} gate */
export function slopeHandle(theme, { x, gate: y }, z, gate) {
  const { hand, paper } = PALETTE[theme];
  return [circle(x(z), y(gate), 12, { fill: paper, stroke: hand, width: 3 }), circle(x(z), y(gate), 4, { fill: hand })];
}
