/** A red thumb on a line: the native range input, drawn like the rest of what the hand takes hold of. */
import { css, html } from 'lit';
import { live } from 'lit/directives/live.js';

/**
 * @param {{ value: number, min: number, max: number, step?: number, label: string, words: string,
 *   onInput: (value: number) => void }} o  words: the value as it is read out
 */
export function slider({ value, min, max, step = 1, label, words, onInput }) {
  return html`<input class="slide" type="range" min=${min} max=${max} step=${step} aria-label=${label} aria-valuetext=${words}
    .style="--part:${(value - min) / (max - min)}" .value=${live(String(value))}
    @input=${(/** @type {Event} */ e) => onInput(Number(/** @type {HTMLInputElement} */ (e.currentTarget).value))}>`;
}

/** A range over powers: the thumb's place is log2 of the value. @param {number} value */
export const toLog = (value) => Math.log2(value);
/** @param {number} place @returns {number} the whole value nearest to a place */
export const fromLog = (place) => Math.round(2 ** place);

const thumb = css`width: 22px; height: 22px; border: 3px solid var(--attn-hand); border-radius: 50%; background: var(--attn-paper);
  box-sizing: border-box; cursor: ew-resize; margin-top: -10px;`;
const track = css`height: 2px; background: linear-gradient(90deg, var(--attn-hand) calc(var(--part) * 100%), var(--attn-axis) 0);`;

/** The thumb's middle travels from 11 px to 11 px before the end: pictures that share its axis keep that edge. */
export const SLIDE_EDGE = 11;

export const sliderStyles = css`
  input.slide.slide { appearance: none; display: block; width: 100%; min-width: 0; height: 28px; margin: 0; border: 0; border-radius: 0;
    background: none; cursor: pointer; touch-action: pan-y pinch-zoom; }
  .slide::-webkit-slider-runnable-track { ${track} }
  .slide::-moz-range-track { ${track} }
  .slide::-webkit-slider-thumb { appearance: none; ${thumb} }
  .slide::-moz-range-thumb { ${thumb} }
  @container (max-width: 36rem) { input.slide.slide { height: 44px; } }
  @media (forced-colors: active) { .slide { forced-color-adjust: none; } }
`;
