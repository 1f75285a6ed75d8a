/** The sink lab's recipe and the other small models that the trainer's tests share. */

/** One layer, one head, learned positions, no QK-norm: where the value drain shows best. */
export const LAB = {
  vocab_size: 33, hidden_size: 32, num_hidden_layers: 1, layer_types: ['full_attention'], num_attention_heads: 1,
  num_key_value_heads: 1, head_dim: 32, intermediate_size: 128, attn_output_gate: false, position_embedding: 'learned',
  qk_norm: false, tie_word_embeddings: false, initializer_range: 0.1,
};

export const LAB_TASK = { kind: 'bigram-backcopy', vocab: 32, triggers: 3 };

/** Sizes that differ pairwise where they could be mixed up. */
const SMALL = {
  vocab_size: 19, hidden_size: 14, num_attention_heads: 6, num_key_value_heads: 2, head_dim: 8, intermediate_size: 22,
  linear_num_key_heads: 3, linear_num_value_heads: 9, linear_key_head_dim: 4, linear_value_head_dim: 5,
  linear_conv_kernel_dim: 3, initializer_range: 0.2, rms_norm_eps: 1e-5,
};

/** One of each kind: model_type after export, and the keys. */
export const MODELS = {
  qwen3_5_text: { ...SMALL, model_type: 'qwen3_5_text', num_hidden_layers: 3, tie_word_embeddings: true,
    layer_types: ['linear_attention', 'full_attention', 'linear_attention'],
    rope_parameters: { rope_type: 'default', rope_theta: 1000, partial_rotary_factor: 0.5 } },
  qwen3: { ...SMALL, model_type: 'qwen3', num_hidden_layers: 2, tie_word_embeddings: false, rope_theta: 500 },
  attn_lab: { ...SMALL, num_hidden_layers: 2, layer_types: ['full_attention', 'linear_attention'],
    position_embedding: 'learned', qk_norm: false, attention_cure: 'sink_logit', tie_word_embeddings: false },
};

/** A text of 400 tokens with something to learn. */
export const CORPUS = { kind: 'corpus', ids: Array.from({ length: 400 }, (_, i) => (i * i + 3 * i) % 19) };
