/**
 * A full-attention layer's mixer on the C core: its struct, its KV cache, one block of tokens through it.
 */
import { captureFields } from './captures.js';
import { real } from './wasm.js';

/** @typedef {import('./wasm.js').Wasm} Wasm */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {{ gate?: Float32Array, zero?: Float32Array, hideFirst?: Float32Array, kvMean?: boolean }} Edits per head */

const CURES = { none: 0, plus_one: 1, sink_logit: 2 };

/** Keys and values so far: struct KvCache and the two arrays it points to. */
export class KvCache {
  #wasm;
  #width;
  #k;
  #v;

  /** @param {Wasm} wasm @param {{ kvHeads: number, headDim: number }} config @param {number} capacity tokens */
  constructor(wasm, config, capacity) {
    this.#wasm = wasm;
    this.#width = config.kvHeads * config.headDim;
    this.capacity = capacity;
    wasm.together((s) => {
      this.#k = s.space(capacity * this.#width);
      this.#v = s.space(capacity * this.#width);
      this.struct = s.struct([this.#k, this.#v, 0, capacity]);
    });
  }

  get length() {
    return this.struct.int(2);
  }

  /** Bytes of the keys and values that are there. */
  get bytes() {
    return 2 * 4 * this.length * this.#width;
  }

  /** @returns {() => void} puts the cache back to where it is now */
  save() {
    const length = this.length;
    return () => this.struct.setInt(2, length);
  }

  /** Makes room for that many tokens, doubling. */
  reserve(tokens) {
    if (tokens <= this.capacity) return;
    const grown = new KvCache(this.#wasm, { kvHeads: 1, headDim: this.#width }, Math.max(tokens, 2 * this.capacity));
    const used = 4 * this.length * this.#width;
    grown.#k.copy(this.#k, used);
    grown.#v.copy(this.#v, used);
    grown.struct.setInt(2, this.length);
    this.free();
    [this.#k, this.#v, this.struct, this.capacity] = [grown.#k, grown.#v, grown.struct, grown.capacity];
  }

  free() {
    for (const block of [this.#k, this.#v, this.struct]) block.free();
  }
}

export class FullAttention {
  #wasm;
  #config;
  #struct;

  /** @param {Wasm} wasm @param {Config} config @param {(name: string) => any} mat the tensor as a struct field */
  constructor(wasm, config, mat) {
    this.#wasm = wasm;
    this.#config = config;
    this.#struct = wasm.checked('attention_check', [
      config.hidden, config.heads, config.kvHeads, config.headDim, config.rotaryDim,
      config.gated ? 1 : 0, config.zeroCentred ? 1 : 0, config.qkNorm ? 1 : 0, CURES[config.attentionCure],
      real(config.ropeTheta), real(config.eps),
      ...['q_proj.weight', 'k_proj.weight', 'v_proj.weight', 'o_proj.weight', 'q_norm.weight', 'k_norm.weight', 'sinks']
        .map((name) => mat(`self_attn.${name}`)),
    ]);
  }

  /** @param {number} capacity tokens */
  newState(capacity) {
    return new KvCache(this.#wasm, this.#config, capacity);
  }

  /**
   * One block of tokens.
   * @param {any} scope memory of this call
   * @param {import('./wasm.js').Block} x (T, N) normed @param {number} T @param {KvCache} cache
   * @param {import('./wasm.js').Block} out (T, N)
   * @param {Edits | undefined} edits @param {import('./captures.js').CaptureSheet} sheet @param {number} t0
   */
  forward(scope, x, T, cache, out, edits, sheet, t0) {
    const { heads: H, kvHeads: K, headDim: d } = this.#config;
    const S = cache.length + T;
    const floats = { scores: H * T * S, probs: H * T * S, headContribution: T * H, headContributionUngated: T * H,
      kProj: T * K * d, kNormed: T * K * d, k: T * K * d, v: T * K * d };
    const fields = captureFields('full_attention').map((name) => {
      const n = floats[name] ?? T * H * d;
      return { name, n, block: sheet.wants(name) ? scope.space(n) : null };
    });
    const wanted = fields.filter((f) => f.block);
    const put = (values) => (values ? scope.put(values) : null);
    const edit = edits ? scope.struct([put(edits.gate), put(edits.zero), put(edits.hideFirst), edits.kvMean ? 1 : 0])
      : null;
    const arena = scope.arena(this.#wasm.call('attention_scratch', this.#struct, edit, T, S));
    this.#wasm.run('attention_forward', this.#struct, edit, cache.struct, x, T, out,
      wanted.length ? scope.struct(fields.map((f) => f.block)) : null, arena);
    for (const { name, n, block } of wanted) sheet.put(name, block.floats(n), t0, T, S);
  }

  free() {
    this.#struct.free();
  }
}
