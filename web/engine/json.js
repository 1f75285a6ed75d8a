/** JSON from outside: read with suspicion, refused by the name of its file. */
import { EngineError } from './errors.js';

/** No file of a model is nested deeper; what looks into a value by recursion would not come back from much more. */
const MAX_LEVELS = 64;
const [QUOTE, BACKSLASH, OPEN_LIST, OPEN, CLOSE_LIST, CLOSE] = Array.from('"\\[{]}', (c) => c.charCodeAt(0));

/** How deep a JSON text is nested. @param {string} text */
function depthOf(text) {
  let level = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (c === OPEN || c === OPEN_LIST) {
      deepest = Math.max(deepest, ++level);
    } else if (c === CLOSE || c === CLOSE_LIST) {
      level--;
    }
  }
  return deepest;
}

/** JSON.parse for texts from outside: what is nested without end is none. @param {string} text @returns {any} */
export function fromJSON(text) {
  const levels = depthOf(text);
  if (levels > MAX_LEVELS) throw new SyntaxError(`${levels} levels deep`);
  return JSON.parse(text);
}

/**
 * A JSON file's content. What is no JSON is the config's fault or the file's, by its name.
 * @param {Uint8Array} bytes @param {string} file
 * @returns {any}
 */
export function parseJSON(bytes, file) {
  const text = new TextDecoder().decode(bytes);
  try {
    return fromJSON(text);
  } catch (error) {
    throw new EngineError(file === 'config.json' ? 'BAD_CONFIG' : 'BAD_FILE',
      `${file}: expected JSON, found ${JSON.stringify(text.slice(0, 40))} (${error.message.slice(0, 120)})`,
      { file, field: 'the whole', expected: 'JSON', found: text.slice(0, 40) });
  }
}
