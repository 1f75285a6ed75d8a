/**
 * F11 Arriving layer by layer: the ladder of downloads, each with its price; the layers as they come; stop, resume,
 * mirror, delete. <attn-load figure="11"> inside an <attn-model>, or alone
 */
import { html, nothing } from 'lit';
import { BARS_HEIGHT, layerBars } from '../draw/layer-bars.js';
import { secondsLeft, speed } from '../lab/download.js';
import { askFor, fillBars } from '../lab/ladder.js';
import { readValue } from '../lab/place.js';
import { choice, sentence, sentenceOf } from './parts/controls.js';
import { figureLink } from './parts/figure-link.js';
import { loadStyles } from './parts/load-styles.js';
import { Mirrors } from './parts/mirrors.js';
import { ModelFigure, modelName, phaseWords } from './parts/model-figure.js';
import { findOffer, folderName, qwenOffer, shippedTarget } from './parts/model-target.js';
import { isOffline } from './parts/offline.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {import('./parts/model-target.js').Offer} Offer */
/** @typedef {import('../lab/ladder.js').Rung} Rung */

/** Between two announcements of bytes. */
const SAY_EVERY = 10_000;

export class AttnLoad extends ModelFigure {
  static captures = [];
  static styles = [...ModelFigure.styles, loadStyles];

  static properties = {
    ...ModelFigure.properties,
    first: { state: true }, typed: { state: true }, own: { state: true }, started: { state: true }, device: { state: true },
  };

  constructor() {
    super();
    this.#fresh();
    /** What this device keeps. @type {{ bytes: number, folders: { baseURL: string, bytes: number }[] } | null} */
    this.device = null;
    /** The rung that was asked for, and of what. @type {{ rung: Rung, offer: Offer } | null} */
    this.started = null;
    this.mirrors = new Mirrors();
  }

  #fresh() {
    /** Which mirror is tried first. */
    this.first = 0;
    this.typed = '';
    /** Of a folder the reader named. @type {Offer | null} */
    this.own = null;
  }

  #saidLayer = -1;
  #saidAt = 0;
  #phase = '';
  /** What the page names before anything is read. @type {Offer | null} */
  #book = null;

  get words() { return 'load'; }
  /** @returns {import('./parts/marks.js').Mark} */
  get mark() {
    const { context } = this;
    return context && (context.busy || (this.#fetches && (this.#stage === 'ready' || context.atLayer > 0))) ? 'live' : 'counted';
  }

  /** @param {Text} t */
  markWords(t) { return t(`mark.${this.mark}`); }
  get fileName() { return `attn-f${this.figure || 11}`; }

  /** Which mirror is tried first, of the model that the page names. */
  get kept() { return { from: !this.own && !this.context?.offer && this.first, ...super.kept }; }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    this.first = readValue(given.from ?? '', { min: 0, max: this.offer.bases.length - 1 }) ?? this.first;
  }

  /** How a download ended; while it goes on, its steps are told one by one. @param {Text} t */
  spoken(t) {
    const ended = this.use.context && !this.context.busy && this.#fetches;
    return ended ? [this.#state(t), this.#amount(t)].filter(Boolean).join(' ') : '';
  }

  /** A folder of the reader's own and what was fetched stay here. @param {Text} t */
  unlinked(t) {
    const here = !this.context?.fetched && (this.own || this.started || this.typed);
    return [super.unlinked(t), here && t('link.model')].filter(Boolean).join(t('list.comma'));
  }

  get offer() { return this.own ?? this.context.offer ?? (this.#book ??= qwenOffer()); }
  /** Is the reader's own download under way or shown, or did it fail? */
  get #fetches() { return this.started !== null && (this.context.missed !== null || !this.context.isShipped); }
  /** Of what the reader asked for; the run before it may go on meanwhile. */
  get #stage() { return this.context.missed ? 'failed' : this.context.phase; }

  reset() {
    this.#fresh();
    if (this.context.busy && this.#fetches) this.context.stop();
  }

  /** Speed and time left are never stale. */
  get ticks() { return Boolean(this.use.context?.busy); }

  willUpdate() {
    super.willUpdate();
    const { phase } = this.context ?? {};
    if (phase !== this.#phase && this.seen && (phase === 'ready' || phase === 'stopped')) {
      this.attempt(() => this.#look());
    }
    this.#phase = phase ?? '';
    this.#announce();
  }

  /** Each layer with a table, and the bytes every ten seconds. */
  #announce() {
    const t = this.environment.text;
    if (!t || !this.context?.busy || !this.#fetches) return;
    const { atLayer } = this.context;
    const now = performance.now();
    if (atLayer === this.#saidLayer && now - this.#saidAt < SAY_EVERY) return;
    if (atLayer !== this.#saidLayer || this.#saidAt > 0) this.say(`${this.#state(t)} ${this.#amount(t)}`);
    this.#saidLayer = atLayer;
    this.#saidAt = now;
  }

  async #look() {
    const kept = await this.run((engine) => engine.cacheInfo());
    if (kept) this.device = kept;
  }

  /** @param {string} [base] everything when absent */
  async #forget(base) {
    await this.run(async (engine) => { await engine.deleteCache(base); return true; });
    await this.#look();
  }

  /** @param {Rung} rung @param {Offer} [offer] */
  #start(rung, offer = this.offer) {
    const bases = [...offer.bases.slice(this.first), ...offer.bases.slice(0, this.first)];
    this.started = { rung, offer };
    this.asked = this.first;
    this.ownError = null;
    this.#saidLayer = -1;
    this.attempt(() => this.context.start({ ...offer.target, bases, ...askFor(offer.config, rung) }));
  }

  /** A press of a rung begins with no grudge. @param {Rung} rung */
  #startAnew(rung) {
    this.mirrors.forget();
    this.#start(rung);
  }

  /** What the folder that was typed would cost. */
  async #ask() {
    const bases = this.typed.split(/\s+/).filter(Boolean);
    if (bases.length === 0) return;
    const found = await this.run((_engine, signal) => findOffer(bases, signal));
    if (found) Object.assign(this, { own: found, first: 0 });
  }

  /** @param {Text} t */
  remedies(t) {
    const { context: { error }, started } = this;
    if (!error) return [{ label: t('error.retry'), run: () => (this.typed.trim() ? this.#ask() : this.#look()) }];
    const { bases, rungs } = started?.offer ?? this.offer;
    const smaller = rungs.find(({ rung }) => rung === 'four');
    const next = started && this.mirrors.next(bases, bases[this.asked], error);
    const other = next ? [{ label: t('load.mirror.use'), run: () => {
      this.mirrors.failed(bases[this.asked]);
      this.first = bases.indexOf(next);
      this.#start(started.rung, started.offer);
    } }] : [];
    const fits = error.code === 'OUT_OF_MEMORY' && smaller && started && started.rung !== 'four'
      ? [{ label: t('load.fetch.label', { bytes: t.bytes(smaller.bytes) }), run: () => this.#start('four', started.offer) }] : [];
    return [...super.remedies(t), ...other, ...fits];
  }

  /** @param {Text} t */
  renderControls(t) {
    const { bases } = this.offer;
    const host = (/** @type {string} */ base) => new URL(base, document.baseURI).host;
    return html`${bases.length > 1 ? choice({
      name: 'mirror', legend: t('load.from'), value: this.first,
      options: bases.map((base, i) => ({ value: i, label: host(base) })), onPick: (i) => { this.first = Number(i); },
    }) : nothing}
    <form class="own" data-here @submit=${(/** @type {SubmitEvent} */ event) => {
  if (sentenceOf(event, 'folder', '', t) !== null) this.attempt(() => this.#ask());
}}><label><span>${t('load.own')}</span>${
  sentence({ value: this.typed, name: 'folder', url: true, onInput: (typed) => { this.typed = typed; } })}</label>
      <button class="button quiet">${t('load.own.ask')}</button></form>`;
  }

  /** @param {Text} t */
  renderPlate(t) {
    return html`<div class="pair"><div class="bars">${this.#bars(t)}<div class="state"><p><strong>${this.#state(t)}</strong></p>
      ${this.#buttons(t)}</div><p class="amount">${this.#amount(t)}</p>${
  this.context.download.full ? html`<p class="note">${t('load.full')}</p>` : nothing}${this.#device(t)}</div>
      <div class="sheet"><h3>${t('load.ladder', { name: this.offer.name })}</h3><ol class="ladder">${
  this.offer.rungs.map((rung) => this.#rung(t, rung))}</ol><p class="note">${t(this.offer.counted ? 'load.counted' : 'load.header')}</p></div></div>`;
  }

  /** @param {Text} t @param {Offer['rungs'][number]} rung */
  #rung(t, { rung, layers, bytes }) {
    const here = this.started?.rung === rung && this.started.offer === this.offer && this.#stage === 'ready' && this.#fetches;
    const fetch = html`<button type="button" class="button" ?disabled=${this.context.busy && this.#fetches}
      aria-label=${t('load.fetch.label', { bytes: t.bytes(bytes) })} @click=${() => this.#startAnew(rung)}>${t('load.fetch')}</button>`;
    return html`<li><strong>${t.bytes(bytes)}</strong><span>${t(`load.rung.${rung}`, { layers: t.count(layers), last: layers - 1 })}</span>
      ${rung === 'one' ? figureLink(t, 29) : here ? html`<span class="here">✓ ${t('load.here')}</span>` : fetch}</li>`;
  }

  /** What the bars stand for: the download under way, or the run on display. */
  get #arrival() {
    const { context } = this;
    const asked = this.#fetches ? this.started : null;
    const config = asked ? asked.offer.config : context.config ?? this.offer.config;
    const sizes = asked ? asked.offer.sizes.layers : config.layerTypes.map(() => 1);
    const count = asked ? askFor(config, asked.rung).layers : config.layers;
    const done = this.#stage === 'ready' ? count : this.#fetches ? context.atLayer : 0;
    const came = fillBars(sizes, this.#fetches ? context.download.loaded : 0).map((part, i) => (i < done ? 1 : i < count ? part : 0));
    return { full: config.layerTypes.map((type) => type === 'full_attention'), filled: came, done };
  }

  /** @param {Text} t */
  #shapes(t) {
    const width = Math.max(280, this.width > 832 ? (this.width - 84) / 2 : this.width - 32);
    return { width, shapes: layerBars(this.environment.theme, { width, ...this.#arrival, format: t.count }) };
  }

  /** @param {Text} t */
  #bars(t) {
    const { width, shapes } = this.#shapes(t);
    return html`<svg viewBox="0 0 ${width} ${BARS_HEIGHT}" role="img" aria-label=${this.#state(t)}>${drawn(shapes)}</svg>`;
  }

  /** The last layer with a table that has been computed, −1 before. */
  get #lastTable() {
    const { full, done } = this.#arrival;
    return full.slice(0, done).lastIndexOf(true);
  }

  /** @param {Text} t */
  #state(t) {
    const { context } = this;
    const name = context.shown ? modelName(context.shown) : '';
    if (context.busy && !context.download.retrying && this.#lastTable >= 0 && this.#fetches) return t('load.part', { layer: this.#lastTable });
    if (context.busy) return phaseWords(t, context);
    if (this.#stage === 'stopped') return t('load.stopped', { layers: t.count(context.atLayer) });
    if (this.#stage === 'failed' && isOffline(context.error)) return t('model.offline');
    if (this.#stage === 'failed') return t(context.atLayer > 0 && this.#fetches ? 'load.failed.part' : 'load.failed', { layers: t.count(context.atLayer) });
    if (this.#stage !== 'ready') return t('load.idle');
    return t(context.source === 'recorded' ? 'load.recorded' : context.isShipped ? 'load.shipped' : 'load.ready', {
      name, layers: t.count(context.shown?.ran ?? 0) });
  }

  /** @param {Text} t */
  #amount(t) {
    const { download, busy } = this.context;
    const { loaded, total, samples, startedAt, retrying } = download;
    if (loaded === 0) return '';
    const asked = this.#fetches ? this.started : null;
    const goal = asked ? asked.offer.rungs.find(({ rung }) => rung === asked.rung)?.bytes ?? total : total;
    const [rate, left] = [speed(samples), secondsLeft(samples, goal, startedAt)];
    const amount = this.#stage !== 'ready' && goal ? t('progress.of', { loaded: t.bytes(Math.min(loaded, goal)), total: t.bytes(goal) }) : t.bytes(loaded);
    const minutes = left >= 90 ? t('load.minutes', { minutes: t.count(Math.round(left / 60)) }) : t('progress.left', { seconds: t.count(Math.ceil(left)) });
    const flows = busy && !retrying;
    return [amount, flows && rate > 0 ? t('progress.rate', { rate: t.bytes(rate) }) : '', flows && left >= 0 ? minutes : ''].filter(Boolean).join(' · ');
  }

  /** @param {Text} t */
  #buttons(t) {
    const { context } = this;
    const button = (/** @type {string} */ key, /** @type {() => void} */ run, quiet = false) => html`<button type="button"
      class="button ${quiet ? 'quiet' : ''}" @click=${() => this.attempt(run)}>${t(key)}</button>`;
    const at = this.#lastTable;
    const look = at >= 0 && this.#fetches && context.fullLayers.includes(at) ? button('load.look', () => this.#show(at), true) : nothing;
    if (context.busy) return html`${look}${button('progress.stop', () => context.stop())}`;
    if (context.phase === 'stopped') return html`${look}${button('load.resume', () => context.resume())}`;
    const shipped = () => {
      this.started = null;
      return context.useShipped();
    };
    return html`${look}${this.#fetches && this.#stage === 'ready' ? button('model.useShipped', shipped, true) : nothing}`;
  }

  /** Brings the two-heads figure into view at a layer. @param {number} layer */
  #show(layer) {
    this.context.select({ layer });
    document.querySelector('attn-heads')?.scrollIntoView();
  }

  /** @param {Text} t */
  #device(t) {
    const folders = this.device?.folders.filter(({ bytes }) => bytes > 0) ?? [];
    if (folders.length === 0) return nothing;
    const nameOf = (/** @type {string} */ base) => (base === shippedTarget().url ? t('model.small') : folderName(base));
    return html`${folders.map(({ baseURL, bytes }) => html`<p class="note">${rich(t, 'load.kept', {
      name: nameOf(baseURL), bytes: html`<strong>${t.bytes(bytes)}</strong>` })} <button type="button" class="link"
      aria-label=${t('load.delete.label', { name: nameOf(baseURL), bytes: t.bytes(bytes) })}
      @click=${() => this.attempt(() => this.#forget(baseURL))}>${t('load.delete', {
  bytes: t.bytes(bytes) })}</button></p>`)}`;
  }

  /** @param {Text} t */
  renderCaption(t) { return rich(t, 'load.caption'); }
  /** Where there is a table before the last layer. @param {Text} t */
  therefore(t) {
    const { layerTypes } = this.offer.config;
    const [first, last] = [layerTypes.indexOf('full_attention'), layerTypes.length - 1];
    return first >= 0 && first < last ? t('load.therefore', { first, last }) : null;
  }

  offers() { return { table: true, picture: true }; }

  /** @param {Text} t */
  table(t) {
    const { offer } = this;
    const rows = offer.rungs.map(({ rung, layers, bytes }) => [t(`load.rung.${rung}`, { layers: t.count(layers), last: layers - 1 }), t.bytes(bytes)]);
    const each = offer.sizes.layers.map((bytes, i) => [t('strip.layer', { layer: i }), t.bytes(bytes)]);
    return { caption: t('load.ladder', { name: offer.name }), columns: [t('load.col.what'), t('load.col.bytes')], rows: [...rows, ...each] };
  }

  /** @param {Text} t */
  picture(t) { return { ...this.#shapes(t), height: BARS_HEIGHT }; }
  /** @param {Text} t */
  pictureCaption(t) { return `${this.#state(t)} ${this.#amount(t)}`; }
}
