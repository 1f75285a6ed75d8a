/** The same engine behind a worker's door: same numbers, same errors, callbacks, stops; a lost worker says so. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { createEngine } from '../../web/engine/index.js';
import { startFaultServer } from '../helpers/fault-server.js';
import { folderPath, golden, goldenFolder } from '../helpers/golden.js';
import { LAB, LAB_TASK } from '../helpers/lab-model.js';

const file = golden('tiny4');
const TOY = { q: [0, 4], k: [1, 0, 0, 1, 0.5, 0.5], v: [2, 0, 0, 2, 1, 1], queries: 1, keys: 3, dim: 2, valueDim: 2 };
const near = (a, b) => assert.ok(a.every((x, i) => Math.abs(x - b[i]) < file.tolerance.logits_last));

async function withEngine(f, workers = 1) {
  const engine = await createEngine({ workers, variant: 'simd' });
  try {
    await f(engine);
  } finally {
    await engine.close();
  }
}

test('toys, forward, session and generate give the numbers of this thread', () => withEngine(async (engine) => {
  assert.equal(engine.variant, 'simd');
  const here = await createEngine({ variant: 'simd' });
  assert.deepEqual(await engine.attention(TOY), await here.attention(TOY));
  assert.ok(engine.memoryBytes > 0);
  const seen = [];
  const progress = [];
  const model = await engine.openModel(folderPath('tiny4'), { onProgress: (p) => progress.push(p) });
  assert.equal(model.config.layers, 4);
  const run = await model.forward(file.tokens, { capture: 'all', onLayer: (i, captures) => seen.push([i, captures.hOut.shape[0]]) });
  near(run.logits.data, file.expect.logits_last);
  assert.deepEqual(seen, [[0, 12], [1, 12], [2, 12], [3, 12]]);
  assert.ok(progress.at(-1).loadedBytes > 0);
  assert.equal(progress.at(-1).loadedBytes, progress.at(-1).totalBytes);
  const session = await model.session();
  near((await session.append(file.tokens)).logits.data, file.expect.logits_last);
  assert.equal(session.tokens.length, 12);
  assert.equal(session.kvBytes, 12 * 2 * 64 * 4);
  await session.close();
  await assert.rejects(session.append([1]), { code: 'BAD_OPTION' });
  const tokens = [];
  assert.deepEqual(await model.generate(file.tokens, { maxTokens: 6, onToken: (id) => tokens.push(id) }), file.greedy.tokens);
  assert.deepEqual(tokens, file.greedy.tokens);
  const saved = run.save({ prompt: 'x' });
  assert.ok(saved instanceof Uint8Array && saved.length > 1000);
  await model.close();
  await here.close();
}));

test('an error keeps its code, message and details', () => withEngine(async (engine) => {
  await assert.rejects(engine.attention({ ...TOY, dim: NaN }), (error) => {
    assert.equal(error.name, 'EngineError');
    assert.equal(error.code, 'BAD_SHAPE');
    assert.match(error.message, /expected .* found NaN/);
    assert.equal(error.details.field, 'dim');
    return true;
  });
  await assert.rejects(engine.openModel(folderPath('nowhere')), { code: 'HTTP' });
  await assert.rejects(engine.openModel(folderPath('tiny4'), { colour: 1 }), { code: 'BAD_OPTION' });
  await engine.attention(TOY);
}));

test('what holds itself in many ways is refused in no more steps than it has parts', () => withEngine(async (engine) => {
  const here = await createEngine({ variant: 'simd' });
  const tangle = { run() {} };
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) tangle[name] = tangle;
  const messages = await Promise.all([engine, here].map((e) => e.attention({ ...TOY, q: tangle }).then(() => '', String)));
  assert.match(messages[0], /q: expected/);
  assert.equal(messages[0], messages[1]);
  await here.close();
}));

test('the signal stops a run within a second, and the model goes on', () => withEngine(async (engine) => {
  const model = await engine.openModel(folderPath('tiny4'));
  await model.forward([1, 2]);
  const stop = new AbortController();
  const run = model.forward(Array.from({ length: 4000 }, (_, i) => i % 97), { signal: stop.signal, onLayer: () => stop.abort() });
  const refused = assert.rejects(run, { code: 'ABORTED' });
  await refused;
  await assert.rejects(model.forward([1], { signal: AbortSignal.abort() }), { code: 'ABORTED' });
  near((await model.forward(file.tokens)).logits.data, file.expect.logits_last);
}));

/** Channels made while f runs hand on what comes a little later than the engine's own answers. */
async function withSlowChannels(f) {
  const { MessageChannel } = globalThis;
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      const listen = this.port1.addEventListener.bind(this.port1);
      this.port1.addEventListener = (type, callback) => listen(type, (event) => setTimeout(callback, 100, event));
    }
  };
  try {
    await f();
  } finally {
    globalThis.MessageChannel = MessageChannel;
  }
}

test('layers that came before a failure are told before it, however slow their way is', () => withEngine(async (engine) => {
  const server = await startFaultServer(folderPath('tiny4'));
  const layer2 = Object.entries(goldenFolder('tiny4').tensors).filter(([name]) => name.startsWith('layers.2.')).map(([, t]) => t);
  server.fault({ file: 'model.safetensors', status: 404, times: Infinity,
    when: ({ begin, end }) => layer2.some((t) => begin < t.end && end > t.begin) });
  await withSlowChannels(async () => {
    const progress = [];
    const seen = [];
    const model = await engine.openModel(server.url, { cache: 'none', onProgress: (p) => progress.push(p) });
    await assert.rejects(model.forward(file.tokens, { capture: ['hOut'], onLayer: (i) => seen.push(i) }), { code: 'HTTP' });
    assert.deepEqual(seen, [0, 1]);
    assert.ok(progress.at(-1).loadedBytes > 0);
    await model.close();
  });
  await server.close();
}));

test("the caller's fetch is used on the caller's side", () => withEngine(async (engine) => {
  const server = await startFaultServer(folderPath('tiny4'));
  const asked = [];
  const model = await engine.openModel(server.url, { cache: 'none', fetch: (url, init) => {
    asked.push(String(url));
    return fetch(url, init);
  } });
  near((await model.forward(file.tokens)).logits.data, file.expect.logits_last);
  assert.equal(asked.length, server.log.length);
  await model.close();
  await server.close();
}));

test('two workers: two models side by side', () => withEngine(async (engine) => {
  const models = await Promise.all([1, 2].map(() => engine.openModel(folderPath('tiny4'))));
  const runs = await Promise.all(models.map((m) => m.forward(file.tokens)));
  for (const run of runs) near(run.logits.data, file.expect.logits_last);
}, 2));

/** The worker that is created while f runs. */
async function catchWorker(f) {
  let worker;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function post(...args) {
    worker = this;
    return postMessage.apply(this, args);
  };
  const result = await f();
  Worker.prototype.postMessage = postMessage;
  return { worker, result };
}

test('a worker that dies rejects what it was asked, and a new engine can be made', async () => {
  const { worker, result: engine } = await catchWorker(() => createEngine({ workers: 1, variant: 'simd' }));
  const model = await engine.openModel(folderPath('tiny4'));
  const run = model.forward(Array.from({ length: 4000 }, (_, i) => i % 97));
  const refused = assert.rejects(run, { code: 'WORKER_LOST' });
  await worker.terminate();
  await refused;
  await assert.rejects(engine.attention(TOY), { code: 'WORKER_LOST' });
  await model.close();
  await engine.close();
  await withEngine(async (next) => near((await (await next.openModel(folderPath('tiny4'))).forward(file.tokens)).logits.data, file.expect.logits_last));
});

test('after close: BAD_OPTION, and nothing stays behind', async () => {
  const engine = await createEngine({ workers: 1, variant: 'simd' });
  await engine.close();
  await engine.close();
  await assert.rejects(engine.attention(TOY), { code: 'BAD_OPTION' });
  assert.equal(engine.memoryBytes, 0);
});

test('a trainer there learns what a trainer here learns, to the bit', () => withEngine(async (engine) => {
  const here = await createEngine({ variant: 'simd' });
  const given = { config: LAB, task: LAB_TASK, seed: 3, batch: 4, seqLen: 24 };
  const [a, b] = [await here.createTrainer(given), await engine.createTrainer(given)];
  assert.deepEqual(await a.step(5), await b.step(5));
  assert.equal(b.steps, 5);
  const { data } = await b.sample(1, 9);
  const ids = Array.from(data.subarray(0, 24));
  assert.deepEqual((await a.probe(ids, { capture: ['probs'] })).layers[0].probs, (await b.probe(ids, { capture: ['probs'] })).layers[0].probs);
  assert.deepEqual(await a.export(), await b.export());
  await b.close();
  await assert.rejects(b.step(1), { code: 'BAD_OPTION' });
  await here.close();
}));

test('the tokenizer runs there too', () => withEngine(async (engine) => {
  const folder = new URL('../../web/models/example/', import.meta.url).href;
  const tokenizer = await engine.loadTokenizer(folder);
  const { ids, pieces } = await tokenizer.encode('The cat sat on the');
  assert.equal(pieces.map((p) => p.text).join(''), 'The cat sat on the');
  assert.equal(await tokenizer.decode(ids), 'The cat sat on the');
}));

/** A fetch of the caller's that answers what it is asked of weights never, and tells how it was ended. */
function heldFetch(url) {
  let arrived;
  let ended;
  const told = { asked: new Promise((f) => { arrived = f; }), stopped: new Promise((f) => { ended = f; }), count: 0 };
  told.fetch = (address, init) => {
    told.count++;
    if (!String(address).endsWith('.safetensors')) return fetch(address, init);
    arrived(undefined);
    return new Promise((_, no) => init.signal.addEventListener('abort', () => no(ended(init.signal.reason))));
  };
  told.open = (engine, signal) => engine.openModel(url, { cache: 'none', fetch: told.fetch, signal });
  return told;
}

for (const [what, code, end] of /** @type {[string, string, (a: any) => any][]} */ ([
  ['its signal', 'ABORTED', ({ stop }) => stop.abort()],
  ['close()', 'ABORTED', ({ engine }) => engine.close()],
  ['the worker\'s death', 'WORKER_LOST', ({ worker }) => worker.terminate()],
])) {
  test(`what ends a call (${what}) ends the caller's fetches for it`, async () => {
    const server = await startFaultServer(folderPath('tiny4'));
    const { worker, result: engine } = await catchWorker(() => createEngine({ workers: 1, variant: 'simd' }));
    const held = heldFetch(server.url);
    const stop = new AbortController();
    const opening = assert.rejects(held.open(engine, stop.signal), { name: 'EngineError', code });
    await held.asked;
    await end({ stop, engine, worker });
    await Promise.all([opening, held.stopped]);
    if (code === 'ABORTED' && what !== 'close()') await engine.attention(TOY);
    await engine.close();
    await server.close();
  });
}

test('close() waits for no long work', async () => {
  const engine = await createEngine({ workers: 1, variant: 'simd' });
  const trainer = await engine.createTrainer({ config: LAB, task: LAB_TASK });
  const work = [trainer.step(1e9), trainer.step(1), engine.attention(TOY)].map((call) =>
    assert.rejects(call, { name: 'EngineError', code: 'ABORTED' }));
  await engine.close();
  await Promise.all(work);
  await trainer.close();
});

test('tensors that are handed over are not copied twice, with or without functions', () => withEngine(async (engine) => {
  const { structuredClone } = globalThis;
  const sizes = [];
  const bytesOf = (x) => (ArrayBuffer.isView(x) ? x.buffer.byteLength
    : Object.values(Object(x)).reduce((n, part) => n + (typeof part === 'object' ? bytesOf(part) : 0), 0));
  globalThis.structuredClone = (x) => {
    sizes.push(bytesOf(x));
    return structuredClone(x);
  };
  const opening = (data) => engine.openLayer({ config: {}, kind: 'full_attention', onProgress() {},
    tensors: { a: { dtype: 'F32', shape: [1024], data } } });
  try {
    await assert.rejects(opening(new Uint8Array(4096)), { code: 'BAD_CONFIG' });
    const gone = new Uint8Array(4096);
    const emptied = new Float32Array(gone.buffer);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    await assert.rejects(opening(gone), { name: 'EngineError' });
    const here = await createEngine({ variant: 'simd' });
    for (const q of [gone, emptied]) {
      const said = await Promise.all([engine, here].map((e) => e.attention({ ...TOY, q }).then(() => '', String)));
      assert.match(said[0], /EngineError: q: /);
      assert.equal(said[0], said[1]);
    }
    await here.close();
  } finally {
    globalThis.structuredClone = structuredClone;
  }
  assert.deepEqual(sizes, [0, 0]);
}));
