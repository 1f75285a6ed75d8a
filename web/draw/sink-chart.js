/** Curves over the steps of a run that is still growing, on axes that stand from the start; and the map of a line. */
import { scaleLinear } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { apart } from './chart.js';
import { toHex, valueScale } from './colour.js';
import { PALETTE } from './palette.js';
import { circle, line, path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {{ x: number, y: number | undefined }} At */
/** @typedef {{ name: string, colour: string, dash?: string, thin?: boolean, points: At[] }} Curve  thin: a line and no more */

const [LEFT, TOP, BOTTOM] = [46, 10, 26];
/** From one name to the next. */
const GAP = 17;

/** Names pushed below the axis, moved up again in their order. @param {number[]} places @param {number} limit */
function above(places, limit) {
  const result = places.slice();
  const order = places.map((_, i) => i).sort((a, b) => places[b] - places[a]);
  let most = limit;
  for (const i of order) {
    result[i] = Math.min(places[i], most);
    most = result[i] - GAP;
  }
  return result;
}

/** @param {{ width: number, height: number, steps: number, top: number, right?: number }} box  top: end of the value axis */
export function sinkScales({ width, height, steps, top, right = 96 }) {
  return {
    width, height, right: width - right,
    x: scaleLinear().domain([0, steps]).range([LEFT, width - right]),
    y: scaleLinear().domain([0, top]).range([height - BOTTOM, TOP]),
  };
}

/**
 * @param {Theme} theme @param {ReturnType<typeof sinkScales>} scales
 * @param {{ curves: Curve[], cursor: number | null, format: (n: number) => string, count: (n: number) => string,
 *   guess?: { name: string, points: At[] } | null, even?: { y: number, name: string } | null }} o  cursor: the step on display
 * @returns {import('./shapes.js').Shape[]}
 */
export function sinkChart(theme, { x, y, height, right }, { curves, cursor, format, count, guess, even }) {
  const ink = PALETTE[theme];
  const small = { fill: ink.ink2, size: 12 };
  const known = (/** @type {At[]} */ points) => points.filter((p) => p.y !== undefined && Number.isFinite(p.y));
  const draw = lineOf((/** @type {At} */ p) => x(p.x), (/** @type {At} */ p) => y(p.y));
  const drawn = curves.map((c) => ({ ...c, points: known(c.points) })).filter((c) => c.points.length > 0);
  const named = drawn.filter((c) => !c.thin);
  const labels = named.filter((c) => c.name);
  const places = above(apart(labels.map((c) => y(c.points[c.points.length - 1].y)), GAP), height - BOTTOM);
  return [
    ...y.ticks(height > 200 ? 5 : 3).flatMap((v) => [
      line(LEFT, y(v), right, y(v), { stroke: v === 0 ? ink.axis : ink.rule, width: 1 }),
      text(LEFT - 8, y(v) + 4, format(v), { ...small, anchor: 'end' }),
    ]),
    ...x.ticks(3).map((s) => text(x(s), height - 6, count(s), { ...small, anchor: 'middle' })),
    ...(even ? [line(LEFT, y(even.y), right, y(even.y), { stroke: ink.axis, width: 1.5, dash: '2 4' }),
      text(right, y(even.y) - 5, even.name, { ...small, anchor: 'end', halo: ink.plate })] : []),
    ...(guess ? [path(draw(guess.points) ?? '', { stroke: ink.hand, width: 2, dash: '7 5' }),
      text(x(x.domain()[1] * 0.66), y(guess.points[Math.round(guess.points.length * 0.66)].y) + 20, guess.name,
        { fill: ink.hand, weight: 600, halo: ink.plate })] : []),
    ...(cursor === null ? [] : [line(x(cursor), TOP, x(cursor), height - BOTTOM, { stroke: ink.hand, width: 1.5 })]),
    ...drawn.filter((c) => c.thin).map((c) => path(draw(c.points) ?? '', { stroke: c.colour, width: 1, opacity: 0.6 })),
    ...named.flatMap(({ colour, dash, points }) => {
      const now = points.findLast((p) => p.x <= (cursor ?? Infinity)) ?? points[0];
      return [
        ...(points.length > 1 ? [path(draw(points) ?? '', { stroke: colour, width: 2.5, dash })] : []),
        circle(x(now.x), y(now.y), 4.5, { fill: colour, stroke: ink.plate, width: 1.5 }),
      ];
    }),
    ...labels.map(({ name, colour, points }, i) => (
      text(Math.min(x(points[points.length - 1].x), right) + 10, places[i] + 4, name, { fill: colour, weight: 600, halo: ink.plate }))),
  ];
}

/** How the two models are told apart: by colour, and where the system chooses the colours by dashes. @param {Theme} theme @param {number} model */
export const modelStyle = (theme, model) => (
  { colour: PALETTE[theme][model ? 'gate' : 'ink'], dash: theme === 'forced' && model ? '10 4' : undefined });

/**
 * A line's shares as small cells for a saved image, its gates beside them.
 * @param {Theme} theme @param {{ map: Float32Array, gates: number[] | null }} line @param {number} cell
 */
export function lineMap(theme, { map, gates }, cell) {
  const n = Math.sqrt(map.length);
  const [share, open] = [valueScale('probability', theme), valueScale('gate', theme)];
  const shapes = [];
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < n; j += 1) {
      const [left, up] = [j * cell, i * cell];
      shapes.push(j <= i ? rect(left, up, cell - 1, cell - 1, { fill: toHex(share(map[i * n + j])) })
        : line(left, up + cell - 1, left + cell - 1, up, { stroke: PALETTE[theme].rule, width: 1 }));
    }
    if (gates) shapes.push(rect((n + 0.5) * cell, i * cell, cell - 1, cell - 1, { fill: toHex(open(gates[i])) }));
  }
  return shapes;
}
