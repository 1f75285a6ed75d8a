/** Native radio buttons laid over the heads of a picture, so that they can be tapped, tabbed to and named. */
import { html } from 'lit';

/**
 * @param {{ legend: string, heads: number, picked: number, layout: { width: number, height: number },
 *   box: (h: number) => { x: number, y: number, w: number, h: number }, onPick: (h: number) => void }} o
 */
export function headOverlay({ legend, heads, picked, layout: { width, height }, box, onPick }) {
  const part = (/** @type {number} */ n, /** @type {number} */ of) => `${(100 * n) / of}%`;
  return html`<fieldset class="heads" .style="max-width:${width}px"><legend>${legend}</legend>${Array.from({ length: heads }, (_, h) => {
    const b = box(h);
    return html`<label .style="left:${part(b.x, width)};top:${part(b.y, height)};width:${part(b.w, width)};height:${part(b.h, height)}"><input
      type="radio" name="head" aria-label="Q${h}" .checked=${h === picked} @change=${() => onPick(h)}></label>`;
  })}</fieldset>`;
}
