/** Tokens made visible: every space, line break and lone byte has a mark, nothing is lost or replaced. */

/**
 * @typedef {{ id: number, text: string, bytes: Uint8Array | number[], joins?: number[] }} Piece  joins: indices of the tokens that share characters
 * @typedef {{ text: string, mark: boolean }} Part  mark: a stand-in for something that cannot be seen
 */

const MARKS = new Map([
  [' ', '␣'], ['\n', '⏎'], ['\r', '␍'], ['\t', '⇥'], ['\u00a0', '⍽'],
  ['\u200d', '‹ZWJ›'], ['\u200b', '‹ZWSP›'], ['\u200e', '‹LRM›'], ['\u200f', '‹RLM›'], ['\ufeff', '‹BOM›'],
]);

/** A zero-width joiner inside an emoji sequence keeps it together and needs no mark. */
const EMOJI_SEQUENCE = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)+/gu;

/** @param {string} text @returns {Part[]} */
export function visibleParts(text) {
  /** @type {Part[]} */
  const parts = [];
  const push = (/** @type {string} */ s, /** @type {boolean} */ mark) => {
    const last = parts[parts.length - 1];
    if (last && last.mark === mark && !mark) last.text += s;
    else parts.push({ text: s, mark });
  };
  let from = 0;
  const plain = (/** @type {string} */ s) => {
    for (const c of s) {
      const special = MARKS.get(c);
      push(special ?? c, special !== undefined);
    }
  };
  for (const match of text.matchAll(EMOJI_SEQUENCE)) {
    plain(text.slice(from, match.index));
    push(match[0], false);
    from = match.index + match[0].length;
  }
  plain(text.slice(from));
  return parts;
}

/** @param {ArrayLike<number>} bytes @returns {string} 'F0 A0' */
export function hexBytes(bytes) {
  return Array.from(bytes, (b) => b.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

/** The name of a token in one line of text: what its box shows. @param {Piece} piece */
export function tokenName(piece) {
  return isFragment(piece) ? hexBytes(piece.bytes) : visibleParts(piece.text).map((p) => p.text).join('');
}

/** A token whose bytes are not whole characters. @param {Piece} piece */
export function isFragment({ bytes, text }) {
  if (!bytes || bytes.length === 0) return false;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)) !== text;
  } catch {
    return true;
  }
}

/**
 * Runs of tokens that make up characters together, as the tokenizer found them.
 * @param {Piece[]} pieces @returns {{ first: number, last: number, text: string }[]}
 */
export function joinedRuns(pieces) {
  return pieces.flatMap(({ joins = [] }, i) => (joins.length > 1 && joins[0] === i
    ? [{ first: i, last: joins[joins.length - 1], text: joins.map((n) => pieces[n].text).join('') }] : []));
}
