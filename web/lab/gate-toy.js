/** Book and she: the chapter's gate of two heads with two dimensions, computed from four features. */

export const HEADS = 2;
export const DIM = 2;
export const FEATURES = ['noun', 'pronoun', 'verb', 'mentioned'];
export const WORDS = ['书', '她'];

/** @typedef {{ word: number, x: number[][], wGate: number[][], headOut: number[][][] }} GateToy */

/** @returns {GateToy} x (words, features), wGate (features, heads*dim), headOut (words, heads, dim) */
export function freshGateToy() {
  return {
    word: 0,
    x: [[1, 0, 0, 1], [0, 1, 0, 1]],
    wGate: [[-5, -5, 2, 1], [6, 5, -1, -1], [-2, -2, 2, 2], [0.5, 0.5, 0, 0]],
    headOut: [[[0.8, -0.3], [0.4, 0.9]], [[1.2, 0.5], [0.3, -0.2]]],
  };
}

/** Arguments of engine.gate. @param {GateToy} toy */
export function gateArgs({ word, x, wGate, headOut }) {
  return {
    x: new Float32Array(x[word]),
    wGate: new Float32Array(wGate.flat()),
    headOut: new Float32Array(headOut[word].flat()),
    heads: HEADS,
    dim: DIM,
  };
}

/** @param {GateToy} toy @param {number} feature @returns {GateToy} that feature of the word turned over */
export function toggled(toy, feature) {
  const x = toy.x.map((row) => [...row]);
  x[toy.word][feature] = x[toy.word][feature] ? 0 : 1;
  return { ...toy, x };
}

/** @param {GateToy} toy @param {number} feature @param {number} column @param {number} to @returns {GateToy} */
export function withWeight(toy, feature, column, to) {
  const wGate = toy.wGate.map((row) => [...row]);
  wGate[feature][column] = to;
  return { ...toy, wGate };
}

/** Mean gate per head. @param {ArrayLike<number>} gate (heads, dim) */
export function meanGates(gate) {
  return Array.from({ length: HEADS }, (_, h) => {
    let sum = 0;
    for (let d = 0; d < DIM; d += 1) sum += gate[h * DIM + d];
    return sum / DIM;
  });
}
