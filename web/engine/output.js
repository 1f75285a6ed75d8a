/**
 * The output matrix: final norm, then one product with V rows. A third of the model, so without `keep` it goes through
 * in blocks of rows, each dropped when its logits are written.
 */
import { EngineError } from './errors.js';
import { BLOCK_TOKENS } from './decoder-layer.js';
import { matrix } from './options.js';
import { linkSignals } from './signals.js';
import { slices } from './tasks.js';
import { throwIfAborted, within } from './wait.js';
import { dtypeBytes, mat } from './wasm.js';

/** Rows of the output matrix that go through at once: about 4 MB of them. */
const BLOCK_BYTES = 4 << 20;
/** logits 'all' of more numbers than this are refused before anything is fetched. */
const MAX_LOGITS = 2 ** 28;

/** Which tensor it is. @param {import('./config.js').Config} config @param {ReadonlyMap<string, any>} tensors */
export function outputName(config, tensors) {
  return !config.tied && tensors.has('lm_head.weight') ? 'lm_head.weight' : 'embed_tokens.weight';
}

/** @param {import('./config.js').Config} config @param {number} T */
export function checkLogits(config, T) {
  if (T * config.vocab > MAX_LOGITS) {
    throw new EngineError('OUT_OF_MEMORY', `logits: expected at most ${MAX_LOGITS} numbers, found ${T} x ${config.vocab}`,
      { expected: MAX_LOGITS, found: T * config.vocab });
  }
}

export class OutputMatrix {
  #wasm;
  #folder;
  #tensor;
  #progress;
  #keep;
  #room;
  /** @type {Promise<import('./wasm.js').Block[]> | undefined} */
  #kept;
  #stop = new AbortController();

  /**
   * @param {import('./wasm.js').Wasm} wasm @param {import('./folder.js').Folder} folder
   * @param {{ keep: boolean, progress: any, room?: import('./wasm.js').Room }} options  room: promised to the matrix
   */
  constructor(wasm, folder, { keep, progress, room }) {
    this.#wasm = wasm;
    this.#folder = folder;
    this.#keep = keep;
    this.#progress = progress;
    this.#room = room;
    this.#tensor = folder.tensors.get(outputName(folder.config, folder.tensors));
  }

  /** The row blocks as ranges of the file. */
  #blocks() {
    const { file, begin, end, shape: [V], name } = this.#tensor;
    const rowBytes = (end - begin) / V;
    const rows = Math.max(1, Math.floor(BLOCK_BYTES / rowBytes));
    return Array.from({ length: Math.ceil(V / rows) }, (_, b) => ({
      file, first: b * rows, rows: Math.min(rows, V - b * rows), name,
      begin: begin + b * rows * rowBytes, end: begin + Math.min(V, (b + 1) * rows) * rowBytes,
    }));
  }

  /**
   * Fetches the blocks in order; use(block, index, signal) when one is complete; afterwards the block is dropped unless
   * kept. After the signal, which is aborted by any failure too, no block may be touched.
   * @param {(block: import('./wasm.js').Block, index: number, signal: AbortSignal) => Promise<void>} use
   */
  async #stream(use, keepBlocks, signal) {
    const blocks = this.#blocks();
    const held = new Map();
    const expected = this.#progress.expect(this.#tensor.end - this.#tensor.begin);
    const stop = linkSignals([signal]);
    const finish = async (i, block) => {
      await use(block, i, stop.signal);
      if (keepBlocks) return;
      block.free();
      held.delete(i);
    };
    try {
      await this.#folder.read(blocks, (i, chunk, at) => {
        const bytes = blocks[i].end - blocks[i].begin;
        if (!held.has(i)) held.set(i, { block: this.#wasm.alloc(bytes, this.#room), missing: bytes });
        const entry = held.get(i);
        entry.block.write(chunk, at);
        entry.missing -= chunk.length;
        return entry.missing === 0 ? finish(i, entry.block) : undefined;
      }, { signal: stop.signal, onBytes: (bytes) => expected.arrived(bytes, this.#tensor.name, -1) });
    } catch (error) {
      stop.abort();
      for (const { block } of held.values()) block.free();
      expected.giveUp();
      throw error;
    } finally {
      stop.unlink();
    }
    return blocks.map((_, i) => held.get(i)?.block);
  }

  /** With `keep`: starts to fetch the matrix, once. */
  prefetch() {
    if (!this.#keep || this.#kept) return;
    this.#kept = this.#stream(async () => {}, true, this.#stop.signal);
    this.#kept.catch(() => {}); // it is asked for later; until then its failure is nobody's
  }

  /** After a failure or a stop: an incomplete matrix is given up and asked for anew by the next call. */
  async dropPending() {
    this.#stop.abort();
    this.#stop = new AbortController();
    await this.#kept?.catch(() => {
      this.#kept = undefined;
    });
  }

  /**
   * @param {Float32Array} x (T, N) after the final norm @param {number} T
   * @param {AbortSignal} [signal]
   * @returns {Promise<import('./options.js').Matrix>} (T, V), or (V) as [V] when T is 1 and `flat`
   */
  async logits(x, T, signal, flat = false) {
    const { shape: [V, N], dtype } = this.#tensor;
    const out = new Float32Array(T * V);
    const blocks = this.#blocks();
    const breathe = slices(signal);
    /** Some tokens' logits of one block's rows. */
    const logitsOf = (block, { first, rows }, t0, tokens) => this.#wasm.scope((s) => {
      const part = s.space(tokens * rows);
      const input = s.put(x.subarray(t0 * N, (t0 + tokens) * N));
      this.#wasm.call('gemm', part, rows, input, N, s.struct([mat(block, dtype, rows, N)]), tokens);
      const values = part.floats(tokens * rows);
      for (let t = 0; t < tokens; t++) out.set(values.subarray(t * rows, (t + 1) * rows), (t0 + t) * V + first);
    });
    const product = async (block, i, stop) => {
      for (let t0 = 0; t0 < T; t0 += BLOCK_TOKENS) {
        await breathe();
        throwIfAborted(stop);
        logitsOf(block, blocks[i], t0, Math.min(BLOCK_TOKENS, T - t0));
      }
    };
    if (this.#keep) {
      this.prefetch();
      const kept = await within(this.#kept, { signal });
      for (let i = 0; i < kept.length; i++) await product(kept[i], i, signal);
    } else {
      await this.#stream(product, false, signal);
    }
    return matrix(flat ? [V] : [T, V], out);
  }

  /** Bytes that stay in memory with `keep`. */
  get bytes() {
    return this.#tensor.shape[0] * this.#tensor.shape[1] * dtypeBytes(this.#tensor.dtype);
  }

  async free() {
    this.#stop.abort();
    await this.#kept?.then((blocks) => blocks.forEach((b) => b.free()), () => {});
    this.#kept = undefined;
  }
}
