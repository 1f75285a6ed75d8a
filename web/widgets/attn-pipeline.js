/**
 * F8 The whole block, stop by stop; F28 the same way as lines of code with their shapes.
 * <attn-pipeline scene="block | shapes" figure="8">  property `config`: a config.json whose shapes are counted
 */
import { html, nothing } from 'lit';
import { growth } from '../draw/growth.js';
import { portions as portionBars } from '../draw/portions.js';
import { tableShapes } from '../draw/table.js';
import { sizesOf } from '../lab/config-sizes.js';
import { codeRows, crossing, kept, LONGEST, MODELS, portions, product, QWEN, shapeText, stops } from '../lab/pipeline.js';
import { predictCard } from './parts/cards.js';
import { choice, scrub } from './parts/controls.js';
import { FigureElement } from './parts/figure.js';
import { blockPlate } from './parts/pipeline-block.js';
import { shapesPlate } from './parts/pipeline-shapes.js';
import { pipelineStyles } from './parts/pipeline-styles.js';
import { fromLog, slider, sliderStyles, toLog } from './parts/slider.js';
import { stepBar } from './parts/steps.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {import('../lab/pipeline.js').Kind} Kind */

const KINDS = /** @type {Kind[]} */ (['softmax', 'linear']);
/** The choice that asks for a config.json. */
const OWN = 'config.json';
const BATCHES = 512;

export class AttnPipeline extends FigureElement {
  static styles = [...FigureElement.styles, sliderStyles, pipelineStyles];

  static properties = {
    ...FigureElement.properties,
    scene: { type: String, reflect: true },
    config: { attribute: false },
    kind: { state: true }, step: { state: true }, tokens: { state: true }, batch: { state: true }, model: { state: true },
    guess: { state: true }, revealed: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    kind: ['kind', KINDS], stop: ['step', { min: 1, max: 9 }], T: ['tokens', { min: 1, max: LONGEST }], B: ['batch', { min: 1, max: BATCHES }],
    model: ['model', [...Object.keys(MODELS), OWN]],
  });

  constructor() {
    super();
    this.scene = 'block';
    this.#fresh();
  }

  #fresh() {
    /** @type {any} a config.json to count from, when it is not one of MODELS */
    this.config = null;
    /** @type {import('../lab/pipeline.js').Sizes | null} */
    this.counted = null;
    /** @type {Kind} */
    this.kind = 'softmax';
    this.step = 1;
    this.tokens = 6;
    this.batch = 1;
    this.model = QWEN;
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
    this.error = null;
  }

  reset() { this.#fresh(); }

  get isShapes() { return this.scene === 'shapes'; }
  get words() { return this.isShapes ? 'shapes' : 'block'; }
  get mark() { return this.isShapes ? /** @type {const} */ ('counted') : /** @type {const} */ ('illustration'); }
  get fileName() { return `attn-f${this.figure || (this.isShapes ? 28 : 8)}-stop${this.step}`; }

  get kept() {
    const { kind, stop, T, B, model, ...rest } = super.kept;
    return this.isShapes ? { stop, T, B, model, ...rest } : { kind, stop, T, ...rest };
  }

  /** @param {Text} t */
  spoken(t) { return this.isShapes ? this.sentence(t) : `${this.sentence(t)} ${this.keptText(t)}`; }
  /** A config of the reader's own is too long for an address. @param {Text} t */
  unlinked(t) { return this.isShapes && (this.config || this.error) ? t('link.config') : ''; }

  /** What is counted: the map is Qwen3.5's, the walk is anyone's. @returns {import('../lab/pipeline.js').Sizes} */
  get sizes() { return (this.isShapes ? this.counted ?? MODELS[this.model] : null) ?? MODELS[QWEN]; }
  get stops() { return stops(this.kind, this.sizes, this.tokens); }
  get rows() { return codeRows(this.sizes, this.batch, this.tokens); }
  get steps() { return this.isShapes ? this.rows.length : this.stops.length; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('config')) this.#count();
    this.step = Math.min(this.step, this.steps);
  }

  /** @param {number} step */
  go(step) {
    this.step = step;
  }

  /** @param {Kind} kind */
  #switch(kind) {
    this.kind = kind;
    this.go(1);
  }

  /** @param {number} tokens */
  #grow(tokens) {
    this.tokens = tokens;
  }

  /** @param {string} model */
  #pick(model) {
    this.model = model;
    this.config = null;
    this.error = null;
  }

  /** Sizes of the config given; one that does not add up is refused with its field. */
  #count() {
    this.counted = null;
    if (!this.config) return;
    this.model = OWN;
    try {
      this.counted = sizesOf(this.config);
      this.error = null;
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {string} json as it was pasted */
  #read(json) {
    try {
      this.config = JSON.parse(json);
    } catch (error) {
      this.fail(Object.assign(/** @type {Error} */ (error), { code: 'BAD_CONFIG' }));
    }
  }

  /** @param {Text} t */
  remedies(t) { return [{ label: t('shapes.back'), run: () => this.#pick(QWEN) }]; }

  /** Name of a stop of the way on display. @param {Text} t @param {string} key */
  stopName(t, key) { return t(`block.${this.kind}.${key}`); }

  /** @param {Text} t @param {import('../lab/pipeline.js').Stop} stop */
  stopShapes(t, { names, shapes }) { return shapes.map((s, i) => `${names[i]} ${shapeText(s)}`).join(t('list.comma')); }

  /** Factors of what a layer keeps and their product; veiled until there is a guess. @param {Text} t @param {Kind} kind */
  keptFormula(t, kind) {
    const { formula, total } = kept(kind, this.sizes, this.tokens);
    const sum = formula.map((factors) => factors.map((n) => t.count(n)).join(' × ')).join(' + ');
    return this.revealed ? `${sum} = ${t.count(total)}` : '?';
  }

  /** @param {Text} t */
  keptText(t) {
    return t('block.kept.say', { tokens: t.count(this.tokens), softmax: this.keptFormula(t, 'softmax'), linear: this.keptFormula(t, 'linear') });
  }

  /** @param {Text} t */
  sentence(t) {
    const place = { step: t.count(this.step), steps: t.count(this.steps) };
    if (this.isShapes) {
      const row = this.rows[this.step - 1];
      return `${t('step.of', { ...place, name: row.name })}. ${row.shapes.map((s) => shapeText(s)).join(' → ')}`;
    }
    const stop = this.stops[this.step - 1];
    return `${t('step.of', { ...place, name: this.stopName(t, stop.key) })}. ${this.stopShapes(t, stop)}`;
  }

  /** @param {Text} t */
  renderControls(t) {
    return this.isShapes ? this.#shapesControls(t) : choice({
      name: 'kind', legend: t('block.kinds'), hideLegend: true, wide: true, value: this.kind,
      options: KINDS.map((value) => ({ value, label: t(`block.kind.${value}`) })),
      onPick: (kind) => this.#switch(/** @type {Kind} */ (kind)),
    });
  }

  /** @param {Text} t */
  #shapesControls(t) {
    return html`${choice({
      name: 'model', legend: t('shapes.model'), value: this.model,
      options: [...Object.keys(MODELS), OWN].map((value) => ({ value, label: value })), onPick: (model) => this.#pick(model),
    })}<label>B ${scrub({
  value: this.batch, text: t, label: t('shapes.batch'), min: 1, max: BATCHES, step: 1, big: 8, digits: 0, onChange: (n) => { this.batch = n; },
})}</label>${this.tokenDial(t)}${this.model === OWN ? html`<textarea class="field" data-here rows="4" spellcheck="false" placeholder=${
  t('shapes.paste')} aria-label=${t('shapes.paste')} @change=${(/** @type {Event} */ e) => (
  this.#read(/** @type {HTMLTextAreaElement} */ (e.currentTarget).value))}></textarea>` : nothing}`;
  }

  /** @param {Text} t */
  tokenDial(t) {
    return html`<label>T ${scrub({
      value: this.tokens, text: t, label: t('block.tokens'), min: 1, max: LONGEST, step: 1, big: 64, digits: 0, onChange: (n) => this.#grow(n),
    })}</label>`;
  }

  /** @param {Text} t */
  tokenSlider(t) {
    return slider({
      value: toLog(this.tokens), min: 0, max: toLog(LONGEST), step: 0.01, label: t('block.tokens'), words: t.count(this.tokens),
      onInput: (place) => this.#grow(fromLog(place)),
    });
  }

  /** @param {Text} t @param {string} name */
  bar(t, name) {
    return stepBar(t, { host: this, step: this.step, steps: this.steps, name, label: t('toy.steps'), onGo: (step) => this.go(step) });
  }

  /** What one word has at the stop on display. @param {Text} t @param {number} room */
  portions(t, room) {
    const stop = this.stops[this.step - 1];
    const { kvHeads, rotaryDim } = this.sizes;
    return portionBars(this.environment.theme, {
      room, rows: portions(stop), groups: kvHeads, rotary: stop.key === 'rope' ? rotaryDim : 0, count: t.count,
    });
  }

  /** The growing square beside the fixed table. @param {Text} t @param {number} room */
  growth(t, room) {
    const { sizes: { heads, linear }, tokens, kind } = this;
    const size = (/** @type {number} */ count, /** @type {number} */ n) => (
      room < 320 ? `${t.count(count)} × ${t.count(n)}` : t('block.each', { heads: t.count(count), n: t.count(n) }));
    return growth(this.environment.theme, {
      room, tokens, kind, side: [linear.keyDim, linear.valueDim],
      words: {
        scores: 'T × T', table: t('block.table'), scoresSize: size(heads, tokens * tokens),
        tableSize: size(linear.valueHeads, linear.keyDim * linear.valueDim),
      },
    });
  }

  /** @param {Text} t */
  renderPlate(t) { return this.isShapes ? shapesPlate(t, this) : blockPlate(t, this); }

  /** @param {Text} t */
  renderCaption(t) { return t(`${this.words}.caption`); }

  /** @param {Text} t */
  renderAside(t) {
    if (this.isShapes) return nothing;
    return predictCard(t, {
      key: 'p6', options: [0, 1, 2].map((i) => t(`p6.option.${i}`)), guess: this.guess, revealed: this.revealed,
      answer: t('p6.answer', { each: t.count(kept('softmax', this.sizes, 1).total), crossing: t.count(crossing(this.sizes)) }),
      onGuess: (i) => { this.guess = i; this.revealed = true; },
      onReveal: () => { this.revealed = true; },
    });
  }

  /** @param {Text} t */
  table(t) {
    const numbers = (/** @type {ArrayLike<number | string>[]} */ list) => list.map((s) => t.count(product(/** @type {any} */ (s)))).join(t('list.comma'));
    if (this.isShapes) {
      return {
        caption: this.heading(t), columns: [t('shapes.line'), t('shapes.shape'), t('shapes.numbers'), t('shapes.code')],
        rows: this.rows.map((r) => [r.name, r.shapes.map((s) => shapeText(s)).join(' → '),
          t.count(r.numbers), r.code.replaceAll('\n', '; ')]),
      };
    }
    return {
      caption: t(`block.kind.${this.kind}`), columns: [t('block.stop'), t('shapes.shape'), t('shapes.numbers')],
      rows: this.stops.map((s, i) => [`${i + 1} ${this.stopName(t, s.key)}`, this.stopShapes(t, s), numbers(s.shapes)]),
    };
  }

  /** @param {Text} t */
  picture(t) {
    const { caption, columns, rows } = /** @type {import('./parts/cards.js').Table} */ (this.table(t));
    const narrow = { caption, columns: columns.slice(0, 3), rows: rows.map((r) => r.slice(0, 3)) };
    return tableShapes(this.environment.theme, narrow, 880);
  }

  /** @param {Text} t */
  pictureCaption(t) { return this.isShapes ? super.pictureCaption(t) : `${this.revealed ? `${this.keptText(t)} ` : ''}${this.therefore(t)}`; }
}
