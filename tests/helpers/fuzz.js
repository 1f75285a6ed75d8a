/** Wrong values of every kind, and JSON texts with one thing wrong in them. Seeded: the same every time. */
import { draw, generatorKey } from './prng.js';

const DEEP = '@@deep@@';
const LEVELS = 5000;
const deepText = '['.repeat(LEVELS) + ']'.repeat(LEVELS);

/** What a JSON field may be instead of what it should be. `undefined` takes the field away. */
export const JSON_KINDS = Object.freeze({
  missing: undefined, null: null, list: [], object: {}, empty: '', text: 'frob', number: 7, zero: 0, negative: -1,
  fraction: 1.5, huge: 1e300, large: 2 ** 53, true: true, 'list of null': [null], 'list of lists': [[[1]]],
  nested: { a: { b: [1, 'c'] } }, deep: DEEP, surrogate: '\ud800.safetensors', percent: '100%.safetensors',
  outside: '../secret.safetensors', proto: { __proto__: null, constructor: 1, toString: 2 },
});

const withDeep = (text) => text.replaceAll(JSON.stringify(DEEP), deepText);

/** Of a list or a long map, whose entries are alike, the first, one in the middle and the last. */
function some(value) {
  const keys = Object.keys(value);
  return keys.length <= (Array.isArray(value) ? 3 : 32) ? keys : [keys[0], keys[keys.length >> 1], keys.at(-1)];
}

/** @returns {Generator<(string | number)[]>} every place in a JSON value, itself first */
function* places(value, path = []) {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const key of some(value)) yield* places(value[key], [...path, key]);
}

/** A copy with another value at that place. */
function changed(json, path, value) {
  if (path.length === 0) return value;
  const copy = structuredClone(json);
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  const key = path.at(-1);
  if (value === undefined) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else {
    parent[key] = value;
  }
  return copy;
}

/**
 * Every field of a JSON file replaced by every kind.
 * @param {any} json @returns {Generator<[string, string]>} what was done, the text
 */
export function* wrongFields(json) {
  for (const path of places(json)) {
    for (const [kind, value] of Object.entries(JSON_KINDS)) {
      const text = JSON.stringify(changed(json, path, value));
      if (text !== undefined) yield [`${path.join('.') || 'the whole'}: ${kind}`, withDeep(text)];
    }
  }
}

/** The text cut where something begins or ends. @param {string} text @param {number} [most] @returns {Generator<[string, string]>} */
export function* truncated(text, most = 40) {
  const cuts = [0, ...Array.from(text.matchAll(/[{}[\],:"]/g), ({ index }) => index + 1)].filter((at) => at < text.length);
  const step = Math.max(1, Math.ceil(cuts.length / most));
  for (let i = 0; i < cuts.length; i += step) yield [`cut after ${cuts[i]}`, text.slice(0, cuts[i])];
}

/** One byte changed, at places that the seed says. @param {Uint8Array} bytes @returns {Generator<[string, Uint8Array]>} */
export function* damaged(bytes, seed, count = 25) {
  const key = generatorKey('fuzz', seed);
  for (let i = 0; i < count; i++) {
    const copy = Uint8Array.from(bytes);
    const at = draw(key, 2 * i) % bytes.length;
    copy[at] ^= 1 << draw(key, 2 * i + 1) % 8;
    yield [`byte ${at}: ${bytes[at]} is ${copy[at]}`, copy];
  }
}

function cyclic() {
  const loop = { a: 1, self: undefined };
  loop.self = loop;
  return loop;
}

function deep() {
  let value = [];
  for (let i = 0; i < 20000; i++) value = [value];
  return value;
}

/** What an option or argument may be instead of what it should be; made anew each time. */
export const VALUE_KINDS = Object.freeze({
  function: () => () => 1,
  null: () => null,
  NaN: () => NaN,
  infinite: () => Infinity,
  negative: () => -1,
  fraction: () => 1.5,
  huge: () => 1e300,
  bigint: () => 5n,
  true: () => true,
  empty: () => '',
  text: () => 'frob',
  surrogate: () => 'half \ud800',
  percent: () => '100%',
  symbol: () => Symbol('frob'),
  object: () => ({ a: 1 }),
  'object with a function': () => ({ shape: [1], data: () => 1, layer: () => 1 }),
  'empty list': () => [],
  'list of holes': () => [1, , 3], // eslint-disable-line no-sparse-arrays
  'list of null': () => [null],
  'list of text': () => ['frob', ''],
  'list of functions': () => [() => 1],
  'endless list': () => new Array(2 ** 32 - 1),
  bigints: () => new BigInt64Array([1n, 2n]),
  bytes: () => new Uint8Array(3),
  'data view': () => new DataView(new ArrayBuffer(8)),
  address: () => new URL('http://nowhere.test/100%/a.safetensors?x=%'),
  promise: () => Promise.resolve(1),
  map: () => new Map([['a', 1]]),
  'weak map': () => new WeakMap(),
  date: () => new Date(0),
  cyclic,
  deep,
  'wrong matrix': () => ({ shape: [NaN, -1], data: null }),
  'matrix of bigints': () => ({ shape: [2], data: new BigInt64Array(2) }),
});

/** The codes that an EngineError may have. */
const CODES = ['BAD_OPTION', 'BAD_SHAPE', 'NOT_RECORDED', 'BAD_CONFIG', 'UNSUPPORTED_MODEL', 'BAD_FILE', 'MISSING_TENSOR',
  'HTTP', 'NETWORK', 'CORS_OR_BLOCKED', 'NOT_WEIGHTS', 'TRUNCATED', 'HASH_MISMATCH', 'OUT_OF_MEMORY', 'QUOTA', 'ABORTED',
  'NO_WASM', 'WORKER_LOST'];

/**
 * How something ended: 'right', or the code and the message of an EngineError. Anything else is told as a fault.
 * @param {() => any} work
 * @returns {Promise<{ text: string, fault?: string, error?: any }>}
 */
export async function outcome(work) {
  try {
    await work();
    return { text: 'right' };
  } catch (error) {
    const text = `${error?.code} ${error?.message}`;
    if (error?.name !== 'EngineError' || !CODES.includes(error.code)) return { text, fault: String(error?.stack ?? error), error };
    if (!/expected|stopped/.test(error.message) || error.message.length > 2000) return { text, fault: `a poor message: ${text}`, error };
    return { text, error };
  }
}
