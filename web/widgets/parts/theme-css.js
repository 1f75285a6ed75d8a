/** The palette as CSS custom properties. light-dark() follows the page's color-scheme, so a widget is dark where the page is. */
import { FONTS, PALETTE } from '../../draw/palette.js';

const kebab = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

/** @param {string} selector @returns {string} rules that define --attn-… on it */
export function themeCSS(selector) {
  const names = /** @type {(keyof typeof PALETTE.light)[]} */ (Object.keys(PALETTE.light));
  const plain = names.map((n) => `--attn-${kebab(n)}:${PALETTE.light[n]};`).join('');
  const both = names.map((n) => `--attn-${kebab(n)}:light-dark(${PALETTE.light[n]},${PALETTE.dark[n]});`).join('');
  const fonts = Object.entries(FONTS).map(([n, stack]) => `--attn-${n}:${stack};`).join('');
  return `${selector}{${plain}${fonts}--attn-ease:cubic-bezier(.2,0,0,1)}`
    + `@supports (color:light-dark(#000,#fff)){${selector}{${both}}}`
    + `@media (forced-colors:active){${selector}{${names.map((n) => `--attn-${kebab(n)}:${PALETTE.forced[n]};`).join('')}}}`;
}
