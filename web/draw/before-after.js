/** Shares now as bars, shares before as ticks. */
import { toHex, valueScale } from './colour.js';
import { noNumber } from './no-number.js';
import { PALETTE } from './palette.js';
import { line, moved, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */

/** One row. @param {Theme} theme @param {{ before: number, after: number, top: number, width: number, changed: boolean }} o  top: share at full width */
export function nowBar(theme, { before, after, top, width, changed }) {
  const ink = PALETTE[theme];
  const unit = (width - 4) / top;
  return [
    ...(Number.isFinite(after) ? [rect(0, 4, after * unit, 16, { fill: toHex(valueScale('probability', theme)(0.62)) })]
      : noNumber(theme, 2, 4, 16)),
    line(0, 0, 0, 24, { stroke: ink.axis, width: 1 }),
    ...(changed ? [line(before * unit, 0, before * unit, 24, { stroke: ink.paper, width: 6 }), line(before * unit, 0, before * unit, 24, { stroke: ink.ink, width: 2.5 })] : []),
  ];
}

/** All rows with names and numbers, for a saved image. @param {Theme} theme @param {{ name: string, before: number, after: number, words: string }[]} rows @param {boolean} changed */
export function guessPicture(theme, rows, changed) {
  const ink = PALETTE[theme];
  const [left, width] = [140, 380];
  const top = Math.max(...rows.flatMap((r) => [r.before, r.after]).filter(Number.isFinite));
  const shapes = rows.flatMap((r, i) => {
    const y = i * 34;
    return [text(left - 14, y + 17, r.name, { fill: ink.ink, anchor: 'end', size: 15 }),
      ...moved(nowBar(theme, { ...r, top, width, changed }), left, y), text(left + width + 14, y + 17, r.words, { fill: ink.ink })];
  });
  return { width: left + width + 170, height: rows.length * 34, shapes };
}
