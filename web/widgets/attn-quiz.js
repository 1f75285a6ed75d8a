/** F32 Quizzes: a reason for every answer, and the figure that proves it. <attn-quiz figure="32"> · <attn-quiz only="3"> one card */
import { css, html, nothing } from 'lit';
import { readValue } from '../lab/place.js';
import { asked, counted, OPTIONS, QUIZZES } from '../lab/quiz.js';
import { FigureElement } from './parts/figure.js';
import { figureLink } from './parts/figure-link.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {import('../lab/quiz.js').Quiz} Quiz */

const ANSWERS = { shape: [QUIZZES.length], least: 0, most: OPTIONS };

export class AttnQuiz extends FigureElement {
  static styles = [...FigureElement.styles, css`
    .quizzes { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px 24px; align-items: start; }
    :host(:not([beside])) .predict.card { display: block; padding-block: 14px; }
    :host(:not([beside])) .card fieldset { display: block; }
    :host(:not([beside])) .card legend { float: none; display: flex; gap: 10px; margin: 0 0 6px; }
    .card legend b { color: var(--attn-hand); }
    .card label { align-items: start; padding: 5px 0; }
    :host(:not([beside])) .card p { margin: 8px 0 0; }
    :host(:not([beside])) .card p.reason { margin: 0 0 6px 30px; max-width: 40rem; }
    .card p a { color: var(--attn-hand); font-weight: 600; }
    @container (max-width: 50rem) { .quizzes { grid-template-columns: minmax(0, 1fr); } }
  `];

  static properties = { ...FigureElement.properties, only: { type: String }, picked: { state: true } };

  constructor() {
    super();
    this.only = '';
    /** Answer picked, by question. @type {Record<string, number>} */
    this.picked = {};
    /** The question answered last. */
    this.last = '';
  }

  get words() { return 'quiz'; }
  get mark() { return null; }
  reset() { this.picked = {}; }

  /** Answers in the order of the questions, 0 where there is none. */
  get kept() {
    const given = QUIZZES.map(({ key }) => (this.picked[key] ?? -1) + 1);
    return { ...super.kept, picked: given.some(Boolean) && given.join() };
  }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    const found = given.picked && readValue(given.picked, ANSWERS);
    if (!found) return;
    const answers = QUIZZES.map(({ key }, i) => /** @type {[string, number]} */ ([key, Math.trunc(found[i]) - 1]));
    this.picked = Object.fromEntries(answers.filter(([, answer]) => answer >= 0));
  }

  /** @param {Text} t */
  spoken(t) {
    const quiz = QUIZZES.find(({ key }) => key === this.last);
    const picked = quiz && this.picked[quiz.key];
    return picked === undefined || !quiz ? '' : this.#reason(t, quiz, picked);
  }

  /** Counts as words. @param {Text} t */
  #numbers(t) {
    return Object.fromEntries(Object.entries(counted()).map(([name, n]) => [name, t.count(n)]));
  }

  /** @param {Text} t @param {Quiz} quiz @param {number} i */
  #reason(t, { key, right }, i) {
    return t(i === right ? 'quiz.right' : 'quiz.wrong', { reason: t(`quiz.${key}.reason.${i}`, this.#numbers(t)) });
  }

  /** @param {Text} t @param {Quiz} quiz @param {number} i */
  #pick(t, quiz, i) {
    this.picked = { ...this.picked, [quiz.key]: i };
    this.last = quiz.key;
  }

  /** @param {Text} t @param {Quiz} quiz */
  #renderQuiz(t, quiz) {
    const { key, proofs } = quiz;
    const picked = this.picked[key];
    const numbers = this.#numbers(t);
    const option = (/** @type {unknown} */ _, /** @type {number} */ i) => html`<label><input type="radio" name=${key} .checked=${picked === i}
      @change=${() => this.#pick(t, quiz, i)}><span>${t(`quiz.${key}.option.${i}`, numbers)}</span></label>${
  picked === i ? html`<p class="reason">${this.#reason(t, quiz, i)}</p>` : nothing}`;
    return html`<div class="predict card"><fieldset>
      <legend><b>${t.count(QUIZZES.indexOf(quiz) + 1)}</b><span>${t(`quiz.${key}.question`, numbers)}</span></legend>
      ${Array.from({ length: OPTIONS }, option)}</fieldset>
      ${picked === undefined ? nothing : html`<p>${t('quiz.show')} ${proofs.map(({ figure, state }, i) => html`${
    i ? ' · ' : nothing}${figureLink(t, figure, state)}`)}</p>`}</div>`;
  }

  /** @param {Text} t */
  renderPlate(t) {
    return html`<div class="quizzes">${QUIZZES.map((quiz) => this.#renderQuiz(t, quiz))}</div>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return t('quiz.caption'); }

  therefore() { return null; }

  /** One question alone needs no frame. */
  render() {
    const { text: t } = this.environment;
    if (!t || asked(this.only).length > 1) return super.render();
    return html`<div class="single" lang=${t.lang}>${this.#renderQuiz(t, asked(this.only)[0])}<p class="live" role="status">${this.said}</p></div>`;
  }
}
