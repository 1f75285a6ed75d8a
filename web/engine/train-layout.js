/**
 * A trainer's config: the lab's keys settled, the block of parameters laid out and filled, the C core's struct.
 */
import { EngineError } from './errors.js';
import { parseConfig } from './config.js';
import { isPlain } from './options.js';
import { expectedShapes } from './shapes.js';
import { Random } from './train-random.js';
import { real } from './wasm.js';

/** @typedef {import('./config.js').Config} Config */
/** @typedef {{ name: string, shape: number[], size: number, offset: number }} Place size and offset in numbers */

const CURES = { none: 0, plus_one: 1, sink_logit: 2 };
const ARCHITECTURES = { qwen3_5: 'Qwen3_5ForCausalLM', qwen3: 'Qwen3ForCausalLM', attn_lab: 'AttnLabForCausalLM' };

/** What only a lab model has; the real architectures have none of it. */
function isLab(given) {
  return given.position_embedding === 'learned' || given.qk_norm === false ||
    (given.attention_cure ?? 'none') !== 'none';
}

/**
 * The keys as config.json will hold them, and what they say.
 * @param {unknown} given keys of config.json @param {number} seqLen
 * @returns {{ json: Record<string, any>, config: Readonly<Config> }}
 */
export function trainingConfig(given, seqLen) {
  if (!isPlain(given)) parseConfig(given);
  const keys = /** @type {Record<string, any>} */ (/** @type {any} */ (given).text_config ?? given);
  const type = keys.model_type ?? 'qwen3_5_text';
  /** @type {Record<string, any>} */
  const json = { ...keys, model_type: isLab(keys) ? 'attn_lab' : type };
  if (json.model_type === 'attn_lab') {
    if (type === 'qwen3') json.attn_output_gate ??= false;
    if (json.position_embedding === 'learned') json.max_position_embeddings ??= seqLen;
  }
  const config = parseConfig(json);
  if (config.maxPositions < seqLen) {
    throw new EngineError('BAD_CONFIG', `config.json, max_position_embeddings: expected at least seqLen (${seqLen}), ` +
      `found ${config.maxPositions}`,
    { field: 'max_position_embeddings', expected: seqLen, found: config.maxPositions });
  }
  json.architectures = [ARCHITECTURES[config.family]];
  return { json, config };
}

const count = (shape) => shape.reduce((a, b) => a * b, 1);

/**
 * Where each tensor lies in the block: without gaps, in the order of c/train/model.h.
 * @param {Config} config @returns {Place[]}
 */
export function layout(config) {
  let offset = 0;
  return [...expectedShapes(config)].map(([name, shape]) => {
    const place = { name, shape, size: count(shape), offset };
    offset += place.size;
    return place;
  });
}

/** Struct TrainConfig of c/train/model.h. @param {Config} c @param {import('./wasm.js').Block} kinds */
export function configFields(c, kinds) {
  const { linear } = c;
  return [c.vocab, c.hidden, c.layers, c.intermediate,
    c.heads, c.kvHeads, c.headDim, c.rotaryDim, c.gated ? 1 : 0, c.zeroCentred ? 1 : 0, c.qkNorm ? 1 : 0,
    CURES[c.attentionCure], linear.keyHeads, linear.valueHeads, linear.keyDim, linear.valueDim, linear.kernel,
    c.positionEmbedding === 'learned' ? c.maxPositions : 0, c.tied ? 1 : 0, real(c.ropeTheta), real(c.eps), kinds];
}

/** Kinds of the layers as the C core counts them. @param {Config} config */
export const layerKinds = ({ layerTypes }) => Int32Array.from(layerTypes, (type) => Number(type !== 'full_attention'));

/**
 * Numbers a training run keeps, counted from above, before anything is allocated: parameters, gradients, both running
 * means and a copy of the last good state; the batch; and what one sequence leaves behind in every layer.
 * @param {Config} c @param {Place[]} places @param {{ seqLen: number, batch: number }} set
 */
export function trainingFloats(c, places, { seqLen: T, batch }) {
  const parameters = places.reduce((n, place) => n + place.size, 0);
  const { keyHeads, valueHeads, keyDim, valueDim } = c.linear;
  const full = T * 8 * (c.heads + c.kvHeads) * c.headDim + (c.heads + 2) * T * T;
  const width = valueHeads * valueDim;
  const linear = T * (8 * (2 * keyHeads * keyDim + 2 * width) + keyDim * valueDim);
  const mixer = c.layerTypes.includes('linear_attention') ? Math.max(full, linear) : full;
  const layer = T * (8 * c.hidden + 6 * c.intermediate) + mixer;
  return 7 * parameters + batch * (T + 1) + (c.layers + 1) * layer + T * c.vocab;
}

/** Numbers of a tensor that are drawn at once. */
const PIECE = 1 << 16;

/**
 * First values of one tensor, piece by piece. Each tensor draws from its own stream, and the gate's rows of q_proj from
 * another than the query's, so that models which differ in a gate or a cure start from the same numbers elsewhere.
 * @param {Place} place @param {Config} config @param {number} seed
 * @returns {Generator<Float32Array>}
 */
export function initialPieces({ name, shape, size }, config, seed) {
  const random = new Random(name, seed);
  /** @param {(i: number) => number} f */
  function* filled(f) {
    for (let at = 0; at < size; at += PIECE) {
      yield Float32Array.from({ length: Math.min(PIECE, size - at) }, (_, i) => f(at + i));
    }
  }
  const spread = config.initializerRange;
  if (name.endsWith('linear_attn.norm.weight')) return filled(() => 1);
  if (name.endsWith('norm.weight')) return filled(() => (config.zeroCentred ? 0 : 1));
  if (name.endsWith('sinks')) return filled(() => 0);
  if (name.endsWith('dt_bias')) return filled(() => 1);
  if (name.endsWith('A_log')) return filled(() => random.uniform() * 2.75); // decay rates from 1 to 16
  if (name.endsWith('conv1d.weight')) return filled(() => (2 * random.uniform() - 1) / Math.sqrt(shape[2]));
  if (name === 'embed_positions.weight') return filled(() => random.normal());
  if (config.gated && name.endsWith('q_proj.weight')) {
    const gate = new Random(`${name} gate`, seed);
    const rows = shape[1] * config.headDim;
    return filled((i) => spread * (Math.floor(i / rows) % 2 ? gate : random).normal());
  }
  return filled(() => spread * random.normal());
}
