/**
 * The examples worked by hand, on the C core: attention over a few vectors, one gate, a gate that learns, the sweep.
 */
import { EngineError } from './errors.js';
import { badShape, boolean, floats, matrix, number, options, shapeOf, size } from './options.js';
import { nextTask } from './tasks.js';
import { throwIfAborted } from './wait.js';

/** @typedef {import('./wasm.js').Wasm} Wasm */

/** A cache larger than this is not built only to be timed. */
const MAX_MEASURED_BYTES = 512 * 2 ** 20;
const MEASURED_STEPS = 7;
/** Toys that would fill the memory are refused before they take any. */
const MAX_TOY_FLOATS = 2 ** 28;

function checkToyFloats(n) {
  if (n > MAX_TOY_FLOATS) {
    throw new EngineError('OUT_OF_MEMORY', `arrays: expected at most ${MAX_TOY_FLOATS} numbers, found ${n}`,
      { expected: MAX_TOY_FLOATS, found: n });
  }
}

/**
 * Sizes given beside the arrays, or read off arrays of the form { shape, data }.
 * @param {string} field @param {any} given @param {any} array @param {number} axis
 */
const sizeOr = (field, given, array, axis) => size(field, given ?? shapeOf(array)?.[axis]);

/**
 * softmax(scale q kᵀ + mask) v of one head.
 * @param {Wasm} wasm
 * @param {any} given q (queries, dim), k (keys, dim), v (keys, valueDim)
 */
export function attention(wasm, given) {
  const o = options('attention', given, ['q', 'k', 'v', 'queries', 'keys', 'dim', 'valueDim', 'causal', 'scale', 'signal']);
  const queries = sizeOr('queries', o.queries, o.q, 0);
  const keys = sizeOr('keys', o.keys, o.k, 0);
  const dim = sizeOr('dim', o.dim, o.q, 1);
  const valueDim = sizeOr('valueDim', o.valueDim, o.v, 1);
  const causal = boolean('causal', o.causal ?? false);
  const scale = number('scale', o.scale ?? 1 / Math.sqrt(dim));
  if (causal && queries > keys) badShape('queries', `at most ${keys} (the keys) when causal`, queries);
  checkToyFloats(queries * (dim + valueDim) + keys * (dim + valueDim) + 2 * queries * keys);
  const q = floats('q', o.q, [queries, dim]);
  const k = floats('k', o.k, [keys, dim]);
  const v = floats('v', o.v, [keys, valueDim]);
  return wasm.scope((s) => {
    const scores = s.space(queries * keys);
    const probs = s.space(queries * keys);
    const out = s.space(queries * valueDim);
    const arena = s.arena(wasm.call('toy_scratch', queries, keys, dim, valueDim));
    wasm.run('toy_attention', s.put(q), s.put(k), s.put(v), queries, keys, dim, valueDim, causal ? 1 : 0, scale,
      scores, probs, out, arena);
    return {
      scores: matrix([queries, keys], scores.floats(queries * keys)),
      probs: matrix([queries, keys], probs.floats(queries * keys)),
      out: matrix([queries, valueDim], out.floats(queries * valueDim)),
    };
  });
}

/**
 * z = x·W_gate, gate = σ(z), out = headOut ⊙ gate.
 * @param {Wasm} wasm
 * @param {any} given x (features), wGate (features, heads*dim), headOut (heads, dim)
 */
export function gate(wasm, given) {
  const o = options('gate', given, ['x', 'wGate', 'headOut', 'features', 'heads', 'dim', 'signal']);
  const heads = sizeOr('heads', o.heads, o.headOut, 0);
  const dim = sizeOr('dim', o.dim, o.headOut, 1);
  const features = size('features', o.features ?? shapeOf(o.x)?.[0] ?? o.x?.length);
  const n = heads * dim;
  checkToyFloats(features * (n + 1) + 4 * n);
  const x = floats('x', o.x, [features]);
  const wGate = floats('wGate', o.wGate, [features, n]);
  const headOut = floats('headOut', o.headOut, [heads, dim]);
  return wasm.scope((s) => {
    const [z, g, out] = [s.space(n), s.space(n), s.space(n)];
    wasm.call('toy_gate', s.put(x), s.put(wGate), s.put(headOut), features, heads, dim, z, g, out);
    const result = (block) => matrix([heads, dim], block.floats(n));
    return { z: result(z), gate: result(g), out: result(out) };
  });
}

/**
 * A gate learns by gradient descent; row s is the state before update s.
 * @param {Wasm} wasm
 * @param {any} given x (n, features), residual, headOut, target (n), w0 (features)
 */
export function gateSgd(wasm, given) {
  const o = options('gateSgd', given,
    ['x', 'residual', 'headOut', 'target', 'w0', 'learningRate', 'steps', 'n', 'features', 'signal']);
  const features = size('features', o.features ?? shapeOf(o.w0)?.[0] ?? o.w0?.length);
  const n = size('n', o.n ?? shapeOf(o.residual)?.[0] ?? o.residual?.length);
  const steps = size('steps', o.steps, 0);
  const learningRate = number('learningRate', o.learningRate ?? 1);
  const rows = steps + 1;
  checkToyFloats(rows * (2 * features + n + 1));
  const x = floats('x', o.x, [n, features]);
  const vectors = ['residual', 'headOut', 'target'].map((name) => floats(name, o[name], [n]));
  const w0 = floats('w0', o.w0, [features]);
  return wasm.scope((s) => {
    const w = s.space(rows * features);
    const gates = s.space(rows * n);
    const loss = s.space(rows);
    const grad = s.space(rows * features);
    wasm.call('toy_gate_sgd', s.put(x), ...vectors.map((a) => s.put(a)), s.put(w0), n, features, steps, learningRate,
      w, gates, loss, grad);
    return {
      w: matrix([rows, features], w.floats(rows * features)),
      gate: matrix([rows, n], gates.floats(rows * n)),
      loss: matrix([rows], loss.floats(rows)),
      grad: matrix([rows, features], grad.floats(rows * features)),
    };
  });
}

/** Median time of one decode step of one layer's attention, milliseconds. */
function measureDecode(wasm, heads, kvHeads, headDim, tokens) {
  return wasm.scope((s) => {
    const width = kvHeads * headDim;
    const arena = s.arena(wasm.call('decode_scratch', heads, kvHeads, headDim, tokens));
    const row = Float32Array.from({ length: width }, (_, i) => Math.sin(i * 0.37));
    const [k, v] = [0, 1].map(() => {
      const block = s.space(width * tokens);
      for (let t = 0; t < tokens; t++) block.writeFloats(row, t * width);
      return block;
    });
    const q = s.put(Float32Array.from({ length: heads * headDim }, (_, i) => Math.sin(i)));
    const out = s.space(heads * headDim);
    const times = [];
    for (let i = 0; i <= MEASURED_STEPS; i++) {
      const start = performance.now();
      wasm.run('decode_step', q, k, v, heads, kvHeads, headDim, tokens, out, arena);
      if (i > 0) times.push(performance.now() - start); // the first one warms caches and compiler
    }
    return times.sort((a, b) => a - b)[MEASURED_STEPS >> 1];
  });
}

/**
 * What sharing K/V heads saves: counted for every kvHeads, and with `measure` timed on this machine.
 * @param {Wasm} wasm
 * @param {any} given
 */
export async function gqaSweep(wasm, given) {
  const o = options('gqaSweep', given,
    ['heads', 'headDim', 'kvHeads', 'layers', 'seqLen', 'bytesPerValue', 'measure', 'signal']);
  const heads = size('heads', o.heads, 1, 65536);
  const headDim = size('headDim', o.headDim, 1, 65536);
  const layers = size('layers', o.layers ?? 1, 1, 65536);
  const seqLen = size('seqLen', o.seqLen ?? 1);
  const bytesPerValue = number('bytesPerValue', o.bytesPerValue ?? 2);
  if (!(bytesPerValue > 0)) badShape('bytesPerValue', 'more than 0', bytesPerValue);
  const measure = boolean('measure', o.measure ?? false);
  const list = o.kvHeads ?? [heads];
  if (!Array.isArray(list) && !ArrayBuffer.isView(list)) badShape('kvHeads', 'a list of K/V head counts', list);
  const counts = Array.from(/** @type {any} */ (list));
  if (counts.length === 0) badShape('kvHeads', 'at least one count', counts);
  counts.forEach((kvHeads, i) => {
    size(`kvHeads[${i}]`, kvHeads, 1, heads);
    if (heads % kvHeads) badShape(`kvHeads[${i}]`, `a divisor of heads (${heads})`, kvHeads);
    const bytes = 2 * kvHeads * headDim * seqLen * 4;
    if (measure && bytes > MAX_MEASURED_BYTES) {
      throw new EngineError('OUT_OF_MEMORY', `measure: expected a cache of at most ${MAX_MEASURED_BYTES} bytes, found ` +
        `${bytes} for ${kvHeads} K/V heads and ${seqLen} tokens`, { expected: MAX_MEASURED_BYTES, found: bytes });
    }
  });
  const all = wasm.call('kv_bytes', heads, headDim, layers, seqLen, bytesPerValue);
  const rows = [];
  for (const kvHeads of counts) {
    if (measure) await nextTask();
    throwIfAborted(o.signal);
    const bytes = wasm.call('kv_bytes', kvHeads, headDim, layers, seqLen, bytesPerValue);
    rows.push({
      kvHeads,
      groupSize: heads / kvHeads,
      floatsPerToken: wasm.call('kv_floats', kvHeads, headDim),
      bytes,
      ratio: all / bytes,
      ...(measure ? { decodeMs: measureDecode(wasm, heads, kvHeads, headDim, seqLen) } : {}),
    });
  }
  return rows;
}
