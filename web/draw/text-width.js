/** How wide a text stands: measured where there is a canvas; elsewhere counted, rather too wide than too narrow. */
import { FONTS } from './palette.js';

/** @typedef {{ size?: number, weight?: number, font?: 'sans' | 'serif' | 'mono' }} Letters */

/** What a canvas calls the font of a text. @param {Letters} letters */
export const fontOf = ({ size = 13, weight = 400, font = 'sans' }) => `${weight} ${size}px ${FONTS[font]}`;

/** @type {OffscreenCanvasRenderingContext2D | null | undefined} */
let ruler;

/** @param {string} text @param {Letters} [letters] @returns {number} CSS pixels */
export function textWidth(text, letters = {}) {
  ruler ??= globalThis.OffscreenCanvas ? new OffscreenCanvas(1, 1).getContext('2d') : null;
  if (ruler) {
    ruler.font = fontOf(letters);
    return ruler.measureText(text).width;
  }
  const { size = 13, weight = 400 } = letters;
  const letter = weight > 500 ? 0.68 : 0.62;
  return [...text].reduce((sum, c) => sum + (c > '\u2e80' ? 1 : letter) * size, 0);
}
