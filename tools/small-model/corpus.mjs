/** The small models' corpus: documents by seed, the words a tokenizer learns from, and the ids a trainer reads. */
import { createChoices } from './random.mjs';
import { KINDS, SHARES } from './sentences.mjs';

/** How texts are cut before the byte pairs are merged: the rule of the Qwen tokenizers. */
export const SPLIT = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" +
  '| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
/** The same for JavaScript, which writes the case-insensitive group out. */
const PIECE = new RegExp(SPLIT.replace(/\(\?i:([^)]*)\)/, (_, list) =>
  list.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)), 'gu');

/**
 * @typedef {{ kind: string, text: string, words: string[], decided: number[] }} Document
 *   decided: indices of the words that what came before decides
 */

/**
 * @param {string} marked a sentence with the generator's marks
 * @returns {{ words: string[], decided: number[] }}
 */
function readMarks(marked) {
  const words = [];
  const decided = [];
  for (const part of marked.split('|')) {
    const starts = new Set();
    for (let i = part.indexOf('^'); i >= 0; i = part.indexOf('^', i + 1)) starts.add(i - starts.size);
    let at = 0;
    for (const word of part.replaceAll('^', '').match(PIECE) ?? []) {
      if (starts.has(at + (word.startsWith(' ') ? 1 : 0))) decided.push(words.length);
      words.push(word);
      at += word.length;
    }
  }
  return { words, decided };
}

/**
 * @param {number} count @param {number} seed
 * @returns {Document[]}
 */
export function documents(count, seed) {
  const choices = createChoices('documents', seed);
  const kinds = Object.keys(KINDS).flatMap((kind) => Array(SHARES[kind] ?? 1).fill(kind));
  return Array.from({ length: count }, () => {
    const kind = choices.pick(kinds);
    const { words, decided } = readMarks(KINDS[kind](choices));
    return { kind, text: words.join(''), words, decided };
  });
}

/** How often each word comes. @param {Iterable<Document>} docs @returns {Map<string, number>} */
export function wordCounts(docs) {
  const counts = new Map();
  for (const { words } of docs) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Documents of each kind. @param {Iterable<Document>} docs @returns {Record<string, number>} */
export function kindCounts(docs) {
  const counts = {};
  for (const { kind } of docs) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/**
 * One long row of ids, each document followed by the end mark.
 * @param {Document[]} docs @param {{ encode: (text: string) => Promise<{ ids: number[] }> }} tokenizer
 * @param {number} end
 * @returns {Promise<Int32Array>}
 */
export async function corpusIds(docs, tokenizer, end) {
  const ids = [];
  for (const { text } of docs) ids.push(...(await tokenizer.encode(text)).ids, end);
  return Int32Array.from(ids);
}
