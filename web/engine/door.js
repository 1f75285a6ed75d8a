/**
 * What goes through the door between a page and its worker: errors with their codes, runs with their arrays moved, and
 * handles (models, layers, sessions …) as numbers that stand for them on the other side.
 */
import * as Comlink from 'comlink';
import { EngineError } from './errors.js';
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

/** @param {unknown} error */
export function packError(error) {
  const e = /** @type {any} */ (error);
  if (!(e instanceof EngineError)) return { message: String(e?.stack ?? e), plain: true };
  return { code: e.code, message: e.message, details: JSON.parse(JSON.stringify(e.details ?? {}, plainValue)) };
}

/** Details hold what was found, which may be anything: what JSON cannot say is named. */
const plainValue = (_key, value) => (typeof value === 'bigint' || typeof value === 'function' ? String(value)
  : typeof value === 'number' && !Number.isFinite(value) ? String(value) : value);

/** @param {ReturnType<typeof packError>} packed */
export const unpackError = ({ code, message, details, plain }) => (plain ? new Error(message)
  : new EngineError(code, message, details));

/** A result on its way to the page. @param {any} value @param {(kind: string, handle: any) => number} keep */
export function packResult(value, keep) {
  const kind = kindOf(value);
  if (kind) return { handle: keep(kind, value), kind, shown: shown(kind, value) };
  if (value instanceof Run) return withBuffers({ run: value.fields() });
  return withBuffers({ value });
}

/** @param {any} packed @param {(kind: string, id: number, shown: object) => any} open */
export function unpackResult(packed, open) {
  if (packed.handle !== undefined) return open(packed.kind, packed.handle, packed.shown);
  if (packed.run) return new Run(packed.run);
  return packed.value;
}
