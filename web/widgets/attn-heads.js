/**
 * F12 Two heads, one notebook: next token, layers, two heads' maps on one scale.
 * <attn-heads figure="12"> inside an <attn-model>, or alone with the model that ships
 */
import { html, nothing } from 'lit';
import { headsPicture } from '../draw/heads-picture.js';
import { groupOf } from '../lab/gqa.js';
import { nearestHeads, SCALES } from '../lab/heads.js';
import { HeadsView } from '../lab/heads-view.js';
import { LOOKS, ranked } from '../lab/lenses.js';
import { PROMPTS } from '../lab/selection.js';
import { quotable } from '../lab/tokens.js';
import { wordLabels } from '../lab/words.js';
import { predictCard } from './parts/cards.js';
import { choice } from './parts/controls.js';
import { headPicker } from './parts/head-picker.js';
import { headsFile, headsTable } from './parts/heads-export.js';
import { headChip, headMap, maskOf, scaleBar, veiledMap } from './parts/heads-maps.js';
import { finder, kvPanel, namedNext, nextTokens, promptBar } from './parts/heads-side.js';
import { headsStyles } from './parts/heads-styles.js';
import { AttnHeatmap } from './parts/heatmap.js';
import { layerStrip } from './parts/layer-strip.js';
import { ModelFigure, modelTitle } from './parts/model-figure.js';
import { rich } from './parts/rich.js';

/** @typedef {import('../lab/text.js').Text} Text */

const NEXT = 5;
/** Rows this far apart on average bear the conclusion out. */
const APART = 0.1;
/** Up to this width one map is shown at a time. */
const NARROW = 704;

export class AttnHeads extends ModelFigure {
  static captures = ['probs'];
  static parts = { 'attn-heatmap': AttnHeatmap };
  static styles = [...ModelFigure.styles, ...headsStyles];
  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    scale: ['scale', SCALES], hide: ['hideFirst', [true, false]], names: ['naming', ['tokens', 'words']],
    tab: ['tab', ['0', '1', 'difference']],
    search: ['search', ['like', ...LOOKS]], edit: ['editing', [true]], asked: ['asked', [true]],
  });

  static properties = {
    ...ModelFigure.properties,
    cell: { state: true }, centre: { state: true }, scale: { state: true }, hideFirst: { state: true }, naming: { state: true },
    tab: { state: true }, next: { state: true }, search: { state: true }, asked: { state: true },
    editing: { state: true }, guess: { state: true }, revealed: { state: true },
  };

  constructor() {
    super();
    this.#fresh();
    /** @type {import('./parts/heads-side.js').Next[]} */
    this.next = [];
    this.guess = /** @type {number | null} */ (null);
    this.revealed = false;
  }

  #logits;
  /** A guess was taken: the next one gets the focus. */
  #goesOn = false;
  /** What the maps are drawn from, kept while nothing of it changes. @type {HeadsView | null} */
  #view = null;

  #fresh() {
    /** @type {import('../lab/grid.js').Cell | null} */
    this.cell = null;
    /** @type {import('../lab/grid.js').Cell | null} the window's middle, when the reader moved it */
    this.centre = null;
    /** @type {import('../lab/heads.js').Scale} */
    this.scale = 'linear';
    this.hideFirst = false;
    /** @type {'tokens' | 'words'} */
    this.naming = 'tokens';
    this.tab = '0';
    this.search = '';
    this.editing = false;
    /** The reader chose a head: what is asked for is not veiled. */
    this.asked = false;
  }

  get words() { return 'heads'; }
  get fileName() {
    const { layer, heads } = this.context.selection;
    return `attn-f${this.figure || 12}-layer${layer}-${heads.map((h) => `q${h}`).join('-')}`;
  }

  reset() {
    this.#fresh();
    this.context.select({ layer: undefined, heads: undefined, token: undefined });
    if (this.context.cache || this.context.prompt !== PROMPTS[0]) this.attempt(() => this.context.ask(PROMPTS[0]));
  }

  willUpdate() {
    super.willUpdate();
    if (!this.shown || !this.captures) return;
    if (this.context.logits !== this.#logits) this.attempt(() => this.#findNext());
    this.#make();
  }

  /** The maps of what is picked now: also where they are asked for before they are next drawn. */
  #make() {
    if (!this.shown || !this.captures) return null;
    const { probs } = this.captures;
    const wanted = { heads: this.context.selection.heads, pieces: this.context.pieces, scale: this.scale, hideFirst: this.hideFirst };
    if (this.#view?.is(probs, wanted)) return this.#view;
    if (this.#view?.probs !== probs) this.cell = this.centre = null;
    this.#view = new HeadsView(probs, wanted);
    return this.#view;
  }

  /** Names of the most probable next tokens, which the tokenizer may know in a worker. */
  async #findNext() {
    const { logits, tokenizer } = this.context;
    this.#logits = logits;
    this.next = [];
    if (!logits) return;
    const next = await namedNext(logits.data, tokenizer, NEXT);
    if (this.#logits !== logits) return;
    this.next = next;
    await this.updateComplete;
    if (this.#goesOn && document.activeElement === this) /** @type {HTMLElement | null} */ (this.renderRoot.querySelector('.ghost'))?.focus();
    this.#goesOn = false;
  }

  get #veiled() { return !this.revealed && !this.asked && this.#view?.apart !== null; }

  /** A third head takes the place of the first; one stays picked. @param {number} h */
  #toggleHead(h) {
    const { heads } = this.context.selection;
    const kept = heads.filter((x) => x !== h);
    if (kept.length === heads.length) return this.#choose(h, { heads: [heads[heads.length - 1], h] });
    if (kept.length === 0) return this.requestUpdate();
    return this.#choose(kept[0], { heads: kept });
  }

  /**
   * Shows a head, and that one where there is room for one map.
   * @param {number} head @param {{ layer?: number, heads: number[] }} selection
   */
  #choose(head, selection) {
    this.context.select(selection);
    this.asked = true;
    this.tab = String(selection.heads.indexOf(head));
  }

  /** @param {number} token */
  #pickRow(token) {
    this.cell = this.centre = null;
    this.context.select({ token });
  }

  /** What both heads look at. @param {Text} t */
  spoken(t) {
    const view = this.#view;
    if (!view || !this.captures) return '';
    const open = this.#veiled ? [0] : view.heads.map((_, n) => n);
    return open.map((n) => view.rowWords(t, n, this.context.selection.token)).join(' ');
  }

  /** @param {CustomEvent} event @param {{ top: number, left: number }} [offset] of the window */
  #marked({ detail }, offset) {
    this.cell = detail.row === undefined ? null : { row: detail.row + (offset?.top ?? 0), col: detail.col + (offset?.left ?? 0) };
    if (this.cell && !offset) this.centre = this.cell;
    if (this.cell && detail.pinned) this.context.select({ token: this.cell.row });
  }

  get #onAccept() {
    return this.context.canRun ? (/** @type {number} */ id) => this.attempt(async () => {
      this.#goesOn = true;
      await this.context.accept(id);
      if (this.context.tokens.at(-1) !== id) this.#goesOn = false;
    }) : null;
  }

  /** @param {Text} t */
  renderControls(t) {
    if (!this.shown) return nothing;
    return promptBar(t, {
      context: this.context, next: this.next, editing: this.editing, onAccept: this.#onAccept, onRow: (n) => this.#pickRow(n),
      onEdit: () => { this.editing = !this.editing; },
      onAsk: (prompt) => {
        this.editing = false;
        this.attempt(() => this.context.ask(prompt));
      },
    });
  }

  /** @param {Text} t */
  renderRun(t) {
    const { context } = this;
    const { selection, config } = context;
    const { theme } = this.environment;
    const view = /** @type {HeadsView} */ (this.#view);
    const full = context.fullLayers.filter((l) => context.layers[l]);
    return html`${layerStrip(t, {
      layerTypes: config.layerTypes.slice(0, this.shown?.ran), value: selection.layer, ready: (l) => full.includes(l),
      onPick: (layer) => context.select({ layer }),
    })}${headPicker(t, {
      heads: config.heads, kvHeads: config.kvHeads, value: selection.heads, theme, onPick: (h) => this.#toggleHead(h),
    })}${this.#tabs(t)}<div class="grid">${this.#maps(t, view)}
      <div class="sheet side"><div><h3>${t('heads.next')}</h3>${nextTokens(t, {
        theme, next: this.next, logits: context.logits, onAccept: this.#onAccept,
      })}</div>
        <div class="cellwords">${this.#readout(t, view)}</div></div></div>
    ${scaleBar(t, {
    theme, scale: this.scale, hideFirst: this.hideFirst, naming: this.naming, range: view.range, signed: this.#showsDifference,
    onScale: (scale) => { this.scale = scale; }, onHide: (hide) => { this.hideFirst = hide; }, onNaming: (naming) => { this.naming = naming; },
  })}
    <div class="below">${kvPanel(t, theme, Math.max(240, Math.min(460, this.width - 32)), context)}${finder(t, {
    head: selection.heads[0], search: this.search, found: this.search ? this.#search(full) : null,
    shown: { layer: selection.layer, heads: view.heads, words: (n) => view.rowWords(t, n, selection.token) },
    onSearch: (what) => { this.search = what; },
    onPick: (layer, head) => {
      const other = selection.heads.find((h) => h !== head) ?? selection.heads[0];
      this.#choose(head, { layer, heads: [other, head] });
    },
  })}</div>`;
  }

  get #narrow() { return this.width > 0 && this.width <= NARROW; }
  get #showsDifference() { return this.#narrow && this.tab === 'difference' && this.#view?.apart !== null && !this.#veiled; }

  /** @param {Text} t */
  #tabs(t) {
    const { heads } = this.context.selection;
    const options = heads.map((h, n) => ({ value: String(n), label: `Q${h}` }));
    if (heads.length === 2) options.push({ value: 'difference', label: t('heads.difference') });
    return html`<div class="tabs">${choice({
      name: 'tab', legend: t('heads.tabs'), hideLegend: true, wide: true, value: this.tab, options, onPick: (tab) => { this.tab = tab; },
    })}</div>`;
  }

  /** @param {Text} t @param {HeadsView} view */
  #maps(t, view) {
    const { token } = this.context.selection;
    const common = {
      names: this.naming === 'words' ? wordLabels(this.context.pieces, t.lang) : this.context.pieces, theme: this.environment.theme,
      hideFirst: this.hideFirst, cell: this.cell, row: this.cell?.row ?? token, centre: this.centre ?? { row: token, col: view.top(0, token) },
      format: this.#format, onCell: (/** @type {CustomEvent} */ e, /** @type {any} */ offset) => this.#marked(e, offset),
    };
    if (this.#showsDifference && view.apart) {
      const [a, b] = view.heads;
      return headMap(t, {
        ...common, map: view.apart, scale: 'signed', label: t('heads.difference.label', { a, b }), head: `Q${a} − Q${b}`,
        describe: (i, j) => view.apartWords(t, i, j),
      });
    }
    const one = (/** @type {number} */ n) => {
      const chip = headChip(view.heads[n], this.context.config, common.theme);
      if (n > 0 && this.#veiled) return veiledMap(t, chip, () => { this.revealed = true; });
      return headMap(t, {
        ...common, map: view.maps[n], scale: 'probability', shade: view.shades[n], label: t('layer.map', { head: view.heads[n] }),
        head: html`${chip}<span>${view.mostly(t, n, common.row)}</span>`,
        describe: (i, j) => view.cellWords(t, n, i, j),
      });
    };
    return this.#narrow ? one(this.tab === '0' ? 0 : view.heads.length - 1) : view.heads.map((_, n) => one(n));
  }

  /** One and the same function, so that walking about does not repaint. @param {number} v */
  #format = (v) => this.environment.text?.fixed(v, 2) ?? '';

  /** @param {Text} t @param {HeadsView} view */
  #readout(t, view) {
    const { cell } = this;
    const row = cell?.row ?? this.context.selection.token;
    return html`${view.heads.map((_, n) => (n > 0 && this.#veiled ? nothing
      : html`<p>${cell ? view.cellWords(t, n, cell.row, cell.col) : view.rowWords(t, n, row)}</p>`))}
      ${view.apart && !this.#veiled ? html`<p>${rich(t, 'heads.distance', {
    row: view.names[row], distance: html`<strong>${t.fixed(view.distance(row))}</strong>` })}</p>` : nothing}`;
  }

  /** @param {number[]} full layers that are here */
  #search(full) {
    const layers = full.map((layer) => ({ layer, probs: this.context.layers[layer].probs }));
    const { layer, heads } = this.context.selection;
    if (this.search === 'like') return nearestHeads(layers, layer, heads[0]).map((h) => ({ ...h, value: h.distance }));
    return ranked(/** @type {any} */ (this.search), layers, this.context.pieces).slice(0, NEXT).map((h) => ({ ...h, value: h.share }));
  }

  /** @param {Text} t */
  renderAside(t) {
    const pair = this.#pair;
    return predictCard(t, {
      key: 'p9', options: [0, 1, 2].map((i) => t(`p9.option.${i}`)), guess: this.guess, revealed: this.revealed,
      question: pair ? t(pair.k === pair.l ? 'p9.question' : 'p9.question.two', pair) : t('p9.question.one'),
      answer: Number.isNaN(this.#view?.apart ? this.#view.meanDistance : 0) ? t('p9.answer.noNumber')
        : pair && this.#view?.apart ? t(pair.k === pair.l ? 'p9.answer' : 'p9.answer.two', { distance: t.fixed(this.#view.meanDistance, 2) })
        : t('p9.answer.none'),
      onGuess: (i) => { this.guess = i; this.revealed = true; },
      onReveal: () => { this.revealed = true; },
    });
  }

  /** @param {Text} t */
  renderCaption(t) {
    if (!this.shown) return rich(t, 'heads.caption');
    const { heads, kvHeads } = this.context.config;
    return html`${rich(t, 'heads.caption')}${rich(t, `heads.caption.${this.shown.untrained ? 'untrained' : 'model'}`, {
      name: modelTitle(t, this.shown), heads, kvHeads })}`;
  }

  /** Two heads a, b and the notebooks k, l that they read; the first pair before there is a model, null with one head. */
  get #pair() {
    const { config, selection: { heads: [a, b] } } = this.context;
    if (!config) return { a: 0, b: 1, k: 0, l: 0 };
    const [k, l] = [a, b].map((h) => groupOf(h, config.heads, config.kvHeads));
    return b === undefined ? null : { a, b, k, l };
  }

  /** About the same keys: nothing is said of heads on two notebooks. */
  bearsOut() {
    const pair = this.#pair;
    if (this.#veiled || !this.#view?.apart || pair?.k !== pair?.l || !Number.isFinite(this.#view.meanDistance)) return null;
    return !this.shown?.untrained && this.#view.meanDistance >= APART;
  }

  offers() { return { table: Boolean(this.captures), picture: Boolean(this.captures) }; }

  /** @param {Text} t */
  table(t) {
    const view = this.#make();
    return view && headsTable(t, view);
  }

  /** @param {Text} t */
  csv(t) {
    const view = this.#make();
    return view && headsFile(t, view);
  }

  /** @param {Text} t */
  picture(t) {
    const view = this.#make();
    if (!view) return null;
    return headsPicture(this.environment.theme, view, {
      words: view.heads.map((_, n) => view.rowWords(t, n, this.context.selection.token)), shades: view.shades,
      config: this.context.config, masked: maskOf(this.hideFirst), format: this.#format,
    });
  }

  /** @param {Text} t */
  pictureCaption(t) {
    const name = this.shown ? modelTitle(t, this.shown) : '';
    return t('heads.picture', { layer: this.context.selection.layer, name, prompt: quotable(this.context.prompt) });
  }
}
