/** F9 From one notebook each to one for all: which query heads read which keys and values. <attn-gqa figure="9"> */
import { css, html, nothing } from 'lit';
import { keptBar } from '../draw/bars.js';
import { headBox, lanes, lanesHeight, lanesLayout } from '../draw/lanes.js';
import { moved } from '../draw/shapes.js';
import { tableShapes } from '../draw/table.js';
import { divisors, groupOf, nonDivisors, QWEN } from '../lab/gqa.js';
import { predictCard } from './parts/cards.js';
import { choice, scrub } from './parts/controls.js';
import { figureLink } from './parts/figure-link.js';
import { FigureElement } from './parts/figure.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {{ kvHeads: number, groupSize: number, floatsPerToken: number, bytes: number, ratio: number, decodeMs?: number }} Row */

/** Tokens in the cache when a decode step is timed. */
const TIMED_TOKENS = 4096;
/** Numbers per token at G = 1, offered before the table shows it. */
const GUESSES = [256, 512, 1024];

export class AttnGqa extends FigureElement {
  static styles = [...FigureElement.styles, css`
    .pair { display: grid; grid-template-columns: minmax(0, 44%) minmax(0, 1fr); gap: 24px 36px; align-items: start; }
    .lanes { position: relative; max-width: 480px; }
    .lanes svg { width: 100%; height: auto; }
    .heads { position: absolute; inset: 0; border: 0; margin: 0; padding: 0; }
    .heads legend { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
    .heads label { position: absolute; cursor: pointer; }
    .heads input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
    .heads label:has(:focus-visible) { outline: 3px solid var(--attn-ink); outline-offset: 6px; }
    tr.now, tr.now th { font-weight: 600; background: none; }
    .bar { width: 5.25rem; }
    .bar svg { margin-inline-start: auto; }
    td, tbody th { white-space: nowrap; }
    .note { color: var(--attn-ink2); font-size: 0.90625rem; margin: 12px 0; }
    .note a { color: inherit; }
    span.note { margin: 0; }
    .spelled { margin: 12px 0 0; min-height: 1.5em; }
    @container (max-width: 60rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) {
      .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
      .bar { display: none; }
      td, th { padding-inline-start: 6px; }
      table { font-size: 0.8125rem; }
    }
  `];

  static properties = {
    ...FigureElement.properties,
    heads: { state: true }, headDim: { state: true }, groups: { state: true }, picked: { state: true },
    rows: { state: true }, timing: { state: true }, timed: { state: true }, guess: { state: true }, revealed: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    h: ['heads', { min: 1, max: 32 }], d: ['headDim', { min: 1, max: 1024 }], g: ['groups', { min: 1, max: 32 }],
    q: ['picked', { min: 0, max: 31 }],
  });

  constructor() {
    super();
    this.#fresh();
    /** @type {Row[]} */
    this.rows = [];
  }

  #fresh() {
    this.heads = QWEN.heads;
    this.headDim = QWEN.headDim;
    this.groups = QWEN.kvHeads;
    this.picked = 0;
    this.timing = false;
    /** @type {{ variant: string, times: Map<number, number> } | null} */
    this.timed = null;
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
  }

  get words() { return 'gqa'; }
  get mark() { return /** @type {const} */ ('counted'); }
  get fileName() { return `attn-f${this.figure || 9}-g${this.groups}`; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (this.seen && (changed.has('heads') || changed.has('headDim'))) this.attempt(() => this.compute());
  }

  onSeen() { this.attempt(() => this.compute()); }
  reset() { this.#fresh(); }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    this.#setHeads(this.heads);
  }

  get #sweep() {
    const { heads, headDim } = this;
    return { heads, headDim, kvHeads: divisors(heads).reverse() };
  }

  async compute() {
    const rows = await this.run((engine) => engine.gqaSweep({ ...this.#sweep, layers: 1, seqLen: 1, bytesPerValue: 2 }));
    if (rows) this.rows = rows;
  }

  async time() {
    if (this.timing) return;
    this.timing = true;
    await this.updateComplete;
    const found = await this.run(async (engine) => ({
      rows: await engine.gqaSweep({ ...this.#sweep, layers: 1, seqLen: TIMED_TOKENS, bytesPerValue: 4, measure: true }),
      variant: engine.variant,
    })).finally(() => { this.timing = false; });
    if (!found) return;
    const times = new Map(found.rows.map((/** @type {Row} */ r) => [r.kvHeads, r.decodeMs ?? Number.NaN]));
    this.timed = { variant: found.variant, times };
  }

  /** @param {number} heads */
  #setHeads(heads) {
    this.heads = heads;
    this.timed = null;
    if (heads % this.groups) this.groups = divisors(heads).filter((d) => d < this.groups).pop() ?? 1;
    this.picked = Math.min(this.picked, heads - 1);
  }

  /** @param {Text} t @param {number} g */
  #name(t, g) {
    if (g === 1) return `1 ${this.heads > 1 ? 'MQA' : ''}`;
    if (g === this.heads) return `${g} MHA`;
    return this.#isQwen && g === QWEN.kvHeads ? `${g} ★` : t.count(g);
  }

  get #isQwen() { return this.heads === QWEN.heads && this.headDim === QWEN.headDim; }

  /** The last row answers P7 and stays veiled until there is a guess. @param {Row} row */
  #veiled({ kvHeads }) { return this.#isQwen && kvHeads === 1 && !this.revealed; }

  /** @param {Text} t @param {Row} row */
  #formula(t, row) {
    return `2 × ${row.kvHeads} × ${this.headDim} = ${this.#veiled(row) ? '?' : t.count(row.floatsPerToken)}`;
  }

  /** @param {Row} row */
  #share(row) {
    if (this.#veiled(row)) return '?';
    return row.ratio === 1 ? '1' : `1/${row.ratio}`;
  }

  /** @param {Text} t */
  #spelled(t) {
    const size = this.heads / this.groups;
    const g = groupOf(this.picked, this.heads, this.groups);
    return t('gqa.spelled', { h: this.picked, size, g });
  }

  /** The pick, then what was timed. @param {Text} t */
  spoken(t) {
    const times = [...this.timed?.times ?? []].map(([g, ms]) => `G = ${g}: ${t.time(ms)}`);
    return [this.#spelled(t), ...times].join('; ');
  }

  /** Times are this machine's. @param {Text} t */
  unlinked(t) { return this.timed ? t('link.times') : ''; }

  /** @param {Text} t */
  renderControls(t) {
    const missing = nonDivisors(this.heads).join(t('list.comma'));
    const number = (/** @type {'heads' | 'headDim'} */ part, /** @type {number} */ max, /** @type {(n: number) => void} */ onChange) => (
      html`<label>${t(`gqa.${part}`)} ${scrub({
        value: this[part], text: t, label: t(`gqa.${part}`), min: 1, max, step: 1, big: 8, digits: 0, onChange,
      })}</label>`);
    return html`${choice({
      name: 'groups', legend: t('gqa.groups'), value: this.groups,
      options: divisors(this.heads).map((g) => ({ value: g, label: this.#name(t, g) })),
      onPick: (g) => { this.groups = Number(g); },
    })}${number('heads', 32, (n) => this.#setHeads(n))}${number('headDim', 1024, (n) => { this.headDim = n; this.timed = null; })}
    ${missing ? html`<span class="note">${t('gqa.missing', { list: missing, heads: this.heads })}</span>` : nothing}`;
  }

  /** Room for the lanes: under the table on a phone, beside it where there is space. */
  get #layout() { return lanesLayout(this.width > 960 ? 0.44 * (this.width - 84) : this.width - 32); }

  /** @param {Text} t */
  #lanes(t) {
    const { heads, groups, picked, headDim } = this;
    return lanes(this.environment.theme, this.#layout, {
      heads, groups, picked, queriesLabel: t('gqa.queries', { heads, headDim }), keptLabel: t('gqa.kept'),
    });
  }

  /** @param {Text} t */
  renderPlate(t) {
    const { heads, picked } = this;
    const layout = this.#layout;
    const { width } = layout;
    const height = lanesHeight(layout, heads);
    const part = (/** @type {number} */ n, /** @type {number} */ of) => `${(n / of) * 100}%`;
    return html`<div class="pair"><div>
      <div class="lanes"><svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${drawn(this.#lanes(t))}</svg>
      <fieldset class="heads"><legend>${t('gqa.pick')}</legend>${Array.from({ length: heads }, (_, h) => {
    const b = headBox(layout, h);
    return html`<label .style="left:${part(b.x, width)};top:${part(b.y, height)};width:${part(b.w, width)};height:${
      part(b.h, height)}"><input type="radio" name="head" aria-label="Q${h}" .checked=${h === picked}
      @change=${() => { this.picked = h; }}></label>`;
  })}</fieldset></div>
      <p class="spelled">${rich(t, 'gqa.spelled', {
    h: picked, size: heads / this.groups, g: groupOf(picked, heads, this.groups),
  })}</p></div>
      <div class="sheet">${this.#renderRows(t)}<p class="note">${rich(t, this.#isQwen ? 'gqa.note' : 'gqa.note.other')} ${
  rich(t, 'gqa.merge', { figure: figureLink(t, 23, { edits: 'shared.all.all' }) })}</p>
        <button type="button" class="button" aria-disabled=${this.timing}
          @click=${() => this.attempt(() => this.time())}>${
  t(this.timing ? 'gqa.timing' : 'gqa.time')}</button>
        ${this.timed ? html`<p class="note" data-here>● ${t('gqa.timed', { tokens: t.count(TIMED_TOKENS), variant: this.timed.variant })}</p>`
    : nothing}</div></div>`;
  }

  /** @param {Text} t */
  #renderRows(t) {
    const row = (/** @type {Row} */ r) => html`<tr class=${r.kvHeads === this.groups ? 'now' : ''}>
      <th scope="row">${this.#name(t, r.kvHeads)}</th><td>${t.count(r.groupSize)}</td><td>${this.#formula(t, r)}</td>
      <td>${this.#share(r)}</td>${this.timed ? html`<td data-here>${t.time(this.timed.times.get(r.kvHeads) ?? Number.NaN)}</td>` : nothing}
      <td class="bar"><svg width="72" height="15" aria-hidden="true">${
  drawn(keptBar(this.environment.theme, this.#veiled(r) ? 0 : 1 / r.ratio, 72, 15))}</svg></td></tr>`;
    return html`<table><thead><tr><th scope="col">G</th><th scope="col">${t('gqa.col.size')}</th><th scope="col">${
      t('gqa.col.kept')}</th><th scope="col">${t('gqa.col.share')}</th>${this.timed
      ? html`<th scope="col" data-here>${t('gqa.col.ms')}</th>` : nothing}<td class="bar"></td></tr></thead>
      <tbody>${this.rows.map(row)}</tbody></table>`;
  }

  /** @param {Text} t */
  renderAside(t) {
    return predictCard(t, {
      key: 'p7', options: GUESSES.map((n) => t.count(n)), guess: this.guess, revealed: this.revealed,
      answer: t('p7.answer', { formula: `2 × 1 × ${QWEN.headDim} = ${t.count(2 * QWEN.headDim)}` }),
      onGuess: (i) => { this.guess = i; this.revealed = true; },
      onReveal: () => { this.revealed = true; },
    });
  }

  /** @param {Text} t */
  table(t) {
    const columns = ['G', t('gqa.col.size'), t('gqa.col.kept'), t('gqa.col.share')];
    const rows = this.rows.map((r) => [
      this.#name(t, r.kvHeads), t.count(r.groupSize), this.#veiled(r) ? '?' : t.count(r.floatsPerToken), this.#share(r),
      ...(this.timed ? [t.time(this.timed.times.get(r.kvHeads) ?? Number.NaN)] : []),
    ]);
    return { caption: t('gqa.title'), columns: this.timed ? [...columns, t('gqa.col.ms')] : columns, rows };
  }

  /** @param {Text} t */
  picture(t) {
    const { shapes, width, height } = tableShapes(this.environment.theme, this.table(t), 480);
    return {
      width: this.#layout.width + 40 + width,
      height: Math.max(lanesHeight(this.#layout, this.heads), height),
      shapes: [...this.#lanes(t), ...moved(shapes, this.#layout.width + 40, 20)],
    };
  }
}
