/** A saved image: plate, title, birth mark, caption, in the current theme. */
import { PALETTE } from './palette.js';
import { line, moved, rect, text } from './shapes.js';

const EDGE = 24;
const HEAD = 56;
const LINE = 22;

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
  const lines = wrap(caption, Math.floor(inner / 7.4));
  const height = HEAD + plateHeight + 20 + lines.length * LINE + 12;
  const grid = [];
  for (let x = 24; x < inner; x += 24) grid.push(line(EDGE + x, HEAD, EDGE + x, HEAD + plateHeight, { stroke: ink.grid, width: 1 }));
  for (let y = 24; y < plateHeight; y += 24) grid.push(line(EDGE, HEAD + y, EDGE + inner, HEAD + y, { stroke: ink.grid, width: 1 }));
  const shapes = [
    rect(0, 0, width, height, { fill: ink.paper }),
    line(EDGE, 14, width - EDGE, 14, { stroke: ink.ink, width: 2 }),
    text(EDGE, 40, title, { fill: ink.ink, weight: 600, size: 15 }),
    text(width - EDGE, 40, mark, { fill: ink.ink2, size: 13, anchor: 'end' }),
    rect(EDGE, HEAD, inner, plateHeight, { fill: ink.plate }),
    ...grid,
    ...moved(plate.shapes, 2 * EDGE, HEAD + EDGE),
    ...lines.map((words, i) => text(EDGE, HEAD + plateHeight + 26 + i * LINE, words, { fill: ink.ink2, size: 14 })),
  ];
  return { width, height, shapes };
}

/** Breaks text at spaces, or between Han characters; a wide character counts as two. @param {string} words @param {number} room */
export function wrap(words, room) {
  const parts = words.match(/[\u2e80-\uffef][，。；：！？、”’）]*|[^\s\u2e80-\uffef]+\s*|\s+/g) ?? [];
  const lines = [''];
  let used = 0;
  for (const part of parts) {
    const size = [...part].reduce((n, c) => n + (c > '\u2e80' ? 2 : 1), 0);
    if (used + size > room && used > 0) {
      lines.push('');
      used = 0;
    }
    lines[lines.length - 1] += part;
    used += size;
  }
  return lines.map((l) => l.trimEnd()).filter((l) => l !== '');
}
