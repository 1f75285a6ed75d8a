/**
 * config.json -> the numbers a forward pass needs, checked once, here.
 * Composite files (text_config beside a vision_config) and flat ones; RoPE values in rope_parameters or beside it.
 * What is not implemented is UNSUPPORTED_MODEL, what contradicts itself is BAD_CONFIG; both name field, expected and
 * found.
 */
import { EngineError, show } from './errors.js';
import { isPlain } from './options.js';

/**
 * @typedef {'full_attention' | 'linear_attention'} LayerType
 * @typedef {{ keyHeads: number, valueHeads: number, keyDim: number, valueDim: number, kernel: number }} Linear
 * @typedef {object} Config
 * @property {'qwen3_5' | 'qwen3' | 'attn_lab'} family
 * @property {number} layers
 * @property {number} hidden            N
 * @property {number} heads             H, query heads
 * @property {number} kvHeads           K, divides H
 * @property {number} headDim           d
 * @property {number} rotaryDim         even, at most d; 0 with learned positions
 * @property {number} ropeTheta
 * @property {number} eps               of every RMSNorm
 * @property {number} vocab             V
 * @property {readonly LayerType[]} layerTypes
 * @property {boolean} gated            q_proj holds query and gate of each head
 * @property {boolean} tied             the embedding is the output matrix
 * @property {number} intermediate      width of the MLP
 * @property {boolean} zeroCentred      norms multiply by 1 + w (but never linear_attn.norm)
 * @property {Readonly<Linear>} linear
 * @property {number} maxPositions
 * @property {'rope' | 'learned'} positionEmbedding
 * @property {boolean} qkNorm
 * @property {'none' | 'plus_one' | 'sink_logit'} attentionCure
 * @property {number} initializerRange
 * @property {Record<string, any>} raw  the text part as it stands in the file
 */

/** @returns {never} */
function fail(code, field, expected, found) {
  const isText = typeof found === 'string' || found instanceof URL;
  throw new EngineError(code, `config.json, ${field}: expected ${expected}, found ` +
    `${isText ? JSON.stringify(show(found)) : show(found)}`, { field, expected, found });
}
const bad = (field, expected, found) => fail('BAD_CONFIG', field, expected, found);
const unsupported = (field, expected, found) => fail('UNSUPPORTED_MODEL', field, expected, found);

/** Readers of one key each: absent or null takes the fallback, no fallback means the key must be there. */
function fields(json) {
  const take = (key, fallback, ok, expected) => {
    const value = Object.hasOwn(json, key) ? json[key] ?? fallback : fallback;
    return ok(value) ? value : bad(key, expected, value);
  };
  return {
    int: (key, max, fallback = undefined) =>
      take(key, fallback, (x) => Number.isInteger(x) && x >= 1 && x <= max, `a whole number from 1 to ${max}`),
    real: (key, above, max, fallback = undefined) =>
      take(key, fallback, (x) => Number.isFinite(x) && x > above && x <= max, `a number in (${above}, ${max}]`),
    flag: (key, fallback) => take(key, fallback, (x) => typeof x === 'boolean', 'true or false'),
    oneOf: (key, list, fallback) => take(key, fallback, (x) => list.includes(x), list.join(' or ')),
  };
}

const FAMILY = { qwen3_5: 'qwen3_5', qwen3_5_text: 'qwen3_5', qwen3: 'qwen3', attn_lab: 'attn_lab' };
const ARCHITECTURE = /^Qwen3(_5)?(Text)?(Model|For[A-Za-z]+)$/;

function readFamily(text, top) {
  const names = text.architectures ?? top.architectures;
  const architecture = Array.isArray(names) ? names[0] : undefined;
  if (architecture !== undefined && typeof architecture !== 'string') bad('architectures', 'a list of names', names);
  let type = text.model_type ?? top.model_type;
  if (type === undefined && ARCHITECTURE.test(architecture)) {
    type = architecture.startsWith('Qwen3_5') ? 'qwen3_5' : 'qwen3';
  }
  if (type === undefined) bad('model_type', Object.keys(FAMILY).join(', '), type);
  if (typeof type !== 'string' || !Object.hasOwn(FAMILY, type)) {
    unsupported('model_type', Object.keys(FAMILY).join(', '), type);
  }
  const family = FAMILY[type];
  if (family !== 'attn_lab' && architecture !== undefined && !ARCHITECTURE.test(architecture)) {
    unsupported('architectures', 'Qwen3_5For… or Qwen3For…', architecture);
  }
  return family;
}

/** Settings that change the numbers and that nothing here computes. */
function refuseUnknown(text, top) {
  if (!['silu', 'swish'].includes(text.hidden_act ?? 'silu')) unsupported('hidden_act', 'silu', text.hidden_act);
  for (const key of ['attention_bias', 'mlp_bias', 'use_sliding_window']) {
    if (text[key]) unsupported(key, 'false', text[key]);
  }
  for (const key of ['num_experts', 'num_local_experts', 'n_routed_experts']) {
    if (text[key]) unsupported(key, 'none (a dense model)', text[key]);
  }
  const quantization = text.quantization_config ?? top.quantization_config;
  if (quantization) unsupported('quantization_config', 'none (BF16, F16 or F32 weights)', quantization.quant_method);
}

/** RoPE's settings, wherever this writer put them. */
function readRope(text, headDim, family) {
  const scaling = text.rope_scaling;
  const given = text.rope_parameters;
  for (const [key, part] of [['rope_parameters', given], ['rope_scaling', scaling]]) {
    if (part === undefined || part === null) continue;
    if (!isPlain(part)) bad(key, 'an object', part);
    const type = part.rope_type ?? part.type ?? (part.factor === undefined ? 'default' : 'scaled');
    if (type !== 'default') unsupported(`${key}.rope_type`, 'default', type);
  }
  const rope = fields({ rope_theta: text.rope_theta, partial_rotary_factor: text.partial_rotary_factor,
    ...scaling, ...given });
  const theta = rope.real('rope_theta', 0, 1e15, 10000);
  const share = rope.real('partial_rotary_factor', 0, 1, family === 'qwen3_5' ? 0.25 : 1);
  const rotaryDim = Math.trunc(headDim * share);
  if (rotaryDim < 2 || rotaryDim % 2) {
    bad('partial_rotary_factor', `an even number of rotated dims from 2 to ${headDim}`, rotaryDim);
  }
  return { theta, rotaryDim };
}

/** @returns {LayerType[]} */
function readLayerTypes(text, layers, family) {
  const interval = fields(text).int('full_attention_interval', 4096, 4);
  const given = text.layer_types;
  if (given === undefined || given === null) {
    return Array.from({ length: layers }, (_, i) =>
      (family !== 'qwen3_5' || (i + 1) % interval === 0 ? 'full_attention' : 'linear_attention'));
  }
  if (!Array.isArray(given) || given.length !== layers) {
    bad('layer_types', `a list of ${layers} names`, Array.isArray(given) ? `${given.length} names` : given);
  }
  const known = family === 'qwen3' ? ['full_attention'] : ['full_attention', 'linear_attention'];
  given.forEach((type, i) => known.includes(type) || unsupported(`layer_types[${i}]`, known.join(' or '), type));
  return [...given];
}

/** A divides B, as heads and groups must. */
function mustDivide(small, smallKey, big, bigKey) {
  if (big % small) bad(smallKey, `a divisor of ${bigKey} (${big})`, small);
}

/**
 * @param {unknown} json the parsed config.json, or its text part
 * @returns {Readonly<Config>}
 */
export function parseConfig(json) {
  if (!isPlain(json)) bad('the whole', 'an object', json);
  const top = /** @type {Record<string, any>} */ (json);
  const text = top.text_config ?? top;
  if (!isPlain(text)) bad('text_config', 'an object', text);
  const family = readFamily(text, top);
  refuseUnknown(text, top);

  const { int, real, flag, oneOf } = fields(text);
  const lab = family === 'attn_lab';
  const layers = int('num_hidden_layers', 1024);
  const hidden = int('hidden_size', 65536);
  const heads = int('num_attention_heads', 4096);
  const kvHeads = int('num_key_value_heads', 4096, heads);
  mustDivide(kvHeads, 'num_key_value_heads', heads, 'num_attention_heads');
  const headDim = int('head_dim', 4096, family === 'qwen3_5' ? 256 : Math.trunc(hidden / heads));
  const positionEmbedding = lab ? oneOf('position_embedding', ['rope', 'learned'], 'rope') : 'rope';
  const learned = positionEmbedding === 'learned';
  const rope = learned ? { theta: 10000, rotaryDim: 0 } : readRope(text, headDim, family);
  const linear = {
    keyHeads: int('linear_num_key_heads', 4096, 16),
    valueHeads: int('linear_num_value_heads', 4096, 32),
    keyDim: int('linear_key_head_dim', 4096, 128),
    valueDim: int('linear_value_head_dim', 4096, 128),
    kernel: int('linear_conv_kernel_dim', 64, 4),
  };
  mustDivide(linear.keyHeads, 'linear_num_key_heads', linear.valueHeads, 'linear_num_value_heads');
  const tied = Object.hasOwn(text, 'tie_word_embeddings')
    ? flag('tie_word_embeddings', false) : fields(top).flag('tie_word_embeddings', false);

  return Object.freeze({
    family, layers, hidden, heads, kvHeads, headDim,
    rotaryDim: rope.rotaryDim,
    ropeTheta: rope.theta,
    eps: real('rms_norm_eps', 0, 1, 1e-6),
    vocab: int('vocab_size', 1 << 24),
    layerTypes: Object.freeze(readLayerTypes(text, layers, family)),
    gated: family !== 'qwen3' && flag('attn_output_gate', true),
    tied,
    intermediate: int('intermediate_size', 1 << 20),
    zeroCentred: family !== 'qwen3',
    linear: Object.freeze(linear),
    maxPositions: int('max_position_embeddings', 2 ** 30, learned ? undefined : 32768),
    positionEmbedding,
    qkNorm: lab ? flag('qk_norm', true) : true,
    attentionCure: lab ? oneOf('attention_cure', ['none', 'plus_one', 'sink_logit'], 'none') : 'none',
    initializerRange: real('initializer_range', 0, 100, 0.02),
    raw: text,
  });
}
