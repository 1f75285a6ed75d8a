/**
 * A matrix as coloured cells on a canvas. Small matrices get cells of `cell` pixels with a hairline gap, a hatch where
 * masked and, where there is room, the number; large ones get one pixel per cell, which CSS enlarges.
 */
import { textOn, toHex, warning } from './colour.js';
import { FONTS, PALETTE } from './palette.js';

/** Below this many CSS pixels a cell has no room for its number. */
export const NUMBER_CELL = 40;

/**
 * Cell size in CSS pixels: 60 to 6 tokens, 48 to 8, 24 to 24, then one pixel per cell (0).
 * @param {number} count tokens along the longer side
 * @param {number} room CSS pixels available for all cells
 */
export function cellSize(count, room) {
  const wanted = count <= 6 ? 60 : count <= 8 ? 48 : count <= 24 ? 24 : 0;
  return wanted && Math.max(12, Math.min(wanted, Math.floor(room / count)));
}

/**
 * @typedef {{ rows: number, cols: number, data: ArrayLike<number> }} Matrix
 * @typedef {{ cell: number, ratio?: number, colour: (value: number) => import('./colour.js').RGB,
 *   theme: import('./palette.js').Theme, masked?: (i: number, j: number) => boolean,
 *   shade?: (value: number, i: number, j: number) => number, format?: (value: number) => string, maskedText?: string }} Options
 *   cell 0: one pixel per cell; shade: what is coloured in the value's place
 */

/**
 * @param {CanvasRenderingContext2D} ctx  its canvas is sized by the caller: rows x cols pixels, or cells x cell x ratio
 * @param {Matrix} matrix
 * @param {Options} options
 */
export function heatmap(ctx, matrix, options) {
  if (options.cell === 0) paintPixels(ctx, matrix, options);
  else paintCells(ctx, matrix, options);
}

/** @param {CanvasRenderingContext2D} ctx @param {Matrix} matrix @param {Options} options */
function paintPixels(ctx, { rows, cols, data }, { colour, theme, masked, shade }) {
  const image = ctx.createImageData(cols, rows);
  const warn = warning(theme);
  for (let i = 0, n = 0; i < rows; i += 1) {
    for (let j = 0; j < cols; j += 1, n += 1) {
      if (masked?.(i, j)) continue;
      const [r, g, b] = Number.isFinite(data[n]) ? colour(shade ? shade(data[n], i, j) : data[n]) : warn;
      image.data.set([r, g, b, 255], n * 4);
    }
  }
  ctx.putImageData(image, 0, 0);
}

/** @param {CanvasRenderingContext2D} ctx @param {Matrix} matrix @param {Options} options */
function paintCells(ctx, { rows, cols, data }, options) {
  const { cell, ratio = 1, colour, theme, masked, shade, format, maskedText = '' } = options;
  const ink = PALETTE[theme];
  const numbers = format && cell >= NUMBER_CELL;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, cols * cell, rows * cell);
  ctx.font = `400 ${cell >= 56 ? 14 : 12}px ${FONTS.sans}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < cols; j += 1) {
      const value = data[i * cols + j];
      const [x, y, size] = [j * cell, i * cell, cell - 1];
      let label = numbers ? format?.(value) ?? '' : '';
      if (masked?.(i, j)) {
        hatch(ctx, x, y, size, ink.rule);
        label = numbers ? maskedText : '';
        ctx.fillStyle = ink.ink2;
      } else if (Number.isFinite(value)) {
        const ground = colour(shade ? shade(value, i, j) : value);
        ctx.fillStyle = toHex(ground);
        ctx.fillRect(x, y, size, size);
        ctx.fillStyle = textOn(ground);
      } else {
        cross(ctx, x, y, size, ink);
        label = '';
      }
      if (label) ctx.fillText(label, x + size / 2, y + size / 2 + 0.5);
    }
  }
}

/** Masked: a value that does not exist is hatched, never coloured like a 0. */
export function hatch(ctx, x, y, size, stroke) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, size, size);
  ctx.clip();
  ctx.beginPath();
  for (let d = 6; d < 2 * size; d += 6) {
    ctx.moveTo(x + d, y);
    ctx.lineTo(x + d - size, y + size);
  }
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.restore();
}

/** Not a number, or infinite: a warn cell with a cross. */
function cross(ctx, x, y, size, ink) {
  ctx.fillStyle = ink.warnGround;
  ctx.fillRect(x, y, size, size);
  ctx.beginPath();
  ctx.moveTo(x + size * 0.3, y + size * 0.3);
  ctx.lineTo(x + size * 0.7, y + size * 0.7);
  ctx.moveTo(x + size * 0.7, y + size * 0.3);
  ctx.lineTo(x + size * 0.3, y + size * 0.7);
  ctx.strokeStyle = ink.warn;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}
