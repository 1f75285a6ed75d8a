/** What fingers and forced colours ask of the shared controls: 44 px to press on a phone, hatch and "not now" still seen. */
import { css } from 'lit';

export const adaptStyles = css`
  .segments { flex-wrap: wrap; }
  @container (max-width: 36rem) {
    .predict label, .picker label, .link, .scrub, button.token { min-height: 44px; }
    .tool, .button, .link, .segments label { min-width: 44px; }
    button.link { border: 0; text-align: start; text-decoration: underline dotted 2px; text-underline-offset: 5px; }
    .segments.wide label { flex: 1 1 auto; padding-inline: 8px; }
    .handle .target { r: 28px; }
  }
  @media (forced-colors: active) {
    .legend .hatch { forced-color-adjust: none; }
    [aria-disabled='true'] { color: GrayText !important; }
  }
`;
