/** A saved image: plate, title, birth mark, caption, in the current theme. */
import { PALETTE } from './palette.js';
import { line, moved, rect, text } from './shapes.js';
import { textWidth } from './text-width.js';

const EDGE = 24;
const HEAD = 56;
const LINE = 22;
const TITLE = { weight: 600, size: 15 };
const MARK = { size: 13 };
const CAPTION = { size: 14 };

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ width: number, height: number, shapes: import('./shapes.js').Shape[] }} plate
 * @param {{ title: string, mark: string, caption: string }} words
 */
export function framedPicture(theme, plate, { title, mark, caption }) {
  const ink = PALETTE[theme === 'forced' ? 'light' : theme];
  const width = plate.width + 4 * EDGE;
  const inner = width - 2 * EDGE;
  const plateHeight = plate.height + 2 * EDGE;
  const lines = wrap(caption, inner, CAPTION);
  const titles = wrap(title, inner, TITLE);
  const marks = wrap(mark, inner, MARK);
  const beside = textWidth(titles[0] ?? '', TITLE) + EDGE + textWidth(mark, MARK) <= inner;
  const head = HEAD + (titles.length - 1 + (beside ? 0 : marks.length)) * LINE;
  const height = head + plateHeight + 20 + lines.length * LINE + 12;
  const grid = [];
  const thin = { stroke: ink.grid, width: 1 };
  for (let x = 24; x < inner; x += 24) grid.push(line(EDGE + x, head, EDGE + x, head + plateHeight, thin));
  for (let y = 24; y < plateHeight; y += 24) grid.push(line(EDGE, head + y, EDGE + inner, head + y, thin));
  const shapes = [
    rect(0, 0, width, height, { fill: ink.paper }),
    line(EDGE, 14, width - EDGE, 14, { stroke: ink.ink, width: 2 }),
    ...titles.map((words, i) => text(EDGE, 40 + i * LINE, words, { fill: ink.ink, ...TITLE })),
    ...(beside ? [text(width - EDGE, 40, mark, { fill: ink.ink2, anchor: 'end', ...MARK })]
      : marks.map((words, i) => text(EDGE, 40 + (titles.length + i) * LINE, words, { fill: ink.ink2, ...MARK }))),
    rect(EDGE, head, inner, plateHeight, { fill: ink.plate }),
    ...grid,
    ...moved(plate.shapes, 2 * EDGE, head + EDGE),
    ...lines.map((words, i) => text(EDGE, head + plateHeight + 26 + i * LINE, words, { fill: ink.ink2, ...CAPTION })),
  ];
  return { width, height, shapes };
}

/**
 * Breaks text at spaces, between Han characters and, where one word is too long, inside it.
 * @param {string} words @param {number} room CSS pixels @param {import('./text-width.js').Letters} [letters]
 */
export function wrap(words, room, letters) {
  const wide = (/** @type {string} */ s) => textWidth(s.trimEnd(), letters) > room;
  const parts = (words.match(/[\u2e80-\uffef][，。；：！？、”’）]*|[^\s\u2e80-\uffef]+\s*|\s+/g) ?? [])
    .flatMap((part) => (wide(part) ? [...part] : [part]));
  const lines = [''];
  for (const part of parts) {
    const last = lines.length - 1;
    if (lines[last] !== '' && wide(lines[last] + part)) lines.push(part);
    else lines[last] += part;
  }
  return lines.map((l) => l.trimEnd()).filter((l) => l !== '');
}
