/**
 * A matrix on a canvas: one focusable region, a roving cell, its value in words.
 * Arrows move, Home/End go to the ends of the row, Ctrl+Home/End to the corners. Enter, a click or a tap pins; the same
 * cell again, Esc, Tab and a click on no control of the figure let go.
 * Fires `cell` { row, col, pinned } when the marked cell changes.
 */
import { css, html, LitElement, nothing } from 'lit';
import { valueScale } from '../../draw/colour.js';
import { cellSize, heatmap } from '../../draw/heatmap.js';
import { GRID_KEYS, moveCell } from '../../lab/grid.js';
import { Environment } from './environment.js';
import { THROWN } from './figure.js';
import { paintWhole, Pixels, pixelRatio } from './pixels.js';
import { cellUnder, isElsewhere } from './pointer.js';
import { tokenText } from './tokens.js';

const LABELS_UP_TO = 24;
const WIDE_LABELS_UP_TO = 6;
/** Largest drawing of a matrix without labels, CSS pixels. */
const FULL = 480;

/** Properties that show on the canvas; a marked cell lies over it. */
const PAINTED = new Set(['matrix', 'theme', 'scale', 'max', 'masked', 'maskedText', 'format', 'shade', 'room', 'ratio']);

export class AttnHeatmap extends LitElement {
  /**
   * matrix { rows, cols, data } · rows, cols: token pieces or strings · scale and max: the value scale · masked(i, j)
   * tail: a colour per row, drawn beside it, and tailName above them
   * shade(value, i, j): what the scale colours in the value's place · format(value): text in the cell · describe(row, col): the sentence for readers and `label` for the whole
   */
  static properties = {
    matrix: { attribute: false }, rows: { attribute: false }, cols: { attribute: false }, theme: { attribute: false },
    scale: { attribute: false }, max: { attribute: false }, masked: { attribute: false }, maskedText: { attribute: false },
    format: { attribute: false }, shade: { attribute: false }, describe: { attribute: false }, label: { attribute: false }, hint: { attribute: false },
    tail: { attribute: false }, tailName: { attribute: false }, cell: { attribute: false }, markRow: { attribute: false }, pinned: { state: true }, room: { state: true },
    ratio: { state: true },
  };

  static styles = css`
    :host { display: block; direction: ltr; }
    :host(:dir(rtl)) .pin { direction: rtl; }
    .map { display: inline-grid; grid-template-columns: auto auto; justify-content: start; }
    .corner { grid-area: 1 / 1; }
    .cols { grid-area: 1 / 2; display: flex; align-items: end; }
    .cols > span { flex: none; display: flex; align-items: center; justify-content: center; padding-bottom: 6px; white-space: pre; }
    .cols.upright > span { writing-mode: vertical-rl; text-orientation: mixed; justify-content: end; padding: 0 0 6px; }
    .rows { grid-area: 2 / 1; }
    .rows > span { display: flex; align-items: center; justify-content: end; padding-inline-end: 10px; white-space: pre; }
    .tail { grid-area: 2 / 3; padding-inline-start: 8px; forced-color-adjust: none; }
    .tail > span { display: block; width: 14px; box-sizing: border-box; border-bottom: 1px solid transparent;
      background-clip: padding-box; }
    .tail-name { grid-area: 1 / 3; align-self: end; writing-mode: vertical-rl; padding: 0 6px 6px 0; }
    .small { font-size: 0.8125rem; }
    .now { color: var(--attn-hand); font-weight: 600; }
    .sign { color: var(--attn-ink2); }
    .field { grid-area: 2 / 2; position: relative; cursor: crosshair; outline-offset: 3px; touch-action: pan-y pinch-zoom; }
    .field:focus-visible { outline: 3px solid var(--attn-ink); }
    canvas { display: block; forced-color-adjust: none; }
    canvas.pixels { image-rendering: pixelated; background: repeating-linear-gradient(135deg, var(--attn-rule) 0 1px,
      transparent 1px 6px); outline: 1px solid var(--attn-rule); }
    .row, .cell { position: absolute; pointer-events: none; }
    .row { border: 1.5px solid var(--attn-hand); opacity: 0.6; }
    .cell { border: 3px solid var(--attn-hand); }
    .cell.pinned { outline: 1px solid var(--attn-paper); }
    .pin { margin: 6px 0 0; min-height: 1.5em; font-size: 0.8125rem; line-height: 1.5; color: var(--attn-ink2);
      visibility: hidden; }
    :host(:is(:hover, :focus-within)) .pin, .pin.on { visibility: visible; }
    .live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  `;

  constructor() {
    super();
    this.matrix = { rows: 0, cols: 0, data: [] };
    /** @type {(import('../../lab/tokens.js').Piece | string)[]} */
    this.rows = [];
    /** @type {(import('../../lab/tokens.js').Piece | string)[]} */
    this.cols = [];
    /** @type {import('../../draw/palette.js').Theme} */
    this.theme = 'light';
    /** @type {'probability' | 'signed' | 'gate'} */
    this.scale = 'probability';
    this.max = 1;
    /** @type {((i: number, j: number) => boolean) | undefined} */
    this.masked = undefined;
    this.maskedText = '−∞';
    /** @type {(value: number) => string} */
    this.format = String;
    /** @type {((value: number, i: number, j: number) => number) | undefined} */
    this.shade = undefined;
    /** @type {(row: number, col: number) => string} */
    this.describe = () => '';
    this.label = '';
    this.hint = '';
    /** @type {string[]} */
    this.tail = [];
    this.tailName = '';
    /** @type {import('../../lab/grid.js').Cell | null} */
    this.cell = null;
    /** The row marked when no cell is. @type {number | null} */
    this.markRow = null;
    this.pinned = false;
    this.room = 0;
    this.ratio = 1;
    this.environment = new Environment(this);
    new Pixels(this, () => { this.ratio = pixelRatio(); });
    this.#resize = new ResizeObserver(() => this.#measure());
  }

  #resize;
  /** Has it been painted since it last threw, and since it changed? */
  #owes = false;

  connectedCallback() {
    super.connectedCallback();
    this.#resize.observe(this);
    if (this.pinned) addEventListener('pointerup', this.#elsewhere, true);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resize.disconnect();
    removeEventListener('pointerup', this.#elsewhere, true);
  }

  /** A press that is not on the map and works nothing in its figure lets a pinned cell go. A scroll is none. */
  #elsewhere = (/** @type {Event} */ event) => {
    const figure = /** @type {ShadowRoot} */ (this.getRootNode()).host;
    if (isElsewhere(event, figure, this)) this.#mark(null, false);
  };

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    // the figure took the cell away
    if (this.pinned && !this.cell) this.pinned = false;
    if (!changed.has('pinned')) return;
    if (this.pinned) addEventListener('pointerup', this.#elsewhere, true);
    else removeEventListener('pointerup', this.#elsewhere, true);
  }

  #measure() {
    const labels = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector('.rows'));
    this.room = Math.max(0, this.clientWidth - (labels?.offsetWidth ?? 0) - (this.tail.length ? 26 : 0) - 4);
  }

  get #count() { return Math.max(this.matrix.rows, this.matrix.cols); }

  /** CSS pixels from cell to cell, fractional when one pixel is one cell. */
  get #pitch() {
    const cell = cellSize(this.#count, this.room || FULL);
    if (cell) return cell;
    const full = Math.min(this.room || FULL, FULL);
    return full >= this.#count ? Math.floor(full / this.#count) : full / this.#count;
  }

  /** @param {import('../../lab/grid.js').Cell | null} cell @param {boolean} [pinned] */
  #mark(cell, pinned = this.pinned) {
    if (cell?.row === this.cell?.row && cell?.col === this.cell?.col && pinned === this.pinned) return;
    this.cell = cell;
    this.pinned = pinned;
    this.dispatchEvent(new CustomEvent('cell', { detail: { ...cell, pinned } }));
  }

  /**
   * The figure's own words and colours are asked for here: what they throw is the figure's to show, the picture stays as
   * it was.
   */
  performUpdate() {
    const tell = (/** @type {any} */ detail) => (
      this.dispatchEvent(new CustomEvent(THROWN, { bubbles: true, composed: true, detail })));
    try {
      super.performUpdate();
      tell(null);
    } catch (error) {
      this.#owes = true;
      tell(error);
    }
  }

  /** As the hand would. @param {import('../../lab/grid.js').Cell} cell */
  pin(cell) { this.#mark(cell, true); }

  /** @param {MouseEvent} event */
  #under(event) {
    const { rows, cols } = this.matrix;
    const canvas = /** @type {Element} */ (/** @type {Element} */ (event.currentTarget).querySelector('canvas'));
    const { row, col } = cellUnder(event, canvas, this.matrix);
    const held = (/** @type {number} */ at, /** @type {number} */ n) => Math.min(n - 1, Math.max(0, at));
    return { row: held(row, rows), col: held(col, cols) };
  }

  /** @param {MouseEvent} event */
  #press(event) {
    const cell = this.#under(event);
    const again = this.pinned && this.cell?.row === cell.row && this.cell?.col === cell.col;
    this.#mark(again ? null : cell, !again);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey) return;
    const cell = this.cell ?? { row: this.markRow ?? 0, col: 0 };
    if (GRID_KEYS.has(event.key)) this.#mark(this.cell ? moveCell(cell, this.matrix, event) : cell);
    else if (event.key === 'Enter') this.#mark(cell, !this.pinned);
    else if (event.key === 'Escape') this.#mark(this.cell, false);
    else {
      if (event.key === 'Tab' && this.pinned) this.#mark(null, false);
      return;
    }
    event.preventDefault();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    // what stands beside the field takes of its room
    if (this.room && (changed.has('tail') || changed.has('rows'))) this.#measure();
    if (!this.#owes && ![...changed.keys()].some((name) => PAINTED.has(name))) return;
    const canvas = /** @type {HTMLCanvasElement} */ (this.renderRoot.querySelector('canvas'));
    const { rows, cols } = this.matrix;
    const cell = cellSize(this.#count, this.room || FULL);
    const ratio = cell ? this.ratio : 1;
    const { theme } = this;
    const scale = cell ? cell * ratio : 1;
    paintWhole(canvas, { width: cols * scale, height: rows * scale }, (ctx) => heatmap(ctx, this.matrix, {
      cell, ratio, theme, colour: valueScale(this.scale, theme, this.max), masked: this.masked, maskedText: this.maskedText,
      format: this.format, shade: this.shade,
    }));
    this.#owes = false;
    if (!this.room) this.#measure();
  }

  render() {
    const { rows, cols } = this.matrix;
    const pitch = this.#pitch;
    const cell = cellSize(this.#count, this.room || FULL);
    const marked = this.cell ?? (this.markRow === null ? null : { row: this.markRow, col: -1 });
    const upright = cols > WIDE_LABELS_UP_TO || pitch < 44;
    const labelled = this.#count <= LABELS_UP_TO;
    const names = (/** @type {typeof this.rows} */ list, /** @type {number} */ now, /** @type {string} */ size) => list
      .map((piece, i) => html`<span class=${i === now ? 'now' : ''} .style=${size}><bdi>${tokenText(piece)}</bdi></span>`);
    const box = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) => (
      `left:${x}px;top:${y}px;width:${w}px;height:${h}px`);
    return html`<div class="map ${pitch < 44 ? 'small' : ''}">
      ${labelled ? html`<div class="cols ${upright ? 'upright' : ''}" aria-hidden="true">${
    names(this.cols, marked?.col ?? -1, `width:${pitch}px`)}</div>
        <div class="rows" aria-hidden="true">${names(this.rows, marked?.row ?? -1, `height:${pitch}px`)}</div>` : nothing}
      ${this.tail.length ? html`<div class="tail-name" aria-hidden="true">${this.tailName}</div><div class="tail" aria-hidden="true">${
    this.tail.map((colour) => html`<span .style="height:${pitch}px;background-color:${colour}"></span>`)}</div>` : nothing}
      <div class="field" role="application" tabindex="0" aria-label=${this.label} aria-description=${this.hint}
        @keydown=${this.#key} @pointermove=${(/** @type {PointerEvent} */ e) => !this.pinned && this.#mark(this.#under(e))}
        @pointerleave=${() => !this.pinned && this.#mark(null)}
        @click=${this.#press}
        @focus=${() => !this.cell && this.#mark({ row: this.markRow ?? 0, col: 0 })}>
        <canvas class=${cell ? '' : 'pixels'} aria-hidden="true" .style="width:${cols * pitch}px;height:${rows * pitch}px"></canvas>
        ${marked ? html`<div class="row" .style=${box(-1, marked.row * pitch - 1, cols * pitch + 1, pitch + 1)}></div>` : nothing}
        ${this.cell ? html`<div class="row" .style=${box(this.cell.col * pitch - 1, -1, pitch + 1, rows * pitch + 1)}></div>
          <div class="cell ${this.pinned ? 'pinned' : ''}" .style=${box(this.cell.col * pitch - 2, this.cell.row * pitch - 2,
    Math.max(pitch + 3, 9), Math.max(pitch + 3, 9))}></div>` : nothing}
        <span class="live" role="status">${this.cell ? this.describe(this.cell.row, this.cell.col) : ''}</span>
      </div></div>
      <p class="pin ${this.pinned ? 'on' : ''}" aria-hidden="true">${
  this.environment.text?.(this.pinned ? 'grid.pinned' : 'grid.pin') ?? ''}</p>`;
  }
}
