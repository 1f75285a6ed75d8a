/** The trainer's door: what it promises, what it refuses, and that it is the same every time. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { CORPUS, LAB, LAB_TASK, MODELS } from '../helpers/lab-model.js';
import { Numbers } from '../helpers/numbers.js';
import { onEngine } from '../helpers/variants.js';

const lab = { config: LAB, task: LAB_TASK, seed: 3, batch: 4, seqLen: 16 };

/** Rejects with that code, naming the field, saying what was expected and what was found. */
const refuses = (promise, code, field, where) => assert.rejects(promise, (error) => {
  const { name, message, details, code: found } = /** @type {any} */ (error);
  assert.equal(name, 'EngineError', `${where}: ${message}`);
  assert.equal(found, code, `${where}: ${message}`);
  assert.equal(details.field, field, `${where}: ${message}`);
  assert.match(message, /expected .* found /, where);
  return true;
});

/** Mean of -log p(target) from logits (T, V). */
function crossEntropy({ shape: [T, V], data }, targets) {
  let sum = 0;
  for (let t = 0; t < T; t++) {
    const row = Array.from(data.subarray(t * V, (t + 1) * V));
    const top = Math.max(...row);
    sum += top + Math.log(row.reduce((s, x) => s + Math.exp(x - top), 0)) - row[targets[t]];
  }
  return sum / T;
}

onEngine('the loss is that of the model as probe() shows it, in every kind of model', async (engine) => {
  const numbers = new Numbers();
  const ids = CORPUS.ids.slice(5, 5 + 12); // as long as one sequence: every window is this one
  for (const [kind, config] of Object.entries(MODELS)) {
    const trainer = await engine.createTrainer({ config, task: { kind: 'corpus', ids }, batch: 2, seqLen: 11,
      learningRate: 0.01, seed: 5 });
    const losses = [];
    for (let i = 0; i < 4; i++) {
      const { logits, layers } = await trainer.probe(ids.slice(0, -1));
      assert.deepEqual(logits.shape, [11, 19]);
      assert.deepEqual(layers.map((layer) => layer.type), trainer.config.layerTypes);
      const { step, loss } = await trainer.step(1);
      assert.equal(step, i + 1);
      numbers.near(loss, crossEntropy(logits, ids.slice(1)), 2e-5, `${kind}, loss ${i}`);
      losses.push(loss);
    }
    assert.ok(losses[3] < losses[0] - 0.05, `${kind} learns its only sentence: ${losses}`);
    await trainer.close();
  }
  numbers.exactly(12);
});

onEngine('same seed, same numbers, to the bit, however the steps are called; another seed, others', async (engine) => {
  const run = async (seed, calls, optimizer = 'adamw') => {
    const trainer = await engine.createTrainer({ ...lab, seed, optimizer });
    for (const n of calls) await trainer.step(n);
    const { 'model.safetensors': bytes } = await trainer.export();
    const { data } = await trainer.sample(3, 8);
    await trainer.close();
    return { bytes: Buffer.from(bytes).toString('base64'), data: [...data] };
  };
  const once = await run(3, [20]);
  assert.deepEqual(await run(3, [7, 1, 12]), once);
  const other = await run(4, [20]);
  assert.notEqual(other.bytes, once.bytes);
  assert.notDeepEqual(other.data, once.data);
  assert.notEqual((await run(3, [20], 'sgd')).bytes, once.bytes);
});

test('twins with and without a gate start from the same numbers and see the same batches', async () => {
  const engine = await createEngine();
  const twins = await Promise.all([false, true].map((gated) => engine.createTrainer({ ...lab,
    config: { ...LAB, num_attention_heads: 2, head_dim: 5, attn_output_gate: gated } })));
  const [plain, gated] = await Promise.all(twins.map((twin) => twin.probe([32, 4, 5])));
  for (const name of ['qProj', 'k', 'v', 'probs', 'headOut']) {
    assert.deepEqual(gated.layers[0][name], plain.layers[0][name], name);
  }
  assert.deepEqual(gated.layers[0].gate.shape, [3, 2, 5]);
  assert.equal(plain.layers[0].gate, undefined);
  const samples = await Promise.all(twins.map((twin) => twin.sample(2, 1)));
  assert.deepEqual(samples[0], samples[1]);
  await engine.close();
});

test('absurd controls are refused with a clear message, before anything is allocated', async () => {
  const engine = await createEngine();
  const before = engine.memoryBytes;
  const cases = [
    ...[0, -1, 1e9, NaN, Infinity, '0.1'].map((learningRate) => [{ learningRate }, 'BAD_OPTION', 'learningRate']),
    ...[0, -2, 1.5, NaN].map((batch) => [{ batch }, 'BAD_SHAPE', 'batch']),
    ...[0, 0.5, 1e6].map((seqLen) => [{ seqLen }, 'BAD_SHAPE', 'seqLen']),
    ...[-1, 0.5, 2 ** 32].map((seed) => [{ seed }, 'BAD_OPTION', 'seed']),
    [{ weightDecay: -0.1 }, 'BAD_OPTION', 'weightDecay'],
    [{ clip: NaN }, 'BAD_OPTION', 'clip'],
    [{ optimizer: 'adam' }, 'BAD_OPTION', 'optimizer'],
    [{ lr: 1 }, 'BAD_OPTION', 'createTrainer: option'],
    [{ task: undefined }, 'BAD_OPTION', 'task'],
    [{ task: { kind: 'copy' } }, 'BAD_OPTION', 'task.kind'],
    [{ task: { ...LAB_TASK, boost: 1 } }, 'BAD_OPTION', 'task: option'],
    [{ task: { ...LAB_TASK, triggers: 32 } }, 'BAD_SHAPE', 'task.triggers'],
    [{ task: { ...LAB_TASK, vocab: 33 } }, 'BAD_CONFIG', 'vocab_size'],
    [{ task: { kind: 'corpus', ids: [1, 2, 3, 4] } }, 'BAD_SHAPE', 'task.ids'],
    [{ task: { kind: 'corpus', ids: [1, 33] } }, 'BAD_SHAPE', 'ids[1]'],
    [{ config: undefined }, 'BAD_CONFIG', 'the whole'],
    [{ config: { ...LAB, num_key_value_heads: 2 } }, 'BAD_CONFIG', 'num_key_value_heads'],
    [{ config: { ...LAB, max_position_embeddings: 9 } }, 'BAD_CONFIG', 'max_position_embeddings'],
    [{ config: { ...LAB, hidden_act: 'gelu' } }, 'UNSUPPORTED_MODEL', 'hidden_act'],
    [{ config: { ...LAB, hidden_size: 65536, intermediate_size: 2 ** 20 } }, 'OUT_OF_MEMORY', undefined],
  ];
  for (const [change, code, field] of cases) {
    const given = /** @type {any} */ ({ ...lab, ...change });
    await refuses(engine.createTrainer(given), code, field, JSON.stringify(change));
  }
  assert.equal(engine.memoryBytes, before);
  const corpus = (n) => ({ ...lab, task: { kind: 'corpus', ids: Array(n).fill(1) } });
  await refuses(engine.createTrainer(corpus(16)), 'BAD_SHAPE', 'task.ids', 'one token too short');
  await engine.createTrainer(corpus(17));
  await engine.close();
});

onEngine('a run that diverges is caught, explained and left at the last good state', async (engine) => {
  const trainer = await engine.createTrainer({ ...lab, optimizer: 'sgd', learningRate: 10, clip: 0 });
  let failure;
  await trainer.step(400).catch((error) => {
    failure = error;
  });
  assert.equal(failure?.code, 'BAD_OPTION', String(failure));
  assert.equal(failure.details.field, 'learningRate');
  assert.equal(failure.details.step, trainer.steps + 1);
  assert.ok(!(failure.details.loss < 30), String(failure.details.loss));
  assert.match(failure.message, /expected .* found .* smaller rate/);
  const { logits } = await trainer.probe([32, 1, 2, 3]);
  assert.ok(logits.data.every(Number.isFinite), 'the last good state has numbers');
  const good = await engine.createTrainer({ ...lab, optimizer: 'sgd', learningRate: 10, clip: 0 });
  if (trainer.steps > 0) await good.step(trainer.steps);
  assert.deepEqual(await trainer.export(), await good.export(), 'as if it had stopped there');
  await trainer.close();
  const anew = await engine.createTrainer({ ...lab, optimizer: 'sgd', learningRate: 0.05 });
  assert.ok((await anew.step(20)).loss < 5);
});

onEngine('a rate given with step() is that of these updates: a schedule', async (engine) => {
  const weights = async (first, rates) => {
    const trainer = await engine.createTrainer({ ...lab, learningRate: first });
    for (const learningRate of rates) await trainer.step(1, learningRate ? { learningRate } : undefined);
    const files = await trainer.export();
    await trainer.close();
    return files['model.safetensors'];
  };
  const plain = await weights(0.01, [0, 0]);
  assert.deepEqual(await weights(0.5, [0.01, 0.01]), plain, 'only the rate of each update counts');
  assert.deepEqual(await weights(0.01, [0.01, 0]), plain, 'without one it is the trainer’s own');
  assert.notDeepEqual(await weights(0.01, [0.01, 0.001]), plain);
  const trainer = await engine.createTrainer(lab);
  for (const learningRate of [0, -1, 1e9, NaN, '0.1']) {
    await refuses(trainer.step(1, /** @type {any} */ ({ learningRate })), 'BAD_OPTION', 'learningRate', String(learningRate));
  }
  assert.equal(trainer.steps, 0);
  await trainer.close();
});

test('step() gives the thread back, stops between two updates and can go on', async () => {
  const engine = await createEngine({ variant: 'scalar' });
  const trainer = await engine.createTrainer({ ...lab, batch: 16, seqLen: 48 });
  const stop = new AbortController();
  const first = trainer.step(1e6, { signal: stop.signal });
  setTimeout(() => stop.abort(), 0); // runs only if step() lets it
  await assert.rejects(first, { code: 'ABORTED' });
  const { steps } = trainer;
  assert.ok(steps > 0 && steps < 1e6);
  assert.equal((await trainer.step(2)).step, steps + 2);

  const running = trainer.step(1e6);
  setTimeout(() => trainer.close(), 0);
  await assert.rejects(running, { code: 'ABORTED' });
  await assert.rejects(trainer.step(1), { code: 'BAD_OPTION' });
  await assert.rejects(trainer.probe([1]), { code: 'BAD_OPTION' });
  await assert.rejects(trainer.export(), { code: 'BAD_OPTION' });
  await trainer.close();
  const memory = engine.memoryBytes;
  for (let i = 0; i < 5; i++) {
    const next = await engine.createTrainer({ ...lab, batch: 16, seqLen: 48 });
    await next.step(1);
    await next.probe([1, 2, 3]);
    await next.close();
  }
  assert.equal(engine.memoryBytes, memory, 'memory is used again, not taken anew');
  await refuses(trainer.step(0), 'BAD_SHAPE', 'step: n', 'step(0)');
  await engine.close();
});
