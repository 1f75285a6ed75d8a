/**
 * Memory that ends at any moment: whatever is asked for is right or OUT_OF_MEMORY, keeps nothing, and works when there
 * is memory again.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { openFolder } from '../../web/engine/folder.js';
import { layerShapes } from '../../web/engine/shapes.js';
import { Block, Wasm } from '../../web/engine/wasm.js';
import { folderPath, golden } from '../helpers/golden.js';
import { LAB, LAB_TASK } from '../helpers/lab-model.js';
import { CONFIG_0P8B, fetchOf, syntheticModel } from '../helpers/synthetic-model.js';

const { tokens } = golden('tiny4');

/** What ends after so many askings; Infinity: nothing does. */
let left = Infinity;
let asked = 0;
/** @type {Wasm} the instance used last */
let memory;
const { alloc } = Wasm.prototype;
const { floats } = Block.prototype;

/** More than any memory has, when it is this asking's turn. */
const turn = (size) => {
  asked += 1;
  left -= 1;
  return left < 0 ? 2 ** 45 : size;
};

Wasm.prototype.alloc = function counted(bytes, room) {
  memory = this;
  return alloc.call(this, turn(bytes), room);
};
/** A copy that the page has no room for: the browser's own words. */
Block.prototype.floats = function counted(n, offset) {
  return turn(0) ? /** @type {any} */ (new ArrayBuffer(2 ** 45)) : floats.call(this, n, offset);
};

const engine = await createEngine({ variant: 'simd' });
test.after(() => engine.close());

/** @returns {{ blocks: number, held: number, spare: number }} */
const inUse = () => ({ blocks: memory.blocks, held: memory.held, spare: memory.spare });

/**
 * f with memory that ends at the n-th asking, for every n until it does not matter any more.
 * @param {(engine: any) => Promise<any>} f opens what it needs and closes it
 * @param {number} least askings there must be
 */
async function everyFailure(f, least) {
  const right = await f(engine);
  const before = inUse();
  assert.deepEqual(right, await f(engine));
  assert.deepEqual(inUse(), before);
  for (let n = 0, all = false; !all; n++) {
    assert.ok(n < 5000);
    [left, asked] = [n, 0];
    const result = await f(engine).catch((error) => error);
    left = Infinity;
    all = asked <= n;
    if (result instanceof Error) {
      assert.equal(/** @type {any} */ (result).code, 'OUT_OF_MEMORY', `asking ${n}: ${result.stack}`);
      assert.ok(!all);
    } else {
      assert.deepEqual(result, right, `asking ${n}`);
    }
    assert.deepEqual(inUse(), before, `after failure ${n}`);
    if (all) assert.ok(n >= least, `${n} askings, expected at least ${least}`);
  }
  assert.deepEqual(await f(engine), right);
}

/** Opens, uses, closes whatever happens. */
async function using(opening, f) {
  const handle = await opening;
  try {
    return await f(handle);
  } finally {
    await handle.close();
  }
}

const open = (e, options) => e.openModel(folderPath('tiny4'), { cache: 'none', ...options });

for (const keep of ['resident', 'stream']) {
  test(`a forward, ${keep}`, () => everyFailure((e) => using(open(e, { keep }), (model) =>
    model.forward(tokens, { capture: 'all', logits: 'all', interventions: [{ layer: 3, head: 0, zero: true }] })
      .then((run) => run.fields())), 150));
}

test('a session: an append that grows the cache, then another', () => everyFailure((e) => using(open(e), (model) =>
  using(model.session(), async (session) => {
    await session.append(Array.from({ length: 60 }, (_, i) => i));
    const { logits, layers } = await session.append(tokens, { capture: ['probs', 'state'] });
    return { logits, layers, tokens: session.tokens };
  })), 200));

test('an append that failed leaves the session as it was', async () => {
  await using(open(engine), (model) => using(model.session(), async (session) => {
    const first = Array.from({ length: 60 }, (_, i) => i);
    const want = await using(model.session(), async (other) => {
      await other.append(first);
      return (await other.append(tokens)).logits;
    });
    await session.append(first);
    let failures = 0;
    for (let n = 0; ; n++) {
      left = n;
      const result = await session.append(tokens).catch((error) => error);
      left = Infinity;
      if (!(result instanceof Error)) {
        assert.deepEqual(result.logits, want);
        break;
      }
      assert.equal(/** @type {any} */ (result).code, 'OUT_OF_MEMORY');
      assert.equal(session.tokens.length, 60);
      failures += 1;
    }
    assert.ok(failures > 80, `${failures}`);
  }));
});

test('a trainer: made, stepped, looked into', () => everyFailure((e) => using(
  e.createTrainer({ config: LAB, task: LAB_TASK, seed: 3, batch: 2, seqLen: 12 }), async (trainer) => {
    const { loss } = await trainer.step(2);
    const { logits, layers } = await trainer.probe([1, 2, 3]);
    return { loss, logits, layers };
  }), 40));

test('one layer, from tensors and from a folder', async () => {
  const folder = await openFolder(folderPath('tiny4'), { cache: 'none' });
  for (const layer of [0, 3]) {
    const tensors = {};
    for (const [name] of layerShapes(folder.config, layer)) {
      const tensor = folder.tensors.get(`layers.${layer}.${name}`);
      const data = new Uint8Array(tensor.end - tensor.begin);
      await folder.read([tensor], (_, chunk, at) => data.set(chunk, at));
      tensors[`layers.0.${name}`] = { dtype: tensor.dtype, shape: tensor.shape, data };
    }
    const config = await folder.json('config.json');
    const x = Float32Array.from({ length: 5 * folder.config.hidden }, (_, i) => Math.sin(i));
    const forward = (handle) => handle.forward(x, { capture: 'all' });
    await everyFailure((e) => using(e.openLayer({ config, kind: folder.config.layerTypes[layer], tensors }), forward), 20);
    await everyFailure((e) => using(e.openLayer({ baseURL: folderPath('tiny4'), layer, cache: 'none' }), async (handle) =>
      [await handle.embed([1, 2, 1]), await forward(handle)]), 20);
  }
  folder.close();
});

test('the toys', async () => {
  const [q, k, v] = [2, 3, 3].map((rows) => ({ shape: [rows, 2], data: Float32Array.from({ length: 2 * rows }, Math.cos) }));
  await everyFailure((e) => e.attention({ q, k, v, causal: true }), 11);
  await everyFailure((e) => e.gate({ x: [1, 2], wGate: [1, 2, 3, 4], headOut: { shape: [1, 2], data: [1, 2] } }), 9);
  await everyFailure((e) => e.gateSgd({ x: [1, 2], residual: [1], headOut: [2], target: [3], w0: [1, 1], steps: 3 }), 12);
});

test('a model is refused when the engine holds too much already, or has promised it to others', async () => {
  const files = fetchOf(syntheticModel(CONFIG_0P8B));
  // the headers come, the weights never
  const fetch = (url, init) => (/bytes=(\d{7,})/.test(new Headers(init.headers).get('range') ?? '')
    ? new Promise(() => {}) : files(url, init));
  const own = await createEngine({ variant: 'simd' });
  const openOne = (options) => own.openModel('http://x/', { fetch, cache: 'none', ...options });
  const models = [await openOne(), await openOne()];
  assert.ok(memory.bytes < 2 ** 30, 'hardly anything is here yet');
  const { spare } = memory;
  await assert.rejects(openOne(), (error) => {
    assert.equal(error.code, 'OUT_OF_MEMORY');
    assert.ok(error.message.includes(`expected at most ${spare} bytes`), error.message);
    assert.ok(error.details.found > spare);
    return true;
  });
  await (await openOne({ keep: 'stream' })).close();
  await (await openOne({ layers: 2 })).close();
  await models.pop().close();
  models.push(await openOne());
  await own.close();
});
