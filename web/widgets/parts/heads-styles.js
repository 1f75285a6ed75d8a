/** Layout of the two-heads figure: prompt and layers above, two maps and what they say beside; tabs on a phone. */
import { css } from 'lit';
import { layerStripStyles } from './layer-strip.js';

export const headsStyles = [layerStripStyles, css`
  .prompt { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; flex: 1; min-width: 0; }
  .tokens { display: flex; flex-wrap: wrap; gap: 6px; max-height: 9rem; overflow-y: auto; padding: 6px; margin: -6px; min-width: 0; }
  .joined { display: inline-flex; flex-direction: column; align-items: center; }
  .members { display: inline-flex; }
  .members .token + .token { border-inline-start-width: 0; }
  .whole { border: 1px solid var(--attn-axis); border-top: 0; align-self: stretch; text-align: center; margin: 3px 2px 0;
    padding-top: 2px; font-size: 0.875rem; }
  .hint { color: var(--attn-ink2); font-size: 0.875rem; }
  .actions { display: flex; gap: 12px; margin-inline-start: auto; }
  form { display: flex; flex: 1 1 100%; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
  form input.field { flex: 1 1 16rem; width: auto; }
  .grid { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) 17.5rem; gap: 24px 28px; align-items: start; }
  .who { display: flex; align-items: center; gap: 12px; margin: 0 0 10px; min-height: 2rem; }
  .who b { min-width: 44px; padding: 2px 10px; text-align: center; forced-color-adjust: none; }
  .veil { border: 1.5px dashed var(--attn-hand); background: var(--attn-paper); min-height: 15rem; display: grid; place-content: center; gap: 12px;
    justify-items: center; padding: 16px; text-align: center; }
  .veil p { margin: 0; max-width: 16rem; }
  .zoom { margin-top: 16px; }
  .zoom p { margin: 0 0 6px; font-size: 0.8125rem; color: var(--attn-ink2); }
  .tabs { display: none; margin-bottom: 16px; }
  .side h3 { margin: 0 0 10px; font: 600 0.9375rem/1.4 var(--attn-sans); }
  .next { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, max-content) 84px max-content; gap: 8px;
    align-items: center; justify-content: start; }
  .next li { display: contents; }
  .next .token { justify-self: end; max-width: 100%; white-space: pre-wrap; overflow-wrap: anywhere; }
  .cellwords { border-top: 1px solid var(--attn-rule); margin-top: 14px; padding-top: 12px; min-height: 6.5em; }
  .cellwords p { margin: 0 0 4px; }
  .scales { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 24px; margin-top: 20px; }
  .check { display: inline-flex; align-items: center; gap: 8px; min-height: 32px; cursor: pointer; }
  .check input { width: 18px; height: 18px; margin: 0; accent-color: var(--attn-hand); }
  .scales .legend { flex: 1 1 100%; }
  .below { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 16px 28px; margin-top: 24px; align-items: start; }
  .below h3 { margin: 0 0 10px; font: 600 0.9375rem/1.4 var(--attn-sans); }
  .below p { margin: 8px 0 0; font-size: 0.875rem; }
  .kv svg { max-width: 100%; }
  .picker { margin-bottom: 12px; }
  .finder .segments { flex-wrap: wrap; }
  .found [aria-pressed='true'] { border-bottom-style: solid; }
  .found { list-style: none; margin: 10px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; }
  @container (max-width: 64rem) {
    .grid { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    .side { grid-column: 1 / -1; display: grid; grid-template-columns: 1fr 1fr; gap: 24px; }
    .cellwords { border: 0; margin: 0; padding: 0; }
  }
  @container (max-width: 44rem) {
    .tabs, .tabs .choice, .tabs .segments { display: flex; flex: 1; }
    .grid, .below { grid-template-columns: minmax(0, 1fr); }
    .side { grid-template-columns: minmax(0, 1fr); gap: 12px; margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
    .cellwords { order: -1; min-height: 0; }
    .token { min-height: 44px; min-width: 44px; justify-content: center; }
    .actions { margin: 0; }
    .check, .picker label { min-height: 44px; }
  }
`];
