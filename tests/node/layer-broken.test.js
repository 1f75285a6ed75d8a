/**
 * Model folders that are not what they should be, over HTTP and on the disk: the contract's code, not much fetched, and
 * an engine that goes on. And stopping in the middle.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../web/engine/errors.js';
import { startFaultServer } from '../helpers/fault-server.js';
import { folderPath } from '../helpers/golden.js';
import { onEngine } from '../helpers/variants.js';

const QUICK = { retries: 0, backoffMs: 1 };

async function refused(promise, codes, what) {
  const error = await promise.then(() => undefined, (e) => e);
  assert.ok(error instanceof EngineError, `${what}: expected an EngineError, found ${error}`);
  assert.ok(codes.split(' or ').includes(error.code), `${what}: expected ${codes}, found ${error}, ${error.code}`);
  return error;
}

const FILES = Object.fromEntries(['config.json', 'model.safetensors']
  .map((file) => [file, readFileSync(join(folderPath('tiny4'), file))]));
const HTML = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>please</body></html>'.padEnd(9000, ' ');
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 363224\n';

/** The weights file with another header length. */
function headerLength(n) {
  const bytes = Buffer.from(FILES['model.safetensors']);
  bytes.writeBigUInt64LE(n);
  return bytes;
}

/** The header gives this tensor another model's name. */
function without(name) {
  const bytes = FILES['model.safetensors'];
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + length));
  header['mtp.other'] = header[name];
  delete header[name];
  const text = Buffer.from(JSON.stringify(header).padEnd(length, ' '));
  return Buffer.concat([bytes.subarray(0, 8), text, bytes.subarray(8 + length)]);
}

const weights = FILES['model.safetensors'];
/** [what is wrong, the files that differ (undefined: not there), the code] */
const CASES = /** @type {[string, Record<string, any>, string][]} */ ([
  ['HTML instead of weights', { 'model.safetensors': HTML }, 'NOT_WEIGHTS'],
  ['HTML instead of config.json', { 'config.json': HTML }, 'NOT_WEIGHTS'],
  ['a pointer file instead of weights', { 'model.safetensors': POINTER }, 'NOT_WEIGHTS'],
  ['config.json that is no JSON', { 'config.json': '{"model_type":' }, 'BAD_CONFIG'],
  ['config.json of an unknown model', { 'config.json': '{"model_type":"gpt2"}' }, 'UNSUPPORTED_MODEL'],
  ['a header length of 2^60', { 'model.safetensors': headerLength(2n ** 60n) }, 'BAD_FILE'],
  ['a header length of 2^64 - 1', { 'model.safetensors': headerLength(2n ** 64n - 1n) }, 'BAD_FILE'],
  ['a header longer than the file', { 'model.safetensors': headerLength(400000n) }, 'BAD_FILE'],
  ['a header cut short', { 'model.safetensors': headerLength(500n) }, 'BAD_FILE'],
  ['a header that is no JSON', { 'model.safetensors': Buffer.concat([headerLength(64n).subarray(0, 8),
    Buffer.alloc(5000, 'x')]) }, 'BAD_FILE'],
  ['a missing tensor', { 'model.safetensors': without('model.layers.3.self_attn.k_proj.weight') }, 'MISSING_TENSOR'],
  ['no config.json', { 'config.json': undefined }, 'HTTP'],
  ['no weights', { 'model.safetensors': undefined }, 'HTTP'],
  ['data that end early', { 'model.safetensors': weights.subarray(0, 200000) }, 'BAD_FILE or TRUNCATED'],
  ['an empty weights file', { 'model.safetensors': '' }, 'BAD_FILE or TRUNCATED'],
  ['a file that ends inside the header', { 'model.safetensors': weights.subarray(0, 3000) }, 'BAD_FILE or TRUNCATED'],
]);

const foldersOf = () => CASES.map(([what, files, codes]) =>
  /** @type {[string, Record<string, any>, string]} */ ([what, Object.fromEntries(Object.entries({ ...FILES, ...files })
    .filter(([, bytes]) => bytes !== undefined)), codes]));

async function stillWorks(engine) {
  const { out } = await engine.attention({ q: [0, 4], k: [1, 0, 0, 1], v: [1, 2], queries: 1, keys: 2, dim: 2,
    valueDim: 1 });
  assert.equal(out.data.length, 1, 'the engine still works');
}

onEngine('folders over HTTP that are not what they should be', async (engine) => {
  for (const [what, files, codes] of foldersOf()) {
    const server = await startFaultServer(files);
    try {
      const error = await refused(engine.openLayer({ baseURL: server.url, layer: 3, network: QUICK }), codes, what);
      assert.match(error.message, /expected .+ found /s, what);
      assert.ok(server.sent(/safetensors/) < 500000, `${what}: ${server.sent(/safetensors/)} bytes for nothing`);
    } finally {
      await server.close();
    }
  }
  await stillWorks(engine);
});

onEngine('folders on the disk that are not what they should be', async (engine) => {
  for (const [what, files, codes] of foldersOf()) {
    const folder = mkdtempSync(join(tmpdir(), 'attn-folder-'));
    try {
      for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes);
      const error = await refused(engine.openLayer({ baseURL: folder, layer: 3 }), codes, what);
      assert.match(error.message, /expected .+ found /s, what);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  await refused(engine.openLayer({ baseURL: join(tmpdir(), 'attn-no-such-folder'), layer: 0 }), 'HTTP', 'no folder');
  await stillWorks(engine);
});

onEngine('abort: before, while the weights come, and between the blocks of a long prompt', async (engine) => {
  const server = await startFaultServer(FILES);
  try {
    const open = (signal) => engine.openLayer({ baseURL: server.url, layer: 0, signal, network: QUICK });
    await refused(open(AbortSignal.abort()), 'ABORTED', 'before');
    assert.equal(server.sent(), 0);
    const gate = server.hold({ file: 'model.safetensors', when: ({ begin }) => begin > 8 });
    const stop = new AbortController();
    const opening = refused(open(stop.signal), 'ABORTED', 'on the way');
    await gate.arrived;
    stop.abort();
    await opening;
    gate.release();
    const layer = await engine.openLayer({ baseURL: server.url, layer: 3 });
    const late = new AbortController();
    const x = { shape: [1000, 64], data: new Float32Array(64000).fill(0.1) };
    const running = refused(layer.forward(x, { signal: late.signal }), 'ABORTED', 'between blocks');
    const next = layer.forward({ shape: [1, 64], data: x.data.slice(0, 64) });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    late.abort();
    await running;
    assert.deepEqual((await next).out.shape, [1, 64], 'the next call runs');
    await refused(layer.forward(x, { signal: AbortSignal.abort() }), 'ABORTED', 'before forward');
    await refused(layer.embed([1], { signal: AbortSignal.abort() }), 'ABORTED', 'before embed');
  } finally {
    await server.close();
  }
});
