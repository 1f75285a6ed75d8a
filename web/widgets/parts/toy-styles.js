/** Layout of the three-token toy: two planes and the work between them; tabs and steppers on a phone. */
import { css } from 'lit';
import { sliderStyles } from './slider.js';

const planes = css`
  .three { display: grid; grid-template-columns: minmax(0, 1fr) 28.5rem minmax(0, 1fr); gap: 0 20px; align-items: start; }
  .heading { margin: 0 0 12px; font-weight: 600; font-size: 0.875rem; }
  .looking svg, .mixing svg { width: 100%; max-width: 320px; margin-inline: auto; }
  .handle { cursor: grab; outline: none; }
  .handle:active { cursor: grabbing; }
  .handle:focus-visible .target { stroke: var(--attn-ink); stroke-width: 3; }
  .work { align-self: center; }
  .work table { font-size: 0.875rem; }
  .work th, .work td { padding-block: 7px; padding-inline-start: 8px; white-space: nowrap; }
  .work th:first-child { padding-inline-start: 0; }
    .work .key, .work td:last-child { text-align: center; }
  .work th:last-child { text-align: center; }
  .work .share { text-align: start; padding-inline-start: 12px; }
  .share span { display: inline-flex; align-items: center; gap: 8px; }
  .share i { width: 56px; }
  .sum span { float: inline-end; width: 0; direction: rtl; color: var(--attn-ink2); font-size: 0.8125rem; }
  .work tfoot tr { border: 0; }
  .work tfoot :is(th, td) { padding-top: 10px; }
  .steps { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-top: 10px; color: var(--attn-ink2); }
  .tabs, .steppers { display: none; }
  @container (max-width: 64rem) {
    .three { grid-template-columns: 1fr 1fr; gap: 20px; }
    .work { grid-row: 2; grid-column: 1 / -1; }
  }
  @container (max-width: 36rem) {
    .tabs, .tabs .choice, .tabs .segments { display: flex; flex: 1; }
    .three { display: flex; flex-direction: column; align-items: stretch; gap: 0; }
    .looking, .mixing { order: -1; }
    .three > .work { align-self: stretch; }
    .heading { display: none; }
    .three[data-tab='looking'] .mixing, .three[data-tab='mixing'] .looking { display: none; }
    .work { margin: 12px -12px -12px; border-width: 0; padding: 12px 0 0; }
    .work .key, .work .raw, .sum span { display: none; }
    .work th, .work td { padding-inline-start: 6px; }
    .work .share { padding-inline-start: 10px; }
    .work tfoot td:last-child { font-size: 0.75rem; letter-spacing: -0.02em; }
    .share svg, .share i { width: 44px; }
    .steppers { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; margin-top: 14px; }
  }
`;

const scenes = css`
  .whole { white-space: nowrap; }
  .is-blank .work :is(td, th):last-child, .is-sink .work :is(td, th):last-child { text-align: end; }
  .is-blank .out, .is-sink .out { white-space: nowrap; }
  .facts { display: grid; grid-template-columns: repeat(3, auto); justify-content: space-between; gap: 4px 16px; margin: 8px 0 0; }
  .facts dt { color: var(--attn-ink2); font-size: 0.8125rem; }
  .facts dd { margin: 0; font-weight: 600; }
  .verdict { margin: 10px 0 0; }
  .below { grid-column: 1 / -1; margin-top: 20px; }
  .ways-name { margin: 0 0 8px; font-weight: 600; font-size: 0.875rem; }
  .ways { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px 16px; margin: 0; padding: 0; list-style: none; }
  .ways li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; padding: 6px 12px; border: 1px dashed var(--attn-axis);
    color: var(--attn-ink2); }
  .ways li.found { border: 1px solid var(--attn-ink); color: var(--attn-ink); font-weight: 600; }
  .ways a, .caption a { color: inherit; }
  .sight { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 40px; margin-inline: 0; min-width: 0; }
  .sight legend { float: left; flex: 0 1 13.5rem; padding: 0; font-weight: 600; font-size: 0.875rem; }
  .sight table { width: auto; font-size: 0.875rem; }
  .sight :is(th, td) { padding: 2px 10px; text-align: center; font-weight: 400; color: var(--attn-ink); }
  .sight th:first-child { padding-inline-start: 0; text-align: start; }
  .sight thead th:first-child { color: var(--attn-ink2); font-size: 0.8125rem; }
  .sight tbody tr:last-child { border: 0; }
  .sight label { display: grid; place-items: center; min-width: 28px; min-height: 28px; cursor: pointer; }
  .sight input { width: 20px; height: 20px; margin: 0; accent-color: var(--attn-hand); cursor: pointer; }
  .sight p { flex: 1 1 18rem; margin: 8px 0; }
  .sight p .button { margin-inline-end: 16px; }
  .is-gate { grid-template-columns: minmax(0, 1fr) 20rem; gap: 32px; }
  .stage { padding: 10px 0 12px; border-bottom: 1px solid var(--attn-rule); }
  .stage:first-child { padding-top: 0; }
  .stage.later > * { visibility: hidden; }
  .stage p { margin: 0 0 4px; }
  .stage .n { font: 600 1rem var(--attn-serif); margin-inline-end: 6px; }
  .stage .g { color: var(--attn-gate); font-weight: 600; }
  .z { display: grid; grid-template-columns: 5rem minmax(0, 560px); align-items: center; gap: 0 12px; }
  .stage .marks { display: grid; grid-template-columns: repeat(3, 1fr); max-width: 560px; margin: 2px 0 0 calc(5rem + 12px); font-size: 0.875rem; }
  .marks button { justify-self: center; }
  .marks button:first-child { justify-self: start; }
  .marks button:last-child { justify-self: end; }
  .stage .sigmoid { width: calc(100% - 5rem - 12px); max-width: 560px; height: auto; margin-inline-start: calc(5rem + 12px); }
  .ratio { margin: 0 0 12px; font-size: 0.875rem; color: var(--attn-ink2); }
  .product { font-size: 1.0625rem; }
  @container (max-width: 64rem) {
    .is-blank .work, .is-sink .work { grid-row: 2; }
    .is-gate { grid-template-columns: minmax(0, 1fr) 16rem; gap: 20px; }
    .is-gate .work { grid-row: auto; grid-column: auto; }
  }
  @container (max-width: 46rem) {
    .is-gate { display: flex; flex-direction: column; gap: 12px; }
    .is-gate .mixing { order: -1; align-self: stretch; }
    .is-gate .work { align-self: stretch; }
  }
  @container (max-width: 36rem) {
    .z { grid-template-columns: minmax(0, 1fr); }
    .z .scrub { min-height: 44px; }
    .stage .marks, .stage .sigmoid { margin-inline-start: 0; width: 100%; }
    .facts { gap: 4px 12px; }
    .below { margin: 12px -12px -12px; border-width: 1px 0 0; padding-inline: 12px; }
    .work:has(+ .mixing + .below) { margin-bottom: 0; }
    .ways { grid-template-columns: minmax(0, 1fr); }
    .ways li { min-height: 44px; align-items: center; }
    .ways a { display: inline-flex; align-items: center; min-height: 44px; }
    .sight label { min-width: 44px; min-height: 44px; }
    .sight legend { flex-basis: 100%; }
  }
`;

export const toyStyles = [sliderStyles, planes, scenes];
