/**
 * F29 One real layer: streams one attention layer of a model folder and draws what a head looks at.
 * <attn-layer src="models/small/" layer="3" head="0" prompt="…" figure="29">
 */
import { html, nothing } from 'lit';
import { arrived, freshDownload } from '../lab/download.js';
import { QWEN35 } from '../lab/ladder.js';
import { readValue, wordOf } from '../lab/place.js';
import { FIRST_FULL, headMatrix, MOST_TOKENS, PROMPT, topOfRow } from '../lab/layer.js';
import { tokenName } from '../lab/tokens.js';
import { matrixPicture } from '../draw/matrix-picture.js';
import { legend, progressCard, retryWords } from './parts/cards.js';
import { shippedModel, tokenizerOf } from './parts/engine.js';
import { FigureElement } from './parts/figure.js';
import { headPicker } from './parts/head-picker.js';
import { AttnHeatmap } from './parts/heatmap.js';
import { bookStyles, layerBook } from './parts/layer-book.js';
import { layerCard } from './parts/layer-card.js';
import { layerForm } from './parts/layer-form.js';
import { layerStyles } from './parts/layer-styles.js';
import { Mirrors } from './parts/mirrors.js';
import { rich } from './parts/rich.js';
import { tokenStrip } from './parts/tokens.js';

/** @typedef {import('../lab/text.js').Text} Text */

/** How often a running download redraws itself, so that the time left is never stale. */
const TICK = 500;

/** What an address may say. */
const SENTENCE = { text: 600 };
const LAYERS = { min: 0, max: 999 };
const ROWS = { min: 0, max: MOST_TOKENS - 1 };

export class AttnLayer extends FigureElement {
  static parts = { 'attn-heatmap': AttnHeatmap };
  static styles = [...FigureElement.styles, layerStyles, ...bookStyles];

  /** src: folder of a model, absent = the model that ships with the page, which alone loads unasked. */
  static properties = {
    ...FigureElement.properties,
    src: { type: String }, layer: { type: Number }, head: { type: Number }, prompt: { type: String },
    phase: { state: true }, progress: { state: true }, typed: { state: true }, shown: { state: true }, cell: { state: true }, row: { state: true },
  };

  constructor() {
    super();
    this.src = '';
    this.layer = FIRST_FULL;
    this.head = 0;
    this.prompt = PROMPT;
    /** The folder field as it stands, before it is sent. */
    this.typed = '';
    /** @type {'idle' | 'connecting' | 'streaming' | 'running' | 'ready'} */
    this.phase = 'idle';
    this.progress = freshDownload(0);
    /** The run on display. @type {{ pieces: any[], run: any, config: any, src: string, layer: number, prompt: string, at: Date } | null} */
    this.shown = null;
    /** @type {import('../lab/grid.js').Cell | null} */
    this.cell = null;
    /** @type {number | null} */
    this.row = null;
    /** The layer in memory, and where it came from. @type {{ src: string, index: number, handle: any } | null} */
    this.opened = null;
    this.mirrors = new Mirrors();
  }

  #stop = new AbortController();
  /** The row an address asks for, until there is a run. @type {number | null} */
  #wanted = null;

  get words() { return 'layer'; }
  get fileName() { return `attn-f${this.figure || 29}-layer${this.layer}-q${this.head}`; }
  /** The folder's address, and its mirrors in the order to try. */
  get bases() {
    const given = this.#isShipped ? [shippedModel().url] : this.src.trim().split(/\s+/);
    return given.map((url) => new URL(url, document.baseURI).href.replace(/\/?$/, '/'));
  }
  get base() { return this.bases[0]; }
  get #isShipped() { return !this.src.trim(); }
  get #busy() { return this.phase === 'connecting' || this.phase === 'streaming' || this.phase === 'running'; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('src')) this.typed = this.src.trim();
  }

  onSeen() {
    if (this.#isShipped && !this.shown && !this.#busy) this.attempt(() => this.load());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop.abort();
    this.opened?.handle.close();
    this.opened = null;
    this.phase = 'idle';
  }

  reset() {
    this.stop();
    this.mirrors.forget();
    Object.assign(this, { src: '', typed: '', layer: FIRST_FULL, head: 0, prompt: PROMPT, error: null, cell: null, row: null });
    this.attempt(() => this.load());
  }

  /** What is asked and what is picked; a folder of the reader's own stays with the reader. */
  get kept() {
    const { prompt, row, shown } = this;
    return {
      head: this.head, layer: this.layer, row: shown && row !== shown.pieces.length - 1 && row,
      prompt: prompt !== PROMPT && wordOf(prompt, SENTENCE), ...super.kept,
    };
  }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    const [prompt, layer] = [given.prompt && readValue(given.prompt, SENTENCE), readValue(given.layer ?? '', LAYERS)];
    const [head, row] = [readValue(given.head ?? '', LAYERS), readValue(given.row ?? '', ROWS)];
    const again = (prompt && prompt !== this.prompt) || (layer !== undefined && layer !== this.layer);
    if (again) Object.assign(this, { prompt: prompt || this.prompt, layer: layer ?? this.layer });
    // until the new run is there the old one is on display, with the heads that it has
    if (head !== undefined) this.head = Math.min(head, (this.shown?.config.heads ?? Infinity) - 1);
    this.#wanted = row ?? null;
    if (again && (this.shown || this.#busy)) this.attempt(() => this.load());
    else if (this.shown) this.#fit(this.shown);
  }

  /** Head and row where the run has them. @param {{ pieces: any[], config: any }} shown */
  #fit({ pieces, config }) {
    this.head = Math.min(this.head, config.heads - 1);
    this.row = Math.min(this.#wanted ?? pieces.length - 1, pieces.length - 1);
    this.#wanted = null;
    this.cell = null;
  }

  get atRest() { return super.atRest && !this.#busy; }

  /** @param {Text} t */
  spoken(t) { return this.#rowWords(t, this.row ?? 0); }
  /** @param {Text} t */
  unlinked(t) {
    const named = !this.#isShipped || this.typed !== '';
    return [named && 'link.model', this.prompt.length > SENTENCE.text && 'link.long'].filter(Boolean)
      .map((key) => t(String(key))).join(t('list.comma'));
  }

  stop() {
    this.#stop.abort();
    this.phase = this.shown ? 'ready' : 'idle';
  }

  /** The course's sentence on another folder. @param {string} src */
  fetchFrom(src) {
    this.mirrors.forget();
    Object.assign(this, { src, typed: src, layer: FIRST_FULL, head: 0, prompt: PROMPT });
    this.attempt(() => this.load());
  }

  /** What came before a failed fetch is as good as it was. */
  get dimmed() { return this.error !== null && !this.shown; }

  /** Fetches what is missing, tokenizes, runs the layer. */
  async load() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const { bases, prompt } = this;
    const [base] = bases;
    this.error = null;
    this.phase = 'connecting';
    const tick = setInterval(() => this.requestUpdate(), TICK);
    try {
      const found = await this.run((engine) => this.#compute(engine, bases, prompt, signal));
      if (!found) return;
      this.shown = { ...found, src: base, layer: this.layer, prompt, at: new Date() };
      this.#fit(this.shown);
      this.dispatchEvent(new CustomEvent('attn-run', {
        bubbles: true, composed: true, detail: { source: 'live', model: base, tokens: found.pieces.length, ms: found.ms },
      }));
    } finally {
      clearInterval(tick);
      if (this.#stop.signal === signal) this.phase = this.shown ? 'ready' : 'idle';
    }
  }

  /** @param {any} engine @param {string[]} bases @param {string} prompt @param {AbortSignal} signal */
  async #compute(engine, bases, prompt, signal) {
    const [handle, tokenizer] = await Promise.all([this.#open(engine, bases, signal), tokenizerOf(bases)]);
    this.phase = 'running';
    const { ids, pieces } = await tokenizer.encode(prompt);
    if (ids.length === 0 || ids.length > MOST_TOKENS) {
      const text = this.environment.text;
      const message = text?.('layer.tokens', { most: text.count(MOST_TOKENS), found: text.count(ids.length) }) ?? '';
      throw Object.assign(new Error(message), { code: 'BAD_SHAPE' });
    }
    const start = performance.now();
    const x = await handle.embed(ids, { signal });
    const run = await handle.forward(x, { capture: ['probs', 'gate'], signal });
    return { pieces, run, config: handle.config, ms: performance.now() - start };
  }

  /** @param {any} engine @param {string[]} bases @param {AbortSignal} signal */
  async #open(engine, bases, signal) {
    const src = bases.join(' ');
    if (this.opened?.src === src && this.opened.index === this.layer) return this.opened.handle;
    await this.opened?.handle.close();
    this.opened = null;
    this.progress = freshDownload(performance.now());
    const onProgress = (/** @type {any} */ report) => {
      if (signal.aborted) return;
      this.progress = arrived(this.progress, performance.now(), report);
      this.phase = 'streaming';
    };
    const open = (/** @type {number} */ layer) => engine.openLayer({ baseURL: bases, layer, signal, onProgress });
    let handle = await open(this.layer);
    if (handle.type !== 'full_attention') {
      const full = handle.config.layerTypes.indexOf('full_attention');
      await handle.close();
      this.layer = full;
      handle = await open(full);
    }
    this.opened = { src, index: this.layer, handle };
    return handle;
  }

  /** Stopping is no failure. @param {any} error */
  fail(error) {
    if (this.#stop.signal.aborted || error.code === 'ABORTED') return;
    super.fail(error);
  }

  /** @param {Text} t */
  remedies(t) {
    const again = { label: t('error.retry'), run: () => this.load() };
    if (this.#isShipped) return [again];
    const next = this.mirrors.next(QWEN35.bases, this.src, this.error ?? {});
    const other = next ? [{ label: t('load.mirror.use'), run: () => {
      this.mirrors.failed(this.src);
      this.src = next;
      this.attempt(() => this.load());
    } }] : [];
    return [again, ...other, { label: t('model.useShipped'), run: () => this.reset() }];
  }

  /** @param {Text} t */
  renderControls(t) {
    const loaded = this.opened ? this.src.trim() : '';
    return layerForm(t, {
      prompt: this.prompt, folder: this.typed, busy: this.#busy, button: t(this.typed === loaded ? 'layer.run' : 'layer.fetch'),
      onFolder: (folder) => { this.typed = folder; },
      onSubmit: (prompt) => {
        this.mirrors.forget();
        this.prompt = prompt;
        this.src = this.typed;
        this.attempt(() => this.load());
      },
    });
  }

  /** @param {Text} t */
  renderPlate(t) {
    return html`${this.#busy ? this.#renderProgress(t) : nothing}
      ${this.shown ? this.#renderShown(t, this.shown) : this.#busy ? nothing
    : html`<div class="sheet ask"><p>${rich(t, 'layer.ask', { folder: html`<code>${this.base}</code>` })}</p></div>`}
      ${layerBook(t, {
    theme: this.environment.theme, busy: this.#busy, shown: this.shown, onFetch: () => this.fetchFrom(QWEN35.bases[0]),
    matrix: this.shown && headMatrix(this.shown.run.probs, 0),
  })}`;
  }

  /** @param {Text} t */
  #renderProgress(t) {
    const title = this.progress.retrying ? retryWords(t, this.progress) : t(`progress.${this.phase}`, { layer: this.layer });
    return html`<div class="loading">${progressCard(t, { title, download: this.progress, onStop: () => this.stop() })}</div>`;
  }

  /** @param {Text} t @param {NonNullable<AttnLayer['shown']>} shown */
  #renderShown(t, { pieces, run, config }) {
    const { theme } = this.environment;
    const matrix = headMatrix(run.probs, this.head);
    return html`<div class="shown ${this.#busy ? 'stale' : ''}">
      ${tokenStrip(pieces, {
    picked: this.row, label: t('layer.tokens.label'), name: (token, n) => t('layer.token', { token, n }),
    onPick: (n) => { this.row = n; this.cell = null; },
  })}
      ${headPicker(t, {
    heads: config.heads, kvHeads: config.kvHeads, value: this.head, theme,
    onPick: (head) => { this.head = head; },
  })}
      <div class="pair"><div class="map"><attn-heatmap .matrix=${matrix} .rows=${pieces} .cols=${pieces} .theme=${theme}
        .masked=${after} .maskedText=${''} .markRow=${this.row} .cell=${this.cell} .label=${t('layer.map', { head: this.head })}
        .hint=${t('grid.hint')} .format=${(/** @type {number} */ v) => t.fixed(v, 2)}
        .describe=${(/** @type {number} */ i, /** @type {number} */ j) => this.#cellWords(t, i, j)}
        @cell=${this.#marked}></attn-heatmap>
        ${legend(t, { name: 'probability', theme, min: '0', max: '1', words: t('legend.probability'), masked: true })}</div>
      <div class="sheet side"><p class="readout">${
  this.cell ? this.#cellWords(t, this.cell.row, this.cell.col) : this.#rowWords(t, this.row ?? 0)}</p>${layerCard(t, this.layer, this.shown)}</div></div></div>`;
  }

  /** @param {CustomEvent} event */
  #marked({ detail }) {
    this.cell = detail.row === undefined ? null : { row: detail.row, col: detail.col };
    if (this.cell) this.row = this.cell.row;
  }

  /** @param {Text} t @param {number} i */
  #rowWords(t, i) {
    if (!this.shown) return '';
    const { pieces, run } = this.shown;
    const { col, share } = topOfRow(headMatrix(run.probs, this.head), i);
    return t(Number.isFinite(share) ? 'layer.row' : 'layer.row.none', {
      head: this.head, row: tokenName(pieces[i]), col: tokenName(pieces[col]), share: t.fixed(share),
    });
  }

  /** @param {Text} t @param {number} i @param {number} j */
  #cellWords(t, i, j) {
    if (!this.shown) return '';
    const { pieces, run } = this.shown;
    const names = { row: tokenName(pieces[i]), col: tokenName(pieces[j]) };
    if (j > i) return t('mask.hidden', names);
    const { data, cols } = headMatrix(run.probs, this.head);
    return t('layer.cell', { ...names, value: t.fixed(data[i * cols + j]) });
  }

  /** @param {Text} t */
  renderCaption(t) {
    const shipped = this.shown && this.#isShipped;
    return rich(t, shipped ? `layer.caption.${shippedModel().untrained ? 'example' : 'small'}` : 'layer.caption');
  }

  /** @param {Text} t */
  therefore(t) { return this.shown ? t('layer.therefore') : null; }

  /** @param {Text} t */
  table(t) {
    if (!this.shown) return null;
    const { pieces, run } = this.shown;
    const { data, cols } = headMatrix(run.probs, this.head);
    const names = pieces.map(tokenName);
    const rows = names.map((name, i) => [name, ...names.map((_, j) => (j > i ? t('mask.word') : t.fixed(data[i * cols + j])))]);
    return { caption: t('layer.map', { head: this.head }), columns: [t('table.query'), ...names], rows };
  }

  /** @param {Text} t */
  picture(t) {
    if (!this.shown) return null;
    const { pieces, run } = this.shown;
    return matrixPicture(this.environment.theme, headMatrix(run.probs, this.head), {
      names: pieces.map(tokenName), masked: after, format: (v) => t.fixed(v, 2),
    });
  }

  /** @param {Text} t */
  pictureCaption(t) {
    const shipped = t(shippedModel().untrained ? 'layer.untrained' : 'layer.small');
    const model = this.#isShipped ? shipped : this.shown?.src ?? '';
    return `${this.#rowWords(t, this.row ?? 0)} ${model}`;
  }
}

/** Keys after the query are hidden. @param {number} i @param {number} j */
function after(i, j) {
  return j > i;
}
