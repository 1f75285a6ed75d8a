/**
 * One layer of the model in WebAssembly memory: norm, mixer (full or linear attention), norm, MLP, each added to the
 * residual stream. Works on one block of tokens at a time.
 */
import { FullAttention } from './full-attention.js';
import { LinearAttention } from './linear-attention.js';

/** @typedef {import('./wasm.js').Block} Block */
/** @typedef {import('./captures.js').CaptureSheet} CaptureSheet */

export const MIXERS = { full_attention: FullAttention, linear_attention: LinearAttention };

/** Tokens that go through at once: small enough that a stop is served within a second. */
export const BLOCK_TOKENS = 128;

export class DecoderLayer {
  #wasm;
  #config;
  #weights;
  #mixer;
  #mlp;

  /**
   * @param {import('./wasm.js').Wasm} wasm @param {import('./config.js').Config} config @param {number} index
   * @param {import('./weights.js').Weights} weights tensors by name after 'layers.i.'; owned from here on, and freed
   *   when this throws
   */
  constructor(wasm, config, index, weights) {
    this.#wasm = wasm;
    this.#config = config;
    this.#weights = weights;
    this.type = config.layerTypes[index];
    try {
      this.#mixer = new MIXERS[this.type](wasm, config, (name) => weights.mat(name));
    } catch (error) {
      weights.free();
      throw error;
    }
  }

  /** @param {number} capacity tokens that will come */
  newState(capacity) {
    return this.#mixer.newState(capacity);
  }

  #norm(s, name, x, T, out) {
    const { hidden: N, zeroCentred, eps } = this.#config;
    this.#wasm.run('norm_forward', s.struct([this.#weights.mat(name)]), zeroCentred ? 1 : 0, eps, x, T, N, out,
      s.arena(4 * N + 64));
  }

  /** Fills what the sheet wants of the residual stream's captures. */
  #put(sheet, blocks, T, t0) {
    for (const [name, block] of Object.entries(blocks)) {
      if (sheet.wants(name)) sheet.put(name, block.floats(T * this.#config.hidden), t0, T, 0);
    }
  }

  /**
   * Input norm and mixer; the residual is not added.
   * @param {any} s memory of this call @param {Block} h (T, N) residual stream @param {number} T
   * @param {any} state of newState @param {any} edits @param {CaptureSheet} sheet @param {number} t0 of the block
   * @returns {Block} (T, N)
   */
  mix(s, h, T, state, edits, sheet, t0) {
    const N = this.#config.hidden;
    const normed = s.space(T * N);
    const mixed = s.space(T * N);
    this.#norm(s, 'input_layernorm.weight', h, T, normed);
    this.#mixer.forward(s, normed, T, state, mixed, edits, sheet, t0);
    this.#put(sheet, { hIn: h, normed, mixerOut: mixed }, T, t0);
    return mixed;
  }

  /** The whole layer: h (T, N) becomes the next layer's input, in place. Parameters as mix. */
  forward(s, h, T, state, edits, sheet, t0) {
    const N = this.#config.hidden;
    const mixed = this.mix(s, h, T, state, edits, sheet, t0);
    this.#wasm.call('axpy', h, 1, mixed, T * N);

    this.#mlp ??= this.#wasm.struct(['gate_proj', 'up_proj', 'down_proj'].map((n) => this.#weights.mat(`mlp.${n}.weight`)));
    const normed = s.space(T * N);
    const out = s.space(T * N);
    this.#norm(s, 'post_attention_layernorm.weight', h, T, normed);
    this.#wasm.run('mlp_forward', this.#mlp, normed, T, out, s.arena(this.#wasm.call('mlp_scratch', this.#mlp, T)));
    this.#wasm.call('axpy', h, 1, out, T * N);
    this.#put(sheet, { mlpOut: out, hOut: h }, T, t0);
  }

  free() {
    this.#mixer.free();
    this.#mlp?.free();
    this.#weights.free();
  }
}
