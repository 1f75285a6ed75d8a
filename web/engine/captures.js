/**
 * What can be looked at inside a layer: names, shapes, and the sheet on which a run's captures are collected while the
 * prompt goes through in blocks.
 *
 * Letters: T tokens, S keys (T plus those of earlier appends), N hidden, H query heads, K key/value heads, d head size;
 * Hv value heads, dk, dv of a linear layer.
 */
import { EngineError } from './errors.js';
import { badOption, matrix } from './options.js';

/** @typedef {import('./config.js').Config} Config */
/** @typedef {(c: Config, T: number, S: number) => number[]} Shape */

/** In any layer. @type {Record<string, Shape>} */
const RESIDUAL = {
  hIn: (c, T) => [T, c.hidden],
  normed: (c, T) => [T, c.hidden],
  mixerOut: (c, T) => [T, c.hidden],
  mlpOut: (c, T) => [T, c.hidden],
  hOut: (c, T) => [T, c.hidden],
};

const queries = (c, T) => [T, c.heads, c.headDim];
const keys = (c, T) => [T, c.kvHeads, c.headDim];
const map = (c, T, S) => [c.heads, T, S];

/** Of a full-attention layer, in the field order of AttentionCaptures (c/attention.h). @type {Record<string, Shape>} */
const FULL = {
  qProj: queries,
  kProj: keys,
  qNormed: queries,
  kNormed: keys,
  q: queries,
  k: keys,
  v: keys,
  scores: map,
  probs: map,
  headOut: queries,
  gate: queries,
  headContribution: (c, T) => [T, c.heads],
  headContributionUngated: (c, T) => [T, c.heads],
};

const channels = ({ linear: l }) => 2 * l.keyHeads * l.keyDim + l.valueHeads * l.valueDim;
const values = ({ linear: l }, T) => [T, l.valueHeads, l.valueDim];

/** Of a linear layer, in the field order of DeltaCaptures (c/delta.h). @type {Record<string, Shape>} */
const LINEAR = {
  beta: (c, T) => [T, c.linear.valueHeads],
  decay: (c, T) => [T, c.linear.valueHeads],
  core: values,
  zgate: values,
  headContribution: (c, T) => [T, c.linear.valueHeads],
  state: ({ linear: l }) => [l.valueHeads, l.keyDim, l.valueDim],
  convState: (c) => [channels(c), c.linear.kernel - 1],
};

const OF_TYPE = { full_attention: FULL, linear_attention: LINEAR };
const ALL = new Set(['type', ...Object.keys(RESIDUAL), ...Object.keys(FULL), ...Object.keys(LINEAR)]);

/** Captures larger than this in sum are refused before anything runs. */
const MAX_FLOATS = 2 ** 28;

/**
 * @param {unknown} given 'all' or a list of names
 * @returns {Set<string>}
 */
export function captureNames(given = []) {
  if (given === 'all') return ALL;
  if (!Array.isArray(given)) badOption('capture', "'all' or a list of names", given);
  for (const name of given) if (!ALL.has(name)) badOption('capture', [...ALL].join(', '), name);
  return new Set(given);
}

/** The mixer's own captures of a layer type, in the C struct's order. @param {Config} config @param {string} type */
export function mixerCaptures(config, type) {
  return Object.entries(OF_TYPE[type]).filter(([name]) => name !== 'gate' || config.gated);
}

/** Names of the C struct's fields, all of them, in order. */
export const captureFields = (type) => Object.keys(OF_TYPE[type]);

/** Shapes of one layer's captures among the wanted names. */
function shapes(config, type, wanted, residual, T, S) {
  return [...Object.entries(RESIDUAL).filter(([name]) => residual.includes(name)), ...mixerCaptures(config, type)]
    .filter(([name]) => wanted.has(name))
    .map(([name, shape]) => /** @type {[string, number[]]} */ ([name, shape(config, T, S)]));
}

/** Shapes of everything that one layer of a run can keep, by name. @returns {Record<string, number[]>} */
export const captureShapes = (config, type, T) => Object.fromEntries(shapes(config, type, ALL, LAYER_RESIDUAL, T, T));

const count = (shape) => shape.reduce((a, b) => a * b, 1);

/** Numbers that the captures of one layer hold. */
export function captureFloats(config, type, wanted, residual, T, S) {
  return shapes(config, type, wanted, residual, T, S).reduce((n, [, shape]) => n + count(shape), 0);
}

/** Refuses captures that would not fit, before anything runs. @param {number} floats */
export function checkCaptureFloats(floats) {
  if (floats > MAX_FLOATS) {
    throw new EngineError('OUT_OF_MEMORY', `capture: expected at most ${MAX_FLOATS} numbers in all, found ${floats}; ` +
      'name fewer captures or use a shorter prompt', { expected: MAX_FLOATS, found: floats });
  }
}

/** Names of the residual stream's captures that a mixer alone can fill, and those of a whole layer. */
export const MIXER_RESIDUAL = ['hIn', 'normed', 'mixerOut'];
export const LAYER_RESIDUAL = Object.keys(RESIDUAL);

/** The captures of one layer over one run, filled block by block. */
export class CaptureSheet {
  #type;
  #arrays = new Map();

  /**
   * @param {Config} config @param {string} type @param {Set<string>} wanted @param {string[]} residual
   * @param {number} T tokens of the run @param {number} S keys after the run
   */
  constructor(config, type, wanted, residual, T, S) {
    this.#type = wanted.has('type') ? type : undefined;
    for (const [name, shape] of shapes(config, type, wanted, residual, T, S)) {
      const data = new Float32Array(count(shape));
      if (name === 'scores') data.fill(-Infinity);
      this.#arrays.set(name, matrix(shape, data));
    }
  }

  wants(name) {
    return this.#arrays.has(name);
  }

  /**
   * One block's part of a capture: tokens t0 … t0 + tokens of the run, which saw `keys` keys.
   * @param {string} name @param {Float32Array} part @param {number} t0 @param {number} tokens @param {number} keys
   */
  put(name, part, t0, tokens, keys) {
    const { shape, data } = this.#arrays.get(name);
    if (name === 'scores' || name === 'probs') {
      const [heads, T, S] = shape;
      for (let h = 0; h < heads; h++) {
        for (let t = 0; t < tokens; t++) {
          data.set(part.subarray((h * tokens + t) * keys, (h * tokens + t + 1) * keys), (h * T + t0 + t) * S);
        }
      }
    } else if (name === 'state' || name === 'convState') {
      data.set(part); // after the last token: the last block's wins
    } else {
      data.set(part, t0 * count(shape.slice(1)));
    }
  }

  /** @returns {Record<string, any>} */
  result() {
    return { ...(this.#type ? { type: this.#type } : {}), ...Object.fromEntries(this.#arrays) };
  }
}
