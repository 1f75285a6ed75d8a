/** The walk through the block as eleven steps: their order, their shapes, and which of them a reader has put in place. */

export const STEPS = ['project', 'split', 'normalize', 'rotate', 'score', 'mask', 'softmax', 'mix', 'merge', 'gate', 'out'];

/** As the cards lie at first: a fixed shuffle with none in its place. */
export const SHUFFLED = ['softmax', 'merge', 'score', 'project', 'gate', 'rotate', 'out', 'split', 'mask', 'normalize', 'mix'];

/** @template T @param {readonly T[]} list @param {number} from @param {number} to @returns {T[]} */
export function movedTo(list, from, to) {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** Gate and merge may change places: each acts on every number alone, or on none. @param {readonly string[]} order */
export const gateFirst = (order) => order.indexOf('gate') + 1 === order.indexOf('merge');

/**
 * Which cards stand right to each other: the longest row of steps that rises. The others have to move.
 * @param {readonly string[]} given
 * @returns {('fits' | 'earlier' | 'later')[]} for each place
 */
export function judged(given) {
  const order = gateFirst(given) ? movedTo(given, given.indexOf('gate'), given.indexOf('merge')) : given;
  const rank = order.map((step) => STEPS.indexOf(step));
  /** Longest rising row that ends at each place. @type {number[][]} */
  const rows = [];
  rank.forEach((r, i) => {
    const before = rows.filter((_, j) => rank[j] < r).sort((a, b) => b.length - a.length)[0] ?? [];
    rows.push([...before, i]);
  });
  const best = rows.reduce((a, b) => (b.length > a.length ? b : a), []);
  const verdict = new Map(order.map((step, i) => {
    if (best.includes(i)) return [step, /** @type {const} */ ('fits')];
    return [step, best.some((j) => j < i && rank[j] > rank[i]) ? /** @type {const} */ ('earlier') : /** @type {const} */ ('later')];
  }));
  return given.map((step) => verdict.get(step) ?? 'later');
}

/**
 * What a step leaves, in numbers; B and T stay letters.
 * @param {string} step @param {import('./pipeline.js').Sizes} sizes
 * @returns {{ name: string, shape: (number | string)[] }[]}
 */
export function shapesAfter(step, { hidden, heads, kvHeads, headDim }) {
  const wide = heads * headDim;
  const one = (/** @type {(number | string)[]} */ ...shape) => [{ name: '', shape: ['B', ...shape] }];
  const qk = [{ name: 'q', shape: ['B', 'T', heads, headDim] }, { name: 'k', shape: ['B', 'T', kvHeads, headDim] }];
  switch (step) {
    case 'project': return [{ name: 'q', shape: ['B', 'T', 2 * wide] }, { name: 'k, v', shape: ['B', 'T', kvHeads * headDim] }];
    case 'split': return [{ name: 'q', shape: ['B', 'T', heads, 2 * headDim] }, { name: 'k, v', shape: ['B', 'T', kvHeads, headDim] }];
    case 'normalize': case 'rotate': return qk;
    case 'mix': return one(heads, 'T', headDim);
    case 'merge': case 'gate': return one('T', wide);
    case 'out': return one('T', hidden);
    default: return one(heads, 'T', 'T');
  }
}
