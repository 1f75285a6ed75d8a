/** Colour arithmetic: value -> colour, and the text colour that reads on it. Colours are [r, g, b] in 0..255. */
import { HEADS, PALETTE, RAMPS } from './palette.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {[number, number, number]} RGB */

/**
 * @param {string} hex '#rrggbb'
 * @returns {RGB}
 */
export function parseHex(hex) {
  const n = Number.parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** @param {RGB} rgb */
export function toHex([r, g, b]) {
  return `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, '0')}`;
}

/**
 * Relative luminance, WCAG 2.2.
 * @param {RGB} rgb
 */
export function luminance([r, g, b]) {
  const [R, G, B] = [r, g, b].map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * R + 0.7152 * G + 0.0722 * B;
}

/** @param {RGB} a @param {RGB} b contrast ratio, 1..21 */
export function contrast(a, b) {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (hi + 0.05) / (lo + 0.05);
}

/**
 * White or black, whichever reads better: never under 4.5.
 * @param {RGB} ground
 */
export function textOn(ground) {
  return luminance(ground) > 0.179 ? '#000' : '#fff';
}

/**
 * Even interpolation between stops at even distances.
 * @param {string[]} stops
 * @returns {(t: number) => RGB} t in 0..1, clamped
 */
export function ramp(stops) {
  const colours = stops.map(parseHex);
  const last = colours.length - 1;
  return (t) => {
    const at = Math.min(Math.max(t, 0), 1) * last;
    const i = Math.min(Math.floor(at), last - 1);
    const [a, b] = [colours[i], colours[i + 1]];
    return /** @type {RGB} */ (a.map((c, n) => Math.round(c + (b[n] - c) * (at - i))));
  };
}

/**
 * A value scale: probability and gate over [0, max], signed over [-max, max] with 0 in the middle. What is no finite
 * number has the colour of a warning, which is none of the scale's.
 * @param {'probability' | 'signed' | 'gate'} name
 * @param {Theme} theme
 * @param {number} [max]
 * @returns {(value: number) => RGB}
 */
export function valueScale(name, theme, max = 1) {
  const colour = ramp(RAMPS[theme][name]);
  const place = (/** @type {number} */ value) => (name === 'signed' ? (value / max + 1) / 2 : value / max);
  const none = warning(theme);
  return (value) => (Number.isFinite(value) ? colour(place(value)) : none);
}

/**
 * The colour of what is no finite number; the system's colours have none for a pixel.
 * @param {Theme} theme @returns {RGB}
 */
export const warning = (theme) => parseHex(PALETTE[theme === 'dark' ? 'dark' : 'light'].warn);

/**
 * Colour of query head h: groups alternate between cool and warm, heads spread over the group's range.
 * Beyond 16 heads a group has one colour and the numeral tells heads apart.
 * @param {number} h @param {number} heads @param {number} groups @param {Theme} theme
 */
export function headColour(h, heads, groups, theme) {
  const size = heads / groups;
  const group = Math.floor(h / size);
  const family = group % 2 ? HEADS[theme].warm : HEADS[theme].cool;
  if (heads > 16) return family[0];
  if (groups === 1) return spread([...HEADS[theme].cool, ...HEADS[theme].warm], h, heads);
  const sameHue = Math.ceil(groups / 2);
  const place = Math.floor(group / 2) * size + (h % size);
  return spread(family, place, sameHue * size);
}

/** @param {string[]} family @param {number} place @param {number} count */
function spread(family, place, count) {
  if (count <= family.length) return family[place];
  return toHex(ramp(family)(place / (count - 1)));
}
