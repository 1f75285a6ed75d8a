/** A gate learns: the chapter's two tokens, one weight each, plain gradient descent. */

export const BOOK_STEPS = [0, 1, 2, 5, 20, 50, 200];
export const STEPS = 200;

/** @typedef {{ residual: number[], headOut: number[], target: number[], w0: number[], learningRate: number }} Lesson */

/** @returns {Lesson} token 0 is the question mark, token 1 the digit */
export function freshLesson() {
  return { residual: [0, 1], headOut: [1, 0.8], target: [1, 1], w0: [0.01, -0.02], learningRate: 1 };
}

/** Arguments of engine.gateSgd. @param {Lesson} lesson */
export function sgdArgs({ residual, headOut, target, w0, learningRate }) {
  return {
    x: { shape: [2, 2], data: new Float32Array([1, 0, 0, 1]) },
    residual: new Float32Array(residual),
    headOut: new Float32Array(headOut),
    target: new Float32Array(target),
    w0: new Float32Array(w0),
    learningRate,
    steps: STEPS,
  };
}

/**
 * The gradient of token i at one step, as its four factors: error x head output x slope x input (1 here).
 * @param {Lesson} lesson @param {number} i @param {number} gate
 */
export function factors({ residual, headOut, target }, i, gate) {
  return { error: residual[i] + gate * headOut[i] - target[i], head: headOut[i], slope: gate * (1 - gate), input: 1 };
}

/** @param {{ shape: number[], data: ArrayLike<number> }} m @param {number} column @returns {number[]} */
export function columnOf({ shape, data }, column) {
  const [rows, cols] = shape;
  return Array.from({ length: rows }, (_, r) => data[r * cols + column]);
}
