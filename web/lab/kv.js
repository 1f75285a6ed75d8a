/** What a long conversation costs: bytes of keys and values, of the linear layers' state and of the weights. Qwen3.5-0.8B. */
import { QWEN } from './gqa.js';
import { MODEL_PARAMETERS } from './split.js';

export const MOST_TOKENS = 262_144;

const LINEAR = { layers: 18, heads: 16, keyDim: 128, valueDim: 128, channels: 6144, kept: 3 };
/** A_log (16) and the norm (128) of each linear layer are stored as float32, everything else as bfloat16. */
const FLOAT32_PARAMETERS = LINEAR.layers * (16 + 128);

export const WEIGHT_BYTES = 2 * MODEL_PARAMETERS + 2 * FLOAT32_PARAMETERS;

/** One table a head and the last three inputs of the short convolution, float32; the same after one word and after a book. */
export const STATE_BYTES = 4 * LINEAR.layers * (LINEAR.heads * LINEAR.keyDim * LINEAR.valueDim + LINEAR.channels * LINEAR.kept);

/** @param {number} groups key/value heads @param {number} bytes per value */
export const perToken = (groups, bytes) => 2 * QWEN.layers * groups * QWEN.headDim * bytes;

/** First number of tokens whose keys and values take at least `size` bytes. @param {number} size @param {number} groups @param {number} bytes */
export const crossing = (size, groups, bytes) => Math.ceil(size / perToken(groups, bytes));

/** @param {number} bytes per value */
export function crossings(bytes) {
  return {
    state: crossing(STATE_BYTES, QWEN.kvHeads, bytes),
    weights: crossing(WEIGHT_BYTES, QWEN.kvHeads, bytes),
    mha: crossing(WEIGHT_BYTES, QWEN.heads, bytes),
  };
}

/** End of the bar axis: the next power of two MiB that holds the longest bar. @param {number} longest bytes */
export const axisEnd = (longest) => 2 ** Math.ceil(Math.log2(Math.max(longest, 2 ** 20)));
