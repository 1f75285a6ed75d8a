/**
 * The public door: unknown option names, sizes and arrays are checked here, once; behind it everything is trusted.
 */
import { EngineError, kindName, show } from './errors.js';

/** @returns {never} */
export function badOption(field, expected, found) {
  throw new EngineError('BAD_OPTION', `${field}: expected ${expected}, found ${show(found)}`, { field, expected, found });
}

/** @returns {never} */
export function badShape(field, expected, found) {
  throw new EngineError('BAD_SHAPE', `${field}: expected ${expected}, found ${show(found)}`, { field, expected, found });
}

/** An object of names and values: no list, no promise that was not awaited. @param {any} x */
export const isPlain = (x) => typeof x === 'object' && x !== null && kindName(x) === 'Object';

/** @param {string} field @param {unknown} value */
function callback(field, value) {
  if (value !== undefined && typeof value !== 'function') badOption(field, 'a function', value);
}

const STORE = ['get', 'put', 'delete', 'list'];

/** 'auto', 'none' or a store of one's own (stores.js). @param {string} field @param {any} value */
function cacheChoice(field, value) {
  if (value === undefined || value === 'auto' || value === 'none') return;
  const isStore = typeof value === 'object' && value !== null
    && STORE.every((name) => typeof value[name] === 'function');
  if (!isStore) badOption(field, "'auto', 'none' or a store", value);
}

/** @param {string} field @param {any} value */
function settings(field, value) {
  if (value !== undefined && !isPlain(value)) badOption(field, 'an object of settings', value);
}

/**
 * A callback as the engine calls it: a listener. What it throws is not the call's affair: it is reported as an uncaught
 * error of the thread that gave the callback (window.onerror, 'uncaughtException' in node), and the call goes on as if
 * the callback had returned. The way to stop a call is its signal.
 * @param {Function} f @returns {(...args: any[]) => void}
 */
export const listener = (f) => (...args) => {
  try {
    f(...args);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
};

/** Options that are listeners. */
const LISTENERS = ['onProgress', 'onLayer', 'onToken'];

/** What an option of this name must be, whichever call it belongs to. */
const CHECKS = {
  signal: (_field, value) => abortSignal(value),
  onProgress: callback, onLayer: callback, onToken: callback, fetch: callback,
  cache: cacheChoice, network: settings,
};

/**
 * @param {string} where name of the call, for the message
 * @param {unknown} given what the caller passed
 * @param {readonly string[]} known
 * @returns {Record<string, any>} a copy of the options, an empty object when there were none
 */
export function options(where, given, known) {
  const found = given ?? {};
  if (!isPlain(found)) badOption(where, 'an object of options', given);
  for (const name of Object.keys(found)) {
    if (!known.includes(name)) badOption(`${where}: option`, known.length ? known.join(', ') : 'none', name);
    if (Object.hasOwn(CHECKS, name)) CHECKS[name](name, found[name]);
  }
  const own = /** @type {Record<string, any>} */ ({ .../** @type {Record<string, any>} */ (found) });
  for (const name of LISTENERS) if (own[name]) own[name] = listener(own[name]);
  return own;
}

/** A size: a whole number from `least` to `most`. */
export function size(field, value, least = 1, most = 2 ** 31 - 1) {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    badShape(field, `a whole number from ${least} to ${most}`, value);
  }
  return value;
}

/** A finite number. */
export function number(field, value) {
  if (typeof value !== 'number' || !Number.isFinite(value)) badOption(field, 'a finite number', value);
  return value;
}

/** @param {string} field @param {any} value @param {readonly any[]} list */
export function oneOf(field, value, list) {
  if (!list.includes(value)) badOption(field, list.join(', '), value);
  return value;
}

export function boolean(field, value) {
  if (typeof value !== 'boolean') badOption(field, 'true or false', value);
  return value;
}

/** @param {unknown} signal */
export function abortSignal(signal) {
  const found = /** @type {any} */ (signal);
  if (signal !== undefined && (typeof found?.aborted !== 'boolean' || typeof found.addEventListener !== 'function')) {
    badOption('signal', 'an AbortSignal', signal);
  }
  return /** @type {AbortSignal | undefined} */ (signal);
}

const product = (shape) => shape.reduce((a, b) => a * b, 1);

/**
 * @typedef {{ shape: number[], data: Float32Array }} Matrix row-major
 */

/** @param {number[]} shape @param {Float32Array} data @returns {Matrix} */
export const matrix = (shape, data) => ({ shape, data });

/** Sizes of a matrix argument that has the form { shape, data }; undefined for a plain array. */
export function shapeOf(value) {
  return value && !ArrayBuffer.isView(value) && !Array.isArray(value) && Array.isArray(value.shape)
    ? /** @type {number[]} */ (value.shape) : undefined;
}

/**
 * The numbers of an array argument: { shape, data } whose shape must be the expected one, or a flat array of that many.
 * @param {string} field @param {any} value @param {number[]} shape
 * @returns {Float32Array}
 */
export function floats(field, value, shape) {
  const own = shapeOf(value);
  const data = own ? value.data : value;
  if (!isList(data)) badShape(field, `an array of shape [${shape}]`, value);
  if (own && (own.length !== shape.length || own.some((n, i) => n !== shape[i]))) {
    badShape(field, `shape [${shape}]`, own);
  }
  if (data.length !== product(shape)) badShape(field, `${product(shape)} numbers (shape [${shape}])`, data.length);
  if (data instanceof Float32Array) return data;
  for (let i = 0; i < data.length; i++) { // by index: a hole is no number either
    if (typeof data[i] !== 'number') badShape(`${field}[${i}]`, 'a number', data[i]);
  }
  return Float32Array.from(data);
}

/** Arrays and typed arrays. @param {any} value */
export const isList = (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/**
 * Token ids: whole numbers in [0, vocab), between 1 and `most` of them.
 * @param {any} ids @param {number} vocab @param {number} most
 * @returns {number[]}
 */
export function tokenIds(ids, vocab, most) {
  if (!isList(ids)) badShape('ids', 'an array of token ids', ids);
  if (ids.length < 1 || ids.length > most) badShape('ids', `1 to ${most} token ids`, ids.length);
  const list = Array.from(ids);
  const wrong = list.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= vocab);
  if (wrong >= 0) badShape(`ids[${wrong}]`, `a whole number from 0 to ${vocab - 1}`, list[wrong]);
  return /** @type {number[]} */ (list);
}
