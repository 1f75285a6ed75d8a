/**
 * What goes through the door between a page and its worker: errors with their codes, runs with their arrays moved, and
 * handles (models, layers, sessions …) as numbers that stand for them on the other side.
 */
import * as Comlink from 'comlink';
import { EngineError, kindName, show } from './errors.js';
import { generated } from './generated.js';
import { Run } from './recording.js';

/** Properties that a handle shows on the page's side, by class. */
const SHOWN = {
  Layer: ['config', 'type'],
  Model: ['config', 'name'],
  Recording: ['config', 'name', 'prompts'],
  Session: ['tokens', 'kvBytes', 'stateBytes'],
  Tokenizer: ['vocab'],
  Trainer: ['config', 'steps'],
};

/** Which class of handle a value is, if any. Names are given, not read off: bundlers rename classes. */
const kinds = new Map();

/** @param {keyof typeof SHOWN} kind @param {Function} type */
export const registerHandle = (kind, type) => kinds.set(type, kind);

/** @param {any} value @returns {keyof typeof SHOWN | undefined} */
export const kindOf = (value) => kinds.get(value?.constructor);

/** @param {string} kind @param {any} handle */
export const shown = (kind, handle) => Object.fromEntries(SHOWN[kind].map((name) => [name, handle[name]]));

/** Everything that can cross by a copy, with the array buffers moved instead. @param {any} value */
function withBuffers(value) {
  const buffers = new Set();
  const visit = (x) => {
    if (ArrayBuffer.isView(x)) buffers.add(x.buffer);
    else if (x && typeof x === 'object') Object.values(x).forEach(visit);
  };
  visit(value);
  return Comlink.transfer(value, [...buffers]);
}

/** Marks what stands for a value that no message can carry. */
const STAND_IN = 'attn-stand-in';
/** Deeper than any argument, and than any message looks. */
const LEVELS = 16;

/** @param {any} view @returns {ArrayBufferView} of the same type */
const emptyLike = (view) => new view.constructor(new ArrayBuffer(0));

/**
 * Arguments that cannot be copied as they are, with stand-ins that the checks behind the door find as wrong as the
 * values themselves, so that the same message comes back. What is met again is the same again, as in any message.
 * @param {any} value @returns {any}
 */
export function withStandIns(value, level = 0, met = new Map()) {
  if (typeof value === 'function') return { [STAND_IN]: 'function' };
  if (typeof value === 'symbol') return { [STAND_IN]: 'symbol', name: value.description };
  if (typeof value !== 'object' || value === null) return value;
  // an array whose bytes were moved away has none, and cannot even be copied
  if (ArrayBuffer.isView(value)) return value.buffer.byteLength > 0 ? value : emptyLike(value);
  const kind = kindName(value);
  if (!Array.isArray(value) && kind !== 'Object') return { [STAND_IN]: 'other', name: kind };
  if (met.has(value)) return met.get(value);
  if (level > LEVELS) return null;
  const copy = Array.isArray(value) ? new Array(value.length) : {};
  met.set(value, copy);
  for (const key of Object.keys(value)) copy[key] = withStandIns(value[key], level + 1, met);
  return copy;
}

/** What withStandIns() sent. @param {any} value @returns {any} */
export function fromStandIns(value, met = new Set()) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || met.has(value)) return value;
  met.add(value);
  if (value[STAND_IN] === 'function') return () => {};
  if (value[STAND_IN] === 'symbol') return Symbol(value.name);
  if (value[STAND_IN] === 'other') return { [Symbol.toStringTag]: value.name };
  for (const key of Object.keys(value)) value[key] = fromStandIns(value[key], met);
  return value;
}

/** More entries than options and lists of mirrors have. */
const FEW = 64;

/** Addresses cross as text, wherever they stand. @param {any} value an argument @returns {any} */
export function withoutURLs(value, level = 0) {
  if (value instanceof URL) return value.href;
  if (typeof value !== 'object' || value === null || level > 3) return value;
  if (Array.isArray(value)) return value.length > FEW ? value : value.map((x) => withoutURLs(x, level + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype || Object.keys(value).length > FEW) return value;
  return Object.fromEntries(Object.entries(value).map(([key, x]) => [key, withoutURLs(x, level + 1)]));
}

/** Longest list among an error's details that crosses as it is. */
const DETAILS = 256;

/** Details hold what was found, which may be anything: what is no plain value, or too much of it, is shown. */
function plainDetail(value, level = 0) {
  if (typeof value !== 'object' || value === null) {
    const isPlain = ['string', 'boolean', 'undefined', 'object'].includes(typeof value) || Number.isFinite(value);
    return isPlain ? value : show(value);
  }
  const isSmall = Array.isArray(value) ? value.length <= DETAILS : Object.getPrototypeOf(value) === Object.prototype;
  if (!isSmall || level > 2) return show(value);
  return Array.isArray(value) ? Array.from(value, (x) => plainDetail(x, level + 1)) : plainDetails(value, level + 1);
}
const plainDetails = (details, level = 0) =>
  Object.fromEntries(Object.entries(details ?? {}).map(([key, value]) => [key, plainDetail(value, level)]));

/** @param {unknown} error */
export function packError(error) {
  const e = /** @type {any} */ (error);
  if (!(e instanceof EngineError)) return { message: String(e?.stack ?? e), plain: true };
  return { code: e.code, message: e.message, details: plainDetails(e.details) };
}

/** @param {ReturnType<typeof packError>} packed */
export const unpackError = ({ code, message, details, plain }) => (plain ? new Error(message)
  : new EngineError(code, message, details));

/** A result on its way to the page. @param {any} value @param {(kind: string, handle: any) => number} keep */
export function packResult(value, keep) {
  const kind = kindOf(value);
  if (kind) return { handle: keep(kind, value), kind, shown: shown(kind, value) };
  if (value instanceof Run) return withBuffers({ run: value.fields() });
  // a list's own property does not come through by itself
  return withBuffers({ value, ...(Array.isArray(value) && 'ended' in value && { ended: value.ended }) });
}

/** @param {any} packed @param {(kind: string, id: number, shown: object) => any} open */
export function unpackResult(packed, open) {
  if (packed.handle !== undefined) return open(packed.kind, packed.handle, packed.shown);
  if (packed.run) return new Run(packed.run);
  return packed.ended ? generated(packed.value, packed.ended) : packed.value;
}
