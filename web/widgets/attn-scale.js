/** F3 Why divide by √d: the spread of dot products and what softmax makes of it. <attn-scale figure="3"> */
import { css, html } from 'lit';
import { bricks, HEIGHT, shareRow, topCurve } from '../draw/scale.js';
import { moved } from '../draw/shapes.js';
import { BIN, DIMS, histogram, KEYS, meanTop, REACH, scaleArgs, spread, topShare, vectors, WIDEST } from '../lab/scale.js';
import { predictCard } from './parts/cards.js';
import { choice, scrub } from './parts/controls.js';
import { FigureElement } from './parts/figure.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';
import { fromLog, slider, sliderStyles, toLog } from './parts/slider.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {{ scores: Float32Array, probs: Float32Array }} Row */

/** The pieces of the formula and the panels they light. */
const LIT = { softmax: 'row', scores: 'bricks', root: 'bricks', mask: '', values: '' };
/** @typedef {keyof typeof LIT} Piece */

export class AttnScale extends FigureElement {
  static styles = [...FigureElement.styles, sliderStyles, css`
    .dim { flex: 1 1 15rem; max-width: 22rem; display: grid; grid-template-columns: auto minmax(0, 1fr) 2.4em; gap: 12px; align-items: center; }
    .formula { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 6px; font: 1.1875rem/1.3 var(--attn-serif); margin: 0 0 4px; }
    .formula button { font: inherit; color: inherit; background: none; border: 0; border-bottom: 2px dotted var(--attn-hand); padding: 1px 5px;
      min-height: 28px; min-width: 28px; cursor: pointer; border-radius: 0; }
    .formula button[aria-pressed='true'] { background: var(--attn-hand); color: var(--attn-on-hand); forced-color-adjust: none; }
    .fraction { display: inline-flex; flex-direction: column; text-align: center; }
    .fraction button { border: 0; }
    .fraction button:first-child { border-bottom: 1.5px solid var(--attn-ink); }
    .part { margin: 0 0 14px; min-height: 3em; color: var(--attn-ink2); font-size: 0.90625rem; }
    .part code { font: 600 1em var(--attn-serif); color: var(--attn-ink); }
    .heading { margin: 0 0 2px; font-weight: 600; font-size: 0.90625rem; }
    .panel { min-width: 0; outline: 2px solid transparent; outline-offset: 6px; margin-bottom: 16px; }
    .panel.lit { outline-color: var(--attn-hand); }
    .panel svg { width: 100%; height: auto; }
    .two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 28px; }
    .two .panel { margin-bottom: 0; }
    @container (max-width: 36rem) { .two { grid-template-columns: minmax(0, 1fr); gap: 16px; } .formula button { min-height: 44px; } }
  `];

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    d: ['dim', { min: 2, max: WIDEST }], divide: ['divide', [true, 0]], seed: ['seed', { min: 1, max: 999 }],
    piece: ['piece', /** @type {Piece[]} */ (['softmax', 'scores', 'root', 'mask', 'values'])],
  });

  static properties = {
    ...FigureElement.properties,
    dim: { state: true }, seed: { state: true }, divide: { state: true }, piece: { state: true }, result: { state: true },
    guess: { state: true }, revealed: { state: true },
  };

  constructor() {
    super();
    this.#fresh();
    /** The row on display both ways, and the largest shares against d. @type {{ dim: number, plain: Row, divided: Row,
     *   curve: { plain: number[], divided: number[] }, loud: number, mean: number } | null} */
    this.result = null;
  }

  #fresh() {
    this.dim = WIDEST;
    this.seed = 1;
    this.divide = true;
    /** @type {Piece} */
    this.piece = 'root';
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
  }

  get words() { return 'scale'; }
  get fileName() { return `attn-f${this.figure || 3}-d${this.dim}${this.divide ? '' : '-plain'}`; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.divide && this.dim === WIDEST) this.revealed = true;
    if (this.seen && ['dim', 'seed'].some((name) => changed.has(name))) this.attempt(() => this.compute());
  }

  onSeen() { this.attempt(() => this.compute()); }
  reset() { this.#fresh(); }

  async compute() {
    const { dim, seed } = this;
    const wide = vectors(seed);
    const found = await this.run(async (engine) => {
      const at = (/** @type {number} */ d, /** @type {boolean} */ divide) => engine.attention(scaleArgs(wide, d, divide));
      const tops = async (/** @type {boolean} */ divide) => Promise.all(DIMS.map(async (d) => (await at(d, divide)).probs));
      return { plain: await at(dim, false), divided: await at(dim, true), curves: [await tops(false), await tops(true)] };
    });
    if (!found) return;
    const first = (/** @type {any} */ m) => ({ scores: m.scores.data.slice(0, KEYS), probs: m.probs.data.slice(0, KEYS) });
    const [plain, divided] = found.curves.map((/** @type {any[]} */ c) => c.map(meanTop));
    this.result = {
      dim, plain: first(found.plain), divided: first(found.divided), curve: { plain, divided },
      loud: topShare(found.curves[0][DIMS.length - 1].data.subarray(0, KEYS)), mean: plain[DIMS.length - 1],
    };
  }

  get #row() { return this.divide ? this.result?.divided : this.result?.plain; }

  /** @param {Text} t */
  spoken(t) { return this.sentence(t); }

  /** @param {Text} t */
  sentence(t) {
    const row = this.#row;
    if (!row) return '';
    return t('scale.say', {
      dim: t.count(this.result?.dim ?? this.dim), mode: t(this.divide ? 'scale.divide' : 'scale.plain'), spread: t.fixed(spread(row.scores), 1),
      top: t.fixed(topShare(row.probs)),
    });
  }

  /** @param {Text} t */
  renderControls(t) {
    const label = t('scale.dim');
    const set = (/** @type {number} */ n) => { this.dim = n; };
    return html`<div class="dim"><span>${label}</span>${slider({
      value: toLog(this.dim), min: 1, max: 8, step: 0.125, label, words: t.count(this.dim), onInput: (place) => set(fromLog(place)),
    })}${scrub({ value: this.dim, text: t, label, min: 2, max: WIDEST, step: 1, big: 16, digits: 0, onChange: set })}</div>
      ${choice({
    name: 'divide', legend: t('scale.mode'), hideLegend: true, value: String(this.divide),
    options: [{ value: 'true', label: t('scale.divide') }, { value: 'false', label: t('scale.plain') }],
    onPick: (value) => { this.divide = value === 'true'; },
  })}<label>${t('scale.seed')} ${scrub({
    value: this.seed, text: t, label: t('scale.seed'), min: 1, max: 999, step: 1, big: 10, digits: 0, onChange: (n) => { this.seed = n; },
  })}</label>`;
  }

  /** @param {Text} t */
  #renderFormula(t) {
    const piece = (/** @type {Piece} */ part, /** @type {string} */ label) => html`<button type="button"
      aria-pressed=${this.piece === part} @click=${() => { this.piece = part; }}
      @pointerenter=${(/** @type {PointerEvent} */ e) => { if (e.pointerType === 'mouse') this.piece = part; }}>${label}</button>`;
    const root = Math.sqrt(this.dim);
    return html`<div class="formula" role="group" aria-label=${t('scale.formula')}>${piece('softmax', 'softmax')}<span>(</span>
      <span class="fraction">${piece('scores', 'QKᵀ')}${piece('root', '√d')}</span><span>+</span>${piece('mask', 'M')}<span>)</span>
      ${piece('values', 'V')}</div>
      <p class="part">${rich(t, `scale.part.${this.piece}${this.piece === 'root' && !this.divide ? '.plain' : ''}`, { dim: t.count(this.dim), root: t.short(root, 2) })}</p>`;
  }

  /** Inner width of the plate and of one of the two panels below. */
  get #widths() {
    const small = this.width <= 576;
    const beside = this.hasAttribute('beside') && this.width >= 896 ? 304 : 0;
    const full = Math.max(232, this.width - beside - (small ? 24 : 48));
    return { full, half: small ? full : (full - 28) / 2 };
  }

  /** @param {Text} t */
  #pictures(t) {
    const { result, divide } = this;
    const row = this.#row;
    if (!result || !row) return null;
    const { theme } = this.environment;
    const { full, half } = this.#widths;
    return {
      bricks: bricks(theme, {
        width: full, reach: REACH, bin: BIN, bins: histogram(row.scores), label: t('scale.before'), format: t.count,
        before: divide ? histogram(result.plain.scores) : null,
      }),
      row: shareRow(theme, { width: half, probs: row.probs, even: t('scale.even'), format: (n) => t.short(n) }),
      curve: topCurve(theme, {
        width: half, dims: DIMS, plain: this.revealed ? result.curve.plain : null, divided: result.curve.divided, dim: this.dim,
        names: { plain: t('scale.curve.plain'), divided: t('scale.curve.divided') }, format: (n) => t.short(n), count: t.count,
      }),
    };
  }

  /** @param {Text} t */
  renderPlate(t) {
    const pictures = this.#pictures(t);
    const { full, half } = this.#widths;
    const panel = (/** @type {'bricks' | 'row' | 'curve'} */ name, /** @type {number} */ width) => html`
      <div class="panel ${LIT[this.piece] === name ? 'lit' : ''}"><p class="heading">${t(`scale.${name}`)}</p>
        <svg viewBox="0 0 ${width} ${HEIGHT[name]}" aria-hidden="true">${pictures ? drawn(pictures[name]) : ''}</svg></div>`;
    return html`${this.#renderFormula(t)}${panel('bricks', full)}<div class="two">${panel('row', half)}${panel('curve', half)}</div>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return html`<strong>${this.sentence(t)}</strong> ${t('scale.caption')}`; }

  /** @param {Text} t */
  renderAside(t) {
    const { result } = this;
    return predictCard(t, {
      key: 'p3', options: [0, 1, 2].map((i) => t(`p3.option.${i}`)), guess: this.guess, revealed: this.revealed,
      answer: result ? t('p3.answer', { top: t.fixed(result.loud), mean: t.fixed(result.mean, 2) }) : '',
      onGuess: (i) => { this.guess = i; },
      onReveal: () => { this.dim = WIDEST; this.divide = false; },
    });
  }

  /** @param {Text} t */
  table(t) {
    const { result } = this;
    const veil = (/** @type {string} */ value) => (this.revealed ? value : '?');
    const rows = DIMS.map((d, i) => [
      t.count(d), t.short(Math.sqrt(d), 2), result ? veil(t.fixed(result.curve.plain[i])) : '', result ? t.fixed(result.curve.divided[i]) : '',
    ]);
    const top = t('scale.col.top');
    return {
      caption: t('scale.curve'), rows,
      columns: ['d', `√d ≈ ${t('scale.col.spread')}`, `${top}, ${t('scale.plain')}`, `${top}, ${t('scale.divide')}`],
    };
  }

  /** @param {Text} t */
  picture(t) {
    const pictures = this.#pictures(t);
    if (!pictures) return null;
    const { full, half } = this.#widths;
    const wide = Math.max(full, 2 * half + 28);
    return {
      width: wide, height: HEIGHT.bricks + HEIGHT.row + 20,
      shapes: [...pictures.bricks, ...moved(pictures.row, 0, HEIGHT.bricks + 20), ...moved(pictures.curve, half + 28, HEIGHT.bricks + 20)],
    };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.sentence(t)} ${this.therefore(t)}`; }
}
