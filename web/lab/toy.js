/** The three-token toy of the chapter: its numbers, its scenes, what its steps show. */

/** @typedef {[number, number]} Point */

/** Token texts are data, not interface text: the chapter's example. */
export const WORDS = ['今天', '天气', '不错'];

export const STEPS = 4;

/** How far a query, key or value may be pulled. */
export const REACH = { q: 4, k: 4, v: 4 };

/**
 * scene share: asking and mixing. blank: the empty question. sink: the first value can be moved home. gate: silence.
 * @typedef {'share' | 'blank' | 'sink' | 'gate'} Scene
 * @typedef {{ keys: Point[], values: Point[], queries: Point[], picked: number, step: number }} Toy
 */

/**
 * @typedef {{ raw: number[], scores: number[], probs: number[], out: Point, gate?: Point, gated?: Point }} Result
 *   of the picked token; gate and gated: what a gate makes of out
 */

/** @type {Record<Scene, Point>} the last token's query at the start of a scene */
const START = { share: [0, 4], blank: [0, 0], sink: [4, 0], gate: [0, 0] };

/** @param {string | null | undefined} name @returns {Scene} */
export function sceneOf(name) {
  return name && Object.hasOwn(START, name) ? /** @type {Scene} */ (name) : 'share';
}

/** @param {Scene} scene @returns {Toy} */
export function freshToy(scene) {
  return {
    keys: [[1, 0], [0, 1], [0.5, 0.5]],
    values: [[2, 0], [0, 2], [1, 1]],
    queries: [[0, 0], [3, 0], [...START[scene]]],
    picked: 2,
    step: STEPS,
  };
}

/**
 * One coordinate changed; the old toy stays as it was.
 * @param {Toy} toy @param {'keys' | 'values' | 'queries'} part @param {number} token @param {0 | 1} axis @param {number} to
 * @returns {Toy}
 */
export function withCoordinate(toy, part, token, axis, to) {
  const list = toy[part].map((p) => /** @type {Point} */ ([...p]));
  list[token][axis] = to;
  return { ...toy, [part]: list };
}

/** A whole point changed. @param {Toy} toy @param {'keys' | 'values' | 'queries'} part @param {number} token @param {Point} to */
export function withPoint(toy, part, token, to) {
  return { ...toy, [part]: toy[part].map((p, i) => (i === token ? to : p)) };
}

/** Arguments of engine.attention for the picked token over all three keys. @param {Toy} toy */
export function attentionArgs({ keys, values, queries, picked }) {
  return {
    q: new Float32Array(queries[picked]),
    k: new Float32Array(keys.flat()),
    v: new Float32Array(values.flat()),
    queries: 1,
    keys: keys.length,
    dim: 2,
    valueDim: 2,
    causal: false,
  };
}

/** The four steps on the engine. @param {any} engine @param {Toy} toy @returns {Promise<Result>} */
export async function attend(engine, toy) {
  const { scores, probs, out } = await engine.attention(attentionArgs(toy));
  const scaled = Array.from(scores.data, Number);
  return { scores: scaled, raw: rawScores(scaled, 2), probs: Array.from(probs.data, Number), out: [out.data[0], out.data[1]] };
}

/** e^score of each, the smallest as 1: what softmax divides by its sum. @param {ArrayLike<number>} scores */
export function proportions(scores) {
  const least = Math.min(...Array.from(scores));
  return Array.from(scores, (s) => Math.exp(s - least));
}

/** Distance to the origin. @param {ArrayLike<number>} p */
export const lengthOf = (p) => Math.hypot(p[0], p[1]);

/** Dot products before the division, from the engine's scaled scores. @param {ArrayLike<number>} scores @param {number} dim */
export const rawScores = (scores, dim) => Array.from(scores, (s) => s * Math.sqrt(dim));

/** @param {ArrayLike<number>} list @returns {number} index of the largest, the first among equals */
export function argmax(list) {
  let best = 0;
  for (let i = 1; i < list.length; i += 1) if (list[i] > list[best]) best = i;
  return best;
}

/** A point held to the reach and to tenths. @param {Point} p @param {number} reach @returns {Point} */
export function held([x, y], reach) {
  const hold = (/** @type {number} */ n) => Math.round(Math.min(Math.max(n, -reach), reach) * 10) / 10 || 0;
  return [hold(x), hold(y)];
}
