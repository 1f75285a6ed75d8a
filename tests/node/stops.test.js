/**
 * Every wait of every call that may take long, ended by its signal, by close(), by the worker's death: the call is
 * rejected at once while what it waits for never comes, nothing is fetched any more, no memory is lost, and the same
 * call afterwards gives what it always gives. A new method joins by a row.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEngine, inspectModel, loadTokenizer } from '../../web/engine/index.js';
import { memoryStore } from '../../web/engine/stores.js';
import { folderPath, golden } from '../helpers/golden.js';
import { heldFolder } from '../helpers/held-folder.js';
import { LAB, LAB_TASK } from '../helpers/lab-model.js';
import { catchWorker, settled, turns } from '../helpers/turns.js';

const file = golden('tiny4');
const TOY = { q: [0, 4], k: [1, 0, 0, 1, 0.5, 0.5], v: [2, 0, 0, 2, 1, 1], queries: 1, keys: 3, dim: 2, valueDim: 2 };
const filesOf = (path, names = readdirSync(path)) => Object.fromEntries(names.map((name) =>
  [name, new Uint8Array(readFileSync(`${path}/${name}`))]));
const MODEL = filesOf(folderPath('tiny4'));
const EXAMPLE = new URL('../../web/models/example', import.meta.url).pathname;
const near = (found, expected, key) => {
  assert.equal(found.length, expected.length);
  found.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < file.tolerance[key], `${key}[${i}]`));
};
const isLogits = (logits) => near([...logits], file.expect.logits_last, 'logits_last');

/** A recording of the golden prompt. */
async function recording() {
  const engine = await createEngine({ variant: 'simd' });
  const model = await engine.openModel(folderPath('tiny4'));
  const bytes = (await model.forward(file.tokens, { capture: ['probs'] })).save();
  await engine.close();
  return bytes;
}

/**
 * open(engine, folder, o) and then use(handle, o): o holds fetch and signal, and is all that they need.
 * @typedef {{ files?: Record<string, Uint8Array>, open: (engine: any, url: string, o: any) => Promise<any>,
 *   use: (handle: any, o: { signal?: AbortSignal }) => Promise<any>, right?: (result: any) => void }} Row
 */
const openModel = (more = {}) => async (engine, url, o) => {
  const told = { last: undefined };
  const model = await engine.openModel(url, { ...o, ...more, onProgress: (now) => { told.last = now; } });
  return Object.assign(model, { told });
};

/** @type {Record<string, Row>} */
const ROWS = {
  'openModel and forward': { open: openModel(), use: async (model, o) => (await model.forward(file.tokens, o)).logits.data,
    right: isLogits },
  'forward, streamed': { open: openModel({ keep: 'stream' }),
    use: async (model, o) => (await model.forward(file.tokens, o)).logits.data, right: isLogits },
  "forward, logits 'all'": { open: openModel({ keep: 'stream' }),
    use: async (model, o) => (await model.forward(file.tokens, { ...o, logits: 'all' })).logits.data.slice(-97), right: isLogits },
  'session and append': {
    open: async (engine, url, o) => {
      const model = await openModel()(engine, url, o);
      return Object.assign(await model.session(), { parent: model, told: model.told });
    },
    use: async (session, o) => {
      const done = session.tokens.length;
      assert.equal(done, 0, 'a session is as before what was stopped');
      return (await session.append(file.tokens, o)).logits.data;
    },
    right: isLogits },
  generate: { open: openModel(), use: (model, o) => model.generate(file.tokens, { ...o, maxTokens: 3 }),
    right: (ids) => assert.deepEqual(ids, file.greedy.tokens.slice(0, 3)) },
  'openLayer and layer.forward': { open: (engine, baseURL, o) => engine.openLayer({ ...o, baseURL, layer: 3 }),
    use: async (layer, o) => (await layer.forward(new Float32Array(5 * 64).fill(0.5), o)).out.data },
  'openLayer and layer.embed': { open: (engine, baseURL, o) => engine.openLayer({ ...o, baseURL, layer: 0 }),
    use: async (layer, o) => (await layer.embed([1, 7, 3], o)).data },
  'loadTokenizer and encode': { files: filesOf(EXAMPLE, ['config.json', 'tokenizer.json', 'tokenizer_config.json']),
    open: (engine, url, o) => engine.loadTokenizer(url, o), use: async (tokenizer) => (await tokenizer.encode('The cat sat')).ids },
  openRecording: { files: { 'run.safetensors': await recording() },
    open: (engine, url, { cache: _, ...o }) => engine.openRecording(`${url}run.safetensors`, o),
    use: async (model) => (await model.forward(file.tokens, { capture: ['probs'] })).logits.data, right: isLogits },
};

/** Both, as one call. */
async function run(row, engine, folder, kept, o, /** @type {any} */ cache = 'none') {
  kept.handle ??= await row.open(engine, folder.url, { fetch: folder.fetch, cache, ...o });
  return row.use(kept.handle, o);
}

const closeKept = async ({ handle }) => {
  await handle?.close();
  await handle?.parent?.close();
};

/** What the call gives when nobody disturbs it, and how often it waits. */
async function undisturbed(row, engine) {
  const folder = heldFolder(row.files ?? MODEL);
  const kept = {};
  const result = await run(row, engine, folder, kept, {});
  row.right?.(result);
  await closeKept(kept);
  return { result, waits: folder.waits };
}

/** Which waits are tried: all in the full test, else of each request either the head or the body, or a few of them. */
function tried(waits, few = Infinity) {
  const all = Array.from({ length: waits }, (_, i) => i + 1);
  if (process.env.ATTN_FULL) return all;
  const some = all.filter((n) => Math.ceil(n / 2) % 2 === n % 2);
  return some.filter((_, i) => i % Math.ceil(some.length / few) === 0 || i === some.length - 1);
}

/** Nothing is under way and nothing comes after. With a worker the word has to get there and back. */
async function nothingMore(folder, engine, what) {
  await turns(20);
  if (engine.workers) {
    await engine.attention(TOY).catch(() => {});
    while (folder.underWay > 0) await turns(1);
  }
  assert.equal(folder.underWay, 0, `${what}: requests still under way`);
  const { requests } = folder;
  await turns(20);
  assert.equal(folder.requests, requests, `${what}: requests after the end`);
}

for (const workers of [0, 1]) {
  const where = workers ? 'in a worker' : 'on this thread';
  for (const [name, row] of Object.entries(ROWS)) {
    test(`${name}, ${where}: stopped at every wait`, async () => {
      const engine = await createEngine({ workers, variant: 'simd' });
      const expected = await undisturbed(row, engine);
      assert.ok(expected.waits > 0);
      await undisturbed(row, engine);
      const memory = engine.memoryBytes;
      for (const n of tried(expected.waits)) {
        const what = `${name}, wait ${n}`;
        const folder = heldFolder(row.files ?? MODEL);
        const reached = folder.hold(n);
        const stop = new AbortController();
        const kept = {};
        const call = run(row, engine, folder, kept, { signal: stop.signal });
        call.catch(() => {});
        await reached;
        stop.abort();
        await settled(call, what);
        await assert.rejects(call, { name: 'EngineError', code: 'ABORTED' }, what);
        await nothingMore(folder, engine, what);
        folder.hold(Infinity);
        assert.deepEqual(await run(row, engine, folder, kept, {}), expected.result, `${what}: the next call`);
        const last = kept.handle.told?.last;
        assert.equal(last?.loadedBytes, last?.totalBytes, `${what}: progress reaches its total`);
        await closeKept(kept);
      }
      if (workers) await engine.attention(TOY);
      assert.equal(engine.memoryBytes, memory, 'no memory is lost');
      await engine.close();
    });

    const ends = /** @type {[string, string, (engine: any, worker: any) => Promise<any>][]} */ ([
      ['closed', 'ABORTED', (engine) => engine.close()],
      ...(workers ? [['its worker dead', 'WORKER_LOST', (_, worker) => worker.terminate()]] : []),
    ]);
    for (const [how, code, end] of ends) {
      test(`${name}, ${where}: ${how} at every wait`, async () => {
        const first = await createEngine({ workers, variant: 'simd' });
        const { waits } = await undisturbed(row, first);
        await first.close();
        for (const n of tried(waits, workers ? 4 : undefined)) {
          const what = `${name}, wait ${n}`;
          const { worker, result: engine } = await catchWorker(() => createEngine({ workers, variant: 'simd' }));
          const folder = heldFolder(row.files ?? MODEL);
          const reached = folder.hold(n);
          const kept = {};
          const call = run(row, engine, folder, kept, {});
          const queued = reached.then(() => engine.attention(TOY));
          for (const promise of [call, queued]) promise.catch(() => {});
          await reached;
          const over = end(engine, worker);
          for (const promise of [call, queued]) await assert.rejects(promise, { name: 'EngineError', code }, what);
          await over;
          assert.equal(engine.memoryBytes, 0, what);
          await nothingMore(folder, engine, what);
          await assert.rejects(engine.attention(TOY), { code: code === 'ABORTED' ? 'BAD_OPTION' : code }, what);
          await closeKept(kept);
          await engine.close();
        }
      });
    }
  }
}

/** @type {Record<string, { files?: Record<string, Uint8Array>, call: (folder: any, o: any) => Promise<any> }>} */
const ALONE = {
  inspectModel: { call: (folder, o) => inspectModel(folder.url, o) },
  loadTokenizer: { files: ROWS['loadTokenizer and encode'].files, call: (folder, o) => loadTokenizer(folder.url, o) },
};
for (const [name, row] of Object.entries(ALONE)) {
  test(`${name}, without an engine: stopped at every wait`, async () => {
    const free = heldFolder(row.files ?? MODEL);
    await row.call(free, { fetch: free.fetch, cache: 'none' });
    for (const n of tried(free.waits)) {
      const folder = heldFolder(row.files ?? MODEL);
      const reached = folder.hold(n);
      const stop = new AbortController();
      const call = row.call(folder, { fetch: folder.fetch, cache: 'none', signal: stop.signal });
      call.catch(() => {});
      await reached;
      stop.abort();
      await settled(call, name);
      await assert.rejects(call, { name: 'EngineError', code: 'ABORTED' });
      await nothingMore(folder, {}, name);
    }
  });
}

for (const workers of [0, 1, 2]) {
  test(`createEngine with ${workers} workers, stopped while it starts`, async () => {
    const stop = new AbortController();
    const starting = createEngine({ workers, variant: 'simd', signal: stop.signal });
    starting.catch(() => {});
    await turns(1);
    stop.abort();
    await assert.rejects(starting, { name: 'EngineError', code: 'ABORTED' });
  });
}

/** Waits for the device's store, which may be as slow as it likes. */
function heldStore() {
  const entries = memoryStore();
  const told = { waits: 0, holdAt: Infinity, reached: () => {}, release: () => {} };
  const slow = (f) => async (...args) => {
    if (++told.waits === told.holdAt) {
      await new Promise((resolve) => {
        told.release = () => resolve(undefined);
        told.reached();
      });
    }
    return f(...args);
  };
  const store = { kind: 'memory', ...Object.fromEntries(['get', 'put', 'delete', 'list'].map((name) => [name, slow(entries[name])])) };
  return { told, store };
}

for (const filled of [false, true]) {
  test(`openModel and forward with ${filled ? 'a full' : 'an empty'} store: stopped at every wait for it`, async () => {
    const engine = await createEngine({ variant: 'simd' });
    const row = ROWS['openModel and forward'];
    const start = async () => {
      const { told, store } = heldStore();
      if (filled) await run(row, engine, heldFolder(MODEL), {}, {}, store);
      told.waits = 0;
      return { told, store };
    };
    const { told: free, store } = await start();
    await run(row, engine, heldFolder(MODEL), {}, {}, store);
    assert.ok(free.waits > 5);
    for (let n = 1; n <= free.waits; n++) {
      const what = `store, wait ${n}`;
      const { told, store: slow } = await start();
      const reached = new Promise((resolve) => { Object.assign(told, { holdAt: n, reached: resolve }); });
      const stop = new AbortController();
      const folder = heldFolder(MODEL);
      const kept = {};
      const call = run(row, engine, folder, kept, { signal: stop.signal }, slow);
      call.catch(() => {});
      await Promise.race([reached, call]);
      stop.abort();
      await settled(call, what);
      await call.then(isLogits, ({ code }) => assert.equal(code, 'ABORTED')); // a write may end after the last number
      told.release();
      isLogits(await run(row, engine, folder, kept, {}, slow));
      await closeKept(kept);
    }
    await engine.close();
  });
}

test('after close() the memory is let go, whoever still holds a model, a session, a layer or a trainer', async () => {
  const { instantiate } = WebAssembly;
  /** @type {WeakRef<any>[]} */
  const instances = [];
  WebAssembly.instantiate = async (...args) => {
    const made = await instantiate(...args);
    instances.push(new WeakRef(made));
    return made;
  };
  const engine = await createEngine({ variant: 'simd' });
  WebAssembly.instantiate = instantiate;
  const model = await engine.openModel(folderPath('tiny4'));
  const run = await model.forward(file.tokens);
  const held = [engine, model, run, await model.session(), await engine.openLayer({ baseURL: folderPath('tiny4'), layer: 1 }),
    await engine.createTrainer({ config: LAB, task: LAB_TASK })];
  await engine.close();
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (let i = 0; i < 5; i++) {
    await turns(1); // no deref in between: it would keep the instance for this turn
    gc();
  }
  assert.equal(instances.length, 1);
  assert.equal(instances[0].deref(), undefined);
  for (const handle of held.slice(3)) await handle.close();
  isLogits(run.logits.data);
});

for (const name of ['loadTokenizer and encode', 'openRecording']) {
  test(`${name}: use after the engine's close is BAD_OPTION`, async () => {
    const engine = await createEngine({ variant: 'simd' });
    const row = ROWS[name];
    const folder = heldFolder(row.files ?? MODEL);
    const kept = {};
    await run(row, engine, folder, kept, {});
    await engine.close();
    await assert.rejects(row.use(kept.handle, {}), { name: 'EngineError', code: 'BAD_OPTION' });
  });
}
