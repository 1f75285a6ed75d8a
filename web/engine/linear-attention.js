/**
 * A linear layer's mixer (Gated DeltaNet) on the C core: its struct, its state of constant size, one block of tokens.
 */
import { captureFields } from './captures.js';
import { real } from './wasm.js';

/** @typedef {import('./wasm.js').Wasm} Wasm */
/** @typedef {import('./config.js').Config} Config */

const sizes = ({ linear: l }) => ({
  channels: 2 * l.keyHeads * l.keyDim + l.valueHeads * l.valueDim,
  table: l.valueHeads * l.keyDim * l.valueDim,
});

/** Struct DeltaState: the last raw conv inputs and one table per value head, zeros at the start. */
export class DeltaState {
  #blocks;

  /** @param {Wasm} wasm @param {Config} config */
  constructor(wasm, config) {
    const { channels, table } = sizes(config);
    wasm.together((s) => {
      this.#blocks = [channels * (config.linear.kernel - 1), table].map((floats) => s.space(floats));
      this.struct = s.struct(this.#blocks);
    });
    for (const block of this.#blocks) block.fill(0);
    this.bytes = this.#blocks.reduce((n, b) => n + b.bytes, 0);
  }

  /** @returns {() => void} puts the state back to what it is now */
  save() {
    const copies = this.#blocks.map((block) => block.floats(block.bytes / 4));
    return () => this.#blocks.forEach((block, i) => block.writeFloats(copies[i]));
  }

  /** It never grows. */
  reserve() {}

  free() {
    for (const block of [...this.#blocks, this.struct]) block.free();
  }
}

export class LinearAttention {
  #wasm;
  #config;
  #struct;

  /** @param {Wasm} wasm @param {Config} config @param {(name: string) => any} mat the tensor as a struct field */
  constructor(wasm, config, mat) {
    const { keyHeads, valueHeads, keyDim, valueDim, kernel } = config.linear;
    this.#wasm = wasm;
    this.#config = config;
    this.#struct = wasm.checked('delta_check', [
      config.hidden, keyHeads, valueHeads, keyDim, valueDim, kernel, real(config.eps),
      ...['in_proj_qkv.weight', 'in_proj_z.weight', 'in_proj_b.weight', 'in_proj_a.weight', 'conv1d.weight', 'A_log',
        'dt_bias', 'norm.weight', 'out_proj.weight'].map((name) => mat(`linear_attn.${name}`)),
    ]);
  }

  newState() {
    return new DeltaState(this.#wasm, this.#config);
  }

  /**
   * One block of tokens; parameters as FullAttention.forward, of whose edits only `zero` is defined here.
   * @param {any} scope @param {import('./wasm.js').Block} x @param {number} T @param {DeltaState} state
   * @param {import('./wasm.js').Block} out @param {{ zero?: Float32Array } | undefined} edits
   * @param {import('./captures.js').CaptureSheet} sheet @param {number} t0
   */
  forward(scope, x, T, state, out, edits, sheet, t0) {
    const { valueHeads: Hv, valueDim: dv, kernel } = this.#config.linear;
    const { channels, table } = sizes(this.#config);
    const floats = { core: T * Hv * dv, zgate: T * Hv * dv, state: table, convState: channels * (kernel - 1) };
    const fields = captureFields('linear_attention').map((name) => {
      const n = floats[name] ?? T * Hv;
      return { name, n, block: sheet.wants(name) ? scope.space(n) : null };
    });
    const wanted = fields.filter((f) => f.block);
    const arena = scope.arena(this.#wasm.call('delta_scratch', this.#struct, T));
    this.#wasm.run('delta_forward', this.#struct, edits?.zero ? scope.put(edits.zero) : null, state.struct, x, T, out,
      wanted.length ? scope.struct(fields.map((f) => f.block)) : null, arena);
    for (const { name, n, block } of wanted) sheet.put(name, block.floats(n), t0, T, 0);
  }

  free() {
    this.#struct.free();
  }
}
