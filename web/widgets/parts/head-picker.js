/** Query heads as chips in brackets by notebook: colour tags them, the numeral tells them apart. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { headColour, parseHex, textOn } from '../../draw/colour.js';

/**
 * @param {import('../../lab/text.js').Text} t
 * @param {{ heads: number, kvHeads: number, value: number | number[], theme: import('../../draw/palette.js').Theme, reads?: boolean,
 *   onPick: (head: number) => void }} o  reads: say below the brackets which notebook they share;
 *   a list as value: several heads are picked, onPick toggles
 */
export function headPicker(t, { heads, kvHeads, value, theme, reads = true, onPick }) {
  const size = heads / kvHeads;
  const several = Array.isArray(value);
  const chip = (/** @type {number} */ h) => {
    const colour = headColour(h, heads, kvHeads, theme);
    return html`<label .style="background:${colour};color:${textOn(parseHex(colour))}"><input type=${several ? 'checkbox' : 'radio'} name="head"
      .checked=${live(several ? value.includes(h) : h === value)} @change=${() => onPick(h)}><span>Q${h}</span></label>`;
  };
  return html`<fieldset class="picker"><legend>${t('head.legend')}</legend>${Array.from({ length: kvHeads }, (_, g) => html`
    <div class="group"><div class="chips">${Array.from({ length: size }, (__, m) => chip(g * size + m))}</div>
      ${reads ? html`<div class="reads">${t('head.reads', { g })}</div>` : nothing}</div>`)}</fieldset>`;
}
