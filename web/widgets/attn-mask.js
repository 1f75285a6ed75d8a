/** F2 The causal mask: all rows of the toy at once, nobody looks ahead. <attn-mask figure="2"> */
import { css, html } from 'lit';
import { parseHex, textOn, toHex, valueScale } from '../draw/colour.js';
import { PALETTE } from '../draw/palette.js';
import { rect, text as textShape } from '../draw/shapes.js';
import { freshMask, hidden, maskArgs, MODES } from '../lab/mask.js';
import { WORDS } from '../lab/toy.js';
import { legend, predictCard } from './parts/cards.js';
import { choice, vector } from './parts/controls.js';
import { FigureElement } from './parts/figure.js';
import { AttnHeatmap } from './parts/heatmap.js';

/** @typedef {import('../lab/text.js').Text} Text */

const LAST = WORDS.length - 1;

export class AttnMask extends FigureElement {
  static parts = { 'attn-heatmap': AttnHeatmap };

  static styles = [...FigureElement.styles, css`
    .pair { display: flex; flex-wrap: wrap; gap: 24px 36px; align-items: center; }
    .map { flex: 0 0 auto; width: 272px; max-width: 100%; }
    .side { flex: 1 1 16rem; min-width: 0; }
    .side p { margin: 12px 0 0; min-height: 4.5em; }
    .queries { display: grid; grid-template-columns: auto 1fr; gap: 2px 14px; margin: 12px 0 0; font-size: 0.90625rem; }
    .queries dt { color: var(--attn-ink2); }
    .queries dd { margin: 0; }
    .legend { margin-top: 16px; }
  `];

  static properties = {
    ...FigureElement.properties,
    state: { state: true }, open: { state: true }, causal: { state: true }, row: { state: true }, cell: { state: true },
    guess: { state: true }, revealed: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    mode: ['mode', MODES], row: ['row', [...WORDS.keys()]], q: ['queries', { shape: [WORDS.length, 2], least: -4, most: 4 }],
  });

  constructor() {
    super();
    this.#fresh();
    /** Scores of every pair, and with the mask. @type {any} */
    this.open = null;
    /** @type {any} */
    this.causal = null;
  }

  #fresh() {
    this.state = freshMask();
    this.row = LAST;
    /** @type {import('../lab/grid.js').Cell | null} */
    this.cell = null;
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
  }

  get words() { return 'mask'; }
  get fileName() { return `attn-f${this.figure || 2}-${this.state.mode}`; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('state') && this.seen) this.attempt(() => this.compute());
  }

  onSeen() { this.attempt(() => this.compute()); }
  reset() { this.#fresh(); }

  async compute() {
    const { state } = this;
    const both = await this.run(async (engine) => [
      await engine.attention(maskArgs(state, false)), await engine.attention(maskArgs(state, true)),
    ]);
    if (both) [this.open, this.causal] = both;
  }

  get matrix() {
    const { mode } = this.state;
    const from = { scores: this.open?.scores, mask: this.causal?.scores, softmax: this.causal?.probs }[mode];
    return { rows: WORDS.length, cols: WORDS.length, data: from?.data ?? new Float32Array(WORDS.length ** 2) };
  }

  get #masked() { return this.state.mode === 'scores' ? undefined : hidden; }

  /** Largest score, so that the three rows share one scale. */
  get #max() {
    return this.state.mode === 'softmax' ? 1 : Math.max(1e-6, ...Array.from(this.open?.scores.data ?? [1], Math.abs));
  }

  get #scale() { return /** @type {'probability' | 'signed'} */ (this.state.mode === 'softmax' ? 'probability' : 'signed'); }

  /** @param {Text} t @param {number} value */
  #number(t, value) { return t.fixed(value, this.state.mode === 'softmax' ? 3 : 2); }

  /** One cell's sum in words. @param {Text} t @param {number} i @param {number} j */
  #sum(t, i, j) {
    const names = { row: WORDS[i], col: WORDS[j] };
    if (this.#masked?.(i, j)) return t('mask.hidden', names);
    const { queries, keys, mode } = this.state;
    const [q, k] = [queries[i], keys[j]];
    if (mode !== 'softmax') {
      const product = q.map((x, d) => `${t.short(x)}×${t.short(k[d])}`).join(' + ');
      return t('mask.score', { ...names, product, value: t.fixed(this.matrix.data[i * WORDS.length + j], 2) });
    }
    const visible = Array.from(this.causal.scores.data.subarray(i * WORDS.length, i * WORDS.length + i + 1));
    const powers = visible.map((s) => `e^${t.fixed(/** @type {number} */ (s), 2)}`);
    return t('mask.share', { ...names, power: powers[j], powers: powers.join(' + '), value: t.fixed(this.matrix.data[i * WORDS.length + j]) });
  }

  /** @param {Text} t @param {number} i */
  #rowWords(t, i) {
    const row = Array.from(this.matrix.data.subarray(i * WORDS.length, (i + 1) * WORDS.length));
    const seen = this.#masked ? row.slice(0, i + 1) : row;
    const list = seen.map((v) => this.#number(t, v)).join(t('list.comma'));
    return t(`mask.row.${this.state.mode}`, {
      row: WORDS[i], count: t.count(seen.length), list, sum: t.fixed(seen.reduce((a, b) => a + b, 0)),
    });
  }

  /** @param {string} mode */
  #show(mode) {
    this.state = { ...this.state, mode: /** @type {import('../lab/mask.js').Mode} */ (mode) };
    if (mode === 'softmax') this.revealed = true;
  }

  get mode() { return this.state.mode; }
  set mode(mode) { this.#show(mode); }
  get queries() { return this.state.queries; }
  set queries(queries) { this.state = { ...this.state, queries }; }

  /** @param {Text} t */
  spoken(t) { return this.open ? this.#rowWords(t, this.row) : ''; }

  /** @param {CustomEvent} event */
  #marked({ detail }) {
    this.cell = detail.row === undefined ? null : { row: detail.row, col: detail.col };
    if (this.cell) this.row = this.cell.row;
  }

  /** @param {Text} t */
  renderPlate(t) {
    const { state, cell } = this;
    const max = t.fixed(this.#max, this.state.mode === 'softmax' ? 0 : 2);
    return html`<div class="pair">
      <attn-heatmap class="map" .matrix=${this.matrix} .rows=${WORDS} .cols=${WORDS} .theme=${this.environment.theme}
        .scale=${this.#scale} .max=${this.#max} .masked=${this.#masked} .maskedText=${'−∞'} .markRow=${this.row}
        .format=${(/** @type {number} */ v) => this.#number(t, v)} .label=${t('mask.map')} .hint=${t('grid.hint')}
        .describe=${(/** @type {number} */ i, /** @type {number} */ j) => this.#sum(t, i, j)}
        @cell=${this.#marked}></attn-heatmap>
      <div class="side sheet">${choice({
    name: 'mode', legend: t('mask.stage'), hideLegend: true, value: state.mode,
    options: MODES.map((value) => ({ value, label: t(`mask.mode.${value}`) })), onPick: (mode) => this.#show(mode),
  })}<p>${cell ? this.#sum(t, cell.row, cell.col) : this.#rowWords(t, this.row)}</p>
      <dl class="queries">${WORDS.map((word, i) => html`<dt>q ${word}</dt><dd>${vector({
    value: state.queries[i], text: t, min: -4, max: 4,
    labels: [`${t('toy.queries', { token: word })} x`, `${t('toy.queries', { token: word })} y`],
    onChange: (axis, to) => {
      const queries = state.queries.map((q) => /** @type {[number, number]} */ ([...q]));
      queries[i][axis] = to;
      this.state = { ...this.state, queries };
      this.row = i;
    },
  })}</dd>`)}</dl></div></div>
      ${legend(t, {
    name: this.#scale, theme: this.environment.theme, min: this.#scale === 'signed' ? t.fixed(-this.#max, 2) : '0', max,
    words: t(`legend.${this.#scale}`), masked: state.mode !== 'scores',
  })}`;
  }

  /** @param {Text} t */
  renderCaption(t) { return t('mask.caption'); }

  /** @param {Text} t */
  renderAside(t) {
    return predictCard(t, {
      key: 'p2', options: [0, 1, 2].map((i) => t(`p2.option.${i}`)), guess: this.guess, revealed: this.revealed,
      answer: t('p2.answer'), onGuess: (i) => { this.guess = i; }, onReveal: () => this.#show('softmax'),
    });
  }

  /** @param {Text} t */
  table(t) {
    const { data } = this.matrix;
    const rows = WORDS.map((word, i) => {
      const cells = WORDS.map((_, j) => (this.#masked?.(i, j) ? t('mask.word') : this.#number(t, data[i * WORDS.length + j])));
      const sum = WORDS.reduce((s, _, j) => s + (this.#masked?.(i, j) ? 0 : data[i * WORDS.length + j]), 0);
      return [word, ...cells, this.#number(t, sum)];
    });
    return { caption: t('mask.title'), columns: [t('table.query'), ...WORDS, t('table.sum')], rows };
  }

  /** @param {Text} t */
  picture(t) {
    const ink = PALETTE[this.environment.theme];
    const colour = valueScale(this.#scale, this.environment.theme, this.#max);
    const { data } = this.matrix;
    const label = { fill: ink.ink, size: 15 };
    const cells = WORDS.flatMap((_, i) => WORDS.flatMap((__, j) => {
      const away = this.#masked?.(i, j);
      const fill = away ? ink.plate : toHex(colour(data[i * WORDS.length + j]));
      const on = away || !fill.startsWith('#') ? ink.ink2 : textOn(parseHex(fill));
      const words = away ? '−∞' : this.#number(t, data[i * WORDS.length + j]);
      return [
        rect(72 + j * 60, 28 + i * 60, 59, 59, { fill, stroke: away ? ink.rule : undefined }),
        textShape(72 + j * 60 + 30, 28 + i * 60 + 35, words, { fill: on, size: 14, anchor: 'middle' }),
      ];
    }));
    return {
      width: 360,
      height: 212,
      shapes: [
        ...WORDS.map((w, i) => textShape(60, 28 + i * 60 + 35, w, { ...label, anchor: 'end' })),
        ...WORDS.map((w, j) => textShape(102 + j * 60, 18, w, { ...label, anchor: 'middle' })),
        ...cells,
      ],
    };
  }
}
