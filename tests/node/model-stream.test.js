/** How weights come in: layer by layer, only what is needed, computed while later layers are still on their way. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { startFaultServer } from '../helpers/fault-server.js';
import { folderPath, golden, goldenFolder } from '../helpers/golden.js';
import { fetchOf, syntheticModel } from '../helpers/synthetic-model.js';

const NAME = 'tiny4';
const { tensors } = goldenFolder(NAME);
const file = golden(NAME);
const span = (prefix) => Object.entries(tensors).filter(([name]) => name.startsWith(prefix)).map(([, t]) => t);
const sum = (list) => list.reduce((n, t) => n + t.end - t.begin, 0);

async function serve(t) {
  const server = await startFaultServer(folderPath(NAME));
  const engine = await createEngine({ variant: 'simd' });
  t.after(async () => {
    await engine.close();
    await server.close();
  });
  return { server, engine };
}

/** Does a request touch a tensor of this layer? */
const touches = (layer) => (request) => span(`layers.${layer}.`).some((t) => request.begin < t.end && request.end > t.begin);

/** Bytes of the weights' data section that were sent. */
const served = (server) => server.log.filter((r) => r.file.endsWith('.safetensors') && r.begin >= tensorStart).reduce((n, r) => n + r.sent, 0);
const tensorStart = Math.min(...Object.values(tensors).map((t) => t.begin));

test('layer 0 is computed before layer 2 has been sent', async (t) => {
  const { server, engine } = await serve(t);
  const held = server.hold({ file: 'model.safetensors', when: touches(2), times: Infinity });
  const model = await engine.openModel(server.url);
  const order = [];
  let first;
  const arrived = new Promise((resolve) => { first = resolve; });
  const run = model.forward(file.tokens, { capture: ['hOut'], onLayer: (i, captures) => {
    order.push(i);
    assert.ok(captures.hOut.data.every(Number.isFinite));
    if (i === 1) first();
  } });
  await arrived;
  assert.deepEqual(order, [0, 1]);
  held.release();
  const { logits } = await run;
  assert.deepEqual(order, [0, 1, 2, 3]);
  assert.ok(logits.data.every((x, i) => Math.abs(x - file.expect.logits_last[i]) < file.tolerance.logits_last));
});

test('progress counts the bytes that were served', async (t) => {
  const { server, engine } = await serve(t);
  for (const keep of ['resident', 'stream']) {
    const seen = [];
    const before = served(server);
    const model = await engine.openModel(server.url, { keep, onProgress: (p) => seen.push(p) });
    await model.forward(file.tokens);
    const last = seen.at(-1);
    assert.equal(last.loadedBytes, served(server) - before);
    assert.equal(last.loadedBytes, last.totalBytes);
    assert.ok(seen.every((p, i) => i === 0 || p.loadedBytes >= seen[i - 1].loadedBytes), 'never backwards');
    assert.ok(seen.every((p) => p.loadedBytes <= p.totalBytes), 'never over 100 %');
    await model.close();
  }
});

test('layers: 2 fetches two layers and the rows of the prompt', async (t) => {
  const { server, engine } = await serve(t);
  const model = await engine.openModel(server.url, { layers: 2 });
  const run = await model.forward([5, 5, 6], { capture: ['hOut'] });
  assert.equal(run.layers.length, 2);
  assert.equal(run.logits, undefined);
  assert.equal(run.finalHidden, undefined);
  const row = sum(span('embed_tokens')) / 97;
  assert.equal(served(server), sum(span('layers.0.')) + sum(span('layers.1.')) + 2 * row);
});

test("logits: 'none' leaves the output matrix on the server", async (t) => {
  const { server, engine } = await serve(t);
  const model = await engine.openModel(server.url, { keep: 'stream' });
  const run = await model.forward([3], { logits: 'none' });
  assert.equal(run.logits, undefined);
  assert.deepEqual(run.finalHidden.shape, [1, 64]);
  const row = sum(span('embed_tokens')) / 97;
  assert.equal(served(server), sum(span('layers.')) + sum(span('norm.weight')) + row);
});

test("keep: 'stream' has no session and gives its memory back", async (t) => {
  const { server, engine } = await serve(t);
  const model = await engine.openModel(server.url, { keep: 'stream' });
  await assert.rejects(model.session(), { code: 'BAD_OPTION' });
  await assert.rejects(model.generate([1], { maxTokens: 1 }), { code: 'BAD_OPTION' });
  await model.close();
  await assert.rejects(model.forward([1]), { code: 'BAD_OPTION' });
});

test('the streamed forward of the 0.8B shape stays under 260 MB of WASM memory', async () => {
  const engine = await createEngine();
  const model = await engine.openModel('http://model.invalid/', { keep: 'stream', cache: 'none',
    fetch: fetchOf(syntheticModel()), layers: process.env.ATTN_FULL ? undefined : 8 });
  let most = 0;
  const run = await model.forward(Array.from({ length: 16 }, (_, i) => i), {
    capture: ['type'], onLayer: () => { most = Math.max(most, engine.memoryBytes); } });
  assert.ok(run.layers.length >= 8);
  most = Math.max(most, engine.memoryBytes);
  assert.ok(most < 260e6, `${most} bytes`);
  await engine.close();
});
