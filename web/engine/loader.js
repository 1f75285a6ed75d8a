/**
 * The layers' weights on their way in: in layer order, from the connection straight to their place in WebAssembly
 * memory, each layer handed out as soon as its last byte is there.
 */
import { DecoderLayer } from './decoder-layer.js';
import { layerShapes } from './shapes.js';
import { Weights } from './weights.js';

/**
 * Counts every byte that a model's run fetches and tells onProgress. waitMs: while retrying, the pause before the next
 * try; full: the device's store keeps no more.
 * @param {((progress: object) => void) | undefined} onProgress
 */
export function createProgress(onProgress) {
  const state = { phase: 'headers', loadedBytes: 0, totalBytes: 0, tensor: '', layer: -1, retries: 0, waitMs: 0, full: false };
  const tell = (change = {}) => {
    Object.assign(state, change);
    onProgress?.({ ...state });
  };
  return {
    /** Nobody listens any more. */
    end() {
      onProgress = undefined;
    },
    /** So many bytes will come. @param {number} bytes */
    expect(bytes) {
      let came = 0;
      tell({ totalBytes: state.totalBytes + bytes });
      const lost = () => {
        tell({ loadedBytes: state.loadedBytes - came });
        came = 0;
      };
      return {
        /** @param {number} n @param {string} tensor @param {number} layer */
        arrived(n, tensor, layer) {
          came += n;
          tell({ phase: 'weights', loadedBytes: state.loadedBytes + n, tensor, layer });
        },
        /** They must come once more. */
        lost,
        /** What has not all come will not come any more. */
        giveUp() {
          if (came === bytes) return;
          lost();
          tell({ totalBytes: state.totalBytes - bytes });
        },
      };
    },
    /** @param {{ type: string, [detail: string]: any }} event of the transport */
    event: ({ type, waitMs }) => {
      if (type === 'retry') tell({ phase: 'retrying', retries: state.retries + 1, waitMs });
      if (type === 'quota') tell({ full: true });
    },
    phase: (phase) => tell({ phase }),
  };
}

/** Layers in flight beside the one computing: the next one's bytes keep the connections busy. */
const AHEAD = 2;

export class LayerLoader {
  #wasm;
  #folder;
  #config;
  #keep;
  #room;
  /** @type {Promise<DecoderLayer>[]} */
  #layers = [];
  #count;
  /** What is expected of each layer. @type {ReturnType<ReturnType<typeof createProgress>['expect']>[]} */
  #expected = [];
  #stop = new AbortController();

  /**
   * @param {import('./wasm.js').Wasm} wasm @param {import('./folder.js').Folder} folder
   * @param {object} o
   * @param {number} o.layers how many @param {boolean} o.keep weights stay until free()
   * @param {ReturnType<typeof createProgress>} o.progress
   * @param {import('./wasm.js').Room} [o.room] promised to the weights
   */
  constructor(wasm, folder, { layers, keep, progress, room }) {
    this.#wasm = wasm;
    this.#folder = folder;
    this.#config = folder.config;
    this.#count = layers;
    this.#keep = keep;
    this.#room = room;
    for (let i = 0; i < layers; i++) this.#expected[i] = progress.expect(this.#bytes(i));
    this.#startUpTo(AHEAD);
  }

  /** @returns {[string, any][]} by name after 'layers.i.', as one group: fetched in file order, neighbours joined */
  #tensors(i) {
    return layerShapes(this.#config, i).map(([name]) =>
      [name, { ...this.#folder.tensors.get(`layers.${i}.${name}`), group: i }]);
  }

  #bytes(i) {
    return this.#tensors(i).reduce((n, [, t]) => n + t.end - t.begin, 0);
  }

  #startUpTo(end) {
    for (let i = this.#layers.length; i < Math.min(end, this.#count); i++) {
      const layer = this.#load(i);
      layer.catch(() => {}); // it is asked for later; until then its failure is nobody's
      this.#layers[i] = layer;
      // with `keep` the download runs ahead by itself; without, only as layers are released
      // a layer that becomes whole after a stop starts no other
      const { signal } = this.#stop;
      if (this.#keep) layer.then(() => signal.aborted || this.#startUpTo(i + 1 + AHEAD), () => {});
    }
  }

  async #load(i) {
    const tensors = this.#tensors(i);
    const weights = new Weights(this.#wasm, tensors, this.#room);
    let tensor = tensors[0][0];
    try {
      await this.#folder.read(tensors.map(([, t]) => t), (index, chunk, at) => {
        tensor = tensors[index][0];
        weights.write(tensor, chunk, at);
      }, {
        signal: this.#stop.signal,
        onBytes: (bytes) => this.#expected[i].arrived(bytes, `layers.${i}.${tensor}`, i),
      });
      return new DecoderLayer(this.#wasm, this.#config, i, weights);
    } catch (error) {
      weights.free();
      this.#expected[i].lost();
      throw error;
    }
  }

  /** Layer i as soon as it is there. @param {number} i @returns {Promise<DecoderLayer>} */
  layer(i) {
    this.#startUpTo(i + 1);
    return this.#layers[i];
  }

  /** Layer i is done with for this pass: without `keep` its memory goes to a later layer. @param {number} i */
  async release(i) {
    if (this.#keep) return;
    (await this.#layers[i]).free();
    this.#layers[i] = Promise.reject(new Error('released'));
    this.#layers[i].catch(() => {});
    this.#startUpTo(i + 1 + AHEAD);
  }

  /** After a failure or a stop: what is not complete is given up, and asked for anew by the next call of layer(). */
  async dropPending() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const settled = await Promise.allSettled(this.#layers);
    const whole = settled.findIndex(({ status }) => status === 'rejected');
    if (whole < 0) return;
    settled.slice(whole).forEach((s, i) => {
      if (s.status !== 'fulfilled') return;
      s.value.free();
      this.#expected[whole + i].lost();
    });
    this.#layers.length = whole;
  }

  /** Stops what is under way and frees what is here. */
  async free() {
    this.#stop.abort();
    for (const layer of this.#layers) await layer.then((l) => l.free(), () => {});
    for (const part of this.#expected) part.giveUp();
    this.#layers = [];
    this.#expected = [];
    this.#count = 0;
  }
}
