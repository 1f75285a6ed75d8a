/**
 * A whole text model from a folder: streamed in layer by layer, run as it arrives, looked into and changed.
 */
import { captureNames } from './captures.js';
import { embed } from './embedding.js';
import { EngineError } from './errors.js';
import { openFolder } from './folder.js';
import { parseInterventions } from './interventions.js';
import { createProgress, LayerLoader } from './loader.js';
import { abortSignal, badOption, oneOf, options, tokenIds } from './options.js';
import { checkLogits, OutputMatrix, outputName } from './output.js';
import { checkCaptures, finalNorm, runLayers } from './pass.js';
import { Run } from './recording.js';
import { Session } from './session.js';
import { expectedShapes, layerShapes } from './shapes.js';
import { linkSignals } from './signals.js';
import { throwIfAborted } from './wait.js';
import { Room } from './wasm.js';
import { Weights } from './weights.js';

/** What the contract shows of a config. @param {import('./config.js').Config} c */
const publicConfig = (c) => Object.freeze({
  family: c.family, layers: c.layers, hidden: c.hidden, heads: c.heads, kvHeads: c.kvHeads, headDim: c.headDim,
  rotaryDim: c.rotaryDim, ropeTheta: c.ropeTheta, eps: c.eps, vocab: c.vocab, layerTypes: c.layerTypes, gated: c.gated,
  tied: c.tied, intermediate: c.intermediate, linear: c.linear, maxPositions: c.maxPositions,
});

export class Model {
  #wasm;
  #engine;
  #folder;
  #layers;
  #keep;
  #progress;
  #loader;
  #output;
  #norm;
  #room;
  #sessions = new Set();
  #stop = new AbortController();

  /**
   * @param {import('./wasm.js').Wasm} wasm @param {any} engine @param {import('./folder.js').Folder} folder
   * @param {{ layers: number, keep: boolean, progress: ReturnType<typeof createProgress>, bytes: number }} o
   *   bytes of weights that will stay in memory
   */
  constructor(wasm, engine, folder, { layers, keep, progress, bytes }) {
    this.#wasm = wasm;
    this.#engine = engine;
    this.#folder = folder;
    this.#layers = layers;
    this.#keep = keep;
    this.#progress = progress;
    this.#room = new Room(wasm, bytes);
    this.config = publicConfig(folder.config);
    this.name = folder.name;
    this.#loader = this.#newLoader();
    this.#output = this.#whole ? new OutputMatrix(wasm, folder, { keep, progress, room: this.#room }) : undefined;
  }

  /** Do all layers run, so that there are a final norm and logits? */
  get #whole() {
    return this.#layers === this.#folder.config.layers;
  }

  #newLoader() {
    return new LayerLoader(this.#wasm, this.#folder,
      { layers: this.#layers, keep: this.#keep, progress: this.#progress, room: this.#room });
  }

  #checkOpen() {
    if (!this.#folder) badOption('model', 'an open one', 'a closed one');
  }

  /** The final norm's weight, fetched once. */
  async #finalNorm(signal) {
    if (!this.#norm) {
      const tensor = this.#folder.tensors.get('norm.weight');
      const expected = this.#progress.expect(tensor.end - tensor.begin);
      const norm = new Weights(this.#wasm, [['norm.weight', tensor]]);
      try {
        await this.#folder.read([tensor], (_, chunk, at) => norm.write('norm.weight', chunk, at),
          { signal, onBytes: (bytes) => expected.arrived(bytes, 'norm.weight', -1) });
      } catch (error) {
        norm.free();
        expected.giveUp();
        throw error;
      }
      this.#norm = norm;
    }
    return this.#norm;
  }

  #embed(ids, past, signal) {
    return embed(this.#wasm, this.#folder, this.#folder.config, ids, past, {
      signal,
      onBytes: (bytes, tensor) => this.#progress.expect(bytes).arrived(bytes, tensor, -1),
    });
  }

  /**
   * Prefill of a prompt, computing layer k while layer k+1 downloads. Stopped by its signal, or under way when close()
   * comes: ABORTED.
   * @param {number[] | Int32Array} ids @param {any} [given]
   * @returns {Promise<Run>}
   */
  async forward(ids, given) {
    const o = options('forward', given, ['capture', 'logits', 'interventions', 'onLayer', 'signal']);
    this.#checkOpen();
    const wanted = captureNames(o.capture);
    const logits = oneOf('logits', o.logits ?? 'last', ['last', 'all', 'none']);
    const stop = linkSignals([abortSignal(o.signal), this.#stop.signal]);
    return this.#engine.queue(async (wasm, signal) => {
      this.#checkOpen();
      const { config } = this.#folder;
      const tokens = tokenIds(ids, config.vocab, config.maxPositions);
      const T = tokens.length;
      const edits = parseInterventions(o.interventions, config, this.#layers);
      checkCaptures(config, this.#layers, wanted, T, T);
      if (this.#whole && logits === 'all') checkLogits(config, T);
      const states = [];
      const loader = this.#loader ??= this.#newLoader();
      try {
        const embedded = await this.#embed(tokens, 0, signal);
        if (this.#whole && logits !== 'none') this.#output.prefetch();
        const { layers, h } = await runLayers(wasm, config, embedded.data, {
          layers: this.#layers, past: 0, wanted, edits, onLayer: o.onLayer, signal,
          layer: (i) => loader.layer(i),
          state: (i, layer) => {
            states[i] = layer.newState(T);
            return states[i];
          },
          done: (i) => {
            states[i].free();
            delete states[i];
            return loader.release(i);
          },
        });
        throwIfAborted(signal); // the last layer's onLayer may have closed the model
        const result = { layers, tokens, source: /** @type {const} */ ('live'), config: this.config, model: this.name };
        if (!this.#whole) return new Run(result);
        const finalHidden = finalNorm(wasm, config, await this.#finalNorm(signal), h);
        if (logits === 'none') return new Run({ ...result, finalHidden });
        const N = config.hidden;
        const rows = logits === 'all' ? finalHidden.data : finalHidden.data.subarray((T - 1) * N);
        return new Run({ ...result, finalHidden,
          logits: await this.#output.logits(rows, rows.length / N, signal, logits === 'last') });
      } catch (error) {
        await Promise.all([loader.dropPending(), this.#output?.dropPending()]);
        throw error;
      } finally {
        for (const state of states) state?.free();
        if (!this.#keep) {
          this.#loader = undefined;
          await loader.free();
        }
      }
    }, stop.signal).finally(stop.unlink);
  }

  /** Tokens one after the other, with a KV cache that grows. @returns {Promise<Session>} */
  async session(given) {
    options('session', given, []);
    this.#checkOpen();
    if (!this.#keep) badOption('session', "a model opened with keep: 'resident'", "keep: 'stream'");
    if (!this.#whole) badOption('session', `a model opened with all ${this.#folder.config.layers} layers`, this.#layers);
    const session = new Session({
      wasm: this.#wasm,
      config: this.#folder.config,
      queue: this.#engine.queue,
      after: this.#engine.after,
      stop: this.#stop.signal,
      checkOpen: () => this.#checkOpen(),
      loader: this.#loader,
      embed: (ids, past, signal) => this.#embed(ids, past, signal),
      norm: (signal) => this.#finalNorm(signal),
      output: this.#output,
      closed: (s) => this.#sessions.delete(s),
    });
    this.#sessions.add(session);
    return session;
  }

  /**
   * Greedy continuation: the most probable token each time, ties to the lowest id.
   * @param {number[] | Int32Array} ids
   * @param {{ maxTokens: number, stopIds?: number[], onToken?: (id: number) => void, signal?: AbortSignal }} given
   * @returns {Promise<number[] & { ended: 'maxTokens' | 'stopId' | 'limit' }>} the new ids only; ended: why there are
   *   no more, 'limit' when the model has no more positions. A failure carries what was made until then in details.ids
   */
  async generate(ids, given) {
    const o = options('generate', given, ['maxTokens', 'stopIds', 'onToken', 'signal']);
    const session = await this.session();
    try {
      return await session.generate(ids, o);
    } finally {
      await session.close();
    }
  }

  /** Stops downloads and the run under way, frees all weights; sessions end with it. */
  async close() {
    if (!this.#folder) return;
    this.#stop.abort();
    this.#progress.end();
    this.#folder.close();
    this.#folder = undefined;
    this.#engine.closed(this);
    await Promise.all([...this.#sessions].map((session) => session.close()));
    await this.#engine.after(async () => {
      await this.#loader?.free();
      await this.#output?.free();
      this.#norm?.free();
      this.#room.end();
    });
  }
}

/** Names of every tensor that a run of so many layers needs. */
function neededTensors(config, tensors, layers) {
  const names = ['embed_tokens.weight'];
  if (config.positionEmbedding === 'learned') names.push('embed_positions.weight');
  for (let i = 0; i < layers; i++) names.push(...layerShapes(config, i).map(([name]) => `layers.${i}.${name}`));
  if (layers === config.layers) {
    names.push('norm.weight');
    if (!config.tied) names.push('lm_head.weight');
  }
  return names.filter((name) => expectedShapes(config).has(name));
}

/**
 * Bytes that will stay in memory, refused before anything is fetched when they cannot: what else the engine holds, and
 * what its other models have still to load, counts.
 */
function keptBytes(wasm, config, tensors, layers) {
  const names = neededTensors(config, tensors, layers).filter((n) => n.startsWith('layers.'));
  if (layers === config.layers) names.push(outputName(config, tensors));
  const bytes = names.reduce((n, name) => n + tensors.get(name).end - tensors.get(name).begin, 0);
  if (bytes > wasm.spare) {
    throw new EngineError('OUT_OF_MEMORY', `model: expected at most ${wasm.spare} bytes of weights, which is what ` +
      `this engine's memory has left, found ${bytes}; keep: 'stream' runs it layer by layer`,
    { expected: wasm.spare, found: bytes });
  }
  return bytes;
}

/**
 * @param {import('./wasm.js').Wasm} wasm
 * @param {any} baseURL @param {Record<string, any>} given
 * @param {{ queue: Function, closed: Function }} engine
 * @param {AbortSignal} signal ends the opening; after it the signals of the model's calls and close() end downloads
 * @returns {Promise<Model>}
 */
export async function openModel(wasm, baseURL, given, engine, signal) {
  const o = options('openModel', given,
    ['layers', 'keep', 'cache', 'quantize', 'signal', 'onProgress', 'fetch', 'network']);
  const keep = oneOf('keep', o.keep ?? 'resident', ['resident', 'stream']) === 'resident';
  oneOf('quantize', o.quantize ?? 'none', ['none']);
  const progress = createProgress(o.onProgress);
  const folder = await openFolder(baseURL,
    { fetch: o.fetch, cache: o.cache, network: o.network, signal, onEvent: progress.event });
  try {
    const { config, tensors } = folder;
    const layers = o.layers ?? config.layers;
    if (!Number.isInteger(layers) || layers < 1 || layers > config.layers) {
      badOption('layers', `a whole number from 1 to ${config.layers}`, layers);
    }
    folder.check(neededTensors(config, tensors, layers));
    const bytes = keep ? keptBytes(wasm, config, tensors, layers) : 0;
    throwIfAborted(signal);
    return new Model(wasm, engine, folder, { layers, keep, progress, bytes });
  } catch (error) {
    folder.close();
    throw error;
  }
}
