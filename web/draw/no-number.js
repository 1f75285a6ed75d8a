/** What stands where a value is no finite number: a warn cell with a cross, on the page and in saved images. */
import { PALETTE } from './palette.js';
import { path, rect } from './shapes.js';

/**
 * @param {import('./palette.js').Theme} theme @param {number} x @param {number} y @param {number} size
 * @returns {import('./shapes.js').Shape[]}
 */
export function noNumber(theme, x, y, size) {
  const { warn, warnGround } = PALETTE[theme];
  const [from, to] = [size * 0.25, size * 0.75];
  const cross = `M${x + from} ${y + from}L${x + to} ${y + to}M${x + to} ${y + from}L${x + from} ${y + to}`;
  return [
    rect(x, y, size, size, { fill: warnGround, stroke: warn, width: 1 }),
    path(cross, { stroke: warn, width: 1.5 }),
  ];
}
