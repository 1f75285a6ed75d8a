/** What one new token reads: every key and value so far, and no old query. One square a token. */
import { PALETTE } from './palette.js';
import { rect, text } from './shapes.js';

const ROW = 26;
const LABEL = 28;
/** Beyond so many tokens squares are drawn as one bar. */
const MANY = 40;

export const KV_STRIP_HEIGHT = 3 * ROW;

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ tokens: number, width: number }} o
 * @returns {import('./shapes.js').Shape[]}
 */
export function kvStrip(theme, { tokens, width }) {
  const ink = PALETTE[theme];
  const room = width - LABEL;
  const step = Math.min(24, room / tokens);
  const size = step - (tokens > MANY ? 0 : 3);
  const at = (/** @type {number} */ i) => LABEL + i * step;
  const row = (/** @type {number} */ y, /** @type {string} */ fill) => (tokens > MANY
    ? [rect(LABEL, y, tokens * step, 18, { fill })]
    : Array.from({ length: tokens }, (_, i) => rect(at(i), y, size, 18, { fill })));
  const label = (/** @type {number} */ y, /** @type {string} */ name) => text(0, y + 14, name, { fill: ink.ink2, size: 13 });
  const old = tokens - 1;
  const gone = old === 0 ? [] : tokens > MANY
    ? [rect(LABEL + 0.5, 2 * ROW + 0.5, old * step - 1, 17, { stroke: ink.axis, width: 1, dash: '3 3' })]
    : Array.from({ length: old }, (_, i) => rect(at(i) + 0.5, 2 * ROW + 0.5, size - 1, 17, { stroke: ink.axis, width: 1, dash: '3 3' }));
  return [
    label(0, 'K'), ...row(0, ink.k), label(ROW, 'V'), ...row(ROW, ink.v), label(2 * ROW, 'Q'), ...gone,
    rect(at(old), 2 * ROW, Math.max(size, 3), 18, { fill: ink.ink }),
  ];
}
