/** What can be counted of an attention layer from any model's config.json, also of models that are not computed here. */

/** Families that normalise q and k, and those that put a gate behind every head. */
const NORMED = /^(qwen3|gemma3|olmo2)/;
const GATED = /^(qwen3_5|qwen3_next)/;

/** @param {string} field @param {string} expected @param {unknown} found */
function refuse(field, expected, found) {
  throw Object.assign(new Error(`${field}: expected ${expected}, found ${JSON.stringify(found) ?? 'nothing'}`), { code: 'BAD_CONFIG' });
}

/**
 * @param {any} json a parsed config.json, or its text part
 * @returns {import('./pipeline.js').Sizes}
 */
export function sizesOf(json) {
  const text = json?.text_config ?? json;
  if (typeof text !== 'object' || text === null || Array.isArray(text)) refuse('config.json', 'an object', text);
  const int = (/** @type {string} */ field, /** @type {number | undefined} */ fallback) => {
    const n = text[field] ?? fallback;
    return Number.isInteger(n) && n > 0 && n < 2 ** 20 ? n : refuse(field, 'a whole number above 0', text[field]);
  };
  const family = String(text.model_type ?? '');
  const heads = int('num_attention_heads', undefined);
  const hidden = int('hidden_size', undefined);
  const kvHeads = int('num_key_value_heads', heads);
  if (heads % kvHeads) refuse('num_key_value_heads', `a divisor of num_attention_heads (${heads})`, kvHeads);
  const headDim = int('head_dim', Math.floor(hidden / heads));
  const share = text.rope_parameters?.partial_rotary_factor ?? text.partial_rotary_factor ?? (GATED.test(family) ? 0.25 : 1);
  return {
    hidden, heads, kvHeads, headDim, rotaryDim: Math.trunc(headDim * share),
    gated: text.attn_output_gate ?? GATED.test(family),
    qkNorm: NORMED.test(family),
    linear: {
      keyHeads: int('linear_num_key_heads', 16), valueHeads: int('linear_num_value_heads', 16),
      keyDim: int('linear_key_head_dim', 128), valueDim: int('linear_value_head_dim', 128), kernel: int('linear_conv_kernel_dim', 4),
    },
  };
}
