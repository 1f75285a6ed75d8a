/** Styles of the sink lab. */
import { css } from 'lit';

export const sinkLabStyles = css`
  figure { grid-template: 'head tools' auto 'aside aside' auto 'main main' auto 'foot foot' auto / minmax(0, 1fr) auto; }
  .aside { margin: 0 0 12px; }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; flex: 1 1 100%; }
  .travel { flex: 1 1 12rem; max-width: 22rem; display: flex; gap: 16px; align-items: center; white-space: nowrap; }
  .travel .scrub { flex: none; }
  details.knobs { flex: 1 1 100%; }
  .knobs summary { cursor: pointer; color: var(--attn-ink2); font-size: 0.875rem; min-height: 24px; width: fit-content; }
  .knobs .row { padding-top: 8px; }
  .lab { display: grid; grid-template-columns: minmax(0, 1fr) 380px; gap: 24px; align-items: start; }
  .lab .name { margin: 0 0 2px; font-weight: 600; }
  .lab svg.chart { width: 100%; height: auto; margin-bottom: 12px; }
  .lab svg.chart:last-of-type { margin-bottom: 0; }
  .draw { cursor: crosshair; }
  /* what stands in a picture heeds no touch-action */
  .lab svg.chart.share { touch-action: pan-y pinch-zoom; }
  .maps { display: grid; gap: 12px; }
  .maps .sheet .name { display: flex; align-items: center; gap: 8px; margin-bottom: 4px; }
  .swatch { width: 18px; height: 4px; forced-color-adjust: none; }
  .maps .empty { aspect-ratio: 1; max-width: 16rem; border: 1.5px dashed var(--attn-axis); display: grid; place-items: center; padding: 16px;
    text-align: center; color: var(--attn-ink2); }
  .maps > p { margin: 0; font-size: 0.875rem; color: var(--attn-ink2); }
  .none { margin: 0 0 12px; color: var(--attn-ink2); font-size: 0.875rem; }
  .controls > .none { margin: 0; }
  .controls > .error { flex: 1 1 100%; margin: 0; }
  .knots { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 0; }
  @container (min-width: 56rem) { .predict fieldset { gap: 0 16px; } }
  @container (max-width: 56rem) {
    .lab { grid-template-columns: minmax(0, 1fr); }
    .maps { grid-template-columns: repeat(auto-fit, minmax(min(270px, 100%), 1fr)); }
    .maps > p, .maps > .legend { grid-column: 1 / -1; }
  }
  .lab .choice { width: 100%; margin-bottom: 12px; }
  .lab .segments { width: 100%; }
  @container (max-width: 36rem) {
    figure { grid-template: 'head' auto 'aside' auto 'main' auto 'tools' auto 'foot' auto / minmax(0, 1fr); }
    .maps .sheet { margin-inline: -12px; padding-inline: 8px; border-inline: 0; }
    .knots .scrub { min-width: 44px; }
    .knobs summary { min-height: 44px; padding-top: 10px; }
    .seconds .segments, .knobs .segments { display: grid; grid-template-columns: 1fr 1fr; width: 100%; }
    .seconds .segments label { white-space: normal; text-align: center; }
    .seconds .choice { width: 100%; }
    .travel { max-width: none; flex: 1 1 100%; }
  }
`;
