/** A square of shares with its names, as shapes for a saved image; large ones as one enlarged image. */
import { parseHex, textOn, toHex, valueScale } from './colour.js';
import { heatmap } from './heatmap.js';
import { PALETTE } from './palette.js';
import { path, rect, text } from './shapes.js';

const CELL = 48;
const LABELS = 96;
/** From here on cells are pixels of an image and have no names. */
const MANY = 24;

/**
 * @typedef {import('./palette.js').Theme} Theme
 * @typedef {{ rows: number, cols: number, data: Float32Array }} Values
 * @typedef {{ names: string[], masked: (i: number, j: number) => boolean, format: (value: number) => string,
 *   shade?: (value: number, i: number, j: number) => number }} Options  shade: what is coloured in the value's place
 */

/** @param {Theme} theme @param {Values} matrix @param {Options} o */
export function matrixPicture(theme, matrix, o) {
  return matrix.rows > MANY ? pixels(theme, matrix, o) : cells(theme === 'forced' ? 'light' : theme, matrix, o);
}

/** @param {Theme} theme @param {Values} matrix @param {Options} o */
function pixels(theme, matrix, { masked, shade }) {
  const canvas = document.createElement('canvas');
  canvas.width = matrix.cols;
  canvas.height = matrix.rows;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  heatmap(ctx, matrix, { cell: 0, colour: valueScale('probability', theme), theme, masked, shade });
  const side = matrix.rows * Math.max(1, Math.round(720 / matrix.rows));
  return { width: side, height: side, shapes: [{ kind: 'image', x: 0, y: 0, w: side, h: side, canvas }] };
}

/** @param {any} theme @param {Values} matrix @param {Options} o */
function cells(theme, { rows, cols, data }, { names, masked, format, shade = (value) => value }) {
  const ink = PALETTE[theme];
  const colour = valueScale('probability', theme);
  const shapes = [];
  for (let i = 0; i < rows; i += 1) {
    const middle = LABELS + i * CELL + CELL / 2;
    shapes.push(text(LABELS - 10, middle + 5, names[i], { fill: ink.ink, size: 14, anchor: 'end' }));
    shapes.push(text(middle, LABELS - 10, names[i], { fill: ink.ink, size: 14, turn: -45 }));
    for (let j = 0; j < cols; j += 1) {
      const [x, y] = [LABELS + j * CELL, LABELS + i * CELL];
      if (masked(i, j)) {
        shapes.push(path(`M${x} ${y + CELL - 1}L${x + CELL - 1} ${y}`, { stroke: ink.rule, width: 1 }));
        continue;
      }
      const fill = toHex(colour(shade(data[i * cols + j], i, j)));
      shapes.push(rect(x, y, CELL - 1, CELL - 1, { fill }));
      shapes.push(text(x + CELL / 2, y + CELL / 2 + 4, format(data[i * cols + j]), {
        fill: textOn(parseHex(fill)), size: 12, anchor: 'middle',
      }));
    }
  }
  return { width: LABELS + cols * CELL + 40, height: LABELS + rows * CELL, shapes };
}
