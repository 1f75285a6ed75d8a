/** The reader's changes to a run: a list that is undone from its end, written into an address and back. */

/**
 * @typedef {'shut' | 'zero' | 'open' | 'shared' | 'hide'} Kind
 * @typedef {{ kind: Kind, layer: number | 'all', head: number | 'all' }} Edit
 * @typedef {{ heads: number, gated: boolean }} Config
 * @typedef {'head' | 'layer' | 'all'} Scope
 */

/** @type {readonly Kind[]} */
export const KINDS = ['shut', 'zero', 'open', 'shared', 'hide'];
const ON_GATES = new Set(['shut', 'open']);

/** What the engine is told for each kind. */
const MEANING = { shut: { gate: 0 }, open: { gate: 1 }, zero: { zero: true }, hide: { hideFirst: true } };

/**
 * A change of what is picked. Keys and values belong to a layer, so sharing them has no head.
 * @param {Kind} kind @param {Scope} scope @param {{ layer: number, head: number }} picked @returns {Edit}
 */
export function editOf(kind, scope, { layer, head }) {
  return {
    kind,
    layer: scope === 'all' ? 'all' : layer,
    head: scope === 'head' && kind !== 'shared' ? head : 'all',
  };
}

/** @param {Edit[]} edits @param {number[]} fullLayers @returns {Record<string, unknown>[]} interventions of the engine */
export function interventionsOf(edits, fullLayers) {
  return edits.flatMap(({ kind, layer, head }) => (layer === 'all' ? fullLayers : [layer]).map((l) => (
    kind === 'shared' ? { layer: l, kv: 'mean' } : { layer: l, head, ...MEANING[kind] })));
}

/** Edits that this model can take. @param {Edit[]} edits @param {Config} config @param {number[]} fullLayers */
export function possible(edits, { heads, gated }, fullLayers) {
  return edits.filter(({ kind, layer, head }) => (gated || !ON_GATES.has(kind))
    && (layer === 'all' || fullLayers.includes(layer)) && (head === 'all' || head < heads));
}

/** @param {Kind} kind @param {Config} config */
export const canDo = (kind, { gated }) => gated || !ON_GATES.has(kind);

/** 'shut.15.4,open.all.all' @param {Edit[]} edits */
export const editsToText = (edits) => edits.map(({ kind, layer, head }) => `${kind}.${layer}.${head}`).join(',');

/** What is not an edit is left out. @param {string} text @returns {Edit[]} */
export function editsFromText(text) {
  const place = (/** @type {string} */ s) => (s === 'all' ? 'all' : Number(s));
  return [...text.matchAll(/(?:^|,)(\w+)\.(all|\d{1,3})\.(all|\d{1,3})(?=,|$)/g)]
    .filter(([, kind]) => KINDS.includes(/** @type {Kind} */ (kind)))
    .map(([, kind, layer, head]) => ({ kind: /** @type {Kind} */ (kind), layer: place(layer), head: place(head) }));
}

/**
 * The next-token list before and after: the likeliest before, and whatever comes first now.
 * @param {Float64Array} before @param {Float64Array} after probabilities @param {number} count
 * @returns {{ id: number, before: number, after: number }[]} in the order of before; what is no number ranks nowhere
 */
export function compareGuesses(before, after, count) {
  const order = (/** @type {Float64Array} */ p, /** @type {number} */ n) => Array.from(p.keys())
    .filter((id) => Number.isFinite(p[id])).sort((a, b) => p[b] - p[a] || a - b).slice(0, n);
  const ids = order(before, count);
  const [now] = order(after, 1);
  if (now !== undefined && !ids.includes(now)) ids.push(now);
  return ids.map((id) => ({ id, before: before[id], after: after[id] }));
}
