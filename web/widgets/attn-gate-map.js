/**
 * F20 Who speaks, word by word: all gates of a layer, a square for each head at each token.
 * <attn-gate-map figure="20">
 */
import { css, html, nothing } from 'lit';
import { headColour, parseHex, textOn, toHex, valueScale } from '../draw/colour.js';
import { columnsOf, gateDots, gateMapShapes, paintGateMap } from '../draw/gate-map.js';
import { rect } from '../draw/shapes.js';
import { countGates, mostOpen, silenceIsDefault, squareOf } from '../lab/gates.js';
import { headMatrix, topOfRow } from '../lab/layer.js';
import { withHead } from '../lab/selection.js';
import { tokenName } from '../lab/tokens.js';
import { legend } from './parts/cards.js';
import { cited, citedStyles } from './parts/cited.js';
import { scrub } from './parts/controls.js';
import { figureLink } from './parts/figure-link.js';
import { gateGrid, gateGridStyles, paintGrid } from './parts/gate-grid.js';
import { layerStrip, layerStripStyles } from './parts/layer-strip.js';
import { ModelFigure } from './parts/model-figure.js';
import { Pixels } from './parts/pixels.js';
import { isElsewhere } from './parts/pointer.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';
import { tokenRowStyles } from './parts/token-row.js';
import { tokenBox, tokenStrip } from './parts/tokens.js';

/** @typedef {import('../lab/text.js').Text} Text */

/** Tokens on display at once. */
const PAGE = 12;
const BIG = 288;

export class AttnGateMap extends ModelFigure {
  static captures = ['probs', 'gate'];

  static styles = [...ModelFigure.styles, layerStripStyles, gateGridStyles, tokenRowStyles, citedStyles, css`
    .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 380px); gap: 24px; align-items: start; }
    .who { display: flex; align-items: center; gap: 12px; margin: 0 0 14px; font-weight: 600; }
    .who b { padding: 2px 12px; forced-color-adjust: none; }
    .sheet .step { margin: 0 0 6px; font-size: 0.8125rem; color: var(--attn-ink2); }
    .sheet svg { width: 100%; height: auto; forced-color-adjust: none; }
    .sheet .dots { max-width: ${BIG}px; }
    .sheet .legend .scale { width: min(190px, 40%); }
    .sheet p.fact { margin: 4px 0 0; }
    .takes { margin-bottom: 16px; }
    .takes p { margin: 6px 0 0; font-size: 0.875rem; }
    .pages { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-top: 8px; font-size: 0.875rem; }
    @container (max-width: 56rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) { .sheet { margin-inline: -12px; border-inline: 0; } .tokens { margin-bottom: 12px; } }
  `];

  static properties = { ...ModelFigure.properties, threshold: { state: true }, held: { state: true } };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({ past: ['threshold', { least: 0, most: 1 }], held: ['held', [true]] });

  constructor() {
    super();
    this.threshold = 0.5;
    /** Is the square pinned by the reader's hand? */
    this.held = false;
    new Pixels(this, () => this.requestUpdate());
  }

  /** The most open square of the gates on display. @type {any} */
  #open = null;
  /** @type {any} */
  #average = {};

  get words() { return 'gateMap'; }
  get fileName() { return `attn-f${this.figure || 20}-layer${this.context?.selection.layer}`; }

  /** The pinned one too, while it is not yet picked. */
  get kept() {
    const kept = super.kept;
    if (!this.use.context || !this.captures?.gate) return kept;
    const pin = this.#pin;
    return { ...kept, heads: withHead(this.context.selection.heads, pin.head).join(), token: pin.token };
  }

  reset() {
    this.threshold = 0.5;
    this.held = false;
    this.context.select({ layer: undefined, token: undefined, heads: undefined });
  }

  /** One token at a time where there is no room for all heads in a row. */
  get #narrow() { return this.width > 0 && this.width < 576; }

  /** The pinned square: what the reader picked anywhere, else the most open one. */
  get #pin() {
    const { picked, selection } = this.context;
    const gate = this.captures?.gate;
    if (this.#open?.gate !== gate) this.#open = { gate, ...mostOpen(gate) };
    return {
      token: picked.token === undefined ? this.#open.token : selection.token,
      head: picked.heads === undefined ? this.#open.head : selection.heads[0],
    };
  }

  /** @param {number} token @param {number} head */
  #pick(token, head) {
    this.context.select({ token, heads: withHead(this.context.selection.heads, head) });
  }

  /** The square that was pinned is let go: the most open one shows again. */
  #letGo() {
    this.held = false;
    this.#pick(this.#open.token, this.#open.head);
  }

  #elsewhere = (/** @type {Event} */ event) => {
    if (isElsewhere(event, this, this.renderRoot.querySelector('.field'))) this.#letGo();
  };

  connectedCallback() {
    super.connectedCallback();
    this.#listen();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('pointerup', this.#elsewhere, true);
  }

  #listen() {
    if (this.held) addEventListener('pointerup', this.#elsewhere, true);
    else removeEventListener('pointerup', this.#elsewhere, true);
  }

  /** Which token and head stands where. */
  get #layout() {
    const [T, H] = this.captures?.gate.shape ?? [0, 0];
    const { token } = this.#pin;
    const inside = this.width - (this.#narrow ? 24 : 48);
    if (this.#narrow) {
      const cols = Math.min(4, H);
      const wide = Math.max(56, Math.floor(inside / cols));
      const rows = Math.ceil(H / cols);
      return { first: token, rows, cols, wide, high: wide + 34, head: 22, place: (/** @type {number} */ head) => ({ row: Math.floor(head / cols), col: head % cols }) };
    }
    const first = Math.floor(token / PAGE) * PAGE;
    const room = (inside > 848 ? inside - 404 : inside) - this.#labels;
    const wide = Math.max(40, Math.min(76, Math.floor(room / H)));
    return { first, rows: Math.min(PAGE, T - first), cols: H, wide, high: wide, head: 0, place: null };
  }

  /** How many squares lie beside and below each other. */
  get squares() {
    const { rows, cols } = this.#layout;
    return { rows, cols };
  }

  /** Room for token names, by their width at 16 px. */
  get #labels() {
    const widths = this.context.pieces.map((piece) => [...tokenName(piece)].reduce((n, c) => n + (c > '\u2e80' ? 17 : 10), 0));
    return 40 + Math.min(160, Math.max(0, ...widths));
  }

  /** Open gates of a square, on average over the layer. */
  get #usual() {
    const { gate, threshold } = this.#average;
    if (gate !== this.captures?.gate || threshold !== this.threshold) {
      const [T, H] = this.captures?.gate.shape ?? [1, 1];
      this.#average = { gate: this.captures?.gate, threshold: this.threshold, count: countGates(this.captures?.gate.data, this.threshold).open / (T * H) };
    }
    return this.#average.count;
  }

  /** @param {Text} t @param {number} token @param {number} head */
  #count(t, token, head) {
    const { open, mean, of } = countGates(squareOf(this.captures?.gate, token, head), this.threshold);
    if (!Number.isFinite(mean)) return { words: '×', strong: true };
    return { words: t.count(open), strong: open >= Math.max(of / 12, 1.5 * this.#usual) };
  }

  /** @param {Text} t @param {number} token @param {number} head */
  #say(t, token, head) {
    const { open, shut, mean, of } = countGates(squareOf(this.captures?.gate, token, head), this.threshold);
    return t('gateMap.say', {
      token: tokenName(this.context.pieces[token]), head, open: t.count(open), of: t.count(of), threshold: t.short(this.threshold, 2),
      mean: t.fixed(mean), shut: t.count(shut),
    });
  }

  updated() {
    this.#listen();
    const { text: t, theme } = this.environment;
    const gate = this.captures?.gate;
    if (!t || !gate) return;
    const layout = this.#layout;
    const H = gate.shape[1];
    const places = layout.place
      ? Array.from({ length: H }, (_, head) => ({ token: layout.first, head, .../** @type {any} */ (layout).place(head) }))
      : Array.from({ length: layout.rows * H }, (_, n) => ({ token: layout.first + Math.floor(n / H), head: n % H, row: Math.floor(n / H), col: n % H }));
    paintGrid(this.renderRoot, layout, (ctx, ratio) => paintGateMap(ctx, {
      theme, gates: (token, head) => squareOf(gate, token, head), heads: H, ...layout, ratio, places,
      kvHeads: this.context.config.kvHeads, chip: layout.place ? (head) => `Q${head}` : undefined,
      label: (token, head) => this.#count(t, token, head),
    }));
  }

  /** @param {Text} t */
  renderControls(t) {
    return html`<label>${t('gateMap.threshold')} ${scrub({
      value: this.threshold, text: t, label: t('gateMap.threshold'), min: 0, max: 1, step: 0.05, big: 0.1,
      onChange: (value) => { this.threshold = value; },
    })}</label>`;
  }

  /** @param {Text} t */
  renderRun(t) {
    const { context } = this;
    const { config, pieces, selection } = context;
    const strip = layerStrip(t, {
      layerTypes: config.layerTypes, value: selection.layer, ready: (i) => Boolean(context.layers[i]), onPick: (layer) => context.select({ layer }),
    });
    if (!this.captures?.gate) return html`${strip}<p>${t('gateMap.none')}</p>`;
    const { token, head } = this.#pin;
    const tokens = this.#narrow ? tokenStrip(pieces, {
      picked: token, label: t('gateMap.tokens'), name: (name, n) => t('gateMap.token', { n, token: name }), onPick: (n) => this.#pick(n, head),
    }) : nothing;
    return html`${strip}<div class="pair"><div>${tokens}${this.#renderGrid(t, token, head)}</div>
      <div class="sheet">${this.#renderPinned(t, token, head)}</div></div>`;
  }

  /** @param {Text} t @param {number} token @param {number} head */
  #renderGrid(t, token, head) {
    const { pieces, config } = this.context;
    const layout = this.#layout;
    const { first, rows, wide, high, place } = layout;
    const T = pieces.length;
    const names = place ? nothing : html`<div class="tokens-down" aria-hidden="true">${pieces.slice(first, first + rows).map((piece, i) => html`
      <span .style="height:${high}px;padding-top:${Math.max(0, (wide - 20) / 2 - 12)}px">${tokenBox(piece, { picked: first + i === token })}</span>`)}</div>`;
    const columns = place ? nothing : html`<div class="names" aria-hidden="true">${Array.from({ length: config.heads }, (_, h) => {
      const fill = headColour(h, config.heads, config.kvHeads, this.environment.theme);
      return html`<span .style="width:${wide}px"><b .style="width:${wide - 24}px;background:${fill};color:${textOn(parseHex(fill))}">${h}</b></span>`;
    })}</div>`;
    const turn = (/** @type {number} */ to) => this.#pick(Math.min(T - 1, Math.max(0, to)), head);
    const move = (/** @type {import('../lab/grid.js').Cell} */ { row, col }) => (
      this.#pick(place ? token : first + row, place ? Math.min(config.heads - 1, row * layout.cols + col) : col));
    const page = T > rows && !place ? html`<div class="pages"><span>${t('gateMap.page', {
      first: t.count(first + 1), last: t.count(first + rows), all: t.count(T),
    })}</span><button type="button" class="link" ?disabled=${first === 0} @click=${() => turn(first - PAGE)}>${t('gateMap.earlier')}</button>
      <button type="button" class="link" ?disabled=${first + rows >= T} @click=${() => turn(first + PAGE)}>${t('gateMap.later')}</button></div>` : nothing;
    return html`${gateGrid({
      ...layout, names, columns, at: place ? place(head) : { row: token - first, col: head },
      label: t('gateMap.map', { layer: this.context.selection.layer }), hint: t('gateMap.hint'), description: this.#say(t, token, head),
      held: this.held, pin: t(this.held ? 'grid.pinned' : 'grid.pin'), onMove: move,
      onHold: (cell) => {
        this.held = true;
        move(cell);
      },
      onPage: (by) => turn(token + by), onBack: () => this.#letGo(),
    })}${page}`;
  }

  /** @param {Text} t @param {number} token @param {number} head */
  #renderPinned(t, token, head) {
    const { theme } = this.environment;
    const { config, pieces, selection } = this.context;
    const gates = squareOf(this.captures?.gate, token, head);
    const { open, shut, mean, of } = countGates(gates, this.threshold);
    const fill = headColour(head, config.heads, config.kvHeads, theme);
    const bold = (/** @type {unknown} */ x) => html`<strong>${x}</strong>`;
    const dots = gateDots(theme, gates, { x: 0, y: 0, size: BIG, gap: 1 }).map((d) => rect(d.x, d.y, d.w, d.h, { fill: d.fill }));
    return html`<p class="who">${tokenBox(pieces[token], { picked: true })}<b .style="background:${fill};color:${textOn(parseHex(fill))}">Q${head}</b>
        <span>${t('gateMap.where', { head, layer: selection.layer })}</span></p>
      ${this.#renderTakes(t, token, head)}
      <p class="step">${t('gateMap.keeps', { columns: columnsOf(of), last: of - 1 })}</p>
      <svg class="dots" viewBox="0 0 ${BIG} ${BIG}" role="img" aria-label=${this.#say(t, token, head)}>${drawn(dots)}</svg>
      <p class="fact">${rich(t, 'gateMap.open', { open: t.count(open), of: t.count(of), threshold: t.short(this.threshold, 2) })}</p>
      <p class="fact">${rich(t, 'gateMap.mean', { mean: bold(t.fixed(mean)), shut: bold(t.count(shut)) })}</p>
      ${legend(t, { name: 'gate', theme, min: t('gateMap.shut'), max: t('gateMap.wide'), words: '' })}
      <p class="fact">${rich(t, 'gateMap.follow', { figure: figureLink(t, 21) })}</p>`;
  }

  /** The row of shares: where the head took from, before the gate decides what is kept. @param {Text} t @param {number} token @param {number} head */
  #renderTakes(t, token, head) {
    const matrix = headMatrix(this.captures?.probs, head);
    const { col, share } = topOfRow(matrix, token);
    const colour = valueScale('probability', this.environment.theme);
    const row = matrix.data.subarray(token * matrix.cols, token * matrix.cols + token + 1);
    const step = BIG / Math.max(6, row.length);
    const cells = Array.from(row, (p, j) => rect(j * step, 0, Math.max(step - 1, step / 2), 22, { fill: toHex(colour(p)) }));
    const words = t(Number.isFinite(share) ? 'gateMap.takes.say' : 'gateMap.takes.none', {
      token: tokenName(this.context.pieces[col]), share: t.fixed(share),
    });
    return html`<div class="takes"><p class="step">${t('gateMap.takes')}</p>
      <svg class="dots" viewBox="0 0 ${BIG} 22" role="img" aria-label=${words}>${drawn(cells)}</svg><p>${words}</p></div>`;
  }

  /** @param {Text} t */
  renderCaption(t) {
    const gate = this.captures?.gate;
    const book = cited(t, rich(t, 'gateMap.cited'));
    if (!gate) return book;
    const { shut, mean, of } = countGates(gate.data, this.threshold);
    return html`${rich(t, 'gateMap.caption', { layer: this.context.selection.layer, mean: t.fixed(mean), part: t.percent(shut / of) })}${book}`;
  }

  bearsOut() {
    const gate = this.captures?.gate;
    return gate?.data.every(Number.isFinite) ? !this.shown?.untrained && silenceIsDefault(gate) : null;
  }

  /** @param {Text} t */
  table(t) {
    const gate = this.captures?.gate;
    if (!gate) return null;
    const [T, H] = gate.shape;
    const rows = Array.from({ length: T * H }, (_, n) => {
      const [token, head] = [Math.floor(n / H), n % H];
      const { open, shut, mean } = countGates(squareOf(gate, token, head), this.threshold);
      return [tokenName(this.context.pieces[token]), `Q${head}`, t.count(open), t.fixed(mean), t.count(shut)];
    });
    const past = t('gateMap.col.open', { threshold: t.short(this.threshold, 2) });
    return { caption: t('gateMap.map', { layer: this.context.selection.layer }),
      columns: [t('gateMap.col.token'), t('head.legend'), past, t('gateMap.col.mean'), t('gateMap.col.shut')], rows };
  }

  /** @param {Text} t */
  picture(t) {
    const gate = this.captures?.gate;
    if (!gate) return null;
    const { pieces, config } = this.context;
    const first = Math.floor(this.#pin.token / PAGE) * PAGE;
    return gateMapShapes(this.environment.theme === 'forced' ? 'light' : this.environment.theme, {
      gates: (token, head) => squareOf(gate, token, head), heads: config.heads, first, names: pieces.slice(first, first + PAGE).map(tokenName), kvHeads: config.kvHeads, label: (token, head) => this.#count(t, token, head),
    });
  }

  /** @param {Text} t */
  pictureCaption(t) {
    const { token, head } = this.#pin;
    return `${t('gateMap.where', { head, layer: this.context.selection.layer })}. ${this.#say(t, token, head)}`;
  }
}
