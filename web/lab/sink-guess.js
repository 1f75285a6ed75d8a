/** A curve drawn before the run: values every 50 updates, from the hand's strokes or from numbers at the thirds. */
import { STEPS } from './sink-run.js';

const APART = 50;
/** Where the guess can be typed. */
export const KNOTS = [500, 1000, 1500];
const LAST = STEPS / APART;
const clamp = (/** @type {number} */ y) => Math.min(1, Math.max(0, y));

/** A flat guess. @param {number} value @returns {number[]} */
export const flat = (value) => Array(LAST + 1).fill(clamp(value));

/** @param {number[]} guess @returns {{ x: number, y: number }[]} */
export const guessPoints = (guess) => guess.map((y, i) => ({ x: i * APART, y }));

/** @param {number[]} guess @param {number} step */
export const guessAt = (guess, step) => guess[Math.round(step / APART)];

/** The values between two places on a straight line between theirs. @param {number[]} guess @param {number} from @param {number} to */
function join(guess, from, to) {
  const [a, b] = [guess[from], guess[to]];
  for (let i = from; i !== to; i += Math.sign(to - from)) guess[i] = a + ((b - a) * (i - from)) / (to - from);
}

/**
 * A stroke of the hand from one place of the chart to another; beyond where it is, the curve goes on level.
 * @param {number[]} guess @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to @returns {number[]}
 */
export function stroke(guess, from, to) {
  const next = guess.slice();
  const place = (/** @type {number} */ x) => Math.min(LAST, Math.max(0, Math.round(x / APART)));
  const [i, j] = [place(from.x), place(to.x)];
  next[i] = clamp(from.y);
  next[j] = clamp(to.y);
  join(next, i, j);
  if (j > i) next.fill(next[j], j);
  return next;
}

/** The value at one of the thirds, joined to its neighbours. @param {number[]} guess @param {number} knot @param {number} value @returns {number[]} */
export function setKnot(guess, knot, value) {
  const next = guess.slice();
  const at = KNOTS[knot] / APART;
  next[at] = clamp(value);
  join(next, knot ? KNOTS[knot - 1] / APART : 0, at);
  if (knot + 1 < KNOTS.length) join(next, at, KNOTS[knot + 1] / APART);
  return next;
}
