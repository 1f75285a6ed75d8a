/** Layout of the one-layer figure. */
import { css } from 'lit';

export const layerStyles = css`
  form { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 4fr) auto; gap: 8px 16px; align-items: end; flex: 1; }
  form label span { display: block; font-size: 0.8125rem; color: var(--attn-ink2); }
  .loading { max-width: 30rem; margin-bottom: 16px; }
  .ask { max-width: 40rem; overflow-wrap: anywhere; }
  .ask p { margin: 0; }
  .ask code { font: 0.8125rem var(--attn-mono); }
  .shown.stale { opacity: 0.45; }
  .tokens { display: flex; flex-wrap: wrap; gap: 6px; margin: -2px -2px 18px; max-height: 11rem; overflow-y: auto; padding: 6px; }
  .joined { display: inline-flex; flex-direction: column; align-items: center; }
  .members { display: inline-flex; }
  .members .token + .token { border-inline-start-width: 0; }
  .whole { border: 1px solid var(--attn-axis); border-top: 0; align-self: stretch; text-align: center; margin: 3px 2px 0;
    padding-top: 2px; font-size: 0.875rem; }
  .pair { display: grid; grid-template-columns: minmax(0, 34rem) minmax(0, 1fr); gap: 24px 40px; align-items: start; }
  .map .legend { margin-top: 16px; }
  .readout { margin: 0 0 12px; min-height: 3em; font-weight: 600; }
  dl { margin: 0; font-size: 0.90625rem; border-top: 1px solid var(--attn-rule); }
  dt { color: var(--attn-ink2); font-size: 0.8125rem; padding-top: 8px; }
  dd { margin: 0; }
  code { font: 0.875em var(--attn-mono); }
  .picker label { min-width: 48px; }
  @container (max-width: 56rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
  @container (max-width: 44rem) { form { grid-template-columns: minmax(0, 1fr); } }
  @container (max-width: 36rem) {
    .picker label { min-height: 44px; }
    .token { min-height: 44px; min-width: 44px; justify-content: center; }
    .side { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
  }
`;
