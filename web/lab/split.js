/** One vector into heads: who gets which rows of q_proj, what a head costs, and a small layer to try a wrong split on. */
import { normals } from './random.js';

export const HIDDEN = 1024;
export const FULL_LAYERS = 6;
/** Parameters of the whole text model of Qwen3.5-0.8B. */
export const MODEL_PARAMETERS = 752_393_024;

/** @typedef {[number, number]} Rows first and last row, both included */

/**
 * Rows of q_proj that make head h. With a gate each head takes twice as many: first its query, then its gate.
 * @param {number} h @param {number} d @param {boolean} gated @returns {{ query: Rows, gate: Rows | null }}
 */
export function rowsOf(h, d, gated) {
  const from = h * d * (gated ? 2 : 1);
  return { query: [from, from + d - 1], gate: gated ? [from + d, from + 2 * d - 1] : null };
}

/** What the tempting split takes for head h: queries from the first half, gates from the second. @param {number} h @param {number} H @param {number} d */
export function halvesOf(h, H, d) {
  const [q, g] = [h * d, (H + h) * d];
  return { query: /** @type {Rows} */ ([q, q + d - 1]), gate: /** @type {Rows} */ ([g, g + d - 1]) };
}

/** Whose row it really is. @param {number} row @param {number} d */
export const ownerOf = (row, d) => ({ head: Math.floor(row / (2 * d)), gate: Math.floor(row / d) % 2 === 1 });

/**
 * What value paths cost, in numbers: free maps, a down and an up for each head, downs shared by G notebooks.
 * @param {{ heads: number, groups: number, dim: number }} o
 */
export function pathCosts({ heads, groups, dim }) {
  const half = HIDDEN * dim;
  return {
    free: HIDDEN ** 2, one: 2 * half, allFree: heads * HIDDEN ** 2, own: heads * 2 * half,
    down: groups * half, up: heads * half, shared: (groups + heads) * half,
  };
}

/** What the gate adds. @param {{ heads: number, dim: number }} o */
export function gateCost({ heads, dim }) {
  const layer = HIDDEN * heads * dim;
  return { layer, all: layer * FULL_LAYERS, part: (layer * FULL_LAYERS) / MODEL_PARAMETERS };
}

/** The small layer: as many heads as the real one, four numbers each, four words in sight. */
export const SMALL = { features: 8, heads: 8, kvHeads: 2, dim: 4, keys: 4 };

/**
 * Two separate matrices, (rows, features) each, and the keys and values already kept. Gates lean to being shut.
 * @param {number} seed
 */
export function smallLayer(seed) {
  const { features: N, heads: H, kvHeads: K, dim: d, keys: T } = SMALL;
  const sizes = [N, H * d * N, H * d * N, T * K * d, T * K * d, H];
  const all = normals(seed, sizes.reduce((a, b) => a + b, 0));
  let at = 0;
  const [x, wQuery, wGate, k, v, lean] = sizes.map((n) => all.slice(at, at += n));
  x[0] = 1;
  for (let h = 0; h < H; h += 1) for (let i = 0; i < d; i += 1) wGate[(h * d + i) * N] += 3 * lean[h] - 1;
  return { x, wQuery, wGate, k, v };
}

/** One matrix as the model stores it: by head, first the query's rows, then the gate's. @param {Float32Array} wQuery @param {Float32Array} wGate */
export function interleaved(wQuery, wGate) {
  const block = SMALL.dim * SMALL.features;
  const both = new Float32Array(wQuery.length * 2);
  for (let h = 0; h < SMALL.heads; h += 1) {
    both.set(wQuery.subarray(h * block, (h + 1) * block), 2 * h * block);
    both.set(wGate.subarray(h * block, (h + 1) * block), (2 * h + 1) * block);
  }
  return both;
}

/** (rows, features) as engine.gate wants it: (features, rows). @param {Float32Array} w */
export function turned(w) {
  const N = SMALL.features;
  const rows = w.length / N;
  return Float32Array.from(w, (_, i) => w[(i % rows) * N + Math.floor(i / rows)]);
}

/** Rows of the product that one reading takes for all heads, queries or gates. @param {ArrayLike<number>} product @param {'heads' | 'halves'} layout @param {'query' | 'gate'} part */
export function taken(product, layout, part) {
  const { heads: H, dim: d } = SMALL;
  return Float32Array.from({ length: H * d }, (_, i) => {
    const h = Math.floor(i / d);
    const rows = layout === 'heads' ? rowsOf(h, d, true) : halvesOf(h, H, d);
    return product[/** @type {Rows} */ (rows[part])[0] + (i % d)];
  });
}

/** @param {number[] | ArrayLike<number>} a @param {ArrayLike<number>} b heads whose output differs */
export function headsThatDiffer(a, b) {
  const d = SMALL.dim;
  return Array.from({ length: SMALL.heads }, (_, h) => h)
    .filter((h) => Array.from({ length: d }, (_, i) => h * d + i).some((i) => Math.abs(a[i] - b[i]) > 1e-6));
}

/**
 * The same small layer three ways, on the engine: from separate matrices, and from the one matrix read by head or by halves.
 * @param {any} engine @param {number} seed
 */
export async function trySplits(engine, seed) {
  const { features, heads: H, kvHeads: K, dim: d, keys: T } = SMALL;
  const { x, wQuery, wGate, k, v } = smallLayer(seed);
  const product = async (/** @type {Float32Array} */ w) => {
    const rows = w.length / features;
    const { z } = await engine.gate({ x, wGate: turned(w), headOut: new Float32Array(rows), features, heads: rows, dim: 1 });
    return z.data;
  };
  const attend = async (/** @type {Float32Array} */ query) => {
    const outs = await Promise.all(Array.from({ length: H }, (_, h) => {
      const g = Math.floor((h * K) / H);
      const part = (/** @type {Float32Array} */ all) => all.subarray(g * T * d, (g + 1) * T * d);
      return engine.attention({ q: query.subarray(h * d, (h + 1) * d), k: part(k), v: part(v), queries: 1, keys: T, dim: d, valueDim: d });
    }));
    return Float32Array.from(outs.flatMap((/** @type {any} */ o) => [...o.out.data]));
  };
  /** Gate scores that are already known pass through an identity. @param {Float32Array} query @param {Float32Array} z */
  const output = async (query, z) => {
    const n = H * d;
    const identity = Float32Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
    const { out } = await engine.gate({ x: z, wGate: identity, headOut: await attend(query), features: n, heads: H, dim: d });
    return out.data;
  };
  const both = await product(interleaved(wQuery, wGate));
  const read = (/** @type {'heads' | 'halves'} */ layout) => output(taken(both, layout, 'query'), taken(both, layout, 'gate'));
  return { separate: await output(await product(wQuery), await product(wGate)), heads: await read('heads'), halves: await read('halves') };
}
