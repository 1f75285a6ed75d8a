/** Three tokens, two dimensions: every number of the worked example. */
import { WORDS, freshToy } from '../lab/toy.js';
import { matrixRow, row } from './print.js';

const GATE_LOGIT = -6;

/** @param {import('../engine/engine.js').Engine} engine */
export async function run(engine) {
  const toy = freshToy('share');
  const sizes = { keys: 3, dim: 2, valueDim: 2 };
  const kv = { k: toy.keys.flat(), v: toy.values.flat() };
  const one = await engine.attention({ ...sizes, ...kv, q: toy.queries[2], queries: 1 });
  const all = await engine.attention({ ...sizes, ...kv, q: toy.queries.flat(), queries: 3, causal: true });
  const blank = await engine.attention({ ...sizes, ...kv, q: [0, 0], queries: 1 });
  const gated = await engine.gate({ x: [1], wGate: [GATE_LOGIT, GATE_LOGIT], headOut: blank.out });
  const sum = one.probs.data.reduce((a, b) => a + b, 0);
  const word = WORDS[2];
  return {
    data: { words: WORDS, scores: [...one.scores.data], probs: [...one.probs.data], out: [...one.out.data],
      masked: WORDS.map((_, r) => [...matrixRow(all.probs, r)]), blankProbs: [...blank.probs.data],
      blankOut: [...blank.out.data], gate: gated.gate.data[0], gatedOut: [...gated.out.data] },
    lines: [
      `scores of ${word} / √2:      ${row(one.scores.data, 2)}`,
      `softmax:                 ${row(one.probs.data)}, sum ${sum.toFixed(3)}`,
      `output = shares x values: ${row(one.out.data)}`,
      'all rows with the causal mask (row = query, column = key):',
      ...WORDS.map((w, r) => `  ${w}  ${row(matrixRow(all.probs, r))}`),
      `query 0:                 ${row(blank.probs.data)} -> output ${row(blank.out.data)}`,
      `gate σ(${GATE_LOGIT}) = ${gated.gate.data[0].toFixed(4)}:      output ${row(gated.out.data, 4)}`,
    ],
  };
}
