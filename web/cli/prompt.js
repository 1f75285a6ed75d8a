/** The prompt of a command: ids as given, or the text through the folder's own tokenizer. */
import { EngineError, loadTokenizer } from '../engine/index.js';

/**
 * @param {{ base: string, text?: string, ids?: number[] }} given
 * @returns {Promise<{ ids: number[], pieces: { text: string, bytes: Uint8Array }[], tokenizer?: any }>}
 */
export async function readPrompt({ base, text, ids }) {
  if (ids) {
    const pieces = ids.map((id) => ({ id, text: `#${id}`, bytes: new Uint8Array(0), joins: [] }));
    return { ids, pieces };
  }
  const tokenizer = await loadTokenizer(base);
  const encoded = await tokenizer.encode(text);
  if (encoded.ids.length === 0) throw new EngineError('BAD_SHAPE', 'text: expected at least one token, found an empty text');
  return { ...encoded, tokenizer };
}
