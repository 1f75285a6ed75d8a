/** Tokens named by the words they belong to: a label changes, no number does. */
import { isFragment, tokenName, visibleText } from './tokens.js';

/** Stands for “the same word goes on”. */
export const DITTO = '〃';

/** Scripts that set no spaces between words: without a dictionary each of their signs stands alone. */
const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const SIGN = `(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}]`;
const WORD = new RegExp(`${UNSPACED}|${SIGN}(?:${SIGN}|['’](?=\\p{L}))*`, 'gu');

/**
 * The words of a text and where they begin; where the browser has no dictionary of words, by the kind of characters.
 * @param {string} text @param {string} lang @returns {{ index: number, segment: string }[]}
 */
function wordsOf(text, lang) {
  if (!Intl.Segmenter) return [...text.matchAll(WORD)].map(({ index, 0: segment }) => ({ index, segment }));
  return [...new Intl.Segmenter(lang, { granularity: 'word' }).segment(text)].filter((w) => w.isWordLike);
}

/**
 * One label a token: the word it begins, or a ditto mark where its word began before it. A token that reaches past its
 * word, or is no word, keeps its own name.
 * @param {import('./tokens.js').Piece[]} pieces @param {string} lang of the words' segmentation
 * @returns {string[]}
 */
export function wordLabels(pieces, lang) {
  const text = pieces.map((piece) => piece.text).join('');
  const words = wordsOf(text, lang);
  let at = 0;
  let last = -1;
  return pieces.map((piece) => {
    const [from, end] = [at, at + piece.text.length];
    at = end;
    if (piece.text === '' && last >= 0) return DITTO;
    const begin = from + (piece.text.length - piece.text.trimStart().length);
    const word = words.findIndex((w) => begin >= w.index && begin < w.index + w.segment.length);
    const found = words[word];
    if (!found || (end > found.index + found.segment.length && !isFragment(piece))) {
      last = -1;
      return tokenName(piece);
    }
    if (word === last) return DITTO;
    last = word;
    return found.index < begin ? tokenName(piece) : visibleText(found.segment);
  });
}
