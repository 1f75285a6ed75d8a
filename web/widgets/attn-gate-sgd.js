/**
 * F25 A gate learns, 200 steps: one gradient, four factors; F24 the slope among them.
 * <attn-gate-sgd scene="steps | slope" figure="25">
 */
import { css, html, nothing } from 'lit';
import { chart, chartScales } from '../draw/chart.js';
import { PALETTE } from '../draw/palette.js';
import { moved } from '../draw/shapes.js';
import { tableShapes } from '../draw/table.js';
import { BOOK_STEPS, columnOf, factors, freshLesson, sgdArgs, STEPS } from '../lab/gate-sgd.js';
import { cited, citedStyles } from './parts/cited.js';
import { scrub } from './parts/controls.js';
import { FigureElement } from './parts/figure.js';
import { GateSlope, slopeStyles } from './parts/gate-slope.js';
import { foreign, plays } from './parts/keys.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';

/** @typedef {import('../lab/text.js').Text} Text */

const STEPS_PER_SECOND = 30;
const HEIGHT = { gates: 236, loss: 150 };

/** Every dial's reach, alone and for both tokens. */
const DIAL = { least: -10, most: 10 };
const PAIR = { shape: [2], ...DIAL };

export class AttnGateSgd extends FigureElement {
  static styles = [...FigureElement.styles, slopeStyles, citedStyles, css`
    .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; align-items: start; }
    .heading { margin: 0 0 4px; font-weight: 600; }
    .heading + svg { width: 100%; height: auto; margin-bottom: 12px; }
    .slider { flex: 1 1 12rem; max-width: 24rem; accent-color: var(--attn-hand); min-height: 28px; }
    .book { overflow-x: auto; padding-inline: 6px; margin-inline: -6px; }
    .book table { font-size: 0.84375rem; white-space: nowrap; }
    .book th, .book td { padding: 4px 0 4px 10px; }
    .book td:first-child, .book th:first-child { padding-inline-start: 0; }
    .factors { margin-top: 18px; font-size: 0.90625rem; }
    .factors td, .factors th { padding: 4px 0 4px 8px; }
    .factors :is(td, th):first-child { padding-inline-start: 0; }
    .dials { display: flex; flex-wrap: wrap; gap: 4px 22px; }
    .heads th[colspan] { text-align: center; }
    .heads { border: 0 !important; }
    .controls .controls { padding: 0; flex: 1 1 100%; }
    @container (max-width: 66rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) {
      .slider { min-height: 44px; }
      .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
      .factors { font-size: 0.75rem; }
      .factors :is(td, th) { padding-inline-start: 4px; font-size: inherit; }
    }
  `];

  static properties = {
    ...FigureElement.properties,
    scene: { type: String, reflect: true },
    lesson: { state: true }, result: { state: true }, step: { state: true }, playing: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    step: ['step', { min: 0, max: STEPS }], rate: ['rate', DIAL], w: ['w0', PAIR], o: ['headOut', PAIR], r: ['residual', PAIR],
  });

  constructor() {
    super();
    this.scene = 'steps';
    this.#point = new GateSlope(this);
    this.lesson = freshLesson();
    this.step = 0;
    this.playing = false;
    /** @type {{ gates: number[][], w: number[][], grad: number[][], loss: number[] } | null} */
    this.result = null;
  }

  #point;

  /** The scene "slope", when it is the one on display. */
  get #slope() { return this.scene === 'slope' ? this.#point : null; }

  get kept() {
    const { step, rate, w, o, r, ...rest } = super.kept;
    return this.#slope ? { z: this.#slope.z, ...rest } : { step, rate, w, o, r, ...rest };
  }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    this.#slope?.restore(given);
  }

  get rate() { return this.lesson.learningRate; }
  set rate(learningRate) { this.lesson = { ...this.lesson, learningRate }; }
  get w0() { return this.lesson.w0; }
  set w0(w0) { this.lesson = { ...this.lesson, w0 }; }
  get headOut() { return this.lesson.headOut; }
  set headOut(headOut) { this.lesson = { ...this.lesson, headOut }; }
  get residual() { return this.lesson.residual; }
  set residual(residual) { this.lesson = { ...this.lesson, residual }; }

  /** While it plays, the end is enough. @param {Text} t */
  spoken(t) { return this.playing ? '' : this.sentence(t); }

  get words() { return this.#slope ? 'slope' : 'sgd'; }
  get fileName() {
    return this.#slope ? `attn-f${this.figure || 24}-slope` : `attn-f${this.figure || 25}-step${this.step}`;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if ((changed.has('lesson') || changed.has('scene')) && this.seen) this.attempt(() => this.compute());
  }

  onSeen() { this.attempt(() => this.compute()); }
  onUnseen() { this.playing = false; }

  reset() {
    this.#slope?.reset();
    this.lesson = freshLesson();
    this.playing = false;
    this.step = 0;
  }

  async compute() {
    if (this.#slope) return this.#slope.compute();
    const { lesson } = this;
    const found = await this.run((engine) => engine.gateSgd(sgdArgs(lesson)));
    if (!found) return undefined;
    const both = (/** @type {any} */ m) => [columnOf(m, 0), columnOf(m, 1)];
    this.result = { gates: both(found.gate), w: both(found.w), grad: both(found.grad), loss: [...found.loss.data] };
    return undefined;
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.min(Math.max(step, 0), STEPS);
  }

  play() {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.go(BOOK_STEPS.find((s) => s > this.step) ?? 0);
      return;
    }
    this.playing = !this.playing;
    if (!this.playing) return;
    if (this.step === STEPS) this.step = 0;
    const from = this.step;
    let start = Number.NaN;
    const frame = (/** @type {number} */ now) => {
      if (!this.playing || !this.stay) return;
      if (Number.isNaN(start)) start = now;
      this.step = Math.min(STEPS, from + Math.floor(((now - start) / 1000) * STEPS_PER_SECOND));
      if (this.step === STEPS) this.playing = false;
      else requestAnimationFrame(frame);
      if (!this.playing) this.go(STEPS);
    };
    requestAnimationFrame(frame);
  }

  /** @param {Text} t */
  sentence(t) {
    if (this.#slope) return this.#slope.sentence(t);
    if (!this.result) return '';
    const [open, shut] = this.result.gates.map((g) => t.fixed(g[this.step]));
    return t('sgd.say', { step: t.count(this.step), open, shut, loss: t.fixed(this.result.loss[this.step], 4) });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { step } = this;
    const target = /** @type {Element} */ (event.target);
    if (plays(event)) this.play();
    if (target.matches('input')) return;
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: STEPS }[event.key];
    if (to === undefined || foreign(event)) return;
    event.preventDefault();
    this.playing = false;
    this.go(to);
  }

  /** @param {Text} t */
  renderControls(t) {
    if (this.#slope) return nothing;
    const { lesson } = this;
    const dial = (/** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ step, /** @type {(n: number) => Partial<typeof lesson>} */ next) => html`
      <label>${label} ${scrub({ value, text: t, label, min: DIAL.least, max: DIAL.most, step, digits: 3, onChange: (n) => {
  this.lesson = { ...this.lesson, ...next(n) };
} })}</label>`;
    const swap = (/** @type {number[]} */ list, /** @type {number} */ i, /** @type {number} */ n) => list.map((x, j) => (j === i ? n : x));
    return html`<div class="controls" role="group" aria-label=${t('sgd.steps')} @keydown=${this.#key}>
      <button type="button" class="button ${this.playing ? 'active' : ''}" @click=${this.play}>${
  this.playing ? `❚❚ ${t('sgd.pause')}` : `▶ ${t('sgd.play')}`}</button>
      <button type="button" class="button quiet" aria-disabled=${this.step === STEPS}
        @click=${() => { this.playing = false; this.go(this.step + 1); }}>${t('sgd.one')}</button>
      <input class="slider" type="range" min="0" max=${STEPS} .value=${String(this.step)} aria-label=${t('sgd.step')}
        @input=${(/** @type {Event} */ e) => { this.playing = false; this.go(Number(/** @type {HTMLInputElement} */ (e.target).value)); }}>
      <span>${t('sgd.step')} ${scrub({ value: this.step, text: t, label: t('sgd.step'), min: 0, max: STEPS, step: 1, big: 10, digits: 0,
    onChange: (n) => { this.playing = false; this.go(n); } })}</span></div>
      <div class="dials">${dial(t('sgd.rate'), lesson.learningRate, 0.1, (n) => ({ learningRate: n }))}
        ${[0, 1].map((i) => dial(`w₀ ${t(`sgd.token.${i}`)}`, lesson.w0[i], 0.01, (n) => ({ w0: swap(lesson.w0, i, n) })))}
        ${[0, 1].map((i) => dial(`o ${t(`sgd.token.${i}`)}`, lesson.headOut[i], 0.1, (n) => ({ headOut: swap(lesson.headOut, i, n) })))}
        ${[0, 1].map((i) => dial(`r ${t(`sgd.token.${i}`)}`, lesson.residual[i], 0.1, (n) => ({ residual: swap(lesson.residual, i, n) })))}
      </div>`;
  }

  /** Half of the plate, or all of it where the table stands below. */
  get #chartWidth() { return Math.max(280, this.width > 1056 ? (this.width - 72) / 2 : this.width - (this.width > 576 ? 48 : 24)); }

  /** @param {Text} t @param {'gates' | 'loss'} which */
  #chart(t, which) {
    const { theme } = this.environment;
    const { result, step } = this;
    if (!result) return [];
    const ink = PALETTE[theme];
    const curves = which === 'gates'
      ? [{ name: t('sgd.token.0'), values: result.gates[0], colour: ink.gate },
        { name: t('sgd.token.1'), values: result.gates[1], colour: ink.gate, dash: '6 4' }]
      : [{ name: '', values: result.loss, colour: ink.ink }];
    const top = which === 'gates' ? 1 : Math.max(0.05, ...result.loss) * 1.1;
    const scales = chartScales({ width: this.#chartWidth, height: HEIGHT[which], steps: STEPS, top, right: which === 'gates' ? 84 : 16 });
    return chart(theme, scales, {
      curves, cursor: step, shown: STEPS, format: (n) => t.short(n, 2), count: t.count,
    });
  }

  /** @param {Text} t */
  renderPlate(t) {
    if (this.#slope) return this.#slope.plate(t);
    return html`<div class="pair"><div>
      <p class="heading">${t('sgd.gates')}</p>
      <svg viewBox="0 0 ${this.#chartWidth} ${HEIGHT.gates}" role="img" aria-label=${this.sentence(t)}>${drawn(this.#chart(t, 'gates'))}</svg>
      <p class="heading">${t('sgd.losses')}</p>
      <svg viewBox="0 0 ${this.#chartWidth} ${HEIGHT.loss}" aria-hidden="true">${drawn(this.#chart(t, 'loss'))}</svg></div>
      <div class="sheet">${this.#renderBook(t)}${this.#renderFactors(t)}</div></div>`;
  }

  /** The book's rows, and the step on display when it is none of them. @param {Text} t */
  #rows(t) {
    const { result: r, step } = this;
    const steps = [...new Set([...BOOK_STEPS, step])].sort((a, b) => a - b);
    return steps.map((s) => ({
      step: s,
      cells: r ? [
        t.signed(r.w[0][s]), t.signed(r.w[1][s]), t.fixed(r.gates[0][s]), t.fixed(r.gates[1][s]), t.fixed(r.loss[s], 4),
        t.signed(r.grad[0][s], 4), t.signed(r.grad[1][s], 4),
      ] : Array(7).fill(''),
    }));
  }

  /** @param {Text} t */
  #renderBook(t) {
    const both = html`<th scope="col">${t('sgd.token.0')}</th><th scope="col">${t('sgd.token.1')}</th>`;
    return html`<div class="book" tabindex="0" role="region" aria-label=${t('sgd.book')}><table><thead>
      <tr class="heads"><td></td><th colspan="2" scope="colgroup">w</th><th colspan="2" scope="colgroup">${t('sgd.gate')}</th><td></td>
        <th colspan="2" scope="colgroup">${t('sgd.gradient')}</th></tr>
      <tr><th scope="col">${t('sgd.step')}</th>${both}${both}<th scope="col">${t('sgd.loss')}</th>${both}</tr></thead>
      <tbody>${this.#rows(t).map(({ step, cells }) => html`<tr class=${step === this.step ? 'now' : ''}>
        <th scope="row"><button type="button" class="link" aria-label="${t('sgd.step')} ${step}"
          @click=${() => { this.playing = false; this.go(step); }}>${step}</button></th>
        ${cells.map((c) => html`<td>${c}</td>`)}</tr>`)}</tbody></table></div>`;
  }

  /** @param {Text} t */
  #renderFactors(t) {
    const { result, step, lesson } = this;
    if (!result) return '';
    const row = (/** @type {number} */ i) => {
      const f = factors(lesson, i, result.gates[i][step]);
      return html`<tr><th scope="row">${t(`sgd.token.${i}`)}</th><td>${t.signed(f.error)}</td><td>× ${t.fixed(f.head, 1)}</td>
        <td>× ${t.fixed(f.slope)}</td><td>× 1</td><td><strong>= ${t.signed(result.grad[i][step], 4)}</strong></td></tr>`;
    };
    return html`<table class="factors"><thead><tr><th scope="col">${t('sgd.factors', { step: t.count(step) })}</th>
      ${['error', 'head', 'slope', 'input'].map((f) => html`<th scope="col">${t(`sgd.factor.${f}`)}</th>`)}
      <th scope="col">${t('sgd.gradient')}</th></tr></thead><tbody>${row(0)}${row(1)}</tbody></table>`;
  }

  /** @param {Text} t */
  renderCaption(t) {
    return html`${rich(t, `${this.words}.caption`)}${this.#slope ? '' : cited(t, t('sgd.cited'))}`;
  }

  /** @param {Text} t */
  table(t) {
    if (this.#slope) return this.#slope.table(t);
    const names = [0, 1].map((i) => t(`sgd.token.${i}`));
    const twice = (/** @type {string} */ head) => names.map((n) => `${head} ${n}`);
    return {
      caption: t('sgd.book'),
      columns: [t('sgd.step'), ...twice('w'), ...twice(t('sgd.gate')), t('sgd.loss'), ...twice(t('sgd.gradient'))],
      rows: this.#rows(t).map(({ step, cells }) => [String(step), ...cells]),
    };
  }

  /** @param {Text} t */
  picture(t) {
    if (this.#slope) return this.#slope.picture(t);
    const { shapes, width, height } = tableShapes(this.environment.theme, this.table(t), 960);
    return {
      width: Math.max(width, 2 * this.#chartWidth),
      height: HEIGHT.gates + 24 + height,
      shapes: [...this.#chart(t, 'gates'), ...moved(this.#chart(t, 'loss'), this.#chartWidth, 0), ...moved(shapes, 0, HEIGHT.gates + 24)],
    };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.sentence(t)} ${this.therefore(t)}`; }
}
