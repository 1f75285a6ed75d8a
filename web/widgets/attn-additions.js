/** F13 Four things added to the textbook, and two of them as toys: QK-Norm and partial RoPE. <attn-additions figure="13"> */
import { css, html } from 'lit';
import { shareBar } from '../draw/bars.js';
import { chart, chartScales } from '../draw/chart.js';
import { clocks } from '../draw/clocks.js';
import { PALETTE } from '../draw/palette.js';
import { moved, text } from '../draw/shapes.js';
import { angles, FARTHEST, largestShares, loudArgs, louderArgs, LOUDEST, pair, STILL, stillArgs, TEN, turningArgs } from '../lab/additions.js';
import { WORDS } from '../lab/toy.js';
import { predictCard } from './parts/cards.js';
import { scrub } from './parts/controls.js';
import { figureLink } from './parts/figure-link.js';
import { FigureElement } from './parts/figure.js';
import { drawn } from './parts/shapes.js';
import { slider, sliderStyles } from './parts/slider.js';
import { tokenBox } from './parts/tokens.js';

/** @typedef {import('../lab/text.js').Text} Text */

/** The additions, and the figures that show them. */
const ADDED = { gqa: 9, norm: 13, rope: 13, gate: 18 };
const CHART = 200;

export class AttnAdditions extends FigureElement {
  static styles = [...FigureElement.styles, sliderStyles, css`
    .four { margin-bottom: 24px; }
    .four td:last-child { white-space: nowrap; }
    .four :is(td, th) { text-align: start; vertical-align: top; padding: 8px 16px 8px 0; }
    .four tbody th { font-weight: 600; white-space: nowrap; }
    a { color: inherit; text-underline-offset: 3px; white-space: nowrap; }
    .toys { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; align-items: start; }
    h3 { font: 600 1rem/1.4 var(--attn-serif); margin: 0 0 8px; }
    .dial { display: grid; grid-template-columns: auto minmax(4rem, 1fr) auto; gap: 12px; align-items: center; }
    .rows :is(td, th) { padding-inline-start: 10px; white-space: nowrap; }
    .rows :is(td, th):first-child { padding-inline-start: 0; }
    .share span { display: inline-flex; align-items: center; gap: 8px; }
    .what { color: var(--attn-ink2); font-size: 0.875rem; margin: 10px 0 0; }
    .turn svg { max-width: 100%; height: auto; }
    .numbers { margin: 10px 0 4px; }
    .line { display: inline-block; white-space: nowrap; margin-inline-end: 20px; }
    .four td::before { display: none; content: attr(data-name); font-size: 0.8125rem; color: var(--attn-ink2); }
    @container (max-width: 60rem) { .toys { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) {
      .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
      .four thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
      .four :is(table, tbody, tr, td, th) { display: block; padding-block: 3px; }
      .four td::before { display: block; }
      .four tr { padding-block: 8px; }
      .rows :is(td, th) { padding-inline-start: 6px; }
      .rows .score { display: none; }
    }
  `];

  static properties = {
    ...FigureElement.properties,
    times: { state: true }, distance: { state: true }, rows: { state: true }, parts: { state: true },
    guess: { state: true }, revealed: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    times: ['times', { min: 1, max: LOUDEST }], distance: ['distance', { min: 0, max: FARTHEST }],
  });

  constructor() {
    super();
    this.#fresh();
    /** @type {{ scores: number[], shares: number[] }[]} without and with the norm */
    this.rows = [];
    /** @type {number[][]} largest share by length of q, without and with the norm */
    this.largest = [];
    /** @type {{ turning: number[], still: number } | null} q·k/16 of the turning numbers by distance, and of the others */
    this.parts = null;
  }

  #fresh() {
    this.times = 1;
    this.distance = 0;
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
  }

  get words() { return 'additions'; }
  get fileName() { return `attn-f${this.figure || 13}-x${this.times}-d${this.distance}`; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('times') && this.seen) this.attempt(() => this.compute());
  }

  onSeen() { this.attempt(() => this.compute()); }
  reset() { this.#fresh(); }

  async compute() {
    const { times } = this;
    const both = pair();
    const found = await this.run((engine) => Promise.all([
      engine.attention(loudArgs(times, false)), engine.attention(loudArgs(times, true)),
      ...(this.parts ? [] : [turningArgs(both), stillArgs(both), louderArgs(false), louderArgs(true)]).map((args) => engine.attention(args)),
    ]));
    if (!found) return;
    const [plain, normed, turning, still, ...louder] = found;
    this.rows = [plain, normed].map((r) => ({ scores: Array.from(r.scores.data), shares: Array.from(r.probs.data) }));
    if (!turning) return;
    this.parts = { turning: Array.from(turning.scores.data), still: still.scores.data[0] };
    this.largest = louder.map((r) => largestShares(r.probs));
  }

  /** @param {number} times */
  #shout(times) {
    this.times = times;
    if (times >= TEN) this.revealed = true;
  }

  /** @param {number} distance */
  #walk(distance) {
    this.distance = distance;
  }

  /** @param {Text} t */
  spoken(t) { return this.rows.length > 0 && this.parts ? `${this.#loudWords(t)} ${this.#walkWords(t)}` : ''; }

  /** @param {Text} t */
  #loudWords(t) {
    const share = (/** @type {number} */ i) => (this.rows[i] ? t.fixed(Math.max(...this.rows[i].shares)) : '');
    return t(this.revealed ? 'additions.say.norm' : 'additions.say.loud', { times: t.count(this.times), plain: share(0), normed: share(1) });
  }

  /** @param {Text} t */
  #walkWords(t) {
    if (!this.parts) return '';
    const [turning, still] = [this.parts.turning[this.distance], this.parts.still];
    return t('additions.say.rope', {
      distance: t.count(this.distance), turning: t.fixed(turning, 2), still: t.fixed(still, 2), all: t.fixed(turning + still, 2),
    });
  }

  /** @param {Text} t */
  renderPlate(t) {
    return html`<div class="sheet four">${this.#renderFour(t)}</div>
      <div class="toys"><div class="sheet loud">${this.#renderLoud(t)}</div><div class="sheet turn">${this.#renderTurn(t)}</div></div>`;
  }

  /** @param {Text} t */
  #renderFour(t) {
    const columns = ['book', 'here', 'solves'];
    const link = (/** @type {number} */ n) => (String(n) === this.figure ? t('additions.below') : figureLink(t, n));
    return html`<table><thead><tr><th scope="col">${t('additions.what')}</th>${
      columns.map((c) => html`<th scope="col">${t(`additions.${c}`)}</th>`)}<th scope="col">${t('additions.see')}</th></tr></thead>
      <tbody>${Object.entries(ADDED).map(([key, n]) => html`<tr><th scope="row">${t(`additions.${key}.name`)}</th>${
  columns.map((c) => html`<td data-name=${t(`additions.${c}`)}>${t(`additions.${key}.${c}`)}</td>`)}<td data-name=${
  t('additions.see')}>${link(n)}</td></tr>`)}</tbody></table>`;
  }

  /** @param {Text} t */
  #renderLoud(t) {
    const bar = (/** @type {number} */ row, /** @type {number} */ i) => {
      const share = row === 1 && !this.revealed ? null : this.rows[row]?.shares[i] ?? null;
      return html`<td class="share"><span><svg width="56" height="15" aria-hidden="true">${
        drawn(shareBar(this.environment.theme, share ?? 0, 56, 15))}</svg><output>${share === null ? '?' : t.fixed(share)}</output></span></td>`;
    };
    const score = (/** @type {number} */ row, /** @type {number} */ i) => html`<td class="score">${
      row === 1 && !this.revealed ? '?' : t.fixed(this.rows[row]?.scores[i] ?? Number.NaN, 2)}</td>`;
    const width = Math.max(240, this.#room);
    return html`<h3>${t('additions.norm.toy')}</h3>
      <div class="dial"><span>q ×</span>${slider({
    value: this.times, min: 1, max: LOUDEST, label: t('additions.times'), words: `× ${t.count(this.times)}`, onInput: (n) => this.#shout(n),
  })}${scrub({
    value: this.times, text: t, label: t('additions.times'), min: 1, max: LOUDEST, step: 1, big: 10, digits: 0, onChange: (n) => this.#shout(n),
  })}</div>
      <table class="rows"><thead><tr><th scope="col">key</th><th scope="col" class="score">q·k ÷ √2</th><th scope="col">${
  t('additions.plain')}</th><th scope="col" class="score">q·k ÷ √2</th><th scope="col">${t('additions.normed')}</th></tr></thead>
      <tbody>${WORDS.map((word, i) => html`<tr><th scope="row">${tokenBox(word)}</th>${score(0, i)}${bar(0, i)}${
  score(1, i)}${bar(1, i)}</tr>`)}</tbody></table>
      <p class="numbers">${t('additions.largest')}</p>
      <svg width=${width} height=${CHART} viewBox="0 0 ${width} ${CHART}" aria-hidden="true">${drawn(this.#loudChart(t, width))}</svg><p class="what">${t('additions.norm.note')}</p>`;
  }

  /** Room inside the sheet of a toy: half of the plate, or all of it. */
  get #room() {
    const { width } = this;
    if (width > 960) return Math.round((width - 72) / 2) - 34;
    return width - (width > 576 ? 82 : 24);
  }

  #dials() {
    const room = Math.max(240, this.#room);
    return clocks(this.environment.theme, { angles: angles(this.distance), columns: room < 480 ? 8 : 16, room, still: STILL });
  }

  /** @param {Text} t @param {number} width */
  #loudChart(t, width) {
    const [plain, normed] = this.largest;
    if (!plain) return [];
    const { theme } = this.environment;
    const ink = PALETTE[theme];
    const scales = chartScales({ width, height: CHART, steps: LOUDEST - 1, left: 36, right: 108, top: 1 });
    const curves = [{ name: t('additions.plain'), values: plain, colour: ink.ink2 }, { name: t('additions.normed'), values: normed, colour: ink.ink }];
    return chart(theme, scales, {
      curves: this.revealed ? curves : curves.slice(0, 1), cursor: this.times - 1, shown: LOUDEST - 1,
      format: (n) => t.short(n, 2), count: (n) => t.count(n + 1),
    });
  }

  /** @param {Text} t the clocks with their two names */
  #clockShapes(t) {
    const { shapes, split, ...size } = this.#dials();
    const ink = PALETTE[this.environment.theme];
    const name = (/** @type {number} */ y, /** @type {string} */ words) => text(0, y, words, { fill: ink.ink, weight: 600 });
    return {
      width: size.width, height: size.height + 22,
      shapes: [name(12, t('additions.turning')), ...moved(shapes, 0, 22), name(split + 10, t('additions.still'))],
    };
  }

  /** @param {Text} t @param {number} width */
  #chart(t, width) {
    if (!this.parts) return [];
    const { theme } = this.environment;
    const ink = PALETTE[theme];
    const { turning, still } = this.parts;
    const scales = chartScales({
      width, height: CHART, steps: FARTHEST, left: 30, right: 76, top: Math.ceil(Math.max(still, ...turning) + 1), bottom: Math.min(0, Math.floor(Math.min(...turning))),
    });
    return chart(theme, scales, {
      curves: [{ name: t('additions.curve.still'), values: turning.map(() => still), colour: ink.ink2, dash: '6 4' },
        { name: t('additions.curve.turning'), values: turning, colour: ink.ink }],
      cursor: this.distance, shown: FARTHEST, format: (n) => t.short(n, 1), count: t.count,
    });
  }

  /** @param {Text} t */
  #renderTurn(t) {
    const dial = this.#clockShapes(t);
    const width = Math.max(240, this.#room);
    const label = t('additions.distance');
    const at = this.parts && { turning: this.parts.turning[this.distance], still: this.parts.still };
    const part = (/** @type {string} */ key, /** @type {number | null} */ n) => html`<span class="line">${t(`additions.curve.${key}`)} <strong>${
      n === null ? '' : t.fixed(n, 2)}</strong></span>`;
    return html`<h3>${t('additions.rope.toy')}</h3>
      <div class="dial"><span>m − n</span>${slider({
    value: this.distance, min: 0, max: FARTHEST, label, words: t.count(this.distance), onInput: (n) => this.#walk(n),
  })}${scrub({
    value: this.distance, text: t, label, min: 0, max: FARTHEST, step: 1, big: 16, digits: 0, onChange: (n) => this.#walk(n),
  })}</div>
      <svg width=${dial.width} height=${dial.height} viewBox="0 0 ${dial.width} ${dial.height}" role="img" aria-label=${
  this.#walkWords(t) || t('additions.rope.toy')}>${drawn(dial.shapes)}</svg>
      <p class="numbers">q·k ÷ 16: ${part('turning', at && at.turning)}${part('still', at && at.still)}${
  part('sum', at && at.turning + at.still)}</p>
      <svg width=${width} height=${CHART} viewBox="0 0 ${width} ${CHART}" aria-hidden="true">${drawn(this.#chart(t, width))}</svg>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return t('additions.caption'); }

  /** @param {Text} t */
  renderAside(t) {
    return predictCard(t, {
      key: 'p10', options: [0, 1, 2].map((i) => t(`p10.option.${i}`)), guess: this.guess, revealed: this.revealed,
      answer: t('p10.answer'), onGuess: (i) => { this.guess = i; }, onReveal: () => this.#shout(TEN),
    });
  }

  /** @param {Text} t */
  table(t) {
    const columns = ['book', 'here', 'solves'];
    return {
      caption: t('additions.title'), columns: [t('additions.what'), ...columns.map((c) => t(`additions.${c}`))],
      rows: Object.keys(ADDED).map((key) => ['name', ...columns].map((c) => t(`additions.${key}.${c}`))),
    };
  }

  /** @param {Text} t */
  picture(t) {
    const dial = this.#clockShapes(t);
    const width = Math.max(dial.width, 480);
    return { width, height: dial.height + 16 + CHART, shapes: [...dial.shapes, ...moved(this.#chart(t, width), 0, dial.height + 16)] };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.#walkWords(t)} ${this.therefore(t)}`; }
}
