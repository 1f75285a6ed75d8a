/** F19 Book and she: the current word opens or shuts a head. <attn-gate-toy figure="19"> */
import { css, html } from 'lit';
import { gatedBars } from '../draw/bars.js';
import { moved } from '../draw/shapes.js';
import { ROW, tableShapes } from '../draw/table.js';
import { DIM, FEATURES, freshGateToy, gateArgs, HEADS, meanGates, toggled, WORDS, withWeight } from '../lab/gate-toy.js';
import { argmax } from '../lab/toy.js';
import { predictCard } from './parts/cards.js';
import { choice, scrub } from './parts/controls.js';
import { FigureElement } from './parts/figure.js';
import { drawn } from './parts/shapes.js';

/** @typedef {import('../lab/text.js').Text} Text */

const BARS = { width: 300, height: 96 };

export class AttnGateToy extends FigureElement {
  static styles = [...FigureElement.styles, css`
    .pair { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 4fr); gap: 24px; align-items: start; }
    table.w { font-size: 0.9375rem; }
    .w th, .w td { padding-inline-start: 6px; text-align: center; }
    .w th:first-child { text-align: start; padding-inline-start: 0; }
    .w thead tr:first-child { border: 0; }
    .w .edge { border-inline-start: 1px solid var(--attn-rule); }
    .w .off { color: var(--attn-ink2); }
    .w .off .scrub { font-weight: 400; }
    .w label { display: inline-flex; align-items: center; gap: 8px; cursor: pointer; min-height: 28px; }
    .w input[type='checkbox'] { flex: none; width: 18px; height: 18px; margin: 0; accent-color: var(--attn-hand); }
    .w .gate td, .w .gate th { color: var(--attn-gate); font-weight: 600; }
    .head-card { border-top: 1.5px solid var(--attn-ink); padding: 10px 0 14px; }
    .head-card:first-child { border: 0; padding-top: 0; }
    .head-card p { margin: 0; }
    .numbers { font-size: 0.9375rem; }
    .head-card svg { width: 100%; max-width: 320px; height: auto; margin-top: 6px; }
    .key { color: var(--attn-ink2); font-size: 0.8125rem; margin: 4px 0 0; }
    @container (max-width: 50rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) {
      .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
      .w th, .w td { padding-inline-start: 2px; }
      table.w { font-size: 0.84375rem; }
      .w label { gap: 6px; min-height: 44px; }
      .w .gate td { font-size: 0.75rem; }
    }
  `];

  static properties = {
    ...FigureElement.properties,
    toy: { state: true }, result: { state: true }, guess: { state: true }, revealed: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    word: ['word', [0, 1]], x: ['x', { shape: [WORDS.length, FEATURES.length], least: 0, most: 1 }],
    w: ['wGate', { shape: [FEATURES.length, HEADS * DIM], least: -10, most: 10 }],
  });

  constructor() {
    super();
    this.#fresh();
    /** @type {{ z: number[], gate: number[], out: number[] } | null} */
    this.result = null;
  }

  #fresh() {
    this.toy = freshGateToy();
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
  }

  get words() { return 'gateToy'; }
  get fileName() { return `attn-f${this.figure || 19}-gate`; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('toy') && this.seen) this.attempt(() => this.compute());
  }

  onSeen() { this.attempt(() => this.compute()); }
  reset() { this.#fresh(); }

  async compute() {
    const { toy } = this;
    const found = await this.run((engine) => engine.gate(gateArgs(toy)));
    if (!found) return;
    this.result = { z: [...found.z.data], gate: [...found.gate.data], out: [...found.out.data] };
  }

  /** @param {Text} t */
  sentence(t) {
    if (!this.result) return '';
    const means = meanGates(this.result.gate);
    return t('gateToy.say', {
      word: WORDS[this.toy.word], head: t(`gateToy.head.${argmax(means)}`), open: t.fixed(Math.max(...means)),
      other: t.fixed(Math.min(...means)),
    });
  }

  /** @param {Text} t */
  spoken(t) { return this.sentence(t); }

  get x() { return this.toy.x; }
  set x(x) { this.toy = { ...this.toy, x: x.map((row) => row.map(Math.round)) }; }
  get wGate() { return this.toy.wGate; }
  set wGate(wGate) { this.toy = { ...this.toy, wGate }; }
  get word() { return this.toy.word; }
  set word(word) { this.#say(word); }

  /** @param {number} word */
  #say(word) {
    this.toy = { ...this.toy, word };
    if (word === 1) this.revealed = true;
  }

  /** @param {Text} t */
  renderControls(t) {
    return choice({
      name: 'word', legend: t('gateToy.word'), value: this.toy.word,
      options: WORDS.map((word, value) => ({ value, label: `${word}${t(`gateToy.gloss.${value}`)}` })),
      onPick: (value) => this.#say(Number(value)),
    });
  }

  /** @param {Text} t */
  renderPlate(t) {
    return html`<div class="pair"><div class="sheet">${this.#renderWeights(t)}</div>
      <div class="sheet">${Array.from({ length: HEADS }, (_, h) => this.#renderHead(t, h))}
        <p class="key">${t('gateToy.key')}</p></div></div>`;
  }

  /** @param {Text} t */
  #renderWeights(t) {
    const { toy, result } = this;
    const columns = [...toy.wGate[0].keys()];
    const edge = (/** @type {number} */ c) => (c % DIM === 0 ? 'edge' : '');
    const line = (/** @type {string} */ name, /** @type {string} */ kind, /** @type {(c: number) => string} */ cell) => html`
      <tr class=${kind}><th scope="row">${name}</th>${columns.map((c) => html`<td class=${edge(c)}>${cell(c)}</td>`)}</tr>`;
    return html`<table class="w"><thead>
      <tr><td></td>${Array.from({ length: HEADS }, (_, h) => html`<th scope="colgroup" colspan=${DIM} class="edge">${
  t(`gateToy.head.${h}`)}</th>`)}</tr>
      <tr><th scope="col">x</th>${columns.map((c) => html`<th scope="col" class=${edge(c)}>${
  t('gateToy.dim', { d: c % DIM })}</th>`)}</tr></thead>
      <tbody>${FEATURES.map((feature, f) => {
    const on = toy.x[toy.word][f] !== 0;
    return html`<tr class=${on ? '' : 'off'}><th scope="row"><label><input type="checkbox" .checked=${on}
      @change=${() => { this.toy = toggled(toy, f); }}>${t(`gateToy.feature.${feature}`)}</label></th>${columns.map((c) => html`
      <td class=${edge(c)}>${scrub({
  value: toy.wGate[f][c], text: t, min: -10, max: 10, step: 0.5,
  label: t('gateToy.weight', { feature: t(`gateToy.feature.${feature}`), head: t(`gateToy.head.${Math.floor(c / DIM)}`), d: c % DIM }),
  onChange: (to) => { this.toy = withWeight(this.toy, f, c, to); },
})}</td>`)}</tr>`;
  })}</tbody>
      <tfoot>${line('z = x·W', '', (c) => (result ? t.fixed(result.z[c], 1) : ''))}
        ${line('g = σ(z)', 'gate', (c) => (result ? t.fixed(result.gate[c]) : ''))}</tfoot></table>`;
  }

  /** @param {number} h @returns {{ before: number[], after: number[], gate: number[] }} */
  #headNumbers(h) {
    const before = this.toy.headOut[this.toy.word][h];
    const part = (/** @type {number[] | undefined} */ all) => (all ? all.slice(h * DIM, (h + 1) * DIM) : [0, 0]);
    return { before, after: part(this.result?.out), gate: part(this.result?.gate) };
  }

  /** @param {number} h @param {number} [height] */
  #headBars(h, height = BARS.height) {
    return gatedBars(this.environment.theme, { ...this.#headNumbers(h), width: BARS.width, height });
  }

  /** @param {Text} t @param {number} h */
  #renderHead(t, h) {
    const { before, after } = this.#headNumbers(h);
    const pair = (/** @type {number[]} */ p, /** @type {number} */ digits) => p.map((x) => t.fixed(x, digits)).join(t('list.comma'));
    return html`<div class="head-card"><p><strong>${t(`gateToy.head.${h}`)}</strong></p>
      <p class="numbers">(${pair(before, 1)}) → <strong>${this.result ? `(${pair(after, 3)})` : ''}</strong></p>
      <svg viewBox="0 0 ${BARS.width} ${BARS.height}" aria-hidden="true">${drawn(this.#headBars(h))}</svg></div>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return t('gateToy.caption'); }

  /** @param {Text} t */
  renderAside(t) {
    const heads = [0, 1].map((h) => t(`gateToy.head.${h}`));
    const gate = this.result && this.toy.word === 1 ? t.fixed(this.result.gate[0]) : '';
    return predictCard(t, {
      key: 'p13', options: heads, guess: this.guess, revealed: this.revealed,
      answer: gate ? t('p13.answer', { gate }) : t('p13.back'),
      onGuess: (i) => { this.guess = i; }, onReveal: () => this.#say(1),
    });
  }

  /** @param {Text} t */
  table(t) {
    const { result } = this;
    const cell = (/** @type {number[] | undefined} */ list, /** @type {number} */ i, digits = 3) => (list ? t.fixed(list[i], digits) : '');
    const rows = Array.from({ length: HEADS * DIM }, (_, i) => {
      const [h, d] = [Math.floor(i / DIM), i % DIM];
      return [`${t(`gateToy.head.${h}`)} ${t('gateToy.dim', { d })}`, cell(result?.z, i, 1), cell(result?.gate, i),
        t.fixed(this.toy.headOut[this.toy.word][h][d], 1), cell(result?.out, i)];
    });
    return { caption: this.sentence(t), columns: [WORDS[this.toy.word], 'z', 'g', t('gateToy.before'), t('gateToy.after')], rows };
  }

  /** @param {Text} t */
  picture(t) {
    const { shapes, width, height } = tableShapes(this.environment.theme, this.table(t), 480);
    // beside the rows they belong to
    const bars = Array.from({ length: HEADS }, (_, h) => (
      moved(this.#headBars(h, DIM * ROW), width + 40, (1 + h * DIM) * ROW)));
    return { width: width + 40 + BARS.width, height, shapes: [...shapes, ...bars.flat()] };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.sentence(t)} ${this.therefore(t)}`; }
}
