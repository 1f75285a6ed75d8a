/** Tokens made visible: every space, line break and lone byte has a mark, nothing is lost or replaced. */

/**
 * @typedef {{ id: number, text: string, bytes: Uint8Array | number[], joins?: number[] }} Piece  joins: indices of the tokens that share characters
 * @typedef {{ text: string, mark: boolean }} Part  mark: a stand-in for something that cannot be seen
 */

/** Signs and short names; any other character that cannot be seen is named by its number. */
const MARKS = new Map([
  [' ', '␣'], ['\n', '⏎'], ['\r', '␍'], ['\t', '⇥'], ['\u00a0', '⍽'], ['\u007f', '␡'],
  ['\u00ad', '‹SHY›'], ['\u200b', '‹ZWSP›'], ['\u200c', '‹ZWNJ›'], ['\u200d', '‹ZWJ›'], ['\u200e', '‹LRM›'],
  ['\u200f', '‹RLM›'], ['\u2060', '‹WJ›'], ['\ufeff', '‹BOM›'],
]);

/** Control and format characters, spaces, halves of a pair, non-characters and what fonts leave out. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u;

/** Kept as they are: an emoji with what joins, colours and varies it, and a character with its variation selector. */
const WHOLE = new RegExp([
  String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?[\u{e0020}-\u{e007f}]*`
    + String.raw`(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*`,
  String.raw`[\p{L}\p{N}\p{P}\p{S}][\ufe00-\ufe0f\u{e0100}-\u{e01ef}]\u20e3?`,
].join('|'), 'gu');

/** The sign or name of a character that cannot be seen, none where it can. @param {string} c one character */
function markOf(c) {
  const mark = MARKS.get(c);
  if (mark !== undefined || !UNSEEN.test(c)) return mark;
  const code = /** @type {number} */ (c.codePointAt(0));
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

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
      const mark = markOf(c);
      push(mark ?? c, mark !== undefined);
    }
  };
  for (const match of text.matchAll(WHOLE)) {
    plain(text.slice(from, match.index));
    push(match[0], false);
    from = match.index + match[0].length;
  }
  plain(text.slice(from));
  return parts;
}

/** The same in one line. @param {string} text */
export const visibleText = (text) => visibleParts(text).map((part) => part.text).join('');

/** A sentence to be quoted: its spaces stay spaces. @param {string} text */
export const quotable = (text) => text.split(' ').map(visibleText).join(' ');

/** @param {ArrayLike<number>} bytes @returns {string} 'F0 A0' */
export function hexBytes(bytes) {
  return Array.from(bytes, (b) => b.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

/** The name of a token in one line of text: what its box shows. @param {Piece} piece */
export function tokenName(piece) {
  return isFragment(piece) ? hexBytes(piece.bytes) : visibleText(piece.text);
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
