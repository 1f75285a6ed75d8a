/**
 * A small model that learns in the reader's browser: updates one by one, and between them the same eyes as on any
 * model.
 */
import { captureNames } from './captures.js';
import { BLOCK_TOKENS, DecoderLayer } from './decoder-layer.js';
import { EngineError } from './errors.js';
import { abortSignal, badOption, matrix, oneOf, options, size, tokenIds } from './options.js';
import { checkCaptures, finalNorm, runLayers } from './pass.js';
import { linkSignals } from './signals.js';
import { slices } from './tasks.js';
import { modelFiles } from './train-export.js';
import { layout, trainingConfig, trainingFloats } from './train-layout.js';
import { Random } from './train-random.js';
import { TrainingRun } from './train-run.js';
import { createTask } from './train-task.js';

/** Options of createTrainer. */
const KNOWN = ['config', 'task', 'seed', 'batch', 'seqLen', 'optimizer', 'learningRate', 'weightDecay', 'clip',
  'signal'];
/** Numbers in memory beyond which a run is refused. */
const MAX_FLOATS = 2 ** 28;

/** @returns {number} a number above `least` (or equal, when that is allowed) and at most `most` */
function numberUpTo(field, value, least, most, mayBeLeast) {
  if (typeof value !== 'number' || !(mayBeLeast ? value >= least : value > least) || !(value <= most)) {
    badOption(field, `a number ${mayBeLeast ? 'from' : 'above'} ${least}, at most ${most}`, value);
  }
  return value;
}

function seedOf(value) {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) {
    badOption('seed', 'a whole number from 0 to 4294967295', value);
  }
  return value;
}

const rateOf = (/** @type {unknown} */ value) => numberUpTo('learningRate', value, 0, 10, false);

/** What may be left out, filled in; everything checked. @returns {import('./train-run.js').Settings} */
function settings(o) {
  const optimizer = oneOf('optimizer', o.optimizer ?? 'adamw', ['adamw', 'sgd']);
  return {
    optimizer,
    seqLen: size('seqLen', o.seqLen ?? 48, 1, 4096),
    batch: size('batch', o.batch ?? 16, 1, 4096),
    seed: seedOf(o.seed ?? 0),
    learningRate: rateOf(o.learningRate ?? (optimizer === 'sgd' ? 0.1 : 4e-3)),
    weightDecay: numberUpTo('weightDecay', o.weightDecay ?? 1e-4, 0, 1, true),
    clip: numberUpTo('clip', o.clip ?? 1, 0, 1e6, true),
  };
}

export class Trainer {
  #wasm;
  #engine;
  #json;
  #task;
  #set;
  #places;
  #run;
  /** @type {DecoderLayer[]} */
  #layers = [];
  #stop = new AbortController();

  /**
   * @param {import('./wasm.js').Wasm} wasm @param {Record<string, any>} o options of createTrainer
   * @param {{ queue: Function, after: Function, closed: Function }} engine
   */
  constructor(wasm, o, engine) {
    this.#wasm = wasm;
    this.#engine = engine;
    this.#set = settings(o);
    const { json, config } = trainingConfig(o.config, this.#set.seqLen);
    this.#json = json;
    /** What the model is, in the names of model.config. */
    this.config = config;
    this.#task = createTask(o.task, config, this.#set.seed, this.#set.seqLen);
    this.#places = layout(config);
    const floats = trainingFloats(config, this.#places, this.#set);
    if (floats > MAX_FLOATS) {
      throw new EngineError('OUT_OF_MEMORY', `createTrainer: expected at most ${MAX_FLOATS} numbers in all, found ` +
        `about ${floats}; take a smaller model, a smaller batch or shorter sequences`,
      { expected: MAX_FLOATS, found: floats });
    }
    this.#run = new TrainingRun(wasm, config, this.#places, this.#task, this.#set);
  }

  /** With its first weights, which are drawn in slices. @returns {Promise<Trainer>} parameters as the constructor */
  static async create(wasm, o, engine, signal) {
    const trainer = new Trainer(wasm, o, engine);
    try {
      await trainer.#run.fill(trainer.config, slices(signal));
      return trainer;
    } catch (error) {
      trainer.#run.free();
      throw error;
    }
  }

  /** Updates made so far. */
  get steps() {
    return this.#run?.step;
  }

  #checkOpen() {
    if (this.#stop.signal.aborted) badOption('trainer', 'an open one', 'a closed one');
  }

  /** f in the engine's turn, ended early by the caller's signal or by close(). */
  async #turn(f, given) {
    this.#checkOpen();
    const stop = linkSignals([abortSignal(given), this.#stop.signal]);
    return this.#engine.queue((_, signal) => f(signal), stop.signal).finally(stop.unlink);
  }

  /**
   * n updates. Stopped between two of them by its signal or by close() (ABORTED); what was learned until then stays. A
   * loss that is no number, or ten times that of guessing, takes the model back to before the update that spoilt it and
   * rejects with BAD_OPTION, field learningRate.
   * @param {number} [n]
   * @param {{ learningRate?: number, signal?: AbortSignal }} [given] learningRate: of these updates, for a schedule
   * @returns {Promise<{ step: number, loss: number }>} updates made in all; mean loss over the last one's batch
   */
  async step(n = 1, given) {
    const o = options('trainer.step', given, ['learningRate', 'signal']);
    size('step: n', n);
    const rate = rateOf(o.learningRate ?? this.#set.learningRate);
    return this.#turn(async (signal) => {
      let loss = NaN;
      const breathe = slices(signal);
      for (let i = 0; i < n; i++) {
        await breathe();
        loss = this.#run.update(rate);
      }
      return { step: this.#run.step, loss };
    }, o.signal);
  }

  /**
   * Fresh sequences of the task, the same for the same seed.
   * @param {number} [n] @param {number} [seed]
   * @returns {Promise<{ shape: number[], data: Int32Array }>} (n, seqLen + 1)
   */
  async sample(n = 1, seed = 0) {
    size('sample: n', n, 1, 65536);
    const random = new Random('samples', seedOf(seed));
    return this.#turn(async (signal) => {
      const width = this.#set.seqLen + 1;
      const data = new Int32Array(n * width);
      const breathe = slices(signal);
      for (let i = 0; i < n; i++) {
        await breathe();
        this.#task.draw(random, data.subarray(i * width, (i + 1) * width));
      }
      return { shape: [n, width], data };
    });
  }

  #layer(i) {
    const weights = /** @type {any} */ ({ mat: (name) => this.#run.mat(`layers.${i}.${name}`), free: () => {} });
    return new DecoderLayer(this.#wasm, this.config, i, weights);
  }

  /** Embeddings (and learned positions) of the tokens, (T, N). */
  #embed(tokens) {
    const N = this.config.hidden;
    const learned = this.config.positionEmbedding === 'learned';
    const h = new Float32Array(tokens.length * N);
    tokens.forEach((id, t) => {
      const position = learned ? this.#run.values('embed_positions.weight', t) : undefined;
      this.#run.values('embed_tokens.weight', id).forEach((x, j) => {
        h[t * N + j] = x + (position?.[j] ?? 0);
      });
    });
    return h;
  }

  /**
   * The model as it is now on these tokens.
   * @param {number[] | Int32Array} ids
   * @param {{ capture?: 'all' | string[], signal?: AbortSignal }} [given] default: all
   * @returns {Promise<{ logits: import('./options.js').Matrix, layers: Record<string, any>[] }>} logits (T, V)
   */
  async probe(ids, given) {
    const o = options('trainer.probe', given, ['capture', 'signal']);
    const wanted = captureNames(o.capture ?? 'all');
    const { vocab: V, hidden: N, layers, maxPositions, tied } = this.config;
    const tokens = tokenIds(ids, V, maxPositions);
    const T = tokens.length;
    checkCaptures(this.config, layers, wanted, T, T);
    return this.#turn(async (signal) => {
      const states = [];
      try {
        const { layers: captures, h } = await runLayers(this.#wasm, this.config, this.#embed(tokens), {
          layers, past: 0, wanted, edits: new Map(), signal,
          layer: async (i) => (this.#layers[i] ??= this.#layer(i)),
          state: (i, layer) => (states[i] = layer.newState(T)),
          done: () => {},
        });
        const { data } = finalNorm(this.#wasm, this.config, /** @type {any} */ (this.#run), h);
        const logits = matrix([T, V], new Float32Array(T * V));
        const breathe = slices(signal);
        for (let t0 = 0; t0 < T; t0 += BLOCK_TOKENS) {
          await breathe();
          const tokens = Math.min(BLOCK_TOKENS, T - t0);
          this.#wasm.scope((s) => {
            const part = s.space(tokens * V);
            const head = s.struct([this.#run.mat(tied ? 'embed_tokens.weight' : 'lm_head.weight')]);
            this.#wasm.call('gemm', part, V, s.put(data.subarray(t0 * N, (t0 + tokens) * N)), N, head, tokens);
            logits.data.set(part.floats(tokens * V), t0 * V);
          });
        }
        return { logits, layers: captures };
      } finally {
        for (const state of states) state.free();
      }
    }, o.signal);
  }

  /**
   * The model as files that openModel reads.
   * @param {{ dtype?: 'F32' | 'BF16' }} [given] default F32: the numbers as they are
   * @returns {Promise<{ 'config.json': Uint8Array, 'model.safetensors': Uint8Array }>}
   */
  async export(given) {
    const dtype = oneOf('dtype', options('trainer.export', given, ['dtype']).dtype ?? 'F32', ['F32', 'BF16']);
    return this.#turn(() => modelFiles(this.#json, this.#places.map(({ name, shape }) =>
      ({ name, shape, values: this.#run.values(name) })), dtype));
  }

  /** Stops a running step() and gives the memory back. Calls after it are BAD_OPTION. */
  async close() {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#engine.closed(this);
    await this.#engine.after(() => {
      for (const layer of this.#layers) layer.free();
      this.#layers = [];
      this.#run.free();
      this.#run = undefined;
    });
  }
}

/**
 * @param {import('./wasm.js').Wasm} wasm @param {unknown} given
 * @param {{ queue: Function, after: Function, closed: Function }} engine @param {AbortSignal} signal ends the making
 */
export async function createTrainer(wasm, given, engine, signal) {
  return Trainer.create(wasm, options('createTrainer', given, KNOWN), engine, signal);
}
