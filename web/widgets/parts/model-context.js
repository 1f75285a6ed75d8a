/**
 * A model, a prompt, a run and what is picked in it, shared by all figures that joined. Opens lazily: need() starts only
 * what ships with the page or is small; start() fetches the rest on the reader's word. Closes when the last figure left.
 */
import { arrived, freshDownload } from '../../lab/download.js';
import { extendCaptures } from '../../lab/extend-captures.js';
import { MOST_TOKENS } from '../../lab/layer.js';
import { fitSelection, fullLayers, PROMPTS } from '../../lab/selection.js';
import { shippedRecordings } from './engine.js';
import { leaseEngine } from './model-engine.js';
import { failure, findOffer, freshShown, isLight, openTarget, reach, sameTarget, shippedTarget, tooLong }
  from './model-target.js';
import { isOffline, isOfNetwork } from './offline.js';

/** @typedef {'idle' | 'connecting' | 'streaming' | 'running' | 'ready' | 'stopped' | 'failed'} Phase */
/** @typedef {import('./model-target.js').Target} Target */
/** @typedef {import('./model-target.js').Shown} Shown */
/** @typedef {{ target: Target, model: any, tokenizer: any }} Opened */

export class ModelContext {
  /** @type {Phase} */
  phase = 'idle';
  download = freshDownload(0);
  /** @type {any} an EngineError, until the next start */
  error = null;
  /** @type {Shown | null} */
  shown = null;
  /** What was asked for and did not come, while the run before it goes on. @type {Target | null} */
  missed = null;
  /** The layer being computed or waited for. */
  atLayer = 0;
  /** A folder that waits for the reader's word. @type {import('./model-target.js').Offer | null} */
  offer = null;
  /** @type {any[]} */
  interventions = [];
  /** The same tokens with the interventions, null when there are none. @type {any} */
  edited = null;
  /** Bytes of the session's caches, once a token was accepted. @type {{ kvBytes: number, stateBytes: number } | null} */
  cache = null;
  src = /** @type {string[]} */ ([]);
  recordings = /** @type {string[]} */ ([]);
  prompt = PROMPTS[0];

  #emit;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {Set<string>} */
  #captures = new Set();
  /** @type {Partial<import('../../lab/selection.js').Selection>} */
  #picked = {};
  /** @type {Target | null} what the reader asked for */
  #asked = null;
  #opened = /** @type {Opened | null} */ (null);
  /** Whose run is on display: while another model arrives, not the opened one's. @type {Opened | null} */
  #shownBy = null;
  /**
   * The model before this one, until this one has something to show: what fails leaves it as it was.
   * @type {Opened | null}
   */
  #before = null;
  /** @type {ReturnType<typeof leaseEngine> | null} */
  #lease = null;
  /** @type {any} */
  #session = null;
  #stop = new AbortController();
  /** Was the token picked for the words that are to come? */
  #tokenOfNext = false;

  /** @param {(name: string, detail: any) => void} emit attn-select, attn-run, attn-error */
  constructor(emit) { this.#emit = emit; }

  get model() { return this.#opened?.model ?? null; }
  get tokenizer() { return this.#opened?.tokenizer ?? null; }
  get config() { return this.shown?.config ?? null; }
  get tokens() { return this.shown?.tokens ?? []; }
  get pieces() { return this.shown?.pieces ?? []; }
  get layers() { return this.shown?.layers ?? []; }
  get run() { return this.shown?.run ?? null; }
  get logits() { return this.shown?.logits; }
  get source() { return this.shown?.source ?? 'live'; }
  /** Is whoever made the run on display at hand? */
  get answers() { return this.phase === 'ready' && this.#shownBy === this.#opened; }
  /** Can the run on display be gone on with: another forward, a token more? */
  get canRun() { return this.answers && this.shown?.source === 'live'; }
  /** Would this run, if anything, be one of the model that ships? */
  get isShipped() { return !this.#asked && this.src.length === 0 || this.#asked?.kind === 'shipped'; }
  /** Did the reader ask for something that does not come with the page? */
  get fetched() { return this.#asked !== null && this.#asked.kind !== 'shipped'; }
  get busy() { return this.phase === 'connecting' || this.phase === 'streaming' || this.phase === 'running'; }
  /** Layers of the run on display that have an attention table, done or still to come. */
  get fullLayers() { return this.shown ? fullLayers(this.shown.config, reach(this)) : []; }
  /** What was picked, without what is picked by default. */
  get picked() { return this.#picked; }
  get selection() {
    const { shown } = this;
    return shown ? fitSelection(this.#picked, shown.config, shown.tokens.length, reach(this)) : { layer: -1, heads: [0, 1], token: 0 };
  }

  /** @param {() => void} listener @param {string[]} captures @returns {() => void} leaves again */
  join(listener, captures) {
    this.#listeners.add(listener);
    const before = this.#captures.size;
    for (const name of captures) this.#captures.add(name);
    if (this.#captures.size > before && (this.shown || this.busy)) this.#go();
    return () => {
      this.#listeners.delete(listener);
      // Moving a node is not leaving: whoever comes back in the same turn keeps everything.
      setTimeout(() => { if (this.#listeners.size === 0) this.close(); });
    };
  }

  #changed() { for (const listener of this.#listeners) listener(); }

  /** New sources or a new prompt from outside. @param {{ src?: string[], recordings?: string[], prompt?: string }} given */
  configure({ src = this.src, recordings = this.recordings, prompt = this.prompt }) {
    const moved = src.join() !== this.src.join() || recordings.join() !== this.recordings.join();
    const asks = moved || prompt !== this.prompt;
    Object.assign(this, { src, recordings, prompt });
    if (moved) this.offer = this.#asked = null;
    if (asks && this.phase !== 'idle') this.#go();
  }

  /** A figure is in sight. */
  need() { if (this.phase === 'idle') this.#go(); }

  /** The reader's word: fetch this. @param {Target} target */
  start(target) {
    this.#asked = target;
    return this.#go();
  }

  /** Back to what ships with the page, live. */
  useShipped() { return this.start(shippedTarget()); }

  /** Tries again, or goes on where stop() left off: whole layers are still here. */
  resume() { return this.missed ? this.start(this.missed) : this.#go(); }

  stop() {
    this.#stop.abort();
    this.phase = 'stopped';
    this.#changed();
  }

  /** @param {string} prompt */
  ask(prompt) {
    this.prompt = prompt;
    return this.#go();
  }

  /**
   * @param {Partial<import('../../lab/selection.js').Selection>} patch
   * @param {{ ofNext?: boolean }} [o] ofNext: the token is one of the words that are to come, not of those on display
   */
  select(patch, { ofNext = false } = {}) {
    this.#picked = { ...this.#picked, ...patch };
    if ('token' in patch) this.#tokenOfNext = ofNext || !this.shown;
    this.#changed();
    if (this.shown) this.#emit('attn-select', this.selection);
  }

  /** Another run of the tokens on display; a recording has its own only. @param {Record<string, any>} options of model.forward */
  async forward(options) {
    if (!this.answers) throw failure('BAD_OPTION', 'model: expected one that has run, found none');
    return this.model.forward(this.tokens, { signal: this.#stop.signal, ...options });
  }

  /** Changes the run: `edited` follows. @param {any[]} list interventions of the engine */
  async intervene(list) {
    this.interventions = list;
    this.edited = null;
    if (this.phase === 'ready') this.error = null;
    this.#changed();
    if (list.length === 0 || !this.answers) return;
    await this.#guard(this.#stop.signal, async () => {
      const run = await this.forward({ capture: [...this.#captures], interventions: list });
      if (this.interventions === list) this.edited = run;
    });
  }

  /** Appends one token by a session; only its own row is computed. @param {number} id */
  async accept(id) {
    const { shown, model, tokenizer } = this;
    const { signal } = this.#stop;
    if (!shown || !this.canRun) return;
    await this.#guard(signal, async () => {
      if (shown.tokens.length >= MOST_TOKENS) throw tooLong(shown.tokens.length + 1);
      this.phase = 'running';
      this.#session ??= await model.session();
      const session = this.#session;
      if (session.tokens.length === 0) await session.append(shown.tokens, { signal });
      const { logits, layers } = await session.append([id], { capture: [...this.#captures], signal });
      const tokens = [...shown.tokens, id];
      const pieces = await tokenizer.pieces(tokens);
      this.cache = { kvBytes: session.kvBytes, stateBytes: session.stateBytes };
      this.shown = { ...shown, tokens, pieces, logits, layers: extendCaptures(shown.layers, layers), run: null };
      this.#picked = { ...this.#picked, token: undefined };
      this.phase = 'ready';
    });
    if (this.shown !== shown) this.#emit('attn-select', this.selection);
    if (this.interventions.length > 0) await this.intervene(this.interventions);
  }

  /** Opens what is to be shown and runs the prompt through it; the latest call alone counts. */
  async #go() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const { prompt } = this;
    this.#tokenOfNext = false;
    Object.assign(this, { error: null, missed: null, phase: 'connecting', atLayer: 0 });
    this.download = freshDownload(performance.now());
    this.#changed();
    await this.#guard(signal, async () => {
      await this.#endSession();
      const opened = await this.#open(signal);
      const { target, model, tokenizer } = opened;
      const known = model.prompts?.find((/** @type {any} */ p) => p.prompt === prompt);
      const { ids, pieces } = known ? { ids: known.tokens, pieces: known.pieces } : await tokenizer.encode(prompt);
      if (ids.length === 0 || ids.length > MOST_TOKENS) throw tooLong(ids.length);
      await this.#run(opened, { prompt, tokens: ids, pieces }, signal);
      if (this.interventions.length > 0 && target.kind !== 'recording') await this.intervene(this.interventions);
    });
  }

  /** @param {Opened} opened @param {{ prompt: string, tokens: number[], pieces: any[] }} asked @param {AbortSignal} signal */
  async #run(opened, asked, signal) {
    const start = performance.now();
    const { target, model } = opened;
    const next = freshShown(target, model, asked);
    Object.assign(this, { phase: 'running', atLayer: 0 });
    this.#changed();
    const onLayer = (/** @type {number} */ i, /** @type {any} */ captures) => {
      if (signal.aborted) return;
      next.layers[i] = captures;
      this.atLayer = i + 1;
      // What was there stays until there is a table to show in its place.
      if (model.config.layerTypes[i] === 'full_attention' && this.shown !== next) this.#show(next, opened);
      this.#changed();
    };
    const capture = target.kind === 'recording' ? 'all' : [...this.#captures];
    const run = await model.forward(asked.tokens, { capture, logits: target.logits ?? 'last', onLayer, signal });
    if (signal.aborted) return;
    Object.assign(next, { layers: run.layers, run, logits: run.logits, ms: performance.now() - start });
    this.#show(next, opened);
    this.phase = 'ready';
    this.#emit('attn-run', { source: next.source, model: next.name, tokens: next.tokens.length, ms: next.ms, kind: next.kind, untrained: next.untrained });
  }

  /** @param {Shown} next @param {Opened} by */
  #show(next, by) {
    const others = this.shown && this.shown.tokens.join() !== next.tokens.join();
    if (others && !this.#tokenOfNext) this.#picked = { ...this.#picked, token: undefined };
    if (this.shown && this.shown.url !== next.url) this.interventions = [];
    this.#shownBy = by;
    this.#leaveBefore();
    Object.assign(this, { shown: next, cache: null, edited: null });
  }

  /** @param {AbortSignal} signal */
  async #open(signal) {
    this.#lease ??= leaseEngine();
    const engine = await this.#lease.get();
    if (!this.#asked && this.src.length > 0 && !this.offer) this.offer = await findOffer(this.src, signal);
    const target = this.#asked ?? (this.offer?.unasked ? this.offer.target : null) ?? shippedTarget();
    if (this.#opened && sameTarget(this.#opened.target, target) && target.kind !== 'recording') return this.#opened;
    await this.#setAside(target, signal);
    if (this.#opened) return this.#opened;
    this.download = freshDownload(performance.now());
    const opened = await openTarget(engine, target, {
      recordings: this.#asked ? [] : [...this.recordings, ...shippedRecordings()], plays: this.source === 'recorded',
      prompt: this.prompt, signal,
      onProgress: (report) => {
        this.download = arrived(this.download, performance.now(), report);
        if (this.busy && report.phase === 'weights') this.phase = 'streaming';
        this.#changed();
      },
    });
    if (signal.aborted) {
      await opened.model.close();
      throw failure('ABORTED', 'stopped');
    }
    this.#opened = opened;
    return opened;
  }

  /**
   * Makes room for another model. The one on display waits; it is opened again at once when it is asked for. Two large
   * ones do not fit beside each other: one goes when the other is known to be there.
   * @param {Target} target @param {AbortSignal} signal
   */
  async #setAside(target, signal) {
    const now = this.#opened;
    this.#opened = null;
    if (this.#before) await now?.model.close();
    else this.#before = now;
    if (!this.#before || target.kind === 'recording') return;
    if (sameTarget(this.#before.target, target)) {
      this.#opened = this.#before;
      this.#before = null;
    } else if (!isLight(this.#before) && !isLight({ target })) {
      await findOffer(target.bases ?? [target.url], signal);
      await this.#leaveBefore();
    }
  }

  /** The model before is not gone back to. */
  async #leaveBefore() {
    const before = this.#before;
    this.#before = null;
    // one whose worker is lost cannot be closed, and need not be
    if (before && before !== this.#opened) await before.model.close().catch(() => {});
  }

  /** After a failure: whoever made the run on display is asked again from now on, if it is still there. */
  async #goBack() {
    const by = this.#shownBy;
    if (!by || !this.shown?.run || (by !== this.#before && by !== this.#opened)) return false;
    if (by === this.#before) {
      const failed = this.#opened;
      this.missed = this.#asked ?? failed?.target ?? this.offer?.target ?? null;
      this.#opened = by;
      this.#before = null;
      this.#asked = by.target.kind === 'recording' ? null : by.target;
      await failed?.model.close();
    }
    return true;
  }

  /** Runs a job; what it throws is shown, unless it was overtaken or stopped. @param {AbortSignal} signal @param {() => Promise<void>} job */
  async #guard(signal, job) {
    try {
      await job();
    } catch (error) {
      const { code } = /** @type {any} */ (error);
      if (signal.aborted || code === 'ABORTED') return;
      if (code === 'WORKER_LOST') {
        this.#opened = this.#before = this.#session = null;
        this.#lease?.lost();
      }
      // A run that was good stays as it is; without a connection, its return is waited for.
      const good = await this.#goBack();
      if (signal.aborted) return;
      Object.assign(this, { error, phase: good ? 'ready' : 'failed' });
      // what a server refused is not asked for again by itself where a run stands: it may be large
      const heals = good ? isOffline(error) : isOfNetwork(error);
      if (heals) window.addEventListener('online', () => this.resume(), { once: true, signal });
      this.#emit('attn-error', error);
    }
    if (!signal.aborted) this.#changed();
  }

  async #endSession() {
    const session = this.#session;
    this.#session = null;
    await session?.close();
  }

  /** Ends downloads, run and worker; prompt and selection are kept for the next need(). */
  close() {
    this.#stop.abort();
    this.#opened = this.#shownBy = this.#before = this.#session = null;
    this.#lease?.release();
    this.#lease = null;
    Object.assign(this, { phase: 'idle', shown: null, error: null, cache: null, edited: null });
  }
}
