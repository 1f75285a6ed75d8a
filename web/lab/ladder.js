/** The ladder of downloads: what each rung costs, counted from a config without a weight. */

/**
 * @typedef {{ layers: number, hidden: number, heads: number, kvHeads: number, headDim: number, vocab: number, gated: boolean,
 *   tied: boolean, intermediate: number, layerTypes: readonly string[], qkNorm?: boolean,
 *   linear?: { keyHeads: number, valueHeads: number, keyDim: number, valueDim: number, kernel: number } }} Config
 * @typedef {'one' | 'four' | 'all' | 'next'} Rung
 */

/** Qwen3.5-0.8B's text model, as its config.json has it. @type {Config & { name: string, bases: string[] }} */
export const QWEN35 = Object.freeze({
  name: 'Qwen3.5-0.8B',
  bases: ['https://huggingface.co/Qwen/Qwen3.5-0.8B', 'https://hf-mirror.com/Qwen/Qwen3.5-0.8B'],
  layers: 24, hidden: 1024, heads: 8, kvHeads: 2, headDim: 256, vocab: 248320, gated: true, tied: true, intermediate: 3584,
  layerTypes: Array.from({ length: 24 }, (_, i) => (i % 4 === 3 ? 'full_attention' : 'linear_attention')),
  linear: { keyHeads: 16, valueHeads: 16, keyDim: 128, valueDim: 128, kernel: 4 },
});

/** Bytes of one number in the hub's files: bf16. */
const BYTES = 2;

/** Numbers of one layer's attention. @param {Config} c @param {string} type */
function mixerNumbers(c, type) {
  const { hidden: N, heads: H, kvHeads: K, headDim: d } = c;
  if (type === 'full_attention') {
    return N * d * (H * (c.gated ? 2 : 1) + 2 * K + H) + (c.qkNorm === false ? 0 : 2 * d);
  }
  const { keyHeads, valueHeads, keyDim, valueDim, kernel } = /** @type {NonNullable<Config['linear']>} */ (c.linear);
  const values = valueHeads * valueDim;
  const channels = 2 * keyHeads * keyDim + values;
  return N * (channels + values + 2 * valueHeads + values) + channels * kernel + 2 * valueHeads + valueDim;
}

/** Bytes of attention alone in the first softmax layer. @param {Config} c */
export const attentionBytes = (c) => BYTES * mixerNumbers(c, 'full_attention');

/** Bytes of each layer. @param {Config} c @returns {number[]} */
export const layerBytes = (c) => c.layerTypes.map((type) => (
  BYTES * (mixerNumbers(c, type) + 3 * c.hidden * c.intermediate + 2 * c.hidden)));

const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);

/** Layers up to the first that has a table. @param {Config} c */
export const layersToFirstTable = (c) => c.layerTypes.indexOf('full_attention') + 1;

/** @typedef {{ attention: number, layers: number[], output: number }} Sizes  bytes */

/** By the formula. @param {Config} c @returns {Sizes} */
export const countedSizes = (c) => ({
  attention: attentionBytes(c), layers: layerBytes(c), output: BYTES * c.hidden * (c.vocab + 1),
});

/**
 * As a folder's header has them.
 * @param {Config} c @param {ReadonlyMap<string, { begin: number, end: number }>} tensors by name without prefix
 * @returns {Sizes}
 */
export function headerSizes(c, tensors) {
  const bytes = (/** @type {(name: string) => boolean} */ wanted) => sum([...tensors]
    .filter(([name]) => wanted(name)).map(([, { begin, end }]) => end - begin));
  const mixer = `layers.${c.layerTypes.indexOf('full_attention')}.self_attn.`;
  const output = c.tied ? 'embed_tokens.weight' : 'lm_head.weight';
  return {
    attention: bytes((name) => name.startsWith(mixer)),
    layers: c.layerTypes.map((_, i) => bytes((name) => name.startsWith(`layers.${i}.`))),
    output: bytes((name) => name === output || name === 'norm.weight'),
  };
}

/**
 * The rungs, smallest first. Embedding rows of the prompt and the headers come on top: some kilobytes.
 * @param {Config} c @param {Sizes} [sizes] @returns {{ rung: Rung, layers: number, bytes: number }[]}
 */
export function ladder(c, sizes = countedSizes(c)) {
  const first = layersToFirstTable(c);
  const all = sum(sizes.layers);
  const rungs = [
    { rung: /** @type {Rung} */ ('one'), layers: 1, bytes: sizes.attention },
    { rung: /** @type {Rung} */ ('four'), layers: first, bytes: sum(sizes.layers.slice(0, first)) },
    { rung: /** @type {Rung} */ ('all'), layers: c.layers, bytes: all },
    { rung: /** @type {Rung} */ ('next'), layers: c.layers, bytes: all + sizes.output },
  ];
  return rungs.filter((r) => first > 0 && (r.rung !== 'four' || first < c.layers));
}

/** What openModel and forward are asked for a rung. @param {Config} c @param {Rung} rung @returns {{ layers: number, logits: 'last' | 'none' }} */
export function askFor(c, rung) {
  return { layers: rung === 'four' ? layersToFirstTable(c) : c.layers, logits: rung === 'next' ? 'last' : 'none' };
}

/**
 * How full each layer's bar is: layers come in order, two or three at a time, and are counted as if one by one.
 * @param {number[]} each bytes by layer @param {number} loaded bytes so far
 */
export function fillBars(each, loaded) {
  let rest = loaded;
  return each.map((bytes) => {
    const part = Math.min(1, Math.max(0, rest / bytes));
    rest -= bytes;
    return part;
  });
}
