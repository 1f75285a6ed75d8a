/**
 * A training run in WebAssembly memory: parameters, gradients, AdamW's running means, and one update after the other.
 */
import { EngineError } from './errors.js';
import { configFields, initialPieces, layerKinds } from './train-layout.js';
import { Random } from './train-random.js';
import { mat, noMat } from './wasm.js';

/** @typedef {import('./wasm.js').Block} Block */
/** @typedef {import('./train-layout.js').Place} Place */
/**
 * @typedef {{ seqLen: number, batch: number, seed: number, optimizer: string, learningRate: number,
 *   weightDecay: number, clip: number }} Settings
 */

/** Code of c/errors.h for a loss that is not a number. */
const NOT_A_NUMBER = -5;
/** A loss so many times that of guessing (or of the first update, if larger) will not come back. */
const DIVERGED = 10;

export class TrainingRun {
  #wasm;
  #task;
  #set;
  #places;
  #numbers;
  #stream;
  #limit;
  /** @type {Record<string, Block>} */
  #blocks = {};
  /** Updates made. */
  step = 0;

  /**
   * @param {import('./wasm.js').Wasm} wasm @param {import('./config.js').Config} config @param {Place[]} places
   * @param {import('./train-task.js').Task} task @param {Settings} set
   */
  constructor(wasm, config, places, task, set) {
    this.#wasm = wasm;
    this.#places = places;
    this.#task = task;
    this.#set = set;
    this.#numbers = places.reduce((n, place) => n + place.size, 0);
    this.#stream = new Random('batches', set.seed);
    this.#limit = DIVERGED * Math.log(config.vocab);
    try {
      this.#allocate(config);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /**
   * The first values of every parameter.
   * @param {import('./config.js').Config} config @param {() => Promise<void>} breathe before each piece
   */
  async fill(config, breathe) {
    for (const place of this.#places) {
      let at = place.offset;
      for (const values of initialPieces(place, config, this.#set.seed)) {
        await breathe();
        this.#blocks.state.writeFloats(values, at);
        at += values.length;
      }
    }
  }

  #allocate(config) {
    const { batch, seqLen } = this.#set;
    const n = this.#numbers;
    const kinds = layerKinds(config);
    const b = this.#blocks;
    b.kinds = this.#wasm.alloc(4 * kinds.length);
    b.kinds.write(new Uint8Array(kinds.buffer));
    b.config = this.#wasm.struct(configFields(config, b.kinds));
    const counted = this.#wasm.call('train_parameters', b.config);
    if (counted !== n) throw new Error(`parameters: the layout has ${n}, the C core ${counted}`);
    b.state = this.#wasm.alloc(4 * 3 * n); // parameters, then AdamW's running means m and v
    b.state.fill(0);
    b.good = this.#wasm.alloc(4 * 3 * n); // the same before the last update
    b.grads = this.#wasm.alloc(4 * n);
    b.tokens = this.#wasm.alloc(4 * batch * (seqLen + 1));
    b.loss = this.#wasm.alloc(4);
    const bytes = this.#wasm.call('train_scratch', b.config, seqLen);
    b.scratch = this.#wasm.alloc(bytes);
    b.arena = this.#wasm.struct([b.scratch, bytes, 0]);
  }

  /** One update. @param {number} rate learning rate @returns {number} the loss of its batch, measured before it */
  update(rate) {
    const { batch, seqLen, clip } = this.#set;
    const { config, state, good, grads, tokens, loss: lossBlock, arena } = this.#blocks;
    const width = seqLen + 1;
    const ids = new Int32Array(batch * width);
    for (let i = 0; i < batch; i++) this.#task.draw(this.#stream, ids.subarray(i * width, (i + 1) * width));
    tokens.write(new Uint8Array(ids.buffer));
    const code = this.#wasm.call('train_batch', config, state, grads, tokens, batch, seqLen, lossBlock, arena);
    if (code !== 0 && code !== NOT_A_NUMBER) throw new Error(`train_batch: ${this.#wasm.message(code)}`);
    const loss = lossBlock.floats(1)[0];
    const length = this.#wasm.call('train_clip', grads, this.#numbers, clip);
    const diverged = this.step > 0 && loss > this.#limit;
    if (diverged || !Number.isFinite(loss + length)) this.#fail(loss, rate);
    if (this.step === 0) this.#limit = Math.max(this.#limit, DIVERGED * loss);
    this.#wasm.call('train_copy', good, state, 3 * this.#numbers);
    this.step += 1;
    this.#descend(rate);
    return loss;
  }

  /** From gradients to parameters, tensor by tensor: weight decay is for matrices, not for norms and biases. */
  #descend(rate) {
    const { optimizer, weightDecay } = this.#set;
    const { state, grads } = this.#blocks;
    for (const { offset, size, shape } of this.#places) {
      const decay = shape.length > 1 ? weightDecay : 0;
      if (optimizer === 'sgd') this.#wasm.call('train_sgd', state, grads, offset, size, rate, decay);
      else {
        this.#wasm.call('train_adamw', state, grads, this.#numbers, offset, size, rate, decay, this.step);
      }
    }
  }

  /** Back to the last state that had a loss worth the name. @returns {never} */
  #fail(loss, rate) {
    const failed = this.step;
    if (failed > 0) {
      this.#wasm.call('train_copy', this.#blocks.state, this.#blocks.good, 3 * this.#numbers);
      this.step -= 1;
    }
    const limit = Math.round(this.#limit);
    throw new EngineError('BAD_OPTION', `learningRate: expected a rate at which the loss stays below ${limit}, found ` +
      `that ${rate} made it ${loss} after update ${failed}; the model is back at update ${this.step}, start ` +
      'anew with a smaller rate',
    { field: 'learningRate', step: failed, loss, expected: `a loss below ${limit}`, found: loss });
  }

  /** Numbers of a tensor, or one of its rows. @param {string} name @param {number} [row] */
  values(name, row) {
    const { shape, size, offset } = this.#places.find((place) => place.name === name);
    const width = row === undefined ? size : size / shape[0];
    return this.#blocks.state.floats(width, offset + (row ?? 0) * width);
  }

  /** A tensor as a struct field; vectors are one row. @param {string} name */
  mat(name) {
    const place = this.#places.find((p) => p.name === name);
    if (!place) return noMat;
    const rows = place.shape.length === 1 ? 1 : place.shape[0];
    return mat(this.#blocks.state, 'F32', rows, place.size / rows, 4 * place.offset);
  }

  free() {
    for (const block of Object.values(this.#blocks)) block.free();
    this.#blocks = {};
  }
}
