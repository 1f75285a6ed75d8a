/** F10 What a long conversation costs: bytes of the cache against the linear state and the weights. <attn-kv figure="10"> */
import { css, html } from 'lit';
import { contextTicks, decodeFrame, FRAME, kvBars } from '../draw/kv.js';
import { moved } from '../draw/shapes.js';
import { QWEN } from '../lab/gqa.js';
import { axisEnd, crossings, MOST_TOKENS, perToken, STATE_BYTES, WEIGHT_BYTES } from '../lab/kv.js';
import { WORDS } from '../lab/toy.js';
import { choice, scrub } from './parts/controls.js';
import { FigureElement } from './parts/figure.js';
import { birthMark } from './parts/marks.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';
import { fromLog, slider, SLIDE_EDGE, sliderStyles, toLog } from './parts/slider.js';

/** @typedef {import('../lab/text.js').Text} Text */

const START = 8192;
/** Where the reader's tick waits before it is placed. */
const GUESS_START = 4096;
const NEW_WORD = '公园';
const TYPES = [{ value: 2, label: 'bf16' }, { value: 4, label: 'f32' }];

export class AttnKv extends FigureElement {
  static styles = [...FigureElement.styles, sliderStyles, css`
    .axis { flex: 1 1 100%; display: grid; grid-template-columns: auto minmax(0, 1fr) auto auto; gap: 0 20px; align-items: center; }
    .axis svg { grid-column: 2; width: 100%; }
    .now { white-space: nowrap; min-width: 9.5em; }
    .plate > svg { width: 100%; height: auto; }
    .key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 12px 0 0; font-size: 0.84375rem; color: var(--attn-ink2); }
    .key span { display: inline-flex; align-items: center; gap: 6px; }
    .key i { width: 12px; height: 12px; forced-color-adjust: none; }
    .why { margin: 24px 0 0; border-top: 1.5px solid var(--attn-rule); padding-top: 14px; }
    .why header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between; font-weight: 600; }
    .why ol { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 16px 28px; margin: 10px 0 0; padding: 0; list-style: none; counter-reset: frame; }
    .why li { counter-increment: frame; }
    .why li svg { width: 100%; max-width: ${FRAME.width}px; height: auto; }
    .why p { margin: 4px 0 0; font-size: 0.90625rem; }
    .why p::before { content: counter(frame) ' '; font: 600 1rem var(--attn-serif); }
    .predict .place { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; flex: 1 1 20rem; }
    .predict input.slide.slide { flex: 1 1 10rem; width: auto; }
    .predict .place output { font-weight: 600; color: var(--attn-hand); white-space: nowrap; }
    @container (max-width: 36rem) {
      .axis { grid-template-columns: minmax(0, 1fr) auto; gap: 0 12px; }
      .axis > span:first-child { display: none; }
      .axis .slide, .axis svg { grid-column: 1 / -1; }
      .axis .slide { grid-row: 2; }
      .now { min-width: 0; }
      .why ol { grid-template-columns: minmax(0, 1fr); }
    }
  `];

  static properties = {
    ...FigureElement.properties,
    tokens: { state: true }, bytes: { state: true }, guess: { state: true }, placed: { state: true }, revealed: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    tokens: ['tokens', { min: 1, max: MOST_TOKENS }], bytes: ['bytes', [2, 4]],
    guess: ['placedAt', { min: 1, max: MOST_TOKENS }],
  });

  constructor() {
    super();
    this.#fresh();
  }

  #fresh() {
    this.tokens = START;
    /** Bytes of one number: 2 in bf16, 4 in f32. */
    this.bytes = 2;
    /** Where the red tick stands. */
    this.guess = GUESS_START;
    this.placed = false;
    this.revealed = false;
  }

  get words() { return 'kv'; }
  get mark() { return /** @type {const} */ ('counted'); }
  get fileName() { return `attn-f${this.figure || 10}-${this.tokens}-${this.#type}`; }
  get #type() { return TYPES.find(({ value }) => value === this.bytes)?.label ?? ''; }

  reset() { this.#fresh(); }

  /** @param {number} groups */
  #kept(groups) { return perToken(groups, this.bytes) * this.tokens; }

  /** @param {number} tokens */
  #go(tokens) {
    this.tokens = tokens;
  }

  /** Where the reader put the tick. @returns {number | null} */
  get placedAt() { return this.placed ? this.guess : null; }
  set placedAt(tokens) { Object.assign(this, { guess: tokens, placed: true }); }

  /** @param {Text} t */
  spoken(t) { return this.sentence(t); }

  /** @param {Text} t */
  sentence(t) {
    const size = (/** @type {number} */ g) => t.memory(this.#kept(g));
    return t('kv.say', {
      tokens: t.count(this.tokens), type: this.#type, gqa: size(QWEN.kvHeads), mha: size(QWEN.heads), mqa: size(1), state: t.memory(STATE_BYTES),
    });
  }

  /** Width of the slider's line. */
  #axisWidth = 0;

  updated() {
    const slide = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector('.axis .slide'));
    const width = slide?.offsetWidth ?? 0;
    if (width && width !== this.#axisWidth) {
      this.#axisWidth = width;
      this.requestUpdate();
    }
  }

  /** @param {Text} t */
  renderControls(t) {
    const label = t('kv.context');
    const words = `${t.count(this.tokens)} ${t('kv.tokens')}`;
    const width = this.#axisWidth || Math.max(232, this.width - 380);
    const ticks = this.#ticks(t, width);
    return html`<div class="axis"><span>${label}</span>${slider({
      value: toLog(this.tokens), min: 0, max: toLog(MOST_TOKENS), step: 0.0625, label, words, onInput: (place) => this.#go(fromLog(place)),
    })}<span class="now">${scrub({
      value: this.tokens, text: t, label, min: 1, max: MOST_TOKENS, step: 256, big: 8192, digits: 0, onChange: (n) => this.#go(n),
    })} ${t('kv.tokens')}</span>${choice({
      name: 'bytes', legend: t('kv.type'), hideLegend: true, value: this.bytes, options: TYPES,
      onPick: (value) => { this.bytes = Number(value); },
    })}<svg width=${width} height=${ticks.height} viewBox="0 0 ${width} ${ticks.height}" .style="height:${ticks.height}px"
      aria-hidden="true">${drawn(ticks.shapes)}</svg></div>`;
  }

  /** @param {Text} t @param {number} width */
  #ticks(t, width) {
    const at = crossings(this.bytes);
    const tick = (/** @type {'state' | 'mha' | 'weights'} */ key, bold = false) => (
      { at: at[key], label: t(`kv.tick.${key}`, { tokens: t.count(at[key]) }), bold });
    return contextTicks(this.environment.theme, {
      width, edge: SLIDE_EDGE, most: MOST_TOKENS, ticks: [tick('state'), ...(this.revealed ? [tick('mha'), tick('weights', true)] : [])],
      guess: this.placed ? { at: this.guess, label: t('kv.tick.guess', { tokens: t.count(this.guess) }) } : null,
    });
  }

  /** @param {Text} t */
  #rows(t) {
    const kv = (/** @type {string} */ key, /** @type {number} */ groups) => ({
      name: t(`kv.${key}`), note: t(groups === QWEN.kvHeads ? 'kv.full' : 'kv.hypothetical'), bytes: this.#kept(groups), star: groups === QWEN.kvHeads,
      amount: t.memory(this.#kept(groups)), kind: /** @type {const} */ ('kv'), perToken: perToken(groups, this.bytes),
    });
    return [kv('mha', QWEN.heads), kv('gqa', QWEN.kvHeads), kv('mqa', 1), {
      name: t('kv.linear'), note: t('kv.still'), bytes: STATE_BYTES, amount: t.memory(STATE_BYTES), kind: /** @type {const} */ ('state'), perToken: 0,
    }];
  }

  /** @param {Text} t */
  #bars(t) {
    const width = Math.max(232, this.width - (this.width <= 576 ? 24 : 48));
    const bars = this.#rows(t);
    const weights = this.revealed ? { bytes: WEIGHT_BYTES, label: t('kv.weights', { size: t.memory(WEIGHT_BYTES) }) } : null;
    return { width, ...kvBars(this.environment.theme, {
      width, bars, end: axisEnd(Math.max(...bars.map((b) => b.bytes))), weights,
      format: (n) => (n ? t.memoryMark(n) : '0'),
    }) };
  }

  /** @param {Text} t */
  renderPlate(t) {
    const { shapes, width, height } = this.#bars(t);
    const swatch = (/** @type {string} */ colour, /** @type {string} */ name) => html`<span><i .style="background:var(--attn-${colour})"></i>${name}</span>`;
    return html`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${drawn(shapes)}</svg>
      <p class="key">${swatch('k', 'K')}${swatch('v', 'V')}${swatch('state', t('kv.state'))}<span>${t('kv.formula', { bytes: this.bytes })}</span><span>${t('kv.units')}</span></p>
      <section class="why"><header><span>${t('kv.why')}</span>${birthMark('illustration', t('mark.illustration'))}</header>
        <ol>${[0, 1, 2].map((frame) => html`<li><svg viewBox="0 0 ${FRAME.width} ${
  frame === 1 || this.width > 576 ? FRAME.height : FRAME.short}" aria-hidden="true">${
  drawn(decodeFrame(this.environment.theme, frame, [...WORDS, NEW_WORD]))}</svg>
          <p>${t(`kv.frame.${frame}`, { bytes: t.memory(this.#kept(QWEN.kvHeads)) })}</p></li>`)}</ol></section>`;
  }

  /** @param {Text} t */
  renderCaption(t) {
    const at = crossings(this.bytes);
    return rich(t, this.revealed ? 'kv.caption' : 'kv.caption.veiled', {
      state: t.count(at.state), weights: t.count(at.weights), mha: t.count(at.mha), size: t.memory(WEIGHT_BYTES),
    });
  }

  /** @param {Text} t */
  renderAside(t) {
    const { guess, placed, revealed } = this;
    const words = t('p8.yours', { tokens: t.count(guess) });
    const at = crossings(this.bytes);
    return html`<div class="predict"><fieldset><legend>${t('p8.question')}</legend>${revealed ? '' : html`<div class="place">${slider({
      value: toLog(guess), min: 0, max: toLog(MOST_TOKENS), step: 0.0625, label: t('p8.label'), words,
      onInput: (place) => { this.guess = fromLog(place); this.placed = true; },
    })}<output>${words}</output></div>`}</fieldset>
      ${revealed ? html`<p>${placed ? html`<span class="yours">${t('predict.yours', { guess: words })}</span> ` : ''}${
        t('p8.answer', { truth: t.count(at.weights), perToken: t.count(perToken(QWEN.kvHeads, this.bytes)) })}</p>`
    : html`<p><button type="button" class="button" ?disabled=${!placed} @click=${() => { this.revealed = true; }}>${t('p8.done')}</button>
        ${t('p8.try')} <button type="button" class="link" @click=${() => { this.revealed = true; this.placed = false; }}>${t('predict.show')}</button></p>`}</div>`;
  }

  /** @param {Text} t */
  table(t) {
    const rows = this.#rows(t).map((r) => [r.name, t.count(r.perToken), t.count(r.bytes), r.amount]);
    const weights = [t('kv.weights', { size: '' }).trim(), '0', t.count(WEIGHT_BYTES), t.memory(WEIGHT_BYTES)];
    return {
      caption: this.sentence(t), rows: [...rows, weights],
      columns: [t('kv.col.kind'), t('kv.col.perToken'), t('kv.col.bytes'), t('kv.col.size')],
    };
  }

  /** @param {Text} t */
  picture(t) {
    const { shapes, width, height } = this.#bars(t);
    const frames = [0, 1, 2].flatMap((frame) => moved(decodeFrame(this.environment.theme, frame, [...WORDS, NEW_WORD]),
      frame * (FRAME.width + 24), height + 30));
    return { width: Math.max(width, 3 * FRAME.width + 48), height: height + 30 + FRAME.height, shapes: [...shapes, ...frames] };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.sentence(t)} ${this.therefore(t)}`; }
}
