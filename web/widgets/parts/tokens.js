/** Token boxes: never truncated, invisible characters marked, lone bytes joined under their character. */
import { html, nothing } from 'lit';
import { hexBytes, isFragment, joinedRuns, tokenName, visibleParts } from '../../lab/tokens.js';

/** @typedef {import('../../lab/tokens.js').Piece} Piece */

/** What stands inside a token's box. @param {Piece | string} piece */
export function tokenText(piece) {
  if (typeof piece !== 'string' && isFragment(piece)) return hexBytes(piece.bytes);
  const parts = visibleParts(typeof piece === 'string' ? piece : piece.text);
  return parts.map((p) => (p.mark ? html`<span class="sign">${p.text}</span>` : p.text));
}

/** @param {Piece | string} piece @param {{ picked?: boolean, ghost?: boolean, onPick?: () => void, label?: string }} [o] */
export function tokenBox(piece, { picked = false, ghost = false, onPick, label } = {}) {
  const bytes = typeof piece !== 'string' && isFragment(piece) ? 'bytes' : '';
  if (!onPick) {
    return html`<bdi class="token ${bytes} ${picked ? 'picked' : ''} ${ghost ? 'ghost' : ''}">${tokenText(piece)}</bdi>`;
  }
  return html`<button type="button" class="token ${bytes}" aria-pressed=${picked} aria-label=${label ?? nothing}
    @click=${onPick}><bdi>${tokenText(piece)}</bdi></button>`;
}

/**
 * A sentence as token buttons; lone bytes touch and stand over the character they make together.
 * @param {Piece[]} pieces
 * @param {{ picked: number | null, label: string, name: (token: string, n: number) => string, onPick: (n: number) => void }} o
 */
export function tokenStrip(pieces, { picked, label, name, onPick }) {
  const runs = new Map(joinedRuns(pieces).map((run) => [run.first, run]));
  const box = (/** @type {number} */ n) => tokenBox(pieces[n], {
    picked: n === picked, label: name(tokenName(pieces[n]), n + 1), onPick: () => onPick(n),
  });
  const boxes = [];
  for (let i = 0; i < pieces.length; i += 1) {
    const run = runs.get(i);
    if (run) {
      const members = Array.from({ length: run.last - run.first + 1 }, (_, n) => box(run.first + n));
      boxes.push(html`<span class="joined"><span class="members">${members}</span><bdi class="whole">${tokenText(run.text)}</bdi></span>`);
      i = run.last;
    } else {
      boxes.push(box(i));
    }
  }
  return html`<div class="tokens" role="group" aria-label=${label}>${boxes}</div>`;
}
