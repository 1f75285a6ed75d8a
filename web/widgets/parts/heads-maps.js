/** The two maps of F12 and the scale they share: whole, or as pixels with a window; and their difference. */
import { html } from 'lit';
import { headColour, parseHex, textOn } from '../../draw/colour.js';
import { LOG_FLOOR, SCALES, windowOf } from '../../lab/heads.js';
import { legend } from './cards.js';
import { choice } from './controls.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../../lab/heads.js').Square} Square */
/** @typedef {import('../../lab/grid.js').Cell} Cell */

/** From so many tokens on, a map is pixels, and a window shows a part of it with names. */
const MANY = 24;
const WINDOW = 12;

const after = (/** @type {number} */ i, /** @type {number} */ j) => j > i;
const afterOrFirst = (/** @type {number} */ i, /** @type {number} */ j) => j > i || j === 0;
export const maskOf = (/** @type {boolean} */ hideFirst) => (hideFirst ? afterOrFirst : after);

/** A head's chip. @param {number} head @param {{ heads: number, kvHeads: number }} config @param {import('../../draw/palette.js').Theme} theme */
export function headChip(head, { heads, kvHeads }, theme) {
  const colour = headColour(head, heads, kvHeads, theme);
  return html`<b .style="background:${colour};color:${textOn(parseHex(colour))}">Q${head}</b>`;
}

/**
 * @typedef {object} MapOptions
 * @property {Square} map
 * @property {unknown} head what stands above
 * @property {(import('../../lab/tokens.js').Piece | string)[]} names
 * @property {import('../../draw/palette.js').Theme} theme
 * @property {'probability' | 'signed'} scale
 * @property {(value: number, i: number, j: number) => number} [shade]
 * @property {boolean} hideFirst
 * @property {Cell | null} cell @property {number} row @property {Cell} centre of the window
 * @property {string} label
 * @property {(value: number) => string} format
 * @property {(i: number, j: number) => string} describe
 * @property {(event: CustomEvent, offset?: { top: number, left: number }) => void} onCell
 */

/** The window's shading and masking, in its own cells. Kept by map, so that walking about does not repaint. @type {WeakMap<Square, any>} */
const windows = new WeakMap();

/** @param {MapOptions} o */
function cutOf({ map, centre, shade, hideFirst }) {
  const cut = windowOf(map, centre, WINDOW);
  const key = [cut.top, cut.left, shade, hideFirst];
  const known = windows.get(map);
  if (known?.key.every((/** @type {unknown} */ k, /** @type {number} */ i) => k === key[i])) return known;
  const masked = maskOf(hideFirst);
  const made = {
    ...cut, key,
    masked: (/** @type {number} */ i, /** @type {number} */ j) => masked(i + cut.top, j + cut.left),
    shade: shade && ((/** @type {number} */ v, /** @type {number} */ i, /** @type {number} */ j) => shade(v, i + cut.top, j + cut.left)),
  };
  windows.set(map, made);
  return made;
}

/** @param {Text} t @param {MapOptions} o */
export function headMap(t, o) {
  const { map, names, theme, scale, shade, cell, row, label, format, describe, onCell } = o;
  const whole = html`<attn-heatmap .matrix=${map} .rows=${names} .cols=${names} .theme=${theme} .scale=${scale} .shade=${shade}
    .masked=${maskOf(o.hideFirst)} .maskedText=${''} .markRow=${row} .cell=${cell} .label=${label} .hint=${t('grid.hint')} .format=${format}
    .describe=${describe} @cell=${(/** @type {CustomEvent} */ e) => onCell(e)}></attn-heatmap>`;
  if (map.rows <= MANY) return html`<div class="map"><p class="who">${o.head}</p>${whole}</div>`;
  const cut = cutOf(o);
  const end = (/** @type {number} */ from) => t.count(from + cut.map.rows);
  const inside = (/** @type {number} */ at, /** @type {number} */ from) => at >= from && at < from + cut.map.rows;
  const here = cell && inside(cell.row, cut.top) && inside(cell.col, cut.left) ? { row: cell.row - cut.top, col: cell.col - cut.left } : null;
  return html`<div class="map"><p class="who">${o.head}</p>${whole}<div class="zoom"><p>${t('heads.window', {
    top: t.count(cut.top + 1), bottom: end(cut.top), left: t.count(cut.left + 1), right: end(cut.left),
  })}</p><attn-heatmap .matrix=${cut.map} .rows=${names.slice(cut.top, cut.top + cut.map.rows)} .cols=${
  names.slice(cut.left, cut.left + cut.map.rows)} .theme=${theme} .scale=${scale} .shade=${cut.shade} .masked=${cut.masked} .maskedText=${''}
    .markRow=${inside(row, cut.top) ? row - cut.top : null} .cell=${here} .label=${label} .hint=${t('grid.hint')} .format=${format}
    .describe=${(/** @type {number} */ i, /** @type {number} */ j) => describe(i + cut.top, j + cut.left)}
    @cell=${(/** @type {CustomEvent} */ e) => onCell(e, cut)}></attn-heatmap></div></div>`;
}

/** A map that waits for a guess. @param {Text} t @param {unknown} chip @param {() => void} onShow */
export const veiledMap = (t, chip, onShow) => html`<div class="map"><p class="who">${chip}</p><div class="veil"><p>${t('heads.veil')}</p>
  <button type="button" class="link" @click=${onShow}>${t('predict.show')}</button></div></div>`;

/**
 * @param {Text} t
 * @param {{ theme: import('../../draw/palette.js').Theme, scale: import('../../lab/heads.js').Scale, hideFirst: boolean, naming: string,
 *   range: { min: number, max: number }, signed: boolean, onScale: (scale: any) => void, onHide: (hide: boolean) => void,
 *   onNaming: (naming: any) => void }} o
 */
export function scaleBar(t, { theme, scale, hideFirst, naming, range, signed, onScale, onHide, onNaming }) {
  const words = [t(signed ? 'heads.legend.difference' : `heads.legend.${scale}`), hideFirst ? t('heads.legend.hidden') : '', signed ? '' : t('heads.legend.one')];
  const min = signed ? `${t.fixed(-1, 0)}` : scale === 'log' ? `≤ ${LOG_FLOOR}` : '0';
  const max = signed ? '+1' : scale === 'row' ? t('heads.legend.top') : t.short(range.max, 2);
  return html`<div class="scales">
    ${choice({ name: 'scale', legend: t('heads.scale'), value: scale, options: SCALES.map((value) => ({ value, label: t(`heads.scale.${value}`) })), onPick: onScale })}
    <label class="check"><input type="checkbox" .checked=${hideFirst}
      @change=${(/** @type {Event} */ e) => onHide(/** @type {HTMLInputElement} */ (e.target).checked)}><span>${t('heads.hideFirst')}</span></label>
    ${choice({ name: 'naming', legend: t('heads.naming'), value: naming, options: ['tokens', 'words'].map((value) => ({ value, label: t(`heads.naming.${value}`) })), onPick: onNaming })}
    ${legend(t, { name: signed ? 'signed' : 'probability', theme, min, max, words: words.filter(Boolean).join(t('list.comma')), masked: true })}</div>`;
}
