/** What a module shows to the world: a fixed list, nothing from outside, and a size a phone can take. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { skipReason, VARIANTS, wasmFile } from '../helpers/variants.js';

const EXPORTS = [
  '_initialize', 'memory',
  'attn_variant', 'attn_alloc', 'attn_free', 'attn_error',
  'attn_dot', 'attn_axpy', 'attn_expand', 'attn_matvec', 'attn_gemm', 'attn_gemm_nn', 'attn_softmax',
  'attn_softmax_sink', 'attn_rmsnorm', 'attn_rope', 'attn_rope_table', 'attn_sigmoid', 'attn_silu', 'attn_mul',
  'attn_muladd', 'attn_delta_step',
  'attn_toy_scratch', 'attn_toy_attention', 'attn_toy_gate', 'attn_toy_gate_sgd',
  'attn_kv_floats', 'attn_kv_bytes', 'attn_decode_scratch', 'attn_decode_step',
  'attn_norm_forward', 'attn_attention_check', 'attn_attention_scratch', 'attn_attention_forward',
  'attn_delta_check', 'attn_delta_scratch', 'attn_delta_forward', 'attn_mlp_scratch', 'attn_mlp_forward',
  'attn_train_adamw', 'attn_train_batch', 'attn_train_clip', 'attn_train_copy', 'attn_train_parameters',
  'attn_train_scratch', 'attn_train_sgd',
];
// what emcc's linker adds of its own in some versions
const LINKER = ['__indirect_function_table', '__errno_location', 'stackSave', 'stackRestore', 'stackAlloc'];
const MAX_BYTES = 65 * 1024;

for (const variant of VARIANTS) {
  test(`the ${variant} module: exports, imports, size`, { skip: skipReason(variant) }, async () => {
    const bytes = await readFile(wasmFile(variant));
    const module = await WebAssembly.compile(bytes);
    const names = WebAssembly.Module.exports(module).map(({ name }) => name).filter((name) => !LINKER.includes(name));
    assert.deepEqual(names.sort(), EXPORTS.toSorted());
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    assert.ok(bytes.length <= MAX_BYTES, `${bytes.length} bytes, allowed are ${MAX_BYTES}`);
  });
}
