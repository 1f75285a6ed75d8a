/** The way through one attention layer, stop by stop, with shapes counted from a config; what each kind of layer keeps. */

/**
 * What is counted, by the names of parseConfig.
 * @typedef {{ hidden: number, heads: number, kvHeads: number, headDim: number, rotaryDim: number, gated: boolean, qkNorm?: boolean,
 *   linear: { keyHeads: number, valueHeads: number, keyDim: number, valueDim: number, kernel: number } }} Sizes
 * @typedef {'softmax' | 'linear'} Kind
 * @typedef {(number | string)[][]} Shapes  one or more arrays
 * @typedef {{ key: string, names: string[], shapes: Shapes }} Stop  names: what each array is
 */

const LINEAR = { keyHeads: 16, valueHeads: 16, keyDim: 128, valueDim: 128, kernel: 4 };

/** @type {Record<string, Sizes>} */
export const MODELS = {
  'Qwen3.5-0.8B': { hidden: 1024, heads: 8, kvHeads: 2, headDim: 256, rotaryDim: 64, gated: true, linear: LINEAR },
  'Qwen3-0.6B': { hidden: 1024, heads: 16, kvHeads: 8, headDim: 128, rotaryDim: 128, gated: false, linear: LINEAR },
};

export const QWEN = 'Qwen3.5-0.8B';
export const LONGEST = 262_144;

/** @param {Sizes} c @param {number} T @returns {Stop[]} */
function softmaxStops({ hidden: N, heads: H, kvHeads: K, headDim: d, gated, qkNorm = true }, T) {
  return [
    { key: 'h', names: ['h'], shapes: [[T, N]] },
    { key: 'project', names: ['q', 'k', 'v', 'gate'], shapes: [[T, H, d], [T, K, d], [T, K, d], ...(gated ? [[T, H, d]] : [])] },
    ...(qkNorm ? [{ key: 'norm', names: ['q', 'k'], shapes: [[T, H, d], [T, K, d]] }] : []),
    { key: 'rope', names: ['q', 'k'], shapes: [[T, H, d], [T, K, d]] },
    { key: 'scores', names: ['s'], shapes: [[H, T, T]] },
    { key: 'softmax', names: ['p'], shapes: [[H, T, T]] },
    { key: 'mix', names: ['o'], shapes: [[T, H, d]] },
    ...(gated ? [{ key: 'gate', names: ['o'], shapes: [[T, H * d]] }] : []),
    { key: 'out', names: ['out'], shapes: [[T, N]] },
  ];
}

/** @param {Sizes} c @param {number} T @returns {Stop[]} */
function linearStops({ hidden: N, linear: { keyHeads, valueHeads: H, keyDim, valueDim } }, T) {
  return [
    { key: 'h', names: ['h'], shapes: [[T, N]] },
    { key: 'conv', names: ['q', 'k', 'v'], shapes: [[T, keyHeads, keyDim], [T, keyHeads, keyDim], [T, H, valueDim]] },
    { key: 'decay', names: ['α', 'β'], shapes: [[T, H], [T, H]] },
    { key: 'update', names: ['S'], shapes: [[H, keyDim, valueDim]] },
    { key: 'read', names: ['o'], shapes: [[T, H, valueDim]] },
    { key: 'silu', names: ['o'], shapes: [[T, H * valueDim]] },
    { key: 'out', names: ['out'], shapes: [[T, N]] },
  ];
}

/** @param {Kind} kind @param {Sizes} c @param {number} T */
export const stops = (kind, c, T) => (kind === 'softmax' ? softmaxStops : linearStops)(c, T);

/**
 * What a stop holds for one word (the table: for all), as equal parts.
 * @param {Stop} stop @returns {{ name: string, parts: number, size: number }[]}
 */
export function portions({ key, names, shapes }) {
  return shapes.map(([a, b, c = 1], i) => {
    if (key === 'update') return { name: names[i], parts: Number(a), size: Number(b) * Number(c) };
    if (key === 'scores' || key === 'softmax') return { name: names[i], parts: Number(a), size: Number(b) };
    return { name: names[i], parts: c === 1 ? 1 : Number(b), size: Number(c === 1 ? b : c) };
  });
}

/** Place of a softmax stop, from 1; 0 when this model has none. @param {Sizes} c @param {string} key */
export const stopNumber = (c, key) => softmaxStops(c, 1).findIndex((s) => s.key === key) + 1;

/**
 * Numbers one layer has to keep for the words still to come.
 * @param {Kind} kind @param {Sizes} c @param {number} T
 * @returns {{ formula: (number)[][], total: number }}  formula: products that are added
 */
export function kept(kind, { kvHeads: K, headDim: d, linear: l }, T) {
  const channels = 2 * l.keyHeads * l.keyDim + l.valueHeads * l.valueDim;
  const formula = kind === 'softmax' ? [[2, K, d, T]] : [[l.valueHeads, l.keyDim, l.valueDim], [l.kernel - 1, channels]];
  return { formula, total: formula.reduce((sum, factors) => sum + product(factors), 0) };
}

/** First length at which the softmax layer keeps more than the linear one. @param {Sizes} c */
export const crossing = (c) => Math.floor(kept('linear', c, 1).total / kept('softmax', c, 1).total) + 1;

/** A shape in print; digits are not grouped, commas stand between sizes. @param {ArrayLike<number | string>} shape */
export const shapeText = (shape) => `[${Array.from(shape).join(', ')}]`;

/** @param {ArrayLike<number>} factors */
export const product = (factors) => Array.from(factors).reduce((a, b) => a * b, 1);

/**
 * The lines of code, each with the shapes it makes and the stop of the map it belongs to.
 * @param {Sizes} c @param {number} B @param {number} T
 * @returns {{ key: string, name: string, code: string, letters: string, shapes: number[][], numbers: number, stop: string }[]}  numbers: in all arrays made
 */
export function codeRows({ hidden: N, heads: H, kvHeads: K, headDim: d, gated, qkNorm = true }, B, T) {
  const wide = gated ? 2 * d : d;
  const rows = [
    {
      key: 'query', name: 'q_proj', stop: 'project', letters: gated ? '[B, T, 2·H·d] → [B, T, H, 2·d]' : '[B, T, H·d] → [B, T, H, d]',
      code: gated ? 'x = q_proj(h).view(B, T, H, 2 * d)\nq, gate = x.split(d, -1)' : 'q = q_proj(h).view(B, T, H, d)',
      shapes: [[B, T, H * wide], [B, T, H, wide]],
    },
    {
      key: 'keys', name: 'k_proj, v_proj', stop: 'project', letters: '[B, T, K, d]', shapes: [[B, T, K, d]],
      code: 'k = k_proj(h).view(B, T, K, d)\nv = v_proj(h).view(B, T, K, d)',
    },
    {
      key: qkNorm ? 'norm' : 'rope', name: qkNorm ? 'q_norm, k_norm, rope' : 'rope', stop: qkNorm ? 'norm' : 'rope', letters: '[B, T, H, d], [B, T, K, d]', shapes: [[B, T, H, d], [B, T, K, d]],
      code: qkNorm ? 'q, k = rope(q_norm(q)), rope(k_norm(k))' : 'q, k = rope(q), rope(k)',
    },
    {
      key: 'repeat', name: 'repeat_interleave', stop: 'scores', letters: '[B, H, T, d]', shapes: [[B, H, T, d]],
      code: 'q, k, v = (x.transpose(1, 2) for x in (q, k, v))\nk = k.repeat_interleave(H // K, 1)\nv = v.repeat_interleave(H // K, 1)',
    },
    {
      key: 'scores', name: 'q @ k.mT, mask', stop: 'scores', letters: '[B, H, T, T]', shapes: [[B, H, T, T]],
      code: 's = q @ k.mT / d ** 0.5\ns = s.masked_fill(later, -inf)',
    },
    {
      key: 'mix', name: 'softmax @ v', stop: 'mix', letters: '[B, H, T, d] → [B, T, H·d]', shapes: [[B, H, T, d], [B, T, H * d]],
      code: 'o = softmax(s, -1) @ v\no = o.transpose(1, 2).reshape(B, T, H * d)',
    },
    { key: 'gate', name: '* sigmoid(gate)', stop: 'gate', letters: '[B, T, H·d]', shapes: [[B, T, H * d]], code: 'o = o * sigmoid(gate.reshape(B, T, H * d))' },
    { key: 'out', name: 'o_proj', stop: 'out', letters: '[B, T, N]', shapes: [[B, T, N]], code: 'return o_proj(o)' },
  ];
  /** @type {Record<string, number>} arrays of the last shape that a line makes */
  const arrays = { keys: 2, repeat: 3 };
  return rows.filter((row) => gated || row.key !== 'gate').map((row) => ({
    ...row,
    numbers: row.shapes.length === 2 && row.letters.includes('],')
      ? row.shapes.reduce((sum, s) => sum + product(s), 0) : (arrays[row.key] ?? 1) * product(row.shapes[row.shapes.length - 1]),
  }));
}
