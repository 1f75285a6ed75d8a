/**
 * Tokens one after the other: every layer's KV cache or state is kept between appends.
 */
import { captureNames } from './captures.js';
import { EngineError } from './errors.js';
import { generated } from './generated.js';
import { parseInterventions } from './interventions.js';
import { abortSignal, badOption, badShape, isList, options, size, tokenIds } from './options.js';
import { checkCaptures, finalNorm, runLayers } from './pass.js';
import { linkSignals } from './signals.js';
import { throwIfAborted } from './wait.js';

/** Room that a new KV cache starts with, tokens; it doubles. */
const FIRST_CAPACITY = 64;

/** Index of the largest, the lowest of equals. @param {Float32Array} values */
export function argmax(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}

export class Session {
  #m;
  #tokens = [];
  #states = [];
  #stop = new AbortController();

  /** @param {any} m what the model lends */
  constructor(m) {
    this.#m = m;
  }

  /** Tokens so far. @returns {number[]} */
  get tokens() {
    return [...this.#tokens];
  }

  #sum(type) {
    if (!this.#m) return 0;
    return this.#states.reduce((n, s, i) => n + (this.#m.config.layerTypes[i] === type ? s.bytes : 0), 0);
  }

  /** Bytes of the keys and values kept so far (float32). */
  get kvBytes() {
    return this.#sum('full_attention');
  }

  /** Bytes of the linear layers' states, which do not grow. */
  get stateBytes() {
    return this.#sum('linear_attention');
  }

  #checkOpen() {
    if (!this.#m) badOption('session', 'an open one', 'a closed one');
    this.#m.checkOpen();
  }

  /**
   * More tokens. When it fails or is stopped (ABORTED, also by close()), the session is as before it.
   * @param {number[] | Int32Array} ids @param {any} [given]
   * @returns {Promise<{ logits: import('./options.js').Matrix, layers: Record<string, any>[] }>}
   */
  async append(ids, given) {
    const o = options('append', given, ['capture', 'interventions', 'signal']);
    const wanted = captureNames(o.capture);
    this.#checkOpen();
    const stop = linkSignals([abortSignal(o.signal), this.#stop.signal, this.#m.stop]);
    return this.#m.queue(async (wasm, signal) => {
      this.#checkOpen();
      const { config, loader, output } = this.#m;
      const past = this.#tokens.length;
      const tokens = tokenIds(ids, config.vocab, config.maxPositions - past);
      const edits = parseInterventions(o.interventions, config, config.layers);
      checkCaptures(config, config.layers, wanted, tokens.length, past + tokens.length);
      const saved = [];
      try {
        const embedded = await this.#m.embed(tokens, past, signal);
        output.prefetch();
        const { layers, h } = await runLayers(wasm, config, embedded.data, {
          layers: config.layers, past, wanted, edits, signal,
          layer: (i) => loader.layer(i),
          state: (i, layer) => {
            const state = this.#states[i] ??= layer.newState(FIRST_CAPACITY);
            saved[i] = state.save();
            state.reserve(past + tokens.length);
            return state;
          },
          done: () => {},
        });
        const last = finalNorm(wasm, config, await this.#m.norm(signal), h.slice(-config.hidden));
        const logits = await output.logits(last.data, 1, signal, true);
        this.#tokens.push(...tokens);
        return { logits, layers };
      } catch (error) {
        saved.forEach((restore) => restore());
        await Promise.all([loader.dropPending(), output.dropPending()]);
        throw error;
      }
    }, stop.signal).finally(stop.unlink);
  }

  /**
   * @param {number[] | Int32Array} ids
   * @param {Record<string, any>} o checked names: maxTokens, stopIds, onToken, signal
   * @returns {Promise<number[] & { ended: import('./generated.js').Ended }>}
   */
  async generate(ids, { maxTokens, stopIds = [], onToken, signal }) {
    this.#checkOpen();
    const { maxPositions } = this.#m.config;
    size('maxTokens', maxTokens, 1, maxPositions);
    if (!isList(stopIds)) badShape('stopIds', 'a list of ids', stopIds);
    Array.from(stopIds, (id, i) => size(`stopIds[${i}]`, id, 0));
    const stop = linkSignals([abortSignal(signal), this.#stop.signal, this.#m.stop]);
    const out = [];
    try {
      for (let next = ids; ; next = out.slice(-1)) {
        throwIfAborted(stop.signal);
        const { logits } = await this.append(next, { signal: stop.signal });
        const id = argmax(logits.data);
        if (stopIds.includes(id)) return generated(out, 'stopId');
        out.push(id);
        onToken?.(id);
        if (out.length === maxTokens) return generated(out, 'maxTokens');
        if (this.#tokens.length === maxPositions) return generated(out, 'limit');
      }
    } catch (error) {
      if (error instanceof EngineError) error.details.ids = out;
      throw error;
    } finally {
      stop.unlink();
    }
  }

  /** Stops the append under way and gives the caches back. */
  async close() {
    const m = this.#m;
    if (!m) return;
    this.#m = undefined;
    this.#stop.abort();
    m.closed(this);
    await m.after(() => {
      for (const state of this.#states) state?.free();
      this.#states = [];
    });
  }
}
