/**
 * Which tensors a config calls for, and whether a folder has them. Names without the text model's prefix, as in
 * 'layers.3.self_attn.q_proj.weight'; 'lm_head.weight' stands outside the prefix.
 */
import { EngineError } from './errors.js';

/** @typedef {import('./config.js').Config} Config */

/** dtypes the kernels read. */
export const WEIGHT_DTYPES = Object.freeze(['BF16', 'F16', 'F32']);

/** @param {Config} c @returns {[string, number[]][]} */
function fullAttention(c) {
  const { hidden: N, heads: H, kvHeads: K, headDim: d } = c;
  return [
    ['self_attn.q_proj.weight', [H * d * (c.gated ? 2 : 1), N]],
    ['self_attn.k_proj.weight', [K * d, N]],
    ['self_attn.v_proj.weight', [K * d, N]],
    ['self_attn.o_proj.weight', [N, H * d]],
    ...(c.qkNorm ? /** @type {[string, number[]][]} */ ([
      ['self_attn.q_norm.weight', [d]],
      ['self_attn.k_norm.weight', [d]],
    ]) : []),
    ...(c.attentionCure === 'sink_logit' ? /** @type {[string, number[]][]} */ ([['self_attn.sinks', [H]]]) : []),
  ];
}

/** @param {Config} c @returns {[string, number[]][]} */
function linearAttention(c) {
  const { keyHeads, valueHeads: Hv, keyDim, valueDim: dv, kernel } = c.linear;
  const channels = 2 * keyHeads * keyDim + Hv * dv;
  return [
    ['linear_attn.in_proj_qkv.weight', [channels, c.hidden]],
    ['linear_attn.in_proj_z.weight', [Hv * dv, c.hidden]],
    ['linear_attn.in_proj_b.weight', [Hv, c.hidden]],
    ['linear_attn.in_proj_a.weight', [Hv, c.hidden]],
    ['linear_attn.conv1d.weight', [channels, 1, kernel]],
    ['linear_attn.A_log', [Hv]],
    ['linear_attn.dt_bias', [Hv]],
    ['linear_attn.norm.weight', [dv]],
    ['linear_attn.out_proj.weight', [c.hidden, Hv * dv]],
  ];
}

/**
 * One layer's tensors in the order its forward pass reads them; names after 'layers.i.'.
 * @param {Config} config @param {number} layer
 * @returns {[string, number[]][]}
 */
export function layerShapes(config, layer) {
  const { hidden: N, intermediate: M } = config;
  return [
    ['input_layernorm.weight', [N]],
    ...(config.layerTypes[layer] === 'full_attention' ? fullAttention(config) : linearAttention(config)),
    ['post_attention_layernorm.weight', [N]],
    ['mlp.gate_proj.weight', [M, N]],
    ['mlp.up_proj.weight', [M, N]],
    ['mlp.down_proj.weight', [N, M]],
  ];
}

/**
 * All tensors of the text model in the order a forward pass needs them.
 * @param {Config} config
 * @returns {Map<string, number[]>}
 */
export function expectedShapes(config) {
  const { hidden: N, vocab: V } = config;
  const shapes = new Map([['embed_tokens.weight', [V, N]]]);
  if (config.positionEmbedding === 'learned') shapes.set('embed_positions.weight', [config.maxPositions, N]);
  for (let i = 0; i < config.layers; i++) {
    for (const [name, shape] of layerShapes(config, i)) shapes.set(`layers.${i}.${name}`, shape);
  }
  shapes.set('norm.weight', [N]);
  if (!config.tied) shapes.set('lm_head.weight', [V, N]);
  return shapes;
}

/**
 * @param {Config} config
 * @param {ReadonlyMap<string, { dtype: string, shape: readonly number[], file?: string }>} tensors names without prefix
 * @param {Iterable<string>} [names] those to check; default all that the config calls for
 */
export function checkTensors(config, tensors, names) {
  const shapes = expectedShapes(config);
  for (const name of names ?? shapes.keys()) {
    const expected = shapes.get(name);
    const tensor = tensors.get(name);
    if (!expected || !tensor) {
      throw new EngineError('MISSING_TENSOR', `tensor ${name}: expected ${expected ? `shape [${expected}]`
        : 'a name of this model'}, found none among ${tensors.size} tensors`,
      { name, field: name, expected, found: undefined });
    }
    const { shape: found, dtype, file } = tensor;
    if (found.length !== expected.length || found.some((size, i) => size !== expected[i])) {
      throw new EngineError('BAD_SHAPE', `tensor ${name}: expected shape [${expected}] by config.json, ` +
        `found [${found}]`, { name, field: name, file, expected, found });
    }
    if (!WEIGHT_DTYPES.includes(dtype)) {
      throw new EngineError('BAD_FILE', `tensor ${name}: expected dtype ${WEIGHT_DTYPES.join(', ')}, found ${dtype}`,
        { name, field: name, file, expected: WEIGHT_DTYPES, found: dtype });
    }
  }
}
