/** F31 Explain it: the walk as cards to put in order, a list in the reader's own words, then our answer. <attn-explain figure="31"> */
import { css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { gateFirst, judged, movedTo, shapesAfter, SHUFFLED, STEPS } from '../lab/explain.js';
import { MODELS, QWEN } from '../lab/pipeline.js';
import { CITED } from '../lab/profile.js';
import { FigureElement } from './parts/figure.js';
import { birthMark } from './parts/marks.js';
import { keep, recalled } from './parts/memory.js';
import { rich } from './parts/rich.js';

/** @typedef {import('../lab/text.js').Text} Text */

const ASKED = 6;
/** The last answer has measured numbers in it, which are cited. */
const WITH_NUMBERS = 5;
const STORED = 'attn-explain';

/** @returns {{ said: boolean[], words: string[] }} */
function stored() {
  try {
    const { said, words } = JSON.parse(recalled(STORED) ?? '{}');
    return {
      said: Array.from({ length: ASKED }, (_, i) => said?.[i] === true),
      words: Array.from({ length: ASKED }, (_, i) => (typeof words?.[i] === 'string' ? words[i] : '')),
    };
  } catch {
    return { said: Array(ASKED).fill(false), words: Array(ASKED).fill('') };
  }
}

export class AttnExplain extends FigureElement {
  static styles = [...FigureElement.styles, css`
    .pair { display: grid; grid-template-columns: minmax(0, 25rem) minmax(0, 1fr); gap: 24px 36px; align-items: start; }
    .heading { margin: 0 0 10px; font: 600 1rem/1.45 var(--attn-serif); }
    ol { margin: 0; padding: 0; list-style: none; counter-reset: place; display: grid; gap: 4px; }
    li.card { counter-increment: place; display: grid; grid-template-columns: 1.6em minmax(0, 1fr) auto auto; gap: 0 8px; align-items: center;
      background: var(--attn-paper); border: 1px solid var(--attn-axis); padding: 0 0 0 10px; min-height: 40px; }
    li.card::before { content: counter(place); color: var(--attn-ink2); font-size: 0.8125rem; }
    .card b { font-weight: 600; }
    .card .verdict { font-size: 0.8125rem; white-space: nowrap; }
    .card code { grid-column: 2 / -1; font: 0.8125rem/1.4 var(--attn-mono); color: var(--attn-ink2); padding-bottom: 6px; overflow-wrap: anywhere; }
    .moves { display: flex; align-self: stretch; grid-row: 1; grid-column: 4; }
    .moves button { width: 38px; min-height: 38px; border: 0; border-inline-start: 1px solid var(--attn-rule); background: none; color: var(--attn-hand);
      cursor: pointer; border-radius: 0; }
    .moves button[aria-disabled='true'] { color: var(--attn-rule); cursor: default; }
    .moves :focus-visible { outline-offset: -3px; }
    .act { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; margin: 12px 0 0; }
    .found { margin: 12px 0 0; min-height: 3em; }
    .asks { display: grid; gap: 14px; }
    .ask label { display: flex; gap: 10px; align-items: start; font-weight: 600; cursor: pointer; }
    .ask input { appearance: none; flex: none; width: 20px; height: 20px; margin: 2px 0 0; border: 1.5px solid var(--attn-hand); background: var(--attn-paper);
      border-radius: 0; display: grid; place-items: center; cursor: pointer; }
    .ask input:checked::before { content: '✓'; color: var(--attn-hand); font-size: 1rem; line-height: 1; }
    textarea { display: block; width: 100%; margin-top: 6px; padding: 6px 10px; border: 1px solid var(--attn-axis); background: var(--attn-paper); min-height: 3.6em;
      border-radius: 0; resize: vertical; line-height: 1.5; field-sizing: content; }
    .ask .ours { margin: 6px 0 0; padding-inline-start: 14px; border-inline-start: 3px solid var(--attn-ink); font: 1rem/1.6 var(--attn-serif); }
    .ask .ours:lang(zh) { font: 0.96875rem/1.75 var(--attn-sans); }
    .ours .mark { display: flex; width: fit-content; margin-top: 6px; font-family: var(--attn-sans); }
    .device { color: var(--attn-ink2); font-size: 0.8125rem; }
    @container (max-width: 56rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) { .moves button { width: 44px; min-height: 44px; } }
  `];

  static properties = {
    ...FigureElement.properties,
    order: { state: true }, checked: { state: true }, list: { state: true }, answered: { state: true }, stays: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    order: ['given', { of: SHUFFLED }], checked: ['checked', [true]], ours: ['answered', [true]],
  });

  constructor() {
    super();
    this.#fresh();
    this.list = stored();
    /** Does this browser keep the reader's words? */
    this.stays = true;
  }

  #fresh() {
    this.order = [...SHUFFLED];
    /** The card moved last. */
    this.moved = '';
    this.checked = false;
    this.answered = false;
  }

  /** The cards in their order, null as they lie at first. @returns {string[] | null} */
  get given() { return this.order.join() === SHUFFLED.join() ? null : this.order; }
  set given(order) { if (order?.length === SHUFFLED.length) this.order = order; }

  /** @param {Text} t */
  spoken(t) {
    const place = this.order.indexOf(this.moved) + 1;
    const moved = place > 0 && t('explain.moved', {
      name: t(`explain.step.${this.moved}`), place: t.count(place), all: t.count(STEPS.length),
    });
    return [moved, this.checked && this.#found(t)].filter(Boolean).join(' ');
  }

  /** The reader's own words stay on the device. @param {Text} t */
  unlinked(t) { return this.list.said.some(Boolean) || this.list.words.some(Boolean) ? t('link.words') : ''; }

  get words() { return 'explain'; }
  get mark() { return null; }
  reset() { this.#fresh(); }

  /** @param {number} from @param {number} by */
  async #move(from, by) {
    const to = from + by;
    if (to < 0 || to >= this.order.length) return;
    const step = this.order[from];
    this.order = movedTo(this.order, from, to);
    this.moved = step;
    await this.updateComplete;
    const button = this.renderRoot.querySelector(`[data-step="${step}"] [data-by="${by}"]`);
    /** @type {HTMLElement | null} */ (button)?.focus();
  }

  #check() {
    this.checked = true;
    this.moved = '';
  }

  /** @param {Text} t */
  #found(t) {
    const fits = judged(this.order).filter((v) => v === 'fits').length;
    if (fits < STEPS.length) return t('explain.some', { count: t.count(fits), all: t.count(STEPS.length) });
    return gateFirst(this.order) ? t('explain.either') : t('explain.all');
  }

  /** @param {Partial<{ said: boolean[], words: string[] }>} patch */
  #note(patch) {
    this.list = { ...this.list, ...patch };
    this.stays = keep(STORED, JSON.stringify(this.list));
  }

  #forget() {
    keep(STORED, null);
    this.list = { said: Array(ASKED).fill(false), words: Array(ASKED).fill('') };
  }

  /** @param {Text} t */
  #renderCards(t) {
    const verdicts = judged(this.order);
    const done = this.checked && verdicts.every((v) => v === 'fits');
    const card = (/** @type {string} */ step, /** @type {number} */ i) => {
      const name = t(`explain.step.${step}`);
      const verdict = verdicts[i];
      const move = (/** @type {-1 | 1} */ by, /** @type {boolean} */ end) => html`<button type="button" data-by=${by} aria-disabled=${end}
        aria-label=${t(by < 0 ? 'explain.up' : 'explain.down', { name })}
        @click=${() => this.attempt(() => this.#move(i, by))}>${by < 0 ? '▲' : '▼'}</button>`;
      return html`<li class="card" data-step=${step}><b>${name}</b>
        <span class="verdict">${this.checked ? `${verdict === 'fits' ? '✓' : '✗'} ${t(`explain.${verdict}`)}` : nothing}</span>
        <span class="moves">${move(-1, i === 0)}${move(1, i === STEPS.length - 1)}</span>
        ${done ? html`<code>${shapesAfter(step, MODELS[QWEN]).map((s) => `${s.name && `${s.name} `}[${s.shape.join(', ')}]`).join('  ')}</code>` : nothing}</li>`;
    };
    return html`<div><p class="heading">${t('explain.cards')}</p>
      <ol>${repeat(this.order, (step) => step, card)}</ol>
      <p class="found">${this.checked ? this.#found(t) : nothing}</p>
      <div class="act"><button type="button" class="button" @click=${() => this.#check()}>${t('explain.check')}</button>
        <button type="button" class="link" @click=${() => { this.order = [...STEPS]; this.#check(); }}>${t('explain.show')}</button></div></div>`;
  }

  /** Numbers of our answer. @param {Text} t */
  #numbers(t) {
    const { hidden, heads, kvHeads, headDim, rotaryDim } = MODELS[QWEN];
    const { ungated, gated, pair } = CITED;
    return {
      hidden: t.count(hidden), heads: t.count(heads), groups: t.count(kvHeads), dim: t.count(headDim), turned: t.count(rotaryDim),
      root: t.count(Math.sqrt(headDim)), wide: t.count(heads * headDim), without: t.percent(ungated.mean), with: t.percent(gated.mean),
      before: `${t.short(pair.before * 100, 1)}%`, after: `${t.short(pair.after * 100, 1)}%`,
    };
  }

  /** @param {Text} t */
  #renderList(t) {
    const { said, words } = this.list;
    const put = (/** @type {any[]} */ list, /** @type {number} */ i, /** @type {unknown} */ value) => list.map((old, j) => (j === i ? value : old));
    const ask = (/** @type {unknown} */ _, /** @type {number} */ i) => html`<div class="ask">
      <label><input type="checkbox" .checked=${said[i]} @change=${(/** @type {Event} */ e) => this.#note({
  said: put(said, i, /** @type {HTMLInputElement} */ (e.currentTarget).checked) })}><span>${t(`explain.ask.${i}`)}</span></label>
      <textarea rows="2" aria-label=${t('explain.yours', { ask: t(`explain.ask.${i}`) })} .value=${words[i]} @input=${(/** @type {Event} */ e) => this.#note({
  words: put(words, i, /** @type {HTMLTextAreaElement} */ (e.currentTarget).value) })}></textarea>
      ${this.answered ? html`<p class="ours" lang=${t.lang}>${rich(t, `explain.answer.${i}`, this.#numbers(t))}${
    i === WITH_NUMBERS ? birthMark('cited', t('explain.source')) : nothing}</p>` : nothing}</div>`;
    return html`<div><p class="heading">${t('explain.list')}</p>
      <div class="asks" data-here>${Array.from({ length: ASKED }, ask)}</div>
      <div class="act"><button type="button" class="button" aria-pressed=${this.answered} @click=${() => { this.answered = !this.answered; }}>${
        t(this.answered ? 'explain.hide' : 'explain.ours')}</button>
        <button type="button" class="link" @click=${this.#forget}>${t('explain.forget')}</button></div>
      <p class="device">${t(this.stays ? 'explain.kept' : 'explain.notKept')}</p></div>`;
  }

  /** @param {Text} t */
  renderPlate(t) { return html`<div class="pair">${this.#renderCards(t)}${this.#renderList(t)}</div>`; }

  /** @param {Text} t */
  renderCaption(t) { return t('explain.caption'); }
}
