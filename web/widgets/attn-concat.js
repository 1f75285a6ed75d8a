/**
 * F6 Concat then W_O is a sum of contributions: one product against eight, both by the engine; or, in a model at hand, a run
 * for each head against the run of all. <attn-concat figure="6" from="model">
 */
import { html, nothing } from 'lit';
import { added, concatLayout, glued } from '../draw/concat.js';
import { moved } from '../draw/shapes.js';
import { addUp, freshMix, operands, productArgs, scaled, SIZES, strip } from '../lab/concat.js';
import { largestDifference } from '../lab/measure.js';
import { legend, predictCard } from './parts/cards.js';
import { concatModel, HeadRuns } from './parts/concat-model.js';
import { concatStyles } from './parts/concat-styles.js';
import { choice, scrub } from './parts/controls.js';
import { headPicker } from './parts/head-picker.js';
import { ModelFigure } from './parts/model-figure.js';
import { drawn } from './parts/shapes.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {{ both: { x: Float32Array, w: Float32Array }, whole: Float32Array, parts: Float32Array[], sum: Float32Array }} Result */

const FROM = /** @type {const} */ (['toy', 'model']);
const SIDES = /** @type {const} */ (['glued', 'added']);
/** Seeds run to here. */
const SEEDS = 9999;
/** The widest a side gets. */
const ROOM = 420;

/** A head's output times so much, either way. */
const LOUDEST = 3;

export class AttnConcat extends ModelFigure {
  static captures = [];

  static styles = [...ModelFigure.styles, ...concatStyles];

  /** from: the toy numbers, or the model of the place. */
  static properties = {
    ...ModelFigure.properties, from: { type: String },
    mix: { state: true }, result: { state: true }, side: { state: true }, guess: { state: true }, revealed: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    from: ['from', FROM], seed: ['seed', { min: 0, max: SEEDS }], head: ['head', { min: 0, max: SIZES.heads - 1 }],
    times: ['times', { shape: [SIZES.heads], least: -LOUDEST, most: LOUDEST }], side: ['side', ['glued', 'added']],
  });

  #runs = new HeadRuns(this);

  constructor() {
    super();
    this.from = 'toy';
    this.#fresh();
    /** @type {Result | null} */
    this.result = null;
    /** @type {'glued' | 'added'} the tab of a narrow screen */
    this.side = 'glued';
  }

  #fresh() {
    this.mix = freshMix();
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
  }

  get words() { return 'concat'; }
  get fileName() {
    return `attn-f${this.figure || 6}-${this.#asksModel ? `layer${this.context.selection.layer}` : `seed${this.mix.seed}`}`;
  }
  get mark() { return this.#asksModel ? super.mark : 'live'; }
  get #asksModel() { return this.from === 'model'; }

  /** @param {Text} t */
  markWords(t) { return this.#asksModel ? super.markWords(t) : t('mark.live'); }

  get kept() {
    const { from, seed, head, times, layer, heads, token, prompt, side, ...rest } = super.kept;
    const picked = this.#asksModel ? { from, layer, heads, token, prompt } : { seed, head, times };
    return { ...picked, side: side !== 'glued' && side, ...rest };
  }

  /** @param {Text} t */
  unlinked(t) { return this.#asksModel ? super.unlinked(t) : ''; }
  /** @param {Text} t */
  spoken(t) { return this.result && !this.#asksModel ? this.sentence(t) : ''; }

  /** An address without `from` is the toy's. @param {Record<string, string>} given */
  restore(given) { super.restore({ from: 'toy', ...given }); }

  /** @param {Map<string, unknown>} [changed] */
  willUpdate(changed) {
    if (changed?.has('from')) this.#turned();
    if (this.#asksModel) {
      if (this.seen && this.captures) this.#runs.follow(this.context);
      super.willUpdate();
    } else if (changed?.has('mix') && this.seen) this.attempt(() => this.compute());
  }

  /** From the toy to the model, or back. */
  #turned() {
    this.error = this.ownError = null;
    this.#runs.stop();
    if (!this.#asksModel && this.seen && !this.result) this.attempt(() => this.compute());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#runs.stop();
  }

  onSeen() {
    if (this.#asksModel) super.onSeen();
    else this.attempt(() => this.compute());
  }

  reset() {
    this.from = 'toy';
    this.#fresh();
  }

  /** @param {Text} t */
  remedies(t) {
    return this.#asksModel ? super.remedies(t) : [{ label: t('error.retry'), run: () => this.compute() }];
  }

  async compute() {
    const both = operands(this.mix);
    const products = [both, ...Array.from({ length: SIZES.heads }, (_, h) => strip(both, h))];
    const found = await this.run((engine) => Promise.all(products.map((p) => engine.gate(productArgs(p)))));
    if (!found) return;
    const [whole, ...parts] = found.map((/** @type {any} */ r) => r.z.data);
    this.result = { both, whole, parts, sum: addUp(parts) };
  }

  get seed() { return this.mix.seed; }
  set seed(seed) { this.mix = { ...this.mix, seed }; }
  /** What the heads are multiplied by, null while all are as they come. @returns {number[] | null} */
  get times() { return this.mix.scales.some((s) => s !== 1) ? this.mix.scales : null; }
  set times(scales) { if (scales) this.mix = { ...this.mix, scales }; }
  get head() { return this.mix.picked; }
  set head(picked) { this.mix = { ...this.mix, picked }; }

  /** What is on display of the model, null where that is the toy or nothing has arrived. */
  get #model() {
    if (!this.#asksModel || !this.use.context || !this.captures) return null;
    const { context, revealed, width } = this;
    return concatModel({ context, runs: this.#runs.of(context), revealed, width, theme: this.environment.theme });
  }

  /** @param {Text} t */
  sentence(t) {
    if (this.#asksModel) return this.#model?.sentence(t) ?? '';
    if (!this.result) return '';
    const { picked, scales } = this.mix;
    const said = t('concat.say', { h: picked, scale: t.short(scales[picked]), whole: this.#list(t, this.result.whole) });
    return this.revealed ? `${said} ${t('concat.say.difference', { difference: this.#difference(t) })}` : said;
  }

  /** @param {Text} t @param {ArrayLike<number>} numbers @param {string} [between] */
  #list(t, numbers, between = t('list.comma')) { return Array.from(numbers, (n) => t.fixed(n)).join(between); }

  /** The answer to P5, veiled until there is a guess. @param {Text} t */
  #difference(t) {
    if (this.#asksModel) return this.#model?.differenceIn(t) ?? '?';
    return this.result && this.revealed ? t.exponent(largestDifference(this.result.whole, this.result.sum)) : '?';
  }

  /** @param {Text} t */
  renderControls(t) {
    return html`${choice({
      name: 'from', legend: t('concat.from'), value: this.from, options: FROM.map((value) => ({ value, label: t(`concat.from.${value}`) })),
      onPick: (from) => { this.from = from; },
    })}${this.#asksModel ? nothing : this.#renderDials(t)}`;
  }

  /** @param {Text} t */
  #renderDials(t) {
    const { picked, scales, seed } = this.mix;
    const scale = scales[picked];
    return html`${headPicker(t, {
      ...SIZES, value: picked, theme: this.environment.theme, reads: false,
      onPick: (h) => { this.head = h; },
    })}<div class="dials"><span>Q${picked} × ${scrub({
  value: scale, text: t, label: t('concat.scale', { h: picked }), min: -LOUDEST, max: LOUDEST, digits: 1,
  onChange: (to) => { this.mix = scaled(this.mix, to); },
})}</span>
      <button type="button" class="button" @click=${() => { this.mix = scaled(this.mix, scale === 0 ? 1 : 0); }}>${
  t(scale === 0 ? 'concat.open' : 'concat.mute', { h: picked })}</button>
      <button type="button" class="button quiet" @click=${() => { this.seed = (seed + 1) % (SEEDS + 1); }}>${t('concat.new')}</button>
      <span>${t('concat.seed')} ${scrub({
  value: seed, text: t, label: t('concat.seed'), min: 0, max: SEEDS, step: 1, big: 10, digits: 0, onChange: (to) => { this.seed = to; },
})}</span></div>
      <div class="tabs">${choice({
    name: 'side', legend: t('concat.sides'), hideLegend: true, wide: true, value: this.side,
    options: SIDES.map((value) => ({ value, label: t(`concat.tab.${value}`) })),
    onPick: (side) => { this.side = /** @type {'glued' | 'added'} */ (side); },
  })}</div>`;
  }

  get #layout() {
    const { width } = this;
    const room = width > 576 ? Math.min(ROOM, (width - 84) / (width > 704 ? 2 : 1)) : width - 24;
    return concatLayout(room, SIZES);
  }

  /** @returns {number} end of the one value scale: the largest number on display */
  get #max() {
    const { both, parts, whole } = /** @type {Result} */ (this.result);
    return Math.max(1, ...[both.x, both.w, whole, ...parts].map((list) => Math.max(...list.map(Math.abs))));
  }

  /** @param {Text} t */
  #scenes(t) {
    if (!this.result) return { glued: [], added: [] };
    const { both, parts, whole, sum } = this.result;
    const data = {
      sizes: SIZES, ...both, parts, whole, sum: this.revealed ? sum : null, picked: this.mix.picked, max: this.#max,
      format: (/** @type {number} */ n) => t.fixed(n, 2),
    };
    const { theme } = this.environment;
    return {
      glued: glued(theme, this.#layout, data, { matrix: 'W_O' }),
      added: added(theme, this.#layout, data, { strip: t('concat.strip'), part: t('concat.part'), waiting: '?' }),
    };
  }

  /** @param {Text} t */
  renderRun(t) { return this.#model?.render(t); }

  /** @param {Text} t */
  renderPlate(t) {
    if (this.#asksModel) return super.renderPlate(t);
    const scenes = this.#scenes(t);
    const { height, gluedWidth, addedWidth } = this.#layout;
    const side = (/** @type {'glued' | 'added'} */ name, /** @type {number} */ width) => html`<div class=${name}>
      <p class="heading">${t(`concat.${name}`)}</p>
      <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${t(`concat.${name}`)}>${drawn(scenes[name])}</svg></div>`;
    return html`<div class="sides" data-side=${this.side}>${side('glued', gluedWidth)}${side('added', addedWidth)}
      <div class="results sheet">${this.#renderResults(t)}</div></div>
      ${this.result ? legend(t, {
    name: 'signed', theme: this.environment.theme, min: t.fixed(-this.#max, 2), max: t.fixed(this.#max, 2),
    words: t('concat.legend'),
  }) : ''}`;
  }

  /** @param {Text} t */
  #renderResults(t) {
    const { result } = this;
    return html`<p>${t('concat.result.glued')}</p><code>${result ? this.#list(t, result.whole, ' ') : ''}</code>
      <p>${t('concat.result.added')}</p><code>${result && this.revealed ? this.#list(t, result.sum, ' ') : '?'}</code>
      <p class="largest">${t('concat.largest')}<br><strong>${this.#difference(t)}</strong></p>
      <p class="side-note">${t('concat.rounding')}</p>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return this.#model?.caption(t) ?? t(this.#asksModel ? 'concat.model.about' : 'concat.caption'); }

  /** True of every model whose o_proj has no bias, and none here has one. @param {Text} t */
  therefore(t) { return t('concat.therefore'); }

  /** @param {Text} t */
  renderAside(t) {
    const difference = this.#difference(t);
    return predictCard(t, {
      key: 'p5', options: [0, 1, 2].map((i) => t(`p5.option.${i}`)), guess: this.guess, revealed: this.revealed,
      answer: difference === '?' ? '…' : t('p5.answer', { difference }),
      onGuess: (i) => { this.guess = i; this.revealed = true; },
      onReveal: () => { this.revealed = true; },
    });
  }

  /** @param {Text} t */
  table(t) {
    if (this.#asksModel) return this.#model?.table(t) ?? null;
    const columns = [t('head.legend'), '×', ...Array.from({ length: SIZES.width }, (_, i) => String(i))];
    const { result } = this;
    const cells = (/** @type {ArrayLike<number>} */ list) => Array.from(list, (n) => t.fixed(n));
    const rows = result ? [
      ...result.parts.map((part, h) => [`Q${h}`, t.short(this.mix.scales[h]), ...cells(part)]),
      [t('concat.result.added'), '', ...(this.revealed ? cells(result.sum) : new Array(SIZES.width).fill('?'))],
      [t('concat.result.glued'), '', ...cells(result.whole)],
      [t('concat.largest'), '', this.#difference(t), ...new Array(SIZES.width - 1).fill('')],
    ] : [];
    return { caption: this.sentence(t), columns, rows };
  }

  /** @param {Text} t */
  picture(t) {
    if (this.#asksModel) return this.#model?.picture(t) ?? null;
    const layout = concatLayout(ROOM, SIZES);
    const scenes = this.#scenes(t);
    return {
      width: layout.gluedWidth + 48 + layout.addedWidth,
      height: layout.height,
      shapes: [...scenes.glued, ...moved(scenes.added, this.#layout.gluedWidth + 48, 0)],
    };
  }

  /** @param {Text} t */
  offers(t) {
    const found = Boolean(this.#model?.found);
    return this.#asksModel ? { table: found, picture: found } : super.offers(t);
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.sentence(t)} ${this.therefore(t)}`; }
}
