/** Layout of the map of a block and of the walk through its shapes. */
import { css } from 'lit';

export const pipelineStyles = css`
  code { font: 0.875rem/1.6 var(--attn-mono); }
  .block { display: grid; grid-template-columns: minmax(0, 6fr) minmax(0, 7fr); gap: 24px 32px; align-items: start; }
  .side { display: grid; gap: 16px; }
  .side p { margin: 6px 0 0; }
  .side .stop-name { font: 600 1.125rem/1.4 var(--attn-serif); margin: 0 0 4px; }
  .stops { list-style: none; margin: 0 0 12px; padding: 0; }
  .stops li { position: relative; }
  .stops li + li::before { content: ''; position: absolute; left: 17px; top: -14px; height: 28px; border-inline-start: 2px solid var(--attn-axis); }
  .stops li.ahead::before { border-inline-start-style: dashed; }
  .stops button { position: relative; z-index: 1; display: flex; gap: 16px; align-items: center; width: 100%; min-height: 54px; text-align: start; border: 0; padding: 4px 0;
    background: none; cursor: pointer; border-radius: 0; }
  .stops .number { flex: none; width: 28px; height: 28px; margin-inline-start: 4px; border: 2px solid var(--attn-axis); border-radius: 50%; display: grid;
    place-items: center; font-size: 0.8125rem; font-weight: 600; background: var(--attn-plate); }
  .stops.linear .number { border-style: dashed; }
  .stops strong { display: block; font-weight: 600; line-height: 1.3; }
  .stops .brief { display: block; font-size: 0.84375rem; line-height: 1.3; color: var(--attn-ink2); }
  .stops .here .number { background: var(--attn-hand); border: 2px solid var(--attn-hand); color: var(--attn-on-hand); width: 34px; height: 34px;
    margin-inline: 1px -3px; forced-color-adjust: none; }
  .stops .here strong { color: var(--attn-hand); }
  .stops .ahead strong { color: var(--attn-ink2); font-weight: 400; }
  .stop-card { min-height: 17.5rem; }
  .stop-card svg { max-width: 100%; }
  .side .each { color: var(--attn-ink2); font-size: 0.8125rem; margin: 10px 0 2px; }
  .steps { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; color: var(--attn-ink2); }
  .dial { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 16px; align-items: center; margin-bottom: 16px; }
  .grows > svg { max-width: 100%; height: auto; margin: 6px 0 12px 3px; }
  .grows caption { text-align: start; font-weight: 600; padding-bottom: 4px; }
  .grows .mark { font-weight: 400; margin-inline-start: 8px; vertical-align: middle; }
  .grows td { overflow-wrap: anywhere; }
  .grows .mine { font-weight: 600; }
  .walk { display: grid; grid-template-columns: minmax(0, 7fr) minmax(0, 4fr); gap: 24px; align-items: start; }
  .walk .side { position: sticky; top: 72px; }
  .lines .shape { font: 0.875rem/1.5 var(--attn-mono); text-align: start; padding-inline-start: 20px; }
  .lines th:nth-child(2) { text-align: start; padding-inline-start: 20px; }
  .shape span { white-space: nowrap; }
  .lines .link { text-align: start; }
  .lines tr:not(.now) .link { color: inherit; font-weight: 400; border-color: var(--attn-axis); }
  .lines th code { display: block; font-size: 0.8125rem; white-space: pre-wrap; color: var(--attn-ink2); font-weight: 400; }
  .lines tbody th { padding-block: 6px; }
  dl { margin: 0; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px 16px; }
  dt { color: var(--attn-ink2); font-size: 0.875rem; }
  dd { margin: 0; }
  .on-map { color: var(--attn-ink2); font-size: 0.875rem; }
  a { color: inherit; text-underline-offset: 3px; white-space: nowrap; }
  textarea.field { flex: 1 1 100%; border: 1px solid var(--attn-axis); background: var(--attn-paper); padding: 8px 10px; border-radius: 0;
    font: 0.8125rem/1.5 var(--attn-mono); resize: vertical; }
  @container (max-width: 50rem) { .block, .walk { grid-template-columns: minmax(0, 1fr); } .walk .side { position: static; } }
  @container (max-width: 36rem) {
    .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
    .controls .choice, .choice .segments { flex: 1 1 100%; }
    .segments { flex-wrap: wrap; }
    .steps { display: grid; grid-template-columns: 1fr 2fr 1fr; }
    .steps span { grid-column: 1 / -1; }
    .lines :is(table, tbody, tr, th, td) { display: block; }
    .lines thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
    .lines :is(th, td).count { display: none; }
    .walk .side { position: sticky; top: 72px; }
  .lines .shape { padding: 0 0 8px; }
    .lines tbody th { padding-top: 6px; }
    code, .lines .shape { font-size: 0.8125rem; }
    .lines th code { font-size: 0.75rem; }
    .stop-card { min-height: 0; }
  }
`;
