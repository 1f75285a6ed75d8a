/** Gates as dots: each square holds all gates of one head at one token, row by row. */
import { headColour, parseHex, textOn, toHex, valueScale } from './colour.js';
import { FONTS, PALETTE } from './palette.js';
import { rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {{ x: number, y: number, w: number, h: number, fill: string }} Dot */
/** @typedef {(token: number, head: number) => ArrayLike<number>} Gates  the gates of one square */

/** A square with more dots to a row than this many times its rows reads as a stripe. */
const FLATTEST = 4;

/** Dots to a row of the square that holds d gates: full rows where d can be divided so, the last one short otherwise. @param {number} d */
export function columnsOf(d) {
  const square = Math.ceil(Math.sqrt(d));
  let columns = square;
  while (d % columns !== 0) columns += 1;
  return columns * columns <= FLATTEST * d ? columns : square;
}

/**
 * The dots of one square, row by row over all of it, on whole pixels of the given ratio.
 * @param {Theme} theme @param {ArrayLike<number>} gates @param {{ x: number, y: number, size: number, ratio?: number, gap?: number }} box
 * @returns {Dot[]}
 */
export function gateDots(theme, gates, { x, y, size, ratio = 1, gap = 0 }) {
  const colour = valueScale('gate', theme);
  const columns = columnsOf(gates.length);
  const rows = Math.ceil(gates.length / columns);
  const edge = (/** @type {number} */ n, /** @type {number} */ of) => Math.round((n * size * ratio) / of) / ratio;
  return Array.from(gates, (g, i) => {
    const [col, row] = [i % columns, Math.floor(i / columns)];
    const [left, top] = [edge(col, columns), edge(row, rows)];
    return {
      x: x + left, y: y + top, w: edge(col + 1, columns) - left - gap, h: edge(row + 1, rows) - top - gap, fill: toHex(colour(g)),
    };
  });
}

/** Side of a square in its cell: room beside it, for the count below and a head's name above. @param {{ wide: number, high: number, head: number }} o */
export const squareSize = ({ wide, high, head }) => Math.min(wide - 8, high - 20 - head);

/**
 * Squares of many tokens and heads on a canvas, the count of open gates below each.
 * @param {CanvasRenderingContext2D} ctx its transform is set
 * @param {{ theme: Theme, gates: Gates, heads: number, wide: number, high: number, head: number, ratio: number,
 *   places: { token: number, head: number, row: number, col: number }[], chip?: (head: number) => string, kvHeads: number,
 *   label: (token: number, head: number) => { words: string, strong: boolean } }} o
 *   chip: the head's name above its square, where columns have none
 */
export function paintGateMap(ctx, { theme, gates, heads, wide, high, head, ratio, places, chip, kvHeads, label }) {
  const ink = PALETTE[theme];
  const size = squareSize({ wide, high, head });
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  for (const p of places) {
    const x = Math.round(p.col * wide + (wide - size) / 2);
    const y = p.row * high + 4 + head;
    if (chip) {
      const fill = headColour(p.head, heads, kvHeads, theme);
      ctx.fillStyle = fill;
      ctx.fillRect(x, y - head, size, head - 2);
      ctx.fillStyle = textOn(parseHex(fill));
      ctx.font = `600 12px ${FONTS.sans}`;
      ctx.fillText(chip(p.head), x + size / 2, y - head + 15);
    }
    for (const dot of gateDots(theme, gates(p.token, p.head), { x, y, size, ratio })) {
      ctx.fillStyle = dot.fill;
      ctx.fillRect(dot.x, dot.y, dot.w, dot.h);
    }
    ctx.strokeStyle = ink.rule;
    ctx.lineWidth = 1;
    ctx.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
    const { words, strong } = label(p.token, p.head);
    ctx.fillStyle = strong ? ink.ink : ink.ink2;
    ctx.font = `${strong ? 600 : 400} 12px ${FONTS.sans}`;
    ctx.fillText(words, x + size / 2, y + size + 13);
  }
}

/** The same map as shapes for a saved image. @param {Theme} theme @param {{ gates: Gates, heads: number, names: string[],
 *   first: number, kvHeads: number, label: (token: number, head: number) => { words: string, strong: boolean } }} o */
export function gateMapShapes(theme, { gates, heads: H, names, first, kvHeads, label }) {
  const ink = PALETTE[theme];
  const [left, pitch, size] = [120, 76, 48];
  const heads = Array.from({ length: H }, (_, h) => {
    const fill = headColour(h, H, kvHeads, theme);
    return [rect(left + h * pitch, 0, size, 22, { fill }),
      text(left + h * pitch + size / 2, 15, `Q${h}`, { fill: textOn(parseHex(fill)), anchor: 'middle', weight: 600 })];
  });
  const squares = names.flatMap((name, i) => {
    const y = 34 + i * pitch;
    return [text(left - 16, y + size / 2 + 5, name, { fill: ink.ink, anchor: 'end', size: 15 }),
      ...Array.from({ length: H }, (_, h) => {
        const x = left + h * pitch;
        const { words, strong } = label(first + i, h);
        return [...gateDots(theme, gates(first + i, h), { x, y, size }).map((d) => rect(d.x, d.y, d.w, d.h, { fill: d.fill })),
          text(x + size / 2, y + size + 15, words, { fill: strong ? ink.ink : ink.ink2, weight: strong ? 600 : 400, anchor: 'middle' })];
      }).flat()];
  });
  return { width: left + H * pitch, height: 34 + names.length * pitch, shapes: [...heads.flat(), ...squares] };
}
