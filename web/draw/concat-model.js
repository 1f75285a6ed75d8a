/** What each head alone wrote, their sum, and what all wrote together: strips of N numbers on one scale. */
import { headColour, parseHex, textOn, toHex, valueScale } from './colour.js';
import { PALETTE } from './palette.js';
import { line, moved, path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {import('./shapes.js').Shape} Shape */

/** A number is at least so wide, in pixels; a strip without the room is folded into lines. */
const LEAST = 2;
/** Steps of colour on either side of 0: one path each, however many numbers. */
const STEPS = 64;

/** How n numbers stand on a strip. @param {number} n @param {number} width */
export function foldOf(n, width) {
  let lines = 1;
  while (width * lines < n * LEAST) lines *= 2;
  return { lines, columns: Math.ceil(n / lines) };
}

/**
 * @param {Theme} theme @param {ArrayLike<number>} values @param {{ width: number, height: number, max: number }} o
 * @returns {Shape[]}
 */
export function foldedStrip(theme, values, { width, height, max }) {
  const colour = valueScale('signed', theme, STEPS);
  const { lines, columns } = foldOf(values.length, width);
  const x = (/** @type {number} */ i) => Math.round((i * width) / columns);
  const y = (/** @type {number} */ i) => Math.round((i * height) / lines);
  /** @type {Map<number, string>} */
  const cells = new Map();
  for (let i = 0; i < values.length; i += 1) {
    const [col, row] = [i % columns, Math.floor(i / columns)];
    const [left, right, top, bottom] = [x(col), x(col + 1), y(row), y(row + 1)];
    const step = Math.round((values[i] / max) * STEPS);
    cells.set(step, `${cells.get(step) ?? ''}M${left} ${top}L${right} ${top}L${right} ${bottom}L${left} ${bottom}Z`);
  }
  return [
    ...Array.from(cells, ([step, d]) => path(d, { fill: toHex(colour(step)) })),
    rect(-0.5, -0.5, width + 1, height + 1, { stroke: PALETTE[theme].axis, width: 1 }),
  ];
}

const [LEFT, RIGHT, TOP] = [48, 60, 26];
const HEAD = { pitch: 30, height: 22 };
const RESULT = { pitch: 60, height: 28 };

/**
 * @param {Theme} theme
 * @param {import('../lab/concat-model.js').Contributions} found
 * @param {{ width: number, config: { heads: number, kvHeads: number }, picked: number, revealed: boolean, format: (n: number) => string,
 *   words: { parts: string, length: string, sum: string, whole: string, waiting: string } }} o
 */
export function soloPicture(theme, found, { width, config: { heads, kvHeads }, picked, revealed, format, words }) {
  const ink = PALETTE[theme];
  const room = width - LEFT - RIGHT;
  const end = { fill: ink.ink, anchor: /** @type {const} */ ('end') };
  const strip = (/** @type {ArrayLike<number>} */ values, /** @type {number} */ y, /** @type {number} */ height) => (
    moved(foldedStrip(theme, values, { width: room, height, max: found.max }), LEFT, y));
  const empty = (/** @type {number} */ y, /** @type {number} */ height, /** @type {string} */ stroke) => (
    rect(LEFT, y, room, height, { stroke, width: 1.5, dash: '5 4' }));
  const rows = Array.from({ length: heads }, (_, h) => {
    const y = TOP + h * HEAD.pitch;
    const fill = headColour(h, heads, kvHeads, theme);
    const part = found.parts[h];
    return [
      rect(0, y, 34, HEAD.height, { fill }),
      text(17, y + 16, `Q${h}`, { fill: textOn(parseHex(fill)), anchor: /** @type {const} */ ('middle'), weight: 600 }),
      ...(part ? [...strip(part, y, HEAD.height), text(width, y + 16, format(found.lengths[h]), end)] : [empty(y, HEAD.height, ink.axis)]),
    ];
  });
  const bottom = TOP + heads * HEAD.pitch + 4;
  const name = (/** @type {string} */ said, /** @type {number} */ y) => text(LEFT, y, said, { fill: ink.ink, weight: 600 });
  const [sumAt, wholeAt] = [bottom + 30, bottom + 30 + RESULT.pitch];
  const middle = sumAt + RESULT.height / 2 + 5;
  return {
    width,
    height: wholeAt + RESULT.height + 2,
    shapes: [
      text(0, 14, words.parts, { fill: ink.ink2 }), text(width, 14, words.length, { ...end, fill: ink.ink2 }),
      ...rows.flat(),
      rect(-4, TOP + picked * HEAD.pitch - 4, width + 8, HEAD.height + 8, { stroke: ink.hand, width: 2 }),
      line(LEFT, bottom, width - RIGHT, bottom, { stroke: ink.ink, width: 1.5 }),
      text(34, middle, 'Σ =', { ...end, weight: 600 }), name(words.sum, sumAt - 8),
      ...(found.sum && revealed ? [...strip(found.sum, sumAt, RESULT.height), text(width, middle, format(found.sumLength ?? 0), end)] : [
        empty(sumAt, RESULT.height, ink.hand),
        text(LEFT + room / 2, middle, words.waiting, { fill: ink.hand, weight: 600, anchor: /** @type {const} */ ('middle') })]),
      name(words.whole, wholeAt - 8), ...strip(found.whole, wholeAt, RESULT.height),
      text(width, middle + RESULT.pitch, format(found.length), end),
    ],
  };
}
