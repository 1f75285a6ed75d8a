/** The toy's two planes: asking on the left, mixing on the right. */
import {
  axes, beadRadius, beads, domainAround, gateReach, handRing, keyArrows, outputBead, plane, queryArrow, queryHandle, targetRing,
} from './plane.js';

export const SIZE = 312;
/** Wide enough for a query turned any way at its full reach. */
export const LOOKING = plane(SIZE, [-4.34, 4.34]);

/** Step at which the shares are known, and the output. */
const SHARES = 3;
const OUTPUT = 4;

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {[number, number]} Point */
/** @typedef {(n: number) => string} Format */

/** The plane of mixing: the book's values and the origin, more when values are moved out. @param {Point[]} values */
export const mixingPlane = (values) => plane(SIZE, domainAround([...values], [-0.4, 2.6]));

/**
 * Values on their string, an output, and what a scene adds.
 * @param {Theme} theme
 * @param {{ values: { at: Point, label: string, share?: number }[], out?: Point | null, output?: string, format: Format,
 *   target?: string, brought?: { at: Point, label: string, box: boolean } | null, movable?: number }} o
 *   target: names the origin; brought: before the gate; movable: the value with a ring to drag
 */
export function mixingScene(theme, { values, out, output = '', format, target, brought, movable }) {
  const p = mixingPlane(values.map((v) => v.at));
  const held = movable === undefined ? null : values[movable];
  return [
    ...axes(p, theme, format),
    ...(target ? targetRing(p, theme, target) : []),
    ...beads(p, theme, values),
    ...(brought ? gateReach(p, theme, brought.at, brought.label, brought.box) : []),
    ...(out ? outputBead(p, theme, out, output) : []),
    ...(held ? handRing(p, theme, held.at, beadRadius(held.share ?? 0) + 4) : []),
  ];
}

/**
 * @param {Theme} theme
 * @param {{ toy: { keys: Point[], values: Point[], queries: Point[], picked: number, step: number },
 *   result: { probs: number[], out: Point } | null, words: string[], output: string, format: Format,
 *   target?: string, movable?: number, brought?: { at: Point, label: string, box: boolean } | null }} o
 */
export function toyScene(theme, { toy, result, words, output, format, ...more }) {
  const { keys, values, queries, picked, step } = toy;
  const query = queries[picked];
  const shares = result && step >= SHARES ? result.probs : [];
  return {
    looking: [
      ...axes(LOOKING, theme, format),
      ...queryArrow(LOOKING, theme, query),
      ...keyArrows(LOOKING, theme, keys.map((at, i) => ({ at, label: `k ${words[i]}` }))),
    ],
    handle: queryHandle(LOOKING, theme, query, `q ${words[picked]}`),
    mixing: mixingScene(theme, {
      values: values.map((at, i) => ({ at, label: `v ${words[i]}`, share: shares[i] })),
      out: result && step >= OUTPUT ? result.out : null, output, format, ...more,
    }),
  };
}
