/** A model's layers as bars that fill from below; those with an attention table are tall and numbered. */
import { PALETTE } from './palette.js';
import { rect, text } from './shapes.js';

export const BARS_HEIGHT = 104;
const BASE = 78;
const TALL = 66;
const SHORT = 38;

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ width: number, full: boolean[], filled: number[], done: number, format: (layer: number) => string }} o
 *   full: has a table; filled: part that has arrived, 0..1; done: how many layers have been computed
 * @returns {import('./shapes.js').Shape[]}
 */
export function layerBars(theme, { width, full, filled, done, format }) {
  const ink = PALETTE[theme];
  const step = Math.min(44, width / full.length);
  const size = Math.max(3, step - Math.max(3, step * 0.2));
  return full.flatMap((table, i) => {
    const height = table ? TALL : SHORT;
    const x = i * step + (step - size) / 2;
    const part = filled[i] * (height - 2);
    const ready = i < done;
    return [
      rect(x + 0.5, BASE - height + 0.5, size - 1, height - 1, { fill: ink.paper, stroke: ink.axis, width: 1 }),
      ...(part > 0 ? [rect(x + 1, BASE - 1 - part, size - 2, part, { fill: ready ? ink.ink : ink.axis })] : []),
      ...(table ? [text(x + size / 2, BASE + 20, format(i), {
        fill: ready ? ink.hand : ink.ink2, weight: ready ? 600 : 400, size: 13, anchor: 'middle' })] : []),
    ];
  });
}
