/** Layout of the figures that split one matrix into heads. */
import { css } from 'lit';

export const splitStyles = css`
  .pair { display: grid; grid-template-columns: minmax(0, 58fr) minmax(0, 42fr); gap: 24px 36px; align-items: start; }
  .art { position: relative; }
  .art svg, .blocks { width: 100%; height: auto; }
  .heads { position: absolute; inset: 0; border: 0; margin: 0; padding: 0; pointer-events: none; }
  .heads legend { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .heads label { position: absolute; cursor: pointer; pointer-events: auto; }
  .heads input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
  .heads label:has(:focus-visible) { outline: 3px solid var(--attn-ink); outline-offset: 5px; }
  .sheet p { margin: 0 0 10px; }
  .sheet > table + p, .sheet > .verdict { margin-top: 12px; }
  .sheet > :last-child { margin-bottom: 0; }
  .big { font-size: 1.1875rem; font-weight: 600; }
  .rows { font: 0.90625rem/1.6 var(--attn-mono); }
  .quiet-text, .reasons { color: var(--attn-ink2); font-size: 0.90625rem; }
  .reasons { margin: 0; padding-inline-start: 1.2em; }
  .reasons li { margin-bottom: 6px; }
  .dial { flex: 1 1 15rem; max-width: 24rem; display: grid; grid-template-columns: auto minmax(0, 1fr) 3.2em; gap: 12px;
    align-items: center; }
  .check { display: inline-flex; align-items: center; gap: 8px; min-height: 32px; cursor: pointer; }
  .check input { flex: none; width: 18px; height: 18px; margin: 0; accent-color: var(--attn-hand); }
  .cost td, .cost th { vertical-align: middle; }
  .cost .bar { width: 30%; }
  .cost i { display: block; height: 12px; background: var(--attn-ink); min-width: 1px; }
  .cost .free i { background: none; border: 1.5px dashed var(--attn-ink); }
  .cost .now { background: none; }
  .verdict { font-weight: 600; }
  .below { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; margin-top: 24px; align-items: start; }
  .below .strips { width: 100%; height: auto; margin-bottom: 8px; }
  .heading { font-weight: 600; margin: 0 0 8px; }
  .verdict .mark { font-weight: 400; margin-inline-end: 6px; }
  @container (max-width: 60rem) { .pair, .below { grid-template-columns: minmax(0, 1fr); } }
  @container (max-width: 36rem) {
    .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
    .below { margin-top: 16px; gap: 12px; }
    .below .sheet:last-child, .pair .sheet { margin-bottom: -12px; border-bottom: 0; }
    .check { min-height: 44px; }
    .cost { font-size: 0.84375rem; }
    .cost .bar { width: 20%; }
  }
`;
