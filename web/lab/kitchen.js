/** The kitchen: words are dishes, heads are cooks, and every cook must pour a ladle. */

/** Dishes on the counter; the last is the one being cooked. Token texts are data. */
export const DISHES = ['今天', '天气', '不错', '公园'];
export const CURRENT = DISHES.length - 1;

/** Two cooks, named by their head: one found nothing to add, one did. */
export const COOKS = /** @type {const} */ ([{ head: 4, found: false }, { head: 1, found: true }]);

/** Stops of a ladle. With a gate the head chef stands between cook and pot. @param {boolean} gate */
export const stopsOf = (gate) => (gate ? ['look', 'scoop', 'chef', 'pour'] : ['look', 'scoop', 'pour']);

/**
 * Where a cook's ladle goes: without a gate one who found nothing draws clear water from the first dish; with one it may dip
 * anywhere, for the chef empties it.
 * @param {number} cook @param {boolean} gate
 */
export function journey(cook, gate) {
  const { found } = COOKS[cook];
  return { dish: found ? 2 : gate ? 1 : 0, kept: found || !gate, water: !found && !gate };
}
