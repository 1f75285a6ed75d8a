/** Tokens one after the other, and where they end. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { folderPath, golden } from '../helpers/golden.js';
import { CORPUS, MODELS } from '../helpers/lab-model.js';

const file = golden('tiny4');
const count = (n) => Array.from({ length: n }, (_, i) => (i * i + 3 * i) % 97);
const near = (found, expected, within, what) => {
  assert.equal(found.length, expected.length, what);
  found.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= within, `${what}[${i}]: expected ${expected[i]}, found ${x}`));
};

/** A lab model of 24 positions, learned ones. */
async function labModel(engine) {
  const trainer = await engine.createTrainer({ config: MODELS.attn_lab, task: CORPUS, batch: 2, seqLen: 24, seed: 4 });
  await trainer.step(3);
  const files = await trainer.export();
  const fetch = async (url, { headers }) => {
    const bytes = files[new URL(url).pathname.slice(1)];
    if (!bytes) return new Response('none', { status: 404 });
    const [range, from = 0, to = bytes.length - 1] = /bytes=(\d+)-(\d+)/.exec(new Headers(headers).get('range') ?? '') ?? [];
    return new Response(bytes.slice(Number(from), Number(to) + 1), { status: range ? 206 : 200,
      headers: range ? { 'content-range': `bytes ${from}-${to}/${bytes.length}` } : {} });
  };
  return { trainer, model: await engine.openModel('http://lab.invalid/', { fetch, cache: 'none' }) };
}

for (const workers of [0, 1]) {
  test(`generate says why it ended${workers ? ', in a worker' : ''}`, async () => {
    const engine = await createEngine({ workers, variant: 'simd' });
    const { model } = await labModel(engine);
    const free = await model.generate([1, 2, 3], { maxTokens: 9 });
    assert.equal(free.ended, 'maxTokens');
    assert.equal(free.length, 9);
    assert.deepEqual(Object.keys(free), Object.keys([...free]), 'a list of ids and nothing else');

    const told = [];
    const full = await model.generate([1, 2, 3], { maxTokens: 24, onToken: (id) => told.push(id) });
    assert.equal(full.ended, 'limit');
    assert.equal(full.length, 24 - 3 + 1, 'the last position still gives a token');
    assert.deepEqual(full.slice(0, 9), [...free]);
    assert.deepEqual(told, [...full]);
    const last = await model.generate(count(24).map((id) => id % 19), { maxTokens: 2 });
    assert.deepEqual([last.length, last.ended], [1, 'limit']);
    const fits = await model.generate([1, 2, 3], { maxTokens: 22 });
    assert.deepEqual([...fits], [...full]);
    assert.equal(fits.ended, 'maxTokens');

    const at = full.findIndex((id, i) => i > 0 && full.indexOf(id) === i);
    const stopped = await model.generate([1, 2, 3], { maxTokens: 24, stopIds: [full[Math.max(at, 0)]] });
    assert.deepEqual([...stopped], full.slice(0, Math.max(at, 0)));
    assert.equal(stopped.ended, 'stopId');

    const stop = new AbortController();
    const ids = [];
    await assert.rejects(model.generate([1, 2, 3], { maxTokens: 24, signal: stop.signal, onToken: (id) => {
      if (ids.push(id) === 5) stop.abort();
    } }), { code: 'ABORTED' });
    await assert.rejects(model.generate(Array(25).fill(1), { maxTokens: 1 }), { code: 'BAD_SHAPE' });
    await engine.close();
  });
}

for (const workers of [0, 1]) {
  test(`a generation that fails carries what it had made, ${workers} workers`, async () => {
    const engine = await createEngine({ variant: 'simd', workers });
    const model = await engine.openModel(folderPath('tiny4'));
    const stop = new AbortController();
    let made = 0;
    const onToken = () => { if (++made === 4) stop.abort(); };
    await assert.rejects(model.generate(file.tokens, { maxTokens: 50, signal: stop.signal, onToken }), ({ code, details }) => {
      assert.equal(code, 'ABORTED');
      assert.deepEqual(details.ids, file.greedy.tokens.slice(0, 4));
      return true;
    });
    await engine.close();
  });
}

test('a generation ends with its model and its engine', async () => {
  const engine = await createEngine({ variant: 'simd' });
  const model = await engine.openModel(folderPath('tiny4'));
  const second = await engine.openModel(folderPath('tiny4'));
  for (const [handle, used] of [[model, model], [engine, second]]) {
    await assert.rejects(used.generate(file.tokens, { maxTokens: 50, onToken: () => { handle.close(); } }), { code: 'ABORTED' });
    await assert.rejects(used.generate(file.tokens, { maxTokens: 1 }), { code: 'BAD_OPTION' });
  }
});

test('an append that was stopped is not there', async () => {
  const engine = await createEngine({ variant: 'simd' });
  const model = await engine.openModel(folderPath('tiny4'));
  const [one, other] = [await model.session(), await model.session()];
  for (const session of [one, other]) await session.append(count(70));
  const stop = new AbortController();
  const call = one.append(count(400), { signal: stop.signal });
  setTimeout(() => stop.abort(), 0);
  await assert.rejects(call, { code: 'ABORTED' });
  assert.deepEqual(one.tokens, count(70));
  assert.deepEqual([one.kvBytes, one.stateBytes], [other.kvBytes, other.stateBytes]);
  const capture = ['probs', 'k', 'state', 'convState'];
  assert.deepEqual(await one.append([5, 6, 7], { capture }), await other.append([5, 6, 7], { capture }));
  await engine.close();
});

test('300 tokens in 201 appends are the prefill', async () => {
  const engine = await createEngine({ variant: 'simd' });
  const model = await engine.openModel(folderPath('tiny4'));
  const ids = count(300);
  const { logits } = await model.forward(ids);
  const session = await model.session();
  await session.append(ids.slice(0, 100));
  let step;
  for (const id of ids.slice(100)) step = await session.append([id]);
  near(step.logits.data, logits.data, 1e-3, 'logits');
  assert.equal(session.kvBytes, 2 * 4 * 300 * model.config.kvHeads * model.config.headDim);
  await engine.close();
});

test('learned positions go on where the last append ended', async () => {
  const engine = await createEngine({ variant: 'simd' });
  const { trainer, model } = await labModel(engine);
  const ids = count(20).map((id) => id % 19);
  const { logits: { shape: [, V], data } } = await trainer.probe(ids);
  const session = await model.session();
  for (const [t, id] of ids.entries()) {
    const { logits } = await session.append([id]);
    near(logits.data, data.slice(t * V, (t + 1) * V), 1e-4, `logits at ${t}`);
  }
  await engine.close();
});

test('hideFirst holds in later blocks and in later appends', async () => {
  const engine = await createEngine({ variant: 'simd' });
  const model = await engine.openModel(folderPath('tiny4'));
  const layer = model.config.layerTypes.indexOf('full_attention');
  const interventions = [{ layer, head: 1, hideFirst: true }];
  const ids = count(300);
  const { probs } = (await model.forward(ids, { capture: ['probs'], interventions, logits: 'none' })).layers[layer];
  const firsts = Array.from({ length: 300 }, (_, t) => probs.data[(300 + t) * 300]);
  assert.ok(firsts[0] === 1 && firsts.slice(1).every((p) => p === 0));
  assert.ok(probs.data[299 * 300] > 0, 'only this head');
  const session = await model.session();
  await session.append(ids.slice(0, 140), { interventions });
  const { probs: later } = (await session.append(ids.slice(140, 143), { capture: ['probs'], interventions })).layers[layer];
  for (let t = 0; t < 3; t++) assert.equal(later.data[(3 + t) * 143], 0, `append, token ${t}`);
  await engine.close();
});
