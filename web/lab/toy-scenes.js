/** What the scenes of the toy after the first add: tries to hit the origin, who sees whom, one gate for two axes. */
import { hidden } from './mask.js';
import { held, lengthOf, WORDS } from './toy.js';

/** @typedef {[number, number]} Point */

/** After so many tries the question of the blank sheet answers itself. */
export const TRIES = 10;
/** An output this close to the origin counts as silence. */
export const SILENT = 0.1;

/** @typedef {{ tries: number, nearest: number, at: ArrayLike<number> }} Blank  at: the query last tried */
/** @returns {Blank} */
export const freshBlank = () => ({ tries: 0, nearest: Infinity, at: [0, 0] });

/** An output was seen on the way. @param {Blank} blank @param {ArrayLike<number>} out @returns {Blank} */
export const passed = (blank, out) => ({ ...blank, nearest: Math.min(blank.nearest, lengthOf(out)) });

/** The query came to rest: a try, if it is somewhere else than before. @param {Blank} blank @param {ArrayLike<number>} query @returns {Blank} */
export function tried(blank, query) {
  const same = blank.at[0] === query[0] && blank.at[1] === query[1];
  return same ? blank : { ...blank, tries: Math.min(TRIES, blank.tries + 1), at: [query[0], query[1]] };
}

/** A moved value stays where the plane's axes need not change. */
export const VALUE_REACH = 2.2;
/** @param {Point} p @returns {Point} */
export function heldValue(p) {
  const [x, y] = held(p, VALUE_REACH);
  return [Math.max(0, x), Math.max(0, y)];
}

/** @typedef {{ ticks: boolean[], checked: boolean }} Sight  ticks row by row: query i sees key j */
/** @returns {Sight} */
export const freshSight = () => ({ ticks: Array(WORDS.length ** 2).fill(false), checked: false });

/** @param {Sight} sight @param {number} at @returns {Sight} */
export const ticked = ({ ticks }, at) => ({ ticks: ticks.map((on, i) => (i === at ? !on : on)), checked: false });

/** The causal mask, as ticks. */
export const MASK = Array.from({ length: WORDS.length ** 2 }, (_, at) => !hidden(Math.floor(at / WORDS.length), at % WORDS.length));

/** How many ticks agree with the mask. @param {boolean[]} ticks */
export const agreeing = (ticks) => ticks.filter((on, at) => on === MASK[at]).length;

/** How many queries see each key. @returns {number[]} */
export const seenBy = () => WORDS.map((_, j) => MASK.filter((on, at) => on && at % WORDS.length === j).length);

/** Scores reach from -Z to Z; MARKS are the three the chapter prints. */
export const Z = 6;
export const MARKS = [-Z, 0, Z];

/** @typedef {{ z: Point, split: boolean, step: number }} Tap */
/** @returns {Tap} */
export const freshTap = () => ({ z: [0, 0], split: false, step: 3 });

/** @param {Tap} tap @param {0 | 1} axis @param {number} to @returns {Tap} one z for both axes, unless they are split */
export const withZ = (tap, axis, to) => ({
  ...tap, z: tap.split ? /** @type {Point} */ (tap.z.map((z, i) => (i === axis ? to : z))) : [to, to],
});

/** Arguments of engine.gate: one feature of 1, so that z is the weight. @param {Tap} tap @param {ArrayLike<number>} out */
export const tapArgs = ({ z }, out) => ({ x: [1], wGate: [...z], headOut: [out[0], out[1]], features: 1, heads: 1, dim: 2 });
