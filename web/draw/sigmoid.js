/** A small sigmoid over the slider that sets its z: the curve, the chapter's marks, where each z stands. */
import { scaleLinear } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { PALETTE } from './palette.js';
import { circle, line, path, text } from './shapes.js';

export const HEIGHT = 148;
const [TOP, BOTTOM] = [18, 118];

/** @param {number} width @param {number} edge inset of the ends, as the slider's thumb has it @param {number} reach */
export const sigmoidX = (width, edge, reach) => scaleLinear().domain([-reach, reach]).range([edge, width - edge]);

/**
 * @param {import('./palette.js').Theme} theme @param {ReturnType<typeof sigmoidX>} x
 * @param {{ curve: { z: number, g: number }[], marks: { z: number, g: number }[], points: { z: number, g: number, name: string }[],
 *   format: (n: number) => string, digits: (n: number) => string }} o  digits: a gate, in words
 */
export function sigmoidScene(theme, x, { curve, marks, points, format, digits }) {
  const ink = PALETTE[theme];
  const y = scaleLinear().domain([0, 1]).range([BOTTOM, TOP]);
  const [left, right] = x.range();
  const small = { fill: ink.ink2, size: 12, halo: ink.paper };
  const d = lineOf((/** @type {{ z: number, g: number }} */ p) => x(p.z), (p) => y(p.g))(curve) ?? '';
  return [
    ...[0, 1].map((n) => line(left, y(n), right, y(n), { stroke: ink.rule, width: 1 })),
    path(d, { stroke: ink.gate, width: 3 }),
    ...marks.flatMap(({ z, g }, i) => [
      circle(x(z), y(g), 4, { fill: ink.paper, stroke: ink.gate, width: 2 }),
      text(x(z) + [0, 12, 0][i], y(g) + [-10, 14, 18][i], digits(g), { ...small, anchor: i < 2 ? 'start' : 'end' }),
      text(x(z), BOTTOM + 24, format(z), { ...small, anchor: 'middle' }),
    ]),
    ...points.flatMap(({ z, g, name }) => [
      line(x(z), y(g), x(z), y(0), { stroke: ink.hand, width: 1.5, dash: '3 4' }),
      circle(x(z), y(g), 6, { fill: ink.gate, stroke: ink.paper, width: 2 }),
      text(x(z), y(g) - 12, name, { fill: ink.ink, size: 12, weight: 600, anchor: 'middle', halo: ink.paper }),
    ]),
  ];
}
