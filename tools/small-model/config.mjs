/** config.json of the models made here: Qwen3.5's keys and proportions, small numbers. */

/**
 * @param {object} o
 * @param {number} o.vocab @param {number} o.end id of the end mark @param {number} o.layers a multiple of 4
 * @param {number} o.linearDim of the linear heads' keys and values @param {number} o.ropeTheta
 * @param {boolean} o.gated @param {string} o.note what the model is
 * @param {number} [o.initializerRange] deviation of the weights before training
 */
export const modelConfig = ({ vocab, end, layers, linearDim, ropeTheta, gated, note, initializerRange }) => ({
  architectures: ['Qwen3_5ForCausalLM'],
  model_type: 'qwen3_5_text',
  note,
  attention_bias: false,
  attn_output_gate: gated,
  dtype: 'bfloat16',
  eos_token_id: end,
  full_attention_interval: 4,
  head_dim: 32,
  hidden_act: 'silu',
  hidden_size: 64,
  ...(initializerRange ? { initializer_range: initializerRange } : {}),
  intermediate_size: 128,
  layer_types: Array.from({ length: layers }, (_, i) => (i % 4 === 3 ? 'full_attention' : 'linear_attention')),
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: linearDim,
  linear_num_key_heads: 4,
  linear_num_value_heads: 4,
  linear_value_head_dim: linearDim,
  mamba_ssm_dtype: 'float32',
  max_position_embeddings: 4096,
  num_attention_heads: 8,
  num_hidden_layers: layers,
  num_key_value_heads: 2,
  rms_norm_eps: 1e-6,
  rope_parameters: {
    rope_type: 'default', rope_theta: ropeTheta, partial_rotary_factor: 0.25,
    mrope_section: [2, 1, 1], mrope_interleaved: true,
  },
  tie_word_embeddings: true,
  vocab_size: vocab,
});
