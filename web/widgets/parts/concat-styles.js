/** Styles of figure 6: two sides and their results; strips of a model and theirs. */
import { css } from 'lit';
import { layerStripStyles } from './layer-strip.js';
import { tokenRowStyles } from './token-row.js';

export const concatStyles = [layerStripStyles, tokenRowStyles, css`
  .sides { display: grid; grid-template-columns: auto auto minmax(15rem, 1fr); gap: 24px 36px; align-items: start; }
  .heading { margin: 0 0 12px; font-weight: 600; }
  .tabs { display: none; flex: 1 1 100%; }
  .results p { margin: 0; }
  .results code { display: block; font: 0.8125rem/1.7 var(--attn-mono); overflow-wrap: anywhere; margin-bottom: 10px; }
  .results .largest { border-top: 1px solid var(--attn-rule); padding-top: 10px; }
  .results .largest strong { font-size: 1.25rem; }
  .side-note { color: var(--attn-ink2); font-size: 0.875rem; padding-top: 8px; }
  .legend { margin-top: 20px; }
  .dials { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; }
  @container (max-width: 66rem) {
    .sides { grid-template-columns: auto minmax(0, 1fr); }
    .sides .results { grid-column: 1 / -1; }
  }
  @container (max-width: 44rem) { .sides { display: block; } .sides .results { margin-top: 20px; } .added { margin-top: 24px; } }
  @container (max-width: 36rem) {
    .tabs, .tabs .choice, .tabs .segments { display: flex; flex: 1 1 100%; }
    .sides[data-side='glued'] .added, .sides[data-side='added'] .glued { display: none; }
    .added { margin: 0; }
    .heading { display: none; }
    .results { margin-inline: -12px; border-inline: 0; }
    .picker { flex: 1 1 100%; gap: 6px; }
    .picker label { min-width: 40px; min-height: 44px; }
  }
  @container (max-width: 21rem) { .legend .scale { width: 8rem; } }
  .model .picked { display: flex; flex-wrap: wrap; gap: 12px 28px; margin-bottom: 18px; align-items: center; }
  .model .pair { display: grid; grid-template-columns: auto minmax(15rem, 1fr); gap: 24px 36px; align-items: start; }
  .model .strips { forced-color-adjust: none; }
  @container (max-width: 56rem) { .model .pair { grid-template-columns: minmax(0, 1fr); } }
`];
