/** Layout of the loading figure: bars beside the ladder of downloads. */
import { css } from 'lit';

export const loadStyles = css`
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px 36px; align-items: start; }
  .bars svg { width: 100%; height: auto; }
  .plate.stale { opacity: 1; }
  .plate.stale .bars svg { opacity: 0.45; }
  .state { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; min-height: 2.5rem; margin-top: 8px; }
  .state p { margin: 0; flex: 1 1 12rem; }
  .amount { margin: 6px 0 0; min-height: 1.5em; color: var(--attn-ink2); }
  .ladder { list-style: none; margin: 0; padding: 0; }
  .ladder li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) auto; gap: 4px 16px; align-items: center; padding: 10px 0;
    border-bottom: 1px solid var(--attn-rule); }
  .ladder li:first-child { padding-top: 0; }
  .ladder li:last-child { border: 0; padding-bottom: 0; }
  .ladder strong { font-size: 1.0625rem; white-space: nowrap; }
  .ladder span { font-size: 0.90625rem; line-height: 1.5; }
  .ladder .here { color: var(--attn-ink2); }
  .ladder a { color: inherit; }
  h3 { margin: 0 0 12px; font: 600 1rem/1.4 var(--attn-serif); overflow-wrap: anywhere; }
  .note { margin: 12px 0 0; font-size: 0.875rem; color: var(--attn-ink2); }
  .own { display: flex; flex: 1 1 18rem; gap: 8px 12px; align-items: end; }
  .own label { flex: 1; min-width: 0; font-size: 0.8125rem; color: var(--attn-ink2); }
  .own input { color: var(--attn-ink); font-size: 0.9375rem; }
  @container (max-width: 52rem) { .pair { grid-template-columns: minmax(0, 1fr); } .sheet { order: -1; } }
  @container (max-width: 36rem) {
    .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
    .ladder li { grid-template-columns: minmax(0, 1fr) auto; }
    .ladder span { grid-column: 1 / -1; grid-row: 2; }
    .ladder .here { grid-column: 2; grid-row: 1; }
    .own { flex-wrap: wrap; }
  }
`;
