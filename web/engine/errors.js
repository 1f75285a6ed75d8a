/**
 * Every failure of the engine: a code to act on, a message to read, details to show.
 */
export class EngineError extends Error {
  /**
   * @param {string} code
   * @param {string} message what was expected and what was found
   * @param {Record<string, any>} [details]
   */
  constructor(code, message, details = {}) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.details = details;
  }
}

/** Entries and levels of a value that a message shows. */
const SHOWN_ENTRIES = 8;
const SHOWN_LEVELS = 3;
const SHOWN_LETTERS = 120;

/** 'Object' for what is made of names and values, else what it is: 'Promise', 'Map' … @param {object} x */
export const kindName = (x) => Object.prototype.toString.call(x).slice(8, -1);

function showPart(x, level) {
  if (typeof x === 'string') return level ? JSON.stringify(x.slice(0, SHOWN_LETTERS)) : x;
  if (typeof x === 'function') return 'a function';
  if (typeof x !== 'object' || x === null) return String(x);
  if (ArrayBuffer.isView(x)) return `${x.constructor.name}(${/** @type {any} */ (x).length ?? x.byteLength})`;
  if (x instanceof URL) return showPart(x.href, level);
  const more = (n) => (n > SHOWN_ENTRIES ? ',…' : '');
  if (Array.isArray(x)) {
    if (level >= SHOWN_LEVELS) return '[…]';
    const first = Array.from({ length: Math.min(x.length, SHOWN_ENTRIES) }, (_, i) => showPart(x[i], level + 1));
    return `[${first.join(',')}${more(x.length)}]`;
  }
  const kind = kindName(x);
  if (kind !== 'Object') return `a ${kind}`;
  if (level >= SHOWN_LEVELS) return '{…}';
  const keys = Object.keys(x);
  const first = keys.slice(0, SHOWN_ENTRIES).map((key) => `${JSON.stringify(key)}:${showPart(x[key], level + 1)}`);
  return `{${first.join(',')}${more(keys.length)}}`;
}

/**
 * Anything that was found, as a message shows it: short, whatever it is, and the same on both sides of a worker's door.
 * @param {unknown} x
 */
export function show(x) {
  let text;
  try {
    text = showPart(x, 0);
  } catch {
    text = 'something that cannot be looked at';
  }
  return text.length <= SHOWN_LETTERS ? text : `${text.slice(0, SHOWN_LETTERS)}…`;
}

/** What a browser says when it has no room for an array. @param {any} error */
export const isNoRoom = (error) => error instanceof RangeError && /alloc|memory|array length/i.test(error.message);

/**
 * For catch(): what a browser says when it has no room for an array is OUT_OF_MEMORY; anything else stays what it is.
 * @param {any} error @returns {never}
 */
export function nameFailure(error) {
  if (!isNoRoom(error)) throw error;
  throw new EngineError('OUT_OF_MEMORY', `memory: expected room for an array of results, found none (${error.message})`,
    { expected: 'room for an array', found: error.message });
}
