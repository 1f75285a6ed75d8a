/**
 * The examples worked by hand, on the C core: attention over a few vectors, one gate, a gate that learns, the sweep.
 */
import { EngineError } from './errors.js';
import { badShape, boolean, floats, isList, matrix, number, options, shapeOf, size } from './options.js';
import { slices } from './tasks.js';

/** @typedef {import('./wasm.js').Wasm} Wasm */

/** A cache larger than this is not built only to be timed. */
const MAX_MEASURED_BYTES = 512 * 2 ** 20;
const MEASURED_STEPS = 7;
/** Rows of a measured cache that are written at once. */
const FILLED_AT_ONCE = 256;
/** Toys that would fill the memory are refused before they take any. */
const MAX_TOY_FLOATS = 2 ** 28;
/** Multiply-adds at once, some milliseconds; what takes more runs in slices, between which a stop is heard. */
const AT_ONCE = 2 ** 23;

/** How many pieces of so much work make a slice. @param {number} work multiply-adds of one piece */
const perSlice = (work) => Math.max(1, Math.floor(AT_ONCE / work));

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
 * @param {any} given q (queries, dim), k (keys, dim), v (keys, valueDim) @param {AbortSignal} [signal]
 */
export async function attention(wasm, given, signal) {
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
  const scores = new Float32Array(queries * keys).fill(causal ? -Infinity : 0);
  const probs = new Float32Array(queries * keys);
  const out = new Float32Array(queries * valueDim);
  const breathe = slices(signal);
  await wasm.during(async (all) => {
    const [kAll, vAll] = [all.put(k), all.put(v)];
    const step = Math.min(queries, perSlice(keys * (dim + valueDim)));
    for (let q0 = 0; q0 < queries; q0 += step) {
      await breathe();
      const n = Math.min(step, queries - q0);
      const seen = causal ? keys - queries + q0 + n : keys; // by the last of these queries
      wasm.scope((s) => {
        const [scoresPart, probsPart, outPart] = [s.space(n * seen), s.space(n * seen), s.space(n * valueDim)];
        const arena = s.arena(wasm.call('toy_scratch', n, seen, dim, valueDim));
        wasm.run('toy_attention', s.put(q.subarray(q0 * dim, (q0 + n) * dim)), kAll, vAll, n, seen, dim, valueDim,
          causal ? 1 : 0, scale, scoresPart, probsPart, outPart, arena);
        for (const [to, from] of [[scores, scoresPart.floats(n * seen)], [probs, probsPart.floats(n * seen)]]) {
          for (let i = 0; i < n; i++) to.set(from.subarray(i * seen, (i + 1) * seen), (q0 + i) * keys);
        }
        out.set(outPart.floats(n * valueDim), q0 * valueDim);
      });
    }
  });
  return { scores: matrix([queries, keys], scores), probs: matrix([queries, keys], probs),
    out: matrix([queries, valueDim], out) };
}

/**
 * z = x·W_gate, gate = σ(z), out = headOut ⊙ gate.
 * @param {Wasm} wasm
 * @param {any} given x (features), wGate (features, heads*dim), headOut (heads, dim) @param {AbortSignal} [signal]
 */
export async function gate(wasm, given, signal) {
  const o = options('gate', given, ['x', 'wGate', 'headOut', 'features', 'heads', 'dim', 'signal']);
  const heads = sizeOr('heads', o.heads, o.headOut, 0);
  const dim = sizeOr('dim', o.dim, o.headOut, 1);
  const features = size('features', o.features ?? shapeOf(o.x)?.[0] ?? o.x?.length);
  const n = heads * dim;
  checkToyFloats(features * (n + 1) + 4 * n);
  const x = floats('x', o.x, [features]);
  const wGate = floats('wGate', o.wGate, [features, n]);
  const headOut = floats('headOut', o.headOut, [heads, dim]);
  const [z, g, out] = [0, 1, 2].map(() => new Float32Array(n));
  const breathe = slices(signal);
  const step = Math.min(n, perSlice(features));
  for (let c0 = 0; c0 < n; c0 += step) {
    await breathe();
    const width = Math.min(step, n - c0);
    const columns = width === n ? wGate : columnsOf(wGate, n, c0, width);
    wasm.scope((s) => {
      const parts = [0, 1, 2].map(() => s.space(width));
      wasm.call('toy_gate', s.put(x), s.put(columns), s.put(headOut.subarray(c0, c0 + width)), features, 1, width,
        ...parts);
      [z, g, out].forEach((whole, i) => whole.set(parts[i].floats(width), c0));
    });
  }
  return { z: matrix([heads, dim], z), gate: matrix([heads, dim], g), out: matrix([heads, dim], out) };
}

/** Some columns of a matrix with n of them. */
function columnsOf(values, n, from, width) {
  const rows = values.length / n;
  const part = new Float32Array(rows * width);
  for (let i = 0; i < rows; i++) part.set(values.subarray(i * n + from, i * n + from + width), i * width);
  return part;
}

/**
 * A gate learns by gradient descent; row s is the state before update s.
 * @param {Wasm} wasm
 * @param {any} given x (n, features), residual, headOut, target (n), w0 (features) @param {AbortSignal} [signal]
 */
export async function gateSgd(wasm, given, signal) {
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
  const result = { w: matrix([rows, features], new Float32Array(rows * features)),
    gate: matrix([rows, n], new Float32Array(rows * n)), loss: matrix([rows], new Float32Array(rows)),
    grad: matrix([rows, features], new Float32Array(rows * features)) };
  const breathe = slices(signal);
  await wasm.during(async (all) => {
    const examples = [x, ...vectors].map((values) => all.put(values));
    const most = perSlice(n * features);
    let start = w0;
    for (let done = 0; ; done += most) {
      await breathe();
      const now = Math.min(most, steps - done);
      wasm.scope((s) => {
        const parts = Object.values(result).map(({ data }) => s.space((now + 1) * data.length / rows));
        wasm.call('toy_gate_sgd', ...examples, s.put(start), n, features, now, learningRate, ...parts);
        Object.values(result).forEach(({ data }, i) => {
          const width = data.length / rows;
          data.set(parts[i].floats((now + 1) * width), done * width);
        });
      });
      if (done + now === steps) return;
      start = result.w.data.subarray((done + now) * features, (done + now + 1) * features);
    }
  });
  return result;
}

/** Median time of one decode step of one layer's attention, milliseconds. */
function measureDecode(wasm, heads, kvHeads, headDim, tokens, breathe) {
  return wasm.during(async (s) => {
    const width = kvHeads * headDim;
    const arena = s.arena(wasm.call('decode_scratch', heads, kvHeads, headDim, tokens));
    const row = Float32Array.from({ length: width }, (_, i) => Math.sin(i * 0.37));
    const [k, v] = [0, 1].map(() => s.space(width * tokens));
    for (let t = 0; t < tokens; t++) {
      if (t % FILLED_AT_ONCE === 0) await breathe();
      k.writeFloats(row, t * width);
      v.writeFloats(row, t * width);
    }
    const q = s.put(Float32Array.from({ length: heads * headDim }, (_, i) => Math.sin(i)));
    const out = s.space(heads * headDim);
    const times = [];
    for (let i = 0; i <= MEASURED_STEPS; i++) {
      await breathe();
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
 * @param {any} given @param {AbortSignal} [signal]
 */
export async function gqaSweep(wasm, given, signal) {
  const o = options('gqaSweep', given,
    ['heads', 'headDim', 'kvHeads', 'layers', 'seqLen', 'bytesPerValue', 'measure', 'signal']);
  const heads = size('heads', o.heads, 1, 65536);
  const headDim = size('headDim', o.headDim, 1, 65536);
  const layers = size('layers', o.layers ?? 1, 1, 65536);
  const seqLen = size('seqLen', o.seqLen ?? 1);
  const bytesPerValue = number('bytesPerValue', o.bytesPerValue ?? 2);
  if (!(bytesPerValue > 0)) badShape('bytesPerValue', 'more than 0', bytesPerValue);
  const measure = boolean('measure', o.measure ?? false);
  const list = /** @type {any} */ (o.kvHeads ?? [heads]);
  if (!isList(list)) badShape('kvHeads', 'a list of K/V head counts', list);
  if (list.length > heads) badShape('kvHeads', `at most ${heads} counts`, list.length);
  const counts = Array.from(list);
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
  const breathe = slices(signal);
  for (const kvHeads of counts) {
    await breathe();
    const bytes = wasm.call('kv_bytes', kvHeads, headDim, layers, seqLen, bytesPerValue);
    rows.push({
      kvHeads,
      groupSize: heads / kvHeads,
      floatsPerToken: wasm.call('kv_floats', kvHeads, headDim),
      bytes,
      ratio: all / bytes,
      ...(measure ? { decodeMs: await measureDecode(wasm, heads, kvHeads, headDim, seqLen, breathe) } : {}),
    });
  }
  return rows;
}
