/** Styles every figure shares: frame, plate, controls, tables. */
import { css, unsafeCSS } from 'lit';
import { themeCSS } from './theme-css.js';

const frame = css`
  :host { display: block; container-type: inline-size; color: var(--attn-ink); font: 0.9375rem/1.5 var(--attn-sans);
    font-variant-numeric: tabular-nums; text-align: start; -webkit-text-size-adjust: none; }
  :host([hidden]), [hidden] { display: none !important; }
  *, *::before, *::after { box-sizing: border-box; }
  /* Where the serif at hand is a Chinese one, its ’ and “ ” are as wide as a character. Font shorthands reset this. */
  :lang(en):is(h3, h4, legend, .therefore, .home li, .ours) { font-variant-east-asian: proportional-width !important; }
  figure { margin: 0; display: grid; align-items: start; position: relative;
    grid-template: 'head tools' auto 'main main' auto 'aside aside' auto 'foot foot' auto / minmax(0, 1fr) auto; }
  .head { grid-area: head; display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; padding: 8px 0 10px;
    border-top: 2px solid var(--attn-ink); align-self: stretch; }
  figure:focus { outline: none; }
  figure:focus-visible { outline: 3px solid var(--attn-ink); outline-offset: 6px; }
  .tools { grid-area: tools; display: flex; flex-wrap: wrap; gap: 0 16px; justify-content: end; align-items: center; padding: 8px 0 10px 28px; border-top: 2px solid var(--attn-ink);
    align-self: stretch; }
  .main { grid-area: main; min-width: 0; }
  .aside { grid-area: aside; margin-top: 12px; }
  .foot { grid-area: foot; min-width: 0; }
  .waiting { min-height: 20rem; border-top: 2px solid var(--attn-ink); background: var(--attn-plate); }
  .coming { margin: 0; padding: 18px 24px; color: var(--attn-ink2); }
  .title { margin: 0; font-size: 0.9375rem; font-weight: 600; flex: 1 1 auto; }
  .fig { font: 600 0.9375rem var(--attn-serif); margin-inline-end: 12px; white-space: nowrap; }
  .mark { display: inline-flex; align-items: center; white-space: pre; border: 1px solid var(--attn-axis); padding: 2px 10px;
    font-size: 0.8125rem; line-height: 1.45; }
  .mark.is-illustration { border-style: dashed; }
  .mark svg { width: 12px; height: 12px; flex: none; margin-inline-end: 8px; }
  .controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; padding: 0 0 12px; }
  .plate { position: relative; padding: 24px; background-color: var(--attn-plate);
    background-image: linear-gradient(var(--attn-grid) 1px, transparent 1px),
      linear-gradient(90deg, var(--attn-grid) 1px, transparent 1px);
    background-size: 24px 24px; background-position: -1px -1px; transition: opacity 240ms var(--attn-ease); }
  .plate.stale { opacity: 0.45; }
  .awaited { min-height: 16rem; display: grid; align-content: center; justify-items: center; }
  .awaited > * { width: min(30rem, 100%); }
  .awaited .quiet { margin: 0; text-align: center; color: var(--attn-ink2); border: 1.5px dashed var(--attn-axis); padding: 24px; }
  .sheet { background: var(--attn-paper); border: 1px solid var(--attn-grid); padding: 14px 16px; }
  .caption { margin: 10px 0 0; max-width: 51rem; color: var(--attn-ink2); font-size: 0.90625rem; line-height: 1.6; }
  .caption .scrub { min-width: 0; min-height: 0; line-height: inherit; }
  .caption strong { color: var(--attn-ink); }
  .therefore { display: flex; gap: 14px; margin: 14px 0 0; max-width: 47rem;
    font: 1.15625rem/1.5 var(--attn-serif); }
  .therefore::before { content: "∴"; color: var(--attn-hand); font: 600 1.35rem/1.25 var(--attn-sans); }
  figure:lang(zh) .caption { line-height: 1.75; }
  figure:lang(zh) .therefore { line-height: 1.7; font-size: 1.125rem; }
  /* On a page that runs from right to left, pictures, legends and numbers are islands; prose follows the page. */
  svg, .plate, .equivalent, .legend, .scrub, .slide, .vector, .stepper, .picker, output { direction: ltr; }
  .scrub, .vector, .stepper, strong, output, td, dd { unicode-bidi: isolate; }
  :host(:dir(rtl)) .plate :is(p:not(.product, .numbers), h3, h4, li, legend) { direction: rtl; }
  :host(:dir(rtl)) :is(strong, output, dd, td) { direction: ltr; }
  :host(:dir(rtl)) .predict label { direction: ltr; flex-direction: row-reverse; }
  .live { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
    white-space: nowrap; }
  svg { display: block; overflow: visible; }
  svg text { font-family: var(--attn-sans); }
  @container (min-width: 56rem) {
    :host([beside]) figure { grid-template: 'head tools aside' auto 'main main aside' auto 'foot foot aside' auto /
      minmax(0, 1fr) auto 304px; }
    :host([beside]) .aside { margin: 47px 0 0 40px; width: 264px; }
    :host(:not([beside])) .predict { display: flex; align-items: center; gap: 4px 32px; flex-wrap: wrap; padding-block: 8px; }
    :host(:not([beside])) .predict fieldset { display: flex; align-items: center; gap: 0 24px; flex-wrap: wrap; }
    :host(:not([beside])) .predict legend { float: left; margin: 0 8px 0 0; }
    :host(:not([beside])) .predict p { margin: 0; }
  }
  @container (max-width: 21rem) {
    .sheet:has(table) { overflow-x: auto; background: linear-gradient(var(--attn-paper) 0 0) 0 / 16px 100% no-repeat local,
      linear-gradient(var(--attn-paper) 0 0) 100% / 16px 100% no-repeat local,
      linear-gradient(90deg, var(--attn-axis), transparent) 0 / 6px 100% no-repeat scroll,
      linear-gradient(270deg, var(--attn-axis), transparent) 100% / 6px 100% no-repeat scroll, var(--attn-paper); }
  }
  @container (max-width: 36rem) {
    .plate { padding: 12px; }
    figure { grid-template: 'head' auto 'main' auto 'tools' auto 'aside' auto 'foot' auto / minmax(0, 1fr); }
    .head { gap: 6px 10px; flex-wrap: nowrap; align-items: start; }
    .mark .more { display: none; }
    .tools { border: 0; padding: 0; justify-content: end; }
    .therefore { font-size: 1.0625rem; }
  }
`;

const controls = css`
  button, input, select, textarea { font: inherit; color: inherit; font-variant-numeric: inherit; }
  :focus-visible { outline: 3px solid var(--attn-ink); outline-offset: 3px; }
  .unlinked { color: var(--attn-ink2); font-size: 0.8125rem; }
  .tool { border: 0; padding: 2px 0; background: none; color: var(--attn-ink2); font-size: 0.8125rem; cursor: pointer;
    border-bottom: 1px solid var(--attn-rule); border-radius: 0; min-height: 24px; }
  .tool:hover, .tool[aria-pressed='true'] { color: var(--attn-ink); border-color: var(--attn-ink); }
  .button { border: 1.5px solid var(--attn-hand); color: var(--attn-hand); background: var(--attn-paper); font-weight: 600;
    padding: 5px 14px; min-height: 34px; border-radius: 0; cursor: pointer;
    transition: background-color 120ms var(--attn-ease), color 120ms var(--attn-ease); }
  .button:hover:not(:disabled, [aria-disabled='true']), .button.active { background: var(--attn-hand); color: var(--attn-on-hand); }
  .button.quiet { border-color: var(--attn-rule); color: var(--attn-ink); }
  .button.quiet:hover:not(:disabled, [aria-disabled='true']) { background: var(--attn-plate); color: var(--attn-ink); border-color: var(--attn-ink); }
    .button:disabled, .button[aria-disabled='true'] { color: var(--attn-ink2); border-color: var(--attn-rule); cursor: default; }
  .link { border: 0; padding: 0; background: none; color: var(--attn-hand); font-weight: 600; cursor: pointer;
    border-bottom: 2px dotted var(--attn-hand); border-radius: 0; min-height: 24px; }
  .scrub { border: 0; background: none; color: var(--attn-hand); font-weight: 600; line-height: 1.9;
    padding: 0; margin: 0; text-align: center; text-decoration: underline dotted 2px; text-underline-offset: 5px; cursor: ew-resize; touch-action: pan-y pinch-zoom; border-radius: 0;
    min-width: 24px; min-height: 26px; }
  .vector { display: inline-flex; align-items: center; white-space: nowrap; color: var(--attn-hand); font-weight: 600; }
  .refused { position: absolute; z-index: 3; width: max-content; max-width: min(18rem, 88vw); margin: 30px 0 0 -24px; padding: 6px 10px; text-align: start; white-space: normal;
    background: var(--attn-warn-ground); border: 1px solid var(--attn-warn); color: var(--attn-ink); font: 400 0.875rem/1.4 var(--attn-sans); }
  .refused[hidden] { display: none; }
  .vector .scrub:first-of-type { text-align: end; }
  .vector .scrub:last-of-type { text-align: start; }
  .stepper { display: inline-flex; border: 1.5px solid var(--attn-hand); background: var(--attn-paper); }
  .stepper button { width: 44px; height: 44px; border: 0; background: none; color: var(--attn-hand); font-size: 1.1rem;
    cursor: pointer; }
  .stepper .scrub { border: 0; align-self: center; min-width: 2.4em; min-height: 44px; }
  .choice { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 6px 20px; min-width: 0; }
  .choice legend { float: left; padding: 0; }
  .choice.hide-legend legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .segments { display: inline-flex; border: 1.5px solid var(--attn-hand); background: var(--attn-paper); max-width: 100%; }
  .segments label { position: relative; padding: 4px 13px; white-space: nowrap; min-height: 32px; display: flex; align-items: center;
    justify-content: center; color: var(--attn-hand); cursor: pointer; border-inline-start: 1px solid var(--attn-rule); }
  .segments label:first-of-type { border-inline-start: 0; }
  .segments input, .picker input { position: absolute; inset: 0; margin: 0; opacity: 0; width: 100%; height: 100%; pointer-events: none; }
  .segments label:has(:checked) { background: var(--attn-hand); color: var(--attn-on-hand); font-weight: 600; }
  .segments label:has(:focus-visible) { outline: 3px solid var(--attn-ink); outline-offset: 3px; z-index: 1; }
  input.field { width: 100%; border: 1px solid var(--attn-axis); background: var(--attn-paper); padding: 6px 10px;
    min-height: 36px; border-radius: 0; }
  @container (max-width: 36rem) {
    .button, .segments label { min-height: 44px; }
    .segments { flex-wrap: wrap; }
    .segments label { flex: 1 1 auto; white-space: normal; overflow-wrap: anywhere; text-align: center; }
    .segments.wide { display: flex; }
    .segments.wide label { flex: 1; }
    .tool { min-height: 44px; border: 0; text-decoration: underline; text-underline-offset: 4px;
      text-decoration-color: var(--attn-rule); }
  }
  @media (forced-colors: active) {
    .segments label:has(:checked), .button.active { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  }
  @media (prefers-reduced-motion: reduce) { * { transition-duration: 0s !important; animation-duration: 0s !important; } }
`;

const content = css`
  .token { display: inline-flex; align-items: center; border: 1px solid var(--attn-axis); background: var(--attn-paper);
    padding: 1px 7px; font-size: 1rem; line-height: 1.5; color: var(--attn-ink); white-space: pre; unicode-bidi: isolate;
    border-radius: 0; min-height: 1.75rem; }
  button.token { cursor: pointer; }
  .token[aria-pressed='true'], .token.picked { outline: 2px solid var(--attn-hand); outline-offset: -1px;
    border-color: var(--attn-hand); }
  .token[aria-pressed='true']:focus-visible { outline: 3px solid var(--attn-ink); outline-offset: 3px; }
  .token.ghost { border-style: dashed; color: var(--attn-ink2); }
  .token .sign { color: var(--attn-ink2); }
  .token.bytes { font: 0.8125rem var(--attn-mono); color: var(--attn-ink2); }
  .gloss { display: block; font-size: 0.8125rem; color: var(--attn-ink2); }
  table { border-collapse: collapse; width: 100%; font-size: 0.90625rem; }
  th { font-weight: 600; font-size: 0.8125rem; color: var(--attn-ink2); text-align: end; padding: 4px 0 4px 12px;
    vertical-align: bottom; }
  td { text-align: end; padding: 6px 0 6px 12px; }
  th:first-child, td:first-child { text-align: start; padding-inline-start: 0; }
  tbody th { font-size: inherit; color: inherit; font-weight: 400; vertical-align: middle; }
  thead tr { border-bottom: 1.5px solid var(--attn-ink); }
  tbody tr, tfoot tr { border-bottom: 1px solid var(--attn-rule); }
  tr.now { font-weight: 600; background: color-mix(in srgb, var(--attn-hand) 8%, transparent); }
  .equivalent { overflow-x: auto; padding: 16px; background: var(--attn-plate); }
  .equivalent table { width: auto; min-width: 50%; }
  .predict { border: 1.5px solid var(--attn-hand); padding: 14px 16px; background: var(--attn-paper); }
  .predict fieldset { border: 0; padding: 0; margin: 0; min-width: 0; }
  .predict legend { font: 600 1rem/1.45 var(--attn-serif); padding: 0; margin: 0 0 6px; }
  .predict label { display: flex; align-items: center; gap: 10px; min-height: 32px; cursor: pointer; }
  .predict input { appearance: none; width: 20px; height: 20px; margin: 0; flex: none; border: 1.5px solid var(--attn-hand);
    border-radius: 50%; background: var(--attn-paper); cursor: pointer; }
  .predict input:checked { background: radial-gradient(var(--attn-hand) 45%, transparent 50%); forced-color-adjust: none; }
  .predict p { margin: 8px 0 0; font-size: 0.875rem; line-height: 1.55; }
  .predict .yours { color: var(--attn-hand); font-weight: 600; }
  .error { background: var(--attn-warn-ground); border: 1px solid var(--attn-warn); padding: 12px 14px; margin: 0 0 12px;
    overflow-wrap: anywhere; }
  .error strong { color: var(--attn-warn); display: block; }
  .error p { margin: 2px 0 6px; font-size: 0.875rem; }
  .error details { margin: 0 0 6px; font-size: 0.875rem; }
  .error summary { width: fit-content; cursor: pointer; color: var(--attn-ink2); }
  .error code { font: 0.75rem var(--attn-mono); color: var(--attn-ink2); margin-inline-start: 14px; }
  .error .actions { display: flex; gap: 18px; align-items: center; flex-wrap: wrap; }
  .progress { display: grid; gap: 6px; }
  .progress .bar { height: 8px; border: 1px solid var(--attn-axis); background: var(--attn-paper); }
  .progress .bar span { display: block; height: 100%; background: var(--attn-ink); }
  .progress .line { display: flex; justify-content: space-between; gap: 16px; font-size: 0.875rem; }
  .legend { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; font-size: 0.8125rem; color: var(--attn-ink2); }
  .legend .scale { width: 190px; height: 14px; forced-color-adjust: none; }
  .picker { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 8px 28px; min-width: 0; }
  .picker legend { float: left; padding: 6px 0 0; }
  .picker .chips { display: flex; flex-wrap: wrap; gap: 6px; }
  .picker label { position: relative; min-width: 48px; min-height: 34px; display: grid; place-items: center; font-weight: 600;
    cursor: pointer; forced-color-adjust: none; }
  .picker label:has(:checked) { outline: 2px solid var(--attn-hand); outline-offset: 2px; }
  .picker label:has(:focus-visible) { outline: 3px solid var(--attn-ink); outline-offset: 3px; }
  .picker .reads { border: 1.5px solid var(--attn-axis); border-top: 0; height: 8px; margin: 6px 0 22px; text-align: center;
    font-size: 0.8125rem; line-height: 1; padding-top: 10px; color: var(--attn-ink2); white-space: nowrap; }
  .legend .hatch { width: 22px; height: 14px; background: repeating-linear-gradient(135deg, var(--attn-rule) 0 1px,
    transparent 1px 5px); }
`;

export const sharedStyles = [unsafeCSS(themeCSS(':host')), frame, controls, content];
