/** The squares of a gate map on one canvas: one focusable region, a roving square, its numbers in words. */
import { css, html, nothing } from 'lit';
import { squareSize } from '../../draw/gate-map.js';
import { GRID_KEYS, moveCell } from '../../lab/grid.js';
import { paintWhole, pixelRatio } from './pixels.js';
import { cellUnder } from './pointer.js';

/** @typedef {import('../../lab/grid.js').Cell} Cell */
/** @typedef {{ rows: number, cols: number, wide: number, high: number, head: number }} Layout  head: room above a square, pixels */

export const gateGridStyles = css`
  .map { display: grid; grid-template-columns: auto auto; justify-content: start; overflow-x: auto; padding: 6px; margin: -6px; }
  .names { display: flex; grid-column: 2; }
  .names span { display: grid; place-items: center; }
  .names b { display: block; text-align: center; font-weight: 600; padding: 2px 0; forced-color-adjust: none; }
  .tokens-down { grid-column: 1; display: grid; justify-items: end; align-items: start; padding-inline-end: 12px; }
  .field { position: relative; cursor: pointer; grid-column: 2; }
  .field:focus-visible { outline: 3px solid var(--attn-ink); outline-offset: 3px; }
  .field canvas { display: block; forced-color-adjust: none; }
  .field .at { position: absolute; border: 3px solid var(--attn-hand); pointer-events: none; }
  .pin { margin: 8px 0 0; font-size: 0.8125rem; color: var(--attn-ink2); }
`;

/**
 * @param {Layout & { at: Cell | null, label: string, hint: string, description: string, columns: unknown, names: unknown,
 *   held: boolean, pin: string, onMove: (cell: Cell) => void, onHold: (cell: Cell) => void, onPage: (by: number) => void,
 *   onBack: () => void }} o
 *   held: is the square pinned? pin: the words about it; onHold: a press, a tap or Enter pins;
 *   onPage: an arrow led past the first or last row; onBack: the same square again, Escape or Tab lets go
 */
export function gateGrid(o) {
  const { rows, cols, wide, high, head, at } = o;
  const size = squareSize(o);
  const click = (/** @type {MouseEvent} */ event) => {
    const canvas = /** @type {Element} */ (/** @type {Element} */ (event.currentTarget).querySelector('canvas'));
    const cell = cellUnder(event, canvas, { rows, cols });
    if (cell.row < 0 || cell.row >= rows || cell.col < 0 || cell.col >= cols) return;
    if (o.held && cell.row === at?.row && cell.col === at.col) o.onBack();
    else o.onHold(cell);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape' || (event.key === 'Tab' && o.held)) return o.onBack();
    if (event.key === 'Enter') return o.held || !at ? o.onBack() : o.onHold(at);
    if (!GRID_KEYS.has(event.key) || event.altKey || event.metaKey) return undefined;
    event.preventDefault();
    const from = at ?? { row: 0, col: 0 };
    if (event.key === 'ArrowUp' && from.row === 0) return o.onPage(-1);
    if (event.key === 'ArrowDown' && from.row === rows - 1) return o.onPage(1);
    return o.onMove(moveCell(from, { rows, cols }, event));
  };
  const mark = at && `left:${Math.round(at.col * wide + (wide - size) / 2) - 4}px;top:${at.row * high + head}px;width:${
    size + 8}px;height:${size + 8}px`;
  return html`<div class="map">${o.columns}${o.names}
    <div class="field" role="application" tabindex="0" aria-label=${o.label} aria-description=${o.hint} @click=${click} @keydown=${key}>
      <canvas aria-hidden="true" .style="width:${cols * wide}px;height:${rows * high}px"></canvas>
      ${mark ? html`<div class="at" .style=${mark}></div>` : nothing}
      <span class="live" role="status">${o.description}</span></div></div>
    <p class="pin ${o.held ? 'on' : ''}" aria-hidden="true">${o.pin}</p>`;
}

/**
 * The canvas of a grid, sized and scaled, where there is one.
 * @param {ParentNode} root @param {Layout} o @param {(ctx: CanvasRenderingContext2D, ratio: number) => void} paint
 */
export function paintGrid(root, { rows, cols, wide, high }, paint) {
  const canvas = /** @type {HTMLCanvasElement | null} */ (root.querySelector('.field canvas'));
  if (!canvas) return;
  const ratio = pixelRatio();
  paintWhole(canvas, { width: cols * wide * ratio, height: rows * high * ratio }, (ctx) => {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(ctx, ratio);
  });
}
