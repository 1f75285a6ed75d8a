/**
 * A packed folder: no file over the limit, large matrices by rows, the same numbers; and one wrong byte anywhere is
 * HASH_MISMATCH with the file's name, from a folder, by the web and out of a cache.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pack } from '../../web/cli/pack.js';
import { createEngine, loadTokenizer } from '../../web/engine/index.js';
import { openFolder } from '../../web/engine/folder.js';
import { openSource } from '../../web/engine/source.js';
import { memoryStore } from '../../web/engine/stores.js';
import { hashHex } from '../../web/engine/hash.js';
import { startFaultServer } from '../helpers/fault-server.js';
import { CONFIG_0P8B, syntheticModel } from '../helpers/synthetic-model.js';

const EXAMPLE = fileURLToPath(new URL('../../web/models/example/', import.meta.url));
const LIMIT = 80_000;
const IDS = [3, 600, 3, 17, 677];
const NETWORK = { retries: 0, backoffMs: 1 };

const root = await mkdtemp(join(tmpdir(), 'attn-pack-'));
const packed = join(root, 'packed');
await pack(EXAMPLE, packed, { limit: LIMIT });
const engine = await createEngine();
after(async () => {
  await engine.close();
  await rm(root, { recursive: true });
});

/** The packed folder's files in memory. @returns {Promise<Record<string, Buffer>>} */
const filesOf = async (dir) => Object.fromEntries(await Promise.all((await readdir(dir)).map(async (name) =>
  [name, await readFile(join(dir, name))])));
const files = await filesOf(packed);
const shards = Object.keys(files).filter((name) => name.endsWith('.safetensors'));

/** Everything that the three readers give. */
async function readAll(base, given = {}) {
  const options = { network: NETWORK, ...given };
  const model = await engine.openModel(base, options);
  try {
    const { logits, layers } = await model.forward(IDS, { capture: 'all', logits: 'all' });
    const layer = await engine.openLayer({ baseURL: base, layer: 3, ...options });
    const { out } = await layer.forward(await layer.embed(IDS));
    await layer.close();
    const { ids } = await (await loadTokenizer(base, options)).encode('今天天气不错');
    return { logits, layers, out, ids };
  } finally {
    await model.close();
  }
}
const expected = await readAll(EXAMPLE);

async function serve(t, content = files) {
  const server = await startFaultServer({ ...content });
  t.after(() => server.close());
  return server;
}

const flipped = (bytes, at) => {
  const wrong = Buffer.from(bytes);
  wrong[at] ^= 1;
  return wrong;
};

test('no file is larger than the limit, and a matrix larger than it goes through several', async () => {
  for (const name of shards) assert.ok((await stat(join(packed, name))).size <= LIMIT, name);
  const { weight_map: map } = JSON.parse(String(files['model.safetensors.index.json']));
  const rows = Object.keys(map).filter((name) => name.includes('.rows.'));
  assert.ok(rows.filter((name) => name.includes('embed_tokens')).length > 1, rows.join());
  assert.ok(!Object.hasOwn(map, 'model.language_model.embed_tokens.weight'), 'no part has the name of the whole');
});

test('a packed folder gives the same numbers, from disk and by the web, and packs again to itself', async (t) => {
  assert.deepEqual(await readAll(packed), expected);
  assert.deepEqual(await readAll((await serve(t)).url), expected);
  const again = join(root, 'again');
  await pack(packed, again, { limit: LIMIT });
  assert.deepEqual(await filesOf(again), files);
});

test('progress counts what was asked for, not the blocks around it', async (t) => {
  const server = await serve(t);
  const told = [];
  const model = await engine.openModel(server.url, { onProgress: (p) => told.push(p) });
  await model.forward(IDS);
  await model.close();
  assert.equal(told.at(-1).loadedBytes, told.at(-1).totalBytes);
});

/** A few places in each file: its first and last byte, and some between. */
function places(name) {
  const { length } = files[name];
  return [...new Set([0, 9, Math.floor(length / 3), Math.floor(length / 2), length - 1])];
}

for (const name of Object.keys(files)) {
  test(`one wrong byte in ${name}`, async (t) => {
    const dir = join(root, `wrong-${name}`);
    await pack(EXAMPLE, dir, { limit: LIMIT });
    for (const at of places(name)) {
      const wrong = flipped(files[name], at);
      await writeFile(join(dir, name), wrong);
      const server = await serve(t, { ...files, [name]: wrong });
      for (const base of [dir, server.url]) {
        const error = await readAll(base).then(() => undefined, (e) => e);
        assert.equal(error?.name, 'EngineError', `byte ${at}: ${error?.stack}`);
        // what announces the sums may be unreadable before they are known
        const codes = ['config.json', 'sha256.json'].includes(name) ? ['HASH_MISMATCH', 'BAD_CONFIG', 'BAD_FILE', 'HTTP']
          : ['HASH_MISMATCH'];
        assert.ok(codes.includes(error.code), `byte ${at}: ${error.code} ${error.message}`);
        if (error.code !== 'HASH_MISMATCH') continue;
        assert.match(error.message, /expected checksum .*, found /);
        if (name !== 'sha256.json') assert.equal(error.details.file, name);
      }
    }
  });
}

test('a byte that is wrong once on the way is fetched again', async (t) => {
  const server = await serve(t);
  const folder = await openFolder(server.url, { network: NETWORK });
  const tensor = folder.tensors.get('layers.0.mlp.up_proj.weight');
  const events = [];
  const open = await openFolder(server.url, { network: NETWORK, onEvent: (e) => events.push(e) });
  server.fault({ file: tensor.file, body: 'x'.repeat(files[tensor.file].length) });
  assert.deepEqual(await open.readAll(tensor), await folder.readAll(tensor));
  assert.ok(events.some(({ type, file }) => type === 'bad-bytes' && file === tensor.file));
});

test('a cached range that is wrong is fetched once more, and the good one kept', async (t) => {
  const server = await serve(t);
  const entries = new Map();
  const cache = memoryStore(entries);
  await readAll(server.url, { cache });
  let damaged = 0;
  for (const [key, bytes] of [...entries]) {
    // an entry that proves itself, with one wrong byte in it
    const [, start] = /^(.*\/(?:\d+-\d+|whole-\d+))-[0-9a-f]{8}$/.exec(key) ?? [];
    if (!start || bytes.length === 0 || key.includes('sha256') || key.includes('config$2ejson')) continue;
    const wrong = flipped(bytes, bytes.length >> 1);
    entries.delete(key);
    entries.set(`${start}-${hashHex(wrong)}`, wrong);
    damaged++;
  }
  assert.ok(damaged > shards.length);
  assert.deepEqual(await readAll(server.url, { cache }), expected);
  const before = server.sent(/./);
  assert.deepEqual(await readAll(server.url, { cache }), expected);
  assert.ok(server.sent(/./) - before < 3 * files['config.json'].length + 1, 'all but config.json from the cache');

  for (const name of shards) server.fault({ file: name, body: 'x'.repeat(files[name].length), times: Infinity });
  entries.clear();
  await assert.rejects(readAll(server.url, { cache }), { code: 'HASH_MISMATCH' });
  assert.ok([...entries.keys()].every((key) => !/\/\d+-\d+-/.test(key)), 'nothing wrong is kept');
  server.heal();
  assert.deepEqual(await readAll(server.url, { cache }), expected, 'whole again when the server is');
});

test('other weights under the same config are another state of the folder', async () => {
  const dir = await mkdtemp(join(root, 'other-'));
  for (const [name, bytes] of Object.entries(await filesOf(EXAMPLE))) {
    await writeFile(join(dir, name), name === 'model.safetensors' ? flipped(bytes, bytes.length - 2) : bytes);
  }
  await pack(dir, join(dir, 'packed'), { limit: LIMIT });
  assert.notDeepEqual(await readFile(join(dir, 'packed', 'config.json')), files['config.json']);
});

for (const [what, damage, message] of [
  ['the last part is missing', (map) => {
    const gone = map[Object.keys(map).findLast((name) => /embed_tokens.*rows\.[1-9]/.test(name))];
    for (const [name, file] of Object.entries(map)) if (file === gone) delete map[name];
  }, /embed_tokens.weight: expected shape \[678,64\] by config.json, found \[\d+,64\]/],
  ['the first part is missing', (map) => {
    const gone = map[Object.keys(map).find((name) => /embed_tokens.*rows\.0/.test(name))];
    for (const [name, file] of Object.entries(map)) if (file === gone) delete map[name];
  }, /first row: expected 0, found/],
  ['a part named as the whole', (map) => {
    const name = Object.keys(map).find((n) => /embed_tokens.*rows\.0$/.test(n));
    map[name.replace(/\.rows\.0$/, '')] = map[name];
  }, /expected here by/],
]) {
  test(`rows that do not fit together: ${what}`, async () => {
    const dir = await mkdtemp(join(root, 'parts-'));
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(dir, name), bytes);
    const index = JSON.parse(String(files['model.safetensors.index.json']));
    damage(index.weight_map);
    await writeFile(join(dir, 'model.safetensors.index.json'), JSON.stringify(index));
    const config = JSON.parse(String(files['config.json']));
    delete config.attn_sums;
    await writeFile(join(dir, 'config.json'), JSON.stringify(config));
    await assert.rejects(readAll(dir), (error) => {
      assert.ok(['BAD_FILE', 'BAD_SHAPE'].includes(error.code), error.stack);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('a matrix of more than 32 MiB', async () => {
  const dir = await mkdtemp(join(root, 'large-'));
  const config = { ...CONFIG_0P8B, num_hidden_layers: 1, layer_types: ['full_attention'], hidden_size: 256,
    num_attention_heads: 2, num_key_value_heads: 1, intermediate_size: 64, vocab_size: 100_003 };
  for (const [name, file] of syntheticModel(config)) await writeFile(join(dir, name), Buffer.concat([...file.read(0, file.size)]));
  assert.ok((await stat(join(dir, 'model.safetensors'))).size > 48 * 2 ** 20);
  const out = join(dir, 'packed');
  await pack(dir, out);
  for (const name of await readdir(out)) assert.ok((await stat(join(out, name))).size <= 32 * 2 ** 20, name);
  const ids = [0, 65_535, 100_002];
  const results = [];
  for (const [base, keep] of [[dir, 'resident'], [out, 'resident'], [out, 'stream']]) {
    const model = await engine.openModel(base, { keep });
    results.push((await model.forward(ids)).logits);
    await model.close();
  }
  assert.deepEqual(results[1], results[0]);
  assert.deepEqual(results[2], results[0]);
});

test('a file that the sums do not list is refused before it is fetched', async (t) => {
  const server = await serve(t, { ...files, 'other.json': Buffer.from('{}') });
  const source = await openSource(server.url, { cache: 'none', network: NETWORK });
  const asked = server.log.length;
  await assert.rejects(source.json('other.json'), { code: 'BAD_FILE' });
  const range = { file: 'other.json', begin: 0, end: 1 };
  await assert.rejects(source.readAll(range), { code: 'BAD_FILE' });
  assert.equal(await source.optional('other.json'), undefined);
  assert.equal(server.log.length, asked);
  source.close();
});
