/** Layout of a sentence as token buttons (parts/tokens.js): wraps, then scrolls. */
import { css } from 'lit';

export const tokenRowStyles = css`
  .tokens { display: flex; flex-wrap: wrap; gap: 6px; max-height: 11rem; overflow-y: auto; padding: 6px; margin: -6px; }
  .joined { display: inline-flex; flex-direction: column; align-items: center; }
  .members { display: inline-flex; }
  .members .token + .token { border-inline-start-width: 0; }
  .whole { border: 1px solid var(--attn-axis); border-top: 0; align-self: stretch; text-align: center; margin: 3px 2px 0;
    padding-top: 2px; font-size: 0.875rem; }
  @container (max-width: 36rem) { .tokens .token { min-height: 44px; min-width: 44px; justify-content: center; } }
`;
