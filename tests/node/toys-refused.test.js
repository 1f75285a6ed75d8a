/** Bad input to the toys: the contract's code, what was expected and what was found, and an engine that goes on. */
import assert from 'node:assert/strict';
import { EngineError } from '../../web/engine/errors.js';
import { onEngine } from '../helpers/variants.js';

const ATTENTION = { q: [0, 4], k: [1, 0, 0, 1, 0.5, 0.5], v: [2, 0, 0, 2, 1, 1],
  queries: 1, keys: 3, dim: 2, valueDim: 2 };
const GATE = { x: [1, 0], wGate: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], headOut: [1, 2, 3, 4, 5, 6],
  features: 2, heads: 3, dim: 2 };
const SGD = { x: [1, 0, 0, 1], residual: [0, 1], headOut: [1, 0.8], target: [1, 1], w0: [0, 0],
  learningRate: 1, steps: 3 };
const SWEEP = { heads: 8, headDim: 256, kvHeads: [8, 2], layers: 6, seqLen: 8192, bytesPerValue: 2 };

/** Every size of a call, each with what no size may be. */
const sizes = (method, good, names) => names.flatMap((name) =>
  [NaN, -1, 1.5, Infinity, -Infinity, '3', 2 ** 53, {}].map((value) =>
    [method, { ...good, [name]: value }, 'BAD_SHAPE']));

const CASES = [
  ...sizes('attention', ATTENTION, ['queries', 'keys', 'dim', 'valueDim']),
  ...sizes('gate', GATE, ['features', 'heads', 'dim']),
  ...sizes('gateSgd', SGD, ['steps', 'n', 'features']),
  ...sizes('gqaSweep', SWEEP, ['heads', 'headDim', 'layers', 'seqLen']),
  ...[NaN, -1, 1.5, 0, '2', Infinity].map((value) => ['gqaSweep', { ...SWEEP, kvHeads: [8, value] }, 'BAD_SHAPE']),
  ...['queries', 'keys', 'dim', 'valueDim'].map((name) => ['attention', { ...ATTENTION, [name]: 0 }, 'BAD_SHAPE']),
  ['gqaSweep', { ...SWEEP, kvHeads: [3] }, 'BAD_SHAPE'],
  ['gqaSweep', { ...SWEEP, kvHeads: [16] }, 'BAD_SHAPE'],
  ['gqaSweep', { ...SWEEP, kvHeads: [] }, 'BAD_SHAPE'],
  ['gqaSweep', { ...SWEEP, kvHeads: 2 }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, q: [0, 4, 1] }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, k: [] }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, v: undefined }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, v: 'text' }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, q: ['0', '4'] }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, q: { shape: [2, 1], data: [0, 4] } }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, q: { shape: [1, 2], data: [0, 4, 5] } }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, q: Array(8).fill(1), queries: 4, causal: true }, 'BAD_SHAPE'],
  ['attention', { ...ATTENTION, queries: 2 ** 30, keys: 2 ** 30 }, 'OUT_OF_MEMORY'],
  ['gate', { ...GATE, wGate: GATE.wGate.slice(1) }, 'BAD_SHAPE'],
  ['gate', { ...GATE, headOut: [1] }, 'BAD_SHAPE'],
  ['gateSgd', { ...SGD, x: [1, 2, 3] }, 'BAD_SHAPE'],
  ['gateSgd', { ...SGD, target: [1] }, 'BAD_SHAPE'],
  ['gateSgd', { ...SGD, steps: 2 ** 31 - 1 }, 'OUT_OF_MEMORY'],
  ['attention', { ...ATTENTION, casual: true }, 'BAD_OPTION'],
  ['gate', { ...GATE, bias: 0 }, 'BAD_OPTION'],
  ['gateSgd', { ...SGD, lr: 1 }, 'BAD_OPTION'],
  ['gqaSweep', { ...SWEEP, kvheads: [1] }, 'BAD_OPTION'],
  ['openLayer', { baseUrl: 'x' }, 'BAD_OPTION'],
];

async function refusal(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return undefined;
}

onEngine('what the toys refuse, by code', async (engine) => {
  const good = await engine.attention(ATTENTION);
  const before = engine.memoryBytes;
  for (const [method, given, code] of CASES) {
    const error = await refusal(engine[method](given));
    const what = `${method} ${JSON.stringify(given, (_, v) => (typeof v === 'number' ? String(v) : v))}`;
    assert.ok(error instanceof EngineError, `${what}: expected an EngineError, found ${error}`);
    assert.equal(error.code, code, `${what}: ${error.message}`);
    assert.equal(error.name, 'EngineError');
    assert.ok('expected' in error.details && 'found' in error.details, `${what}: ${Object.keys(error.details)}`);
    assert.match(error.message, /expected .+ found /, what);
  }
  assert.equal(engine.memoryBytes, before, 'nothing was allocated for any of them');
  assert.deepEqual(await engine.attention(ATTENTION), good, 'the engine still works');
});

onEngine('every refusal is a rejected promise, never a throw', async (engine) => {
  for (const method of ['attention', 'gate', 'gateSgd', 'gqaSweep', 'openLayer']) {
    for (const given of [undefined, null, 3, 'x', []]) {
      const promise = engine[method](given);
      assert.ok(promise instanceof Promise, `${method}(${given})`);
      assert.ok(await refusal(promise) instanceof EngineError, `${method}(${given})`);
    }
  }
});

onEngine('calls queue in order, and close ends what is queued', async (engine) => {
  const order = [];
  const ask = () => [8, 4, 2, 1].map((kvHeads) => engine.gqaSweep({ ...SWEEP, kvHeads: [kvHeads] })
    .then(([row]) => order.push(row.kvHeads)));
  await Promise.all(ask());
  assert.deepEqual(order, [8, 4, 2, 1]);
  const ended = ask().map(async (call) => assert.equal((await refusal(call))?.code, 'ABORTED'));
  await engine.close();
  await Promise.all(ended);
  assert.deepEqual(order, [8, 4, 2, 1]);
  for (const [method, given] of [['attention', ATTENTION], ['gate', GATE], ['gateSgd', SGD], ['gqaSweep', SWEEP]]) {
    assert.equal((await refusal(engine[method](given)))?.code, 'BAD_OPTION', `${method} after close`);
  }
  await engine.close();
  assert.equal(engine.memoryBytes, 0);
});
