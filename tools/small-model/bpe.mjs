/**
 * Byte-level BPE, learnt from counted words and written as an ordinary tokenizer.json.
 *
 * Start from the 256 bytes; again and again join the pair of neighbours that comes most often. One rule is added to
 * the usual ones: a token is made of whole characters or is the beginning of a single one, so no token is
 * the end of one character and the beginning of the next.
 */
import { SPLIT } from './corpus.mjs';

export const END = '<|endoftext|>';

/** Byte -> letter of the byte-level alphabet: printable Latin-1 stands for itself, the rest from U+0100 on. */
const LETTERS = (() => {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode((byte > 32 && byte < 127) || (byte > 160 && byte !== 173) ? byte : next++));
})();

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true });

/** Whole characters, or the beginning of one. @param {number[]} bytes */
function mayBeToken(bytes) {
  const width = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : bytes[0] >= 0xc0 ? 2 : 1;
  if (bytes.length < width) return bytes.slice(1).every((byte) => (byte & 0xc0) === 0x80);
  try {
    strict.decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Map<string, number>} words word -> how often
 * @param {{ size: number, minCount?: number }} limits size: tokens at most, bytes included
 * @returns {{ tokens: number[][], merges: [number, number][] }} bytes of each token; the pairs in the order learnt
 */
export function learnMerges(words, { size, minCount = 2 }) {
  const tokens = Array.from({ length: 256 }, (_, byte) => [byte]);
  /** @type {[number, number][]} */
  const merges = [];
  const rows = Array.from(words, ([word, count]) => ({ count, ids: Array.from(encoder.encode(word)) }));
  while (tokens.length < size) {
    const pair = bestPair(rows, tokens, minCount);
    if (!pair) break;
    const joined = tokens.push([...tokens[pair[0]], ...tokens[pair[1]]]) - 1;
    merges.push(pair);
    for (const row of rows) row.ids = join(row.ids, pair, joined);
  }
  return { tokens, merges };
}

/** The most frequent allowed pair; of equals the one with the lowest ids. */
function bestPair(rows, tokens, minCount) {
  const counts = new Map();
  for (const { count, ids } of rows) {
    for (let i = 0; i + 1 < ids.length; i++) {
      const key = ids[i] * 65536 + ids[i + 1];
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  }
  const inOrder = [...counts].filter(([, count]) => count >= minCount).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  for (const [key] of inOrder) {
    /** @type {[number, number]} */
    const pair = [Math.floor(key / 65536), key % 65536];
    if (mayBeToken([...tokens[pair[0]], ...tokens[pair[1]]])) return pair;
  }
  return undefined;
}

/** Every left-to-right occurrence of the pair replaced. */
function join(ids, [a, b], joined) {
  const out = [];
  for (let i = 0; i < ids.length; i++) {
    const hit = ids[i] === a && ids[i + 1] === b;
    out.push(hit ? joined : ids[i]);
    if (hit) i++;
  }
  return out;
}

/**
 * tokenizer.json and tokenizer_config.json of a vocabulary; the end mark gets the last id.
 * @param {ReturnType<typeof learnMerges>} learnt
 */
export function tokenizerFiles({ tokens, merges }) {
  const letters = tokens.map((bytes) => bytes.map((byte) => LETTERS[byte]).join(''));
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  const json = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [{ id: tokens.length, content: END, single_word: false, lstrip: false, rstrip: false,
      normalized: false, special: true }],
    normalizer: { type: 'NFC' },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [
      { type: 'Split', pattern: { Regex: SPLIT }, behavior: 'Isolated', invert: false }, byteLevel] },
    post_processor: byteLevel,
    decoder: byteLevel,
    model: {
      type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '',
      fuse_unk: false, byte_fallback: false, ignore_merges: false,
      vocab: Object.fromEntries(letters.map((token, id) => [token, id])),
      merges: merges.map((pair) => pair.map((id) => letters[id])),
    },
  };
  const config = { add_bos_token: false, add_prefix_space: false, clean_up_tokenization_spaces: false,
    eos_token: END, pad_token: END, model_max_length: 4096, tokenizer_class: 'Qwen2Tokenizer', unk_token: null };
  return { 'tokenizer.json': json, 'tokenizer_config.json': config };
}
