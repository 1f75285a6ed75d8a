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

/** The file of expectations, same keys as QWEN35_0P8B. */
async function readExpectations(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new EngineError('BAD_OPTION', `--expect: expected a JSON file, found ${error.message}`);
  }
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
