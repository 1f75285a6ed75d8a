/** Which query heads read which key/value head, as ribbons. */
import { linkHorizontal } from 'd3-shape';
import { headColour, parseHex, textOn } from './colour.js';
import { PALETTE } from './palette.js';
import { path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */

/**
 * Sizes for a given room: a phone gets flatter boxes, the text keeps its size.
 * @param {number} room CSS pixels
 */
export function lanesLayout(room) {
  const width = Math.max(240, Math.min(480, room));
  const small = width < 400;
  const kvBox = small ? 34 : 40;
  return {
    width, top: 40, row: small ? 36 : 46, box: small ? 28 : 36, headWidth: small ? 48 : 64, kvBox, kvX: width - 2 * kvBox - 16,
  };
}

/** @typedef {ReturnType<typeof lanesLayout>} Layout */

/** @param {Layout} layout @param {number} heads @returns {number} height of the picture */
export const lanesHeight = ({ top, row }, heads) => top + heads * row + 8;

/** Where head h's box stands. @param {Layout} layout @param {number} h */
export const headBox = ({ top, row, box, headWidth }, h) => ({ x: 0, y: top + h * row, w: headWidth, h: box });

const link = linkHorizontal();

/**
 * @param {Theme} theme
 * @param {Layout} layout
 * @param {{ heads: number, groups: number, picked: number, queriesLabel: string, keptLabel: string }} options
 * @returns {import('./shapes.js').Shape[]}
 */
export function lanes(theme, layout, { heads, groups, picked, queriesLabel, keptLabel }) {
  const ink = PALETTE[theme];
  const size = heads / groups;
  const pickedGroup = Math.floor(picked / size);
  const { top, row, box, headWidth, kvX, kvBox, width: right } = layout;
  /** @type {import('./shapes.js').Shape[]} */
  const shapes = [
    text(0, 20, queriesLabel, { fill: ink.ink2, size: 13 }),
    text(right, 20, keptLabel, { fill: ink.ink2, size: 13, anchor: 'end' }),
  ];
  for (let g = 0; g < groups; g += 1) {
    const middle = top + (g * size + (size - 1) / 2) * row + box / 2;
    for (let m = 0; m < size; m += 1) {
      const h = g * size + m;
      const colour = headColour(h, heads, groups, theme);
      const from = top + h * row + box / 2;
      const width = Math.min(14, (kvBox + 4) / size);
      const to = middle + (m - (size - 1) / 2) * width;
      const opacity = g === pickedGroup ? (h === picked ? 1 : 0.75) : 0.3;
      const d = String(link({ source: [headWidth, from], target: [kvX, to] }));
      shapes.push(path(d, { stroke: colour, width, opacity }));
    }
    shapes.push(...keyValueBox(ink, kvX, middle, kvBox, g, groups > 4));
  }
  for (let h = 0; h < heads; h += 1) {
    const colour = headColour(h, heads, groups, theme);
    const b = headBox(layout, h);
    shapes.push(
      rect(b.x, b.y, b.w, b.h, { fill: colour }),
      text(b.x + b.w / 2, b.y + b.h / 2 + 5, `Q${h}`, {
        fill: textOn(parseHex(colour)), anchor: 'middle', weight: 600, size: 14,
      }),
    );
    if (h === picked) shapes.push(rect(b.x - 4, b.y - 4, b.w + 8, b.h + 8, { stroke: ink.hand, width: 2 }));
  }
  return shapes;
}

/** @param {Record<string, string>} ink */
function keyValueBox(ink, x, middle, box, g, tight) {
  const h = tight ? 30 : box + 4;
  const y = middle - h / 2;
  const label = { anchor: /** @type {const} */ ('middle'), weight: 600, size: 12 };
  const ground = (/** @type {string} */ c) => (c.startsWith('#') ? textOn(parseHex(c)) : 'Canvas');
  return [
    rect(x, y - 5, 2 * box + 15, h + 10, { fill: ink.paper, stroke: ink.ink, width: 2 }),
    rect(x + 5, y, box, h, { fill: ink.k }),
    rect(x + box + 10, y, box, h, { fill: ink.v }),
    text(x + 5 + box / 2, middle + 4, `K${g}`, { ...label, fill: ground(ink.k) }),
    text(x + box + 10 + box / 2, middle + 4, `V${g}`, { ...label, fill: ground(ink.v) }),
  ];
}
