/** How fast a gate moves for the same error: the slope of the sigmoid. */

/** Scores from -REACH to REACH in steps of 0.1. */
export const REACH = 6;
const STEP = 0.1;
/** The moments the table shows. */
export const MARKS = [-6, -4, -2, 0, 2, 4, 6];

export const SCORES = Array.from({ length: (2 * REACH) / STEP + 1 }, (_, i) => Math.round((i * STEP - REACH) * 10) / 10);

/** A score held to the axis and to tenths. @param {number} z */
export const heldScore = (z) => Math.round(Math.min(Math.max(z, -REACH), REACH) * 10) / 10 || 0;

/** Place of a score in SCORES. @param {number} z */
export const placeOf = (z) => Math.round((z + REACH) / STEP);

/** Arguments of engine.gate for all scores at once: one feature of 1, so that z is the weight. */
export function curveArgs() {
  return { x: [1], wGate: SCORES, headOut: new Float32Array(SCORES.length), features: 1, heads: 1, dim: SCORES.length };
}

/** g(1 − g). @param {number} g */
export const slopeOf = (g) => g * (1 - g);
