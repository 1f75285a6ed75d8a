/** Numbers some of which may be none: NaN and ∞ stretch no scale and win no ranking; they come after all others. */

const { isFinite } = Number;

/** The largest finite one. @param {Iterable<number>} list @param {number} [none] where there is none */
export function largestOf(list, none = 0) {
  let found = -Infinity;
  for (const x of list) if (isFinite(x) && x > found) found = x;
  return isFinite(found) ? found : none;
}

/** The largest magnitude. @param {Iterable<number>} list @param {number} [none] */
export function farthestOf(list, none = 0) {
  let found = -1;
  for (const x of list) if (isFinite(x) && Math.abs(x) > found) found = Math.abs(x);
  return found < 0 ? none : found;
}

/** For sorting: the largest first. @param {number} a @param {number} b */
export const falling = (a, b) => (isFinite(a) && isFinite(b) ? b - a : Number(isFinite(b)) - Number(isFinite(a)));

/** For sorting: the smallest first. @param {number} a @param {number} b */
export const rising = (a, b) => (isFinite(a) && isFinite(b) ? a - b : Number(isFinite(b)) - Number(isFinite(a)));
