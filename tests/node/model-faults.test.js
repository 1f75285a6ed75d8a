/**
 * A model over a bad connection: every fault ends in the right numbers or in an EngineError, and the same engine runs a
 * good model afterwards.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { startFaultServer } from '../helpers/fault-server.js';
import { folderPath, golden } from '../helpers/golden.js';

const NETWORK = { stallMs: 400, retries: 2, backoffMs: 1, parallel: 2 };
const WEIGHTS = 'model.safetensors';
const file = golden('tiny4');

/** The numbers must be the right ones, not merely finite. */
function isRight({ logits }) {
  assert.ok(logits.data.every((x, i) => Math.abs(x - file.expect.logits_last[i]) < file.tolerance.logits_last));
}

async function withServer(f) {
  const server = await startFaultServer(folderPath('tiny4'));
  const engine = await createEngine({ variant: 'simd' });
  try {
    await f(server, engine);
    const good = await engine.openModel(folderPath('tiny4'));
    isRight(await good.forward(file.tokens));
    await good.close();
  } finally {
    await engine.close();
    await server.close();
  }
}

const big = { file: WEIGHTS, when: (r) => r.end - r.begin > 10000 };

for (const [what, faults] of Object.entries({
  'dropped at byte 5000': [{ ...big, drop: 5000 }],
  'dropped again and again': [{ ...big, drop: 9000, times: 2 }],
  '500 twice': [{ ...big, status: 500, times: 2 }],
  'wrong Content-Range once': [{ ...big, contentRange: 'bytes 0-9/99' }],
  'a page once, then healed': [{ ...big, html: true }],
  'packed by gzip': [{ file: /./, gzip: true, times: Infinity }],
  'no lengths': [{ file: /./, noLength: true, times: Infinity }],
  'Range not known': [{ file: WEIGHTS, ignoreRange: true, times: Infinity }],
})) {
  test(`healed: ${what}`, () => withServer(async (server, engine) => {
    faults.forEach((fault) => server.fault(fault));
    for (const keep of ['resident', 'stream']) {
      const model = await engine.openModel(server.url, { network: NETWORK, keep });
      isRight(await model.forward(file.tokens));
      await model.close();
    }
  }));
}

for (const [what, [fault, code]] of Object.entries({
  'dropped for ever': [{ ...big, drop: 100, times: Infinity }, 'NETWORK'],
  'status 500 for ever': [{ ...big, status: 500, times: Infinity }, 'HTTP'],
  'status 404': [{ ...big, status: 404, times: Infinity }, 'HTTP'],
  'a page for ever': [{ ...big, html: true, times: Infinity }, 'NOT_WEIGHTS'],
  'silence': [{ ...big, endless: true, drop: 0, gateAt: 0, gate: new Promise(() => {}), times: Infinity }, 'NETWORK'],
})) {
  test(`refused: ${what}`, () => withServer(async (server, engine) => {
    server.fault(fault);
    for (const keep of ['resident', 'stream']) {
      const model = await engine.openModel(server.url, { network: NETWORK, keep });
      await assert.rejects(model.forward(file.tokens), { name: 'EngineError', code });
      await model.close();
    }
  }));
}

test('a layer that failed is asked for again by the next call', () => withServer(async (server, engine) => {
  server.fault({ ...big, status: 404, times: Infinity });
  const model = await engine.openModel(server.url, { network: NETWORK });
  await assert.rejects(model.forward(file.tokens), { code: 'HTTP' });
  server.heal();
  isRight(await model.forward(file.tokens));
  await model.close();
}));

test('the file ends early: TRUNCATED', () => withServer(async (server, engine) => {
  server.fault({ file: WEIGHTS, truncate: 200000, times: Infinity });
  await assert.rejects(async () => {
    const model = await engine.openModel(server.url, { network: NETWORK });
    await model.forward(file.tokens);
  }, { code: 'TRUNCATED' });
}));

test('stopped while a layer is on its way: ABORTED at once, then the model still works', () => withServer(async (server, engine) => {
  for (const keep of ['resident', 'stream']) {
    const held = server.hold({ ...big, times: Infinity });
    const model = await engine.openModel(server.url, { keep });
    const stop = new AbortController();
    const run = model.forward(file.tokens, { signal: stop.signal });
    await held.arrived;
    stop.abort();
    await assert.rejects(run, { code: 'ABORTED' });
    held.release();
    server.heal();
    isRight(await model.forward(file.tokens));
    await model.close();
  }
}));

test('closed while a layer is on its way: nothing is told of it any more', () => withServer(async (server, engine) => {
  const held = server.hold({ ...big, times: Infinity });
  let told = 0;
  const model = await engine.openModel(server.url, { onProgress: () => { told++; } });
  const run = model.forward(file.tokens);
  const refused = assert.rejects(run, { code: 'ABORTED' });
  await held.arrived;
  const before = told;
  assert.ok(before > 0);
  await model.close();
  await refused;
  assert.equal(told, before);
  held.release();
}));

test('a mirror serves when the first address is gone', () => withServer(async (server, engine) => {
  const model = await engine.openModel(['http://127.0.0.1:1/gone/', server.url], { network: NETWORK });
  isRight(await model.forward(file.tokens));
  await model.close();
}));
