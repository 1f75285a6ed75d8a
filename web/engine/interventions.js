/**
 * What a reader changes in a running model, checked and sorted by layer: the arrays that a mixer's forward takes.
 */
import { badOption } from './options.js';

/** @typedef {import('./full-attention.js').Edits} Edits */

const KINDS = ['gate', 'zero', 'kv', 'hideFirst'];

/** @param {any} entry @param {string} at */
function kindOf(entry, at) {
  if (typeof entry !== 'object' || entry === null) badOption(at, 'an object such as { layer, head, gate }', entry);
  for (const key of Object.keys(entry)) {
    if (!['layer', 'head', ...KINDS].includes(key)) badOption(`${at}: key`, `layer, head and one of ${KINDS.join(', ')}`, key);
  }
  const kinds = KINDS.filter((kind) => entry[kind] !== undefined);
  if (kinds.length !== 1) badOption(at, `exactly one of ${KINDS.join(', ')}`, kinds);
  return kinds[0];
}

/** Heads that an entry names. */
function headsOf(head, count, at) {
  if (head === 'all') return Array.from({ length: count }, (_, h) => h);
  if (!Number.isInteger(head) || head < 0 || head >= count) badOption(`${at}.head`, `0 to ${count - 1} or 'all'`, head);
  return [head];
}

function checkValue(kind, value, at) {
  if (kind === 'gate' && !(typeof value === 'number' && Number.isFinite(value))) badOption(`${at}.gate`, 'a finite number', value);
  if (kind === 'kv' && value !== 'mean') badOption(`${at}.kv`, "'mean'", value);
  if ((kind === 'zero' || kind === 'hideFirst') && value !== true) badOption(`${at}.${kind}`, 'true', value);
}

/**
 * @param {unknown} given
 * @param {import('./config.js').Config} config @param {number} layers that will run
 * @returns {Map<number, Edits>} by layer
 */
export function parseInterventions(given, config, layers) {
  const edits = new Map();
  if (given === undefined) return edits;
  if (!Array.isArray(given)) badOption('interventions', 'a list', given);
  Array.from(given, (entry, i) => { // a hole is an entry too
    const at = `interventions[${i}]`;
    const kind = kindOf(entry, at);
    const { layer, head } = entry;
    if (!Number.isInteger(layer) || layer < 0 || layer >= layers) badOption(`${at}.layer`, `0 to ${layers - 1}`, layer);
    const linear = config.layerTypes[layer] === 'linear_attention';
    if (linear && kind !== 'zero') badOption(at, `zero, the only change of a linear layer (${layer})`, kind);
    if (kind === 'gate' && !config.gated) badOption(at, 'a model with an output gate', 'one without');
    checkValue(kind, entry[kind], at);
    const count = linear ? config.linear.valueHeads : config.heads;
    const edit = edits.get(layer) ?? {};
    edits.set(layer, edit);
    if (kind === 'kv') {
      if (head !== undefined) badOption(`${at}.head`, 'none: all K/V heads are merged', head);
      edit.kvMean = true;
      return;
    }
    edit[kind] ??= new Float32Array(count).fill(kind === 'gate' ? NaN : 0);
    for (const h of headsOf(head, count, at)) edit[kind][h] = kind === 'gate' ? entry.gate : 1;
  });
  return edits;
}
