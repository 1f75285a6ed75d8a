/**
 * Does this folder give the chapter's printed numbers? One full-attention layer on embeddings: the matrix of head 0,
 * parameter counts, gate shape, numbers kept per token. The figures of Qwen3.5-0.8B are built in; --expect FILE takes
 * another folder's.
 */
import { readFile } from 'node:fs/promises';
import { EngineError } from '../engine/index.js';
import { layerFacts } from '../lab/layer-facts.js';
import { QWEN35_0P8B } from '../lab/chapter.js';
import { readPrompt } from './prompt.js';

const isSize = (x) => Number.isSafeInteger(x) && x >= 0;
const isNumber = (x) => typeof x === 'number' && Number.isFinite(x);

/**
 * What the file must have for a check to be made at all; all else is compared as it is.
 * @type {Record<string, [(x: any) => boolean, string]>}
 */
const NEEDED = {
  layer: [isSize, 'a whole number'],
  head: [isSize, 'a whole number'],
  tolerance: [isNumber, 'a number'],
  matrix: [(x) => Array.isArray(x) && x.every((row) => Array.isArray(row) && row.every(isNumber)), 'rows of numbers'],
};

/** @returns {never} */
function wrong(expected, found) {
  throw new EngineError('BAD_OPTION', `--expect: expected ${expected}, found ${JSON.stringify(found)?.slice(0, 80)}`,
    { field: '--expect', expected, found });
}

/** The file of expectations, same keys as QWEN35_0P8B. */
async function readExpectations(path) {
  let e;
  try {
    e = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    wrong('a JSON file', error.message);
  }
  if (typeof e !== 'object' || e === null || Array.isArray(e)) wrong('an object', e);
  for (const [key, [good, expected]] of Object.entries(NEEDED)) if (!good(e[key])) wrong(`${key}: ${expected}`, e[key]);
  if (e.ids !== undefined && !Array.isArray(e.ids)) wrong('ids: a list', e.ids);
  if (e.ids === undefined && typeof e.prompt !== 'string') wrong('prompt: a text, or ids', e.prompt);
  return e;
}

/** @param {import('../engine/engine.js').Engine} engine @param {any} given */
export async function run(engine, { base, expect }) {
  const e = expect ? await readExpectations(expect) : QWEN35_0P8B;
  const layer = await engine.openLayer({ baseURL: base, layer: e.layer });
  try {
    const { ids, pieces } = await readPrompt({ base, text: e.prompt, ids: e.ids });
    const facts = layerFacts(layer.config, e.layer);
    const { probs, gate } = await layer.forward(await layer.embed(ids), { capture: ['probs', 'gate'] });
    const T = ids.length;
    if (!probs) wrong('layer: one of full attention', e.layer);
    if (e.head >= probs.shape[0]) wrong(`head: below ${probs.shape[0]}`, e.head);
    const checks = [];
    const check = (what, expected, found, good = JSON.stringify(expected) === JSON.stringify(found)) =>
      checks.push({ what, expected, found, pass: good });
    if (e.pieces) check('tokens', e.pieces, pieces.map((p) => p.text));
    const rounds = (n) => `${(n / 1e6).toFixed(1)}M`;
    check('parameters of the layer', e.parameters, rounds(facts.parameters));
    check('parameters of q_proj', e.qProjParameters, rounds(facts.qProjParameters));
    check('gate shape', e.gateShape, gate ? [1, ...gate.shape] : null);
    check('numbers kept per token', e.kvPerToken, facts.kvPerToken);
    check('numbers without sharing', e.mhaPerToken, facts.mhaPerToken);
    e.matrix.forEach((row, t) => {
      const found = Array.from(probs.data.subarray((e.head * T + t) * T, (e.head * T + t + 1) * T));
      const near = found.length === row.length && found.every((p, s) => Math.abs(p - row[s]) <= e.tolerance);
      check(`row ${t} of head ${e.head}`, row, found.map((p) => Number(p.toFixed(4))), near);
    });
    const failed = checks.some((c) => !c.pass);
    return {
      failed,
      data: { pass: !failed, checks },
      lines: [...checks.map((c) => `${c.pass ? 'pass' : 'FAIL'}  ${c.what}: expected ${JSON.stringify(c.expected)}, found ` +
        `${JSON.stringify(c.found)}`), failed ? 'FAIL' : 'pass'],
    };
  } finally {
    await layer.close();
  }
}
