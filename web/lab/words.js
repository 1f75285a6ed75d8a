/** Tokens named by the words they belong to: a label changes, no number does. */
import { isFragment, tokenName } from './tokens.js';

/** Stands for “the same word goes on”. */
export const DITTO = '〃';

/**
 * One label a token: the word it begins, or a ditto mark where its word began before it. A token that reaches past its
 * word, or is no word, keeps its own name.
 * @param {import('./tokens.js').Piece[]} pieces @param {string} lang of the words' segmentation
 * @returns {string[]}
 */
export function wordLabels(pieces, lang) {
  const text = pieces.map((piece) => piece.text).join('');
  const words = [...new Intl.Segmenter(lang, { granularity: 'word' }).segment(text)];
  let at = 0;
  let last = -1;
  return pieces.map((piece) => {
    const [from, end] = [at, at + piece.text.length];
    at = end;
    if (piece.text === '' && last >= 0) return DITTO;
    const begin = from + (piece.text.length - piece.text.trimStart().length);
    const word = words.findIndex((w) => begin >= w.index && begin < w.index + w.segment.length);
    const found = words[word];
    if (!found?.isWordLike || (end > found.index + found.segment.length && !isFragment(piece))) {
      last = -1;
      return tokenName(piece);
    }
    if (word === last) return DITTO;
    last = word;
    return found.index < begin ? tokenName(piece) : found.segment;
  });
}
