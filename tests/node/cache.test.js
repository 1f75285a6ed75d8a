import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { cacheInfo, createCache, deleteCache, ENTRY } from '../../web/engine/cache.js';
import { openFolder } from '../../web/engine/folder.js';
import { hashHex } from '../../web/engine/hash.js';
import { memoryStore, openStore } from '../../web/engine/stores.js';
import { startFaultServer } from '../helpers/fault-server.js';

const GOLDEN = fileURLToPath(new URL('../golden/mqa8', import.meta.url));
const FILE = 'model.safetensors-00001-of-00001.safetensors';
const WEIGHTS = /safetensors$/;
const QUICK = { stallMs: 2000, retries: 2, backoffMs: 1 };

async function setUp(t, folder = GOLDEN, options = {}) {
  const server = await startFaultServer(folder, options);
  t.after(() => server.close());
  const entries = new Map();
  const events = [];
  const store = memoryStore(entries);
  const open = (more = {}) =>
    openFolder(server.url, { cache: store, network: QUICK, onEvent: (e) => events.push(e), ...more });
  return { server, entries, events, store, open };
}

/** Every tensor of the folder, checked against the file. @returns {Promise<Record<string, number>>} bytes by origin */
async function readChecked(folder) {
  const file = await readFile(`${GOLDEN}/${FILE}`);
  const tensors = [...folder.tensors.values()];
  const out = tensors.map(({ begin, end }) => new Uint8Array(end - begin));
  const from = { network: 0, cache: 0 };
  await folder.read(tensors, (i, chunk, at) => out[i].set(chunk, at), { onBytes: (n, origin) => (from[origin] += n) });
  tensors.forEach(({ begin, end }, i) => assert.deepEqual(Buffer.from(out[i]), file.subarray(begin, end)));
  return from;
}

test('XXH32 gives the published values, at every tail and from an unaligned view', () => {
  const encode = (text) => new TextEncoder().encode(text);
  for (const [text, hash] of [['', '02cc5d05'], ['a', '550d7456'], ['abc', '32d153ff'],
    ['Nobody inspects the spammish repetition', 'e2293b2f']]) {
    assert.equal(hashHex(encode(text)), hash);
    assert.equal(hashHex(encode(`x${text}`).subarray(1)), hash);
  }
});

test('the second visit fetches no weight byte, the third neither, and the bytes are the same', async (t) => {
  const { server, open } = await setUp(t);
  const first = await readChecked(await open());
  assert.equal(first.cache, 0);
  for (let visit = 2; visit <= 3; visit++) {
    server.log.length = 0;
    const folder = await open();
    const again = await readChecked(folder);
    assert.deepEqual(again, { network: 0, cache: first.network });
    assert.deepEqual(server.log.map(({ file }) => file), ['config.json']);
    assert.ok(folder.received.cacheBytes >= first.network);
  }
});

test('another plan over the same file fetches only what is not there yet', async (t) => {
  const { server, open } = await setUp(t);
  const folder = await open();
  const { file, begin, end } = folder.tensors.get('embed_tokens.weight');
  await folder.readAll({ file, begin: begin + 100, end: begin + 200 });
  server.log.length = 0;
  const all = await folder.readAll({ file, begin, end });
  assert.deepEqual(server.log.map((q) => [q.begin - begin, q.end - begin]), [[0, 100], [200, end - begin]]);
  assert.deepEqual(Buffer.from(all), (await readFile(`${GOLDEN}/${FILE}`)).subarray(begin, end));
});

test('a flipped byte, a short entry and a lost entry are found, and this range alone is fetched again', async (t) => {
  const { server, entries, events, open } = await setUp(t);
  await readChecked(await open());
  const ranges = [...entries].filter(([key]) => /\d+-\d+-[0-9a-f]{8}$/.test(key));
  const largest = ranges.sort((a, b) => b[1].length - a[1].length)[0];
  const spoil = [() => (entries.get(largest[0])[7] ^= 1), () => entries.set(largest[0], largest[1].subarray(1))];
  for (const act of spoil) {
    act();
    events.length = server.log.length = 0;
    await readChecked(await open());
    assert.equal(events.filter(({ type }) => type === 'bad-entry').length, 1);
    const [, begin, end] = /(\d+)-(\d+)-[0-9a-f]{8}$/.exec(largest[0]).map(Number);
    assert.ok(server.sent(WEIGHTS) <= end - begin && server.sent(WEIGHTS) > 0);
    server.log.length = 0;
    await readChecked(await open());
    assert.equal(server.sent(WEIGHTS), 0, 'healed');
  }
  const folder = await open();
  entries.get(largest[0])[7] ^= 1;
  events.length = 0;
  const { file, begin } = folder.tensors.get('embed_tokens.weight');
  for (let i = 0; i < 2; i++) await folder.readAll({ file, begin, end: begin + 64 });
  assert.equal(events.length, 1, 'a bad entry is asked once');
  await readChecked(folder);
  entries.clear();
  await readChecked(folder);
});

test('offline: everything from the cache, and the caller is told', async (t) => {
  const { server, events, open } = await setUp(t);
  await readChecked(await open());
  await server.close();
  const folder = await open();
  assert.deepEqual((await readChecked(folder)).network, 0);
  assert.ok(events.some(({ type }) => type === 'offline'));
});

test('without a copy, no network is an error', async (t) => {
  const { server, open } = await setUp(t);
  await server.close();
  await assert.rejects(open(), { code: 'NETWORK' });
});

test('a new revision is fetched anew and the old one goes', async (t) => {
  const headers = { 'X-Repo-Commit': 'a'.repeat(40) };
  const { server, entries, open } = await setUp(t, GOLDEN, { headers });
  await readChecked(await open());
  assert.ok([...entries.keys()].some((key) => key.includes('a'.repeat(40))), 'the revision is in the key');
  headers['X-Repo-Commit'] = 'b'.repeat(40);
  server.log.length = 0;
  const from = await readChecked(await open());
  assert.equal(from.cache, 0);
  assert.ok(server.sent(WEIGHTS) > 0);
  assert.ok(![...entries.keys()].some((key) => key.includes('a'.repeat(40))));
  headers.ETag = '"other"';
  server.log.length = 0;
  await readChecked(await open());
  assert.equal(server.sent(WEIGHTS), 0, 'a commit says more than an ETag');
});

test('without a commit the ETag of config.json tells; mirrors with their own ETags share entries', async (t) => {
  const headers = { ETag: '"1"' };
  const { server, store, open } = await setUp(t, GOLDEN, { headers });
  await readChecked(await open());
  const mirror = await startFaultServer(GOLDEN, { headers: { ETag: '"m"' } });
  t.after(() => mirror.close());
  server.fault({ file: 'config.json', status: 404 });
  await readChecked(await openFolder([server.url, mirror.url], { cache: store, network: QUICK }));
  assert.equal(mirror.sent(WEIGHTS), 0);
  headers.ETag = '"2"';
  server.log.length = 0;
  await readChecked(await open());
  assert.ok(server.sent(WEIGHTS) > 0);
});

test('a full or broken store is reported and the run goes on', async (t) => {
  const { store, events, open } = await setUp(t);
  const full = { ...store, put: async () => {
    throw Object.assign(new Error('full'), { name: 'QuotaExceededError' });
  } };
  assert.equal((await readChecked(await open({ cache: full }))).cache, 0);
  assert.equal(events.filter(({ type }) => type === 'quota').length, 1, 'said once');
  const deny = async () => {
    throw Object.assign(new Error('denied'), { name: 'SecurityError' });
  };
  await readChecked(await open({ cache: { kind: 'denied', get: deny, put: deny, delete: deny, list: deny } }));
  assert.ok(events.some(({ type }) => type === 'cache-error'));
});

test('a web page is never kept as weights, nor half a download', async (t) => {
  const { server, entries, open } = await setUp(t);
  server.fault({ file: FILE, html: true, times: 2 });
  await assert.rejects(open(), { code: 'NOT_WEIGHTS' });
  assert.ok(![...entries.keys()].some((key) => key.includes('00001-of')));
  const folder = await open();
  server.fault({ file: FILE, drop: 500, times: 3 });
  await assert.rejects(folder.readAll(folder.tensors.get('embed_tokens.weight')), { code: 'NETWORK' });
  server.log.length = 0;
  await folder.readAll(folder.tensors.get('embed_tokens.weight'));
  assert.equal(server.sent(WEIGHTS), 3392);
});

test('entries are cut at multiples of ENTRY, and the writer is waited for', async () => {
  const entries = new Map();
  const cache = createCache(memoryStore(entries), 'http://x/', assert.fail);
  cache.useRevision('r');
  const data = Uint8Array.from({ length: ENTRY + 3000 }, (_, i) => (i * 7919) >>> 3);
  const writer = cache.writer('f', ENTRY - 1000, 2 * ENTRY + 2000);
  for (let at = 0; at < data.length; at += 99_991) {
    await writer.add(data.subarray(at, at + 99_991), ENTRY - 1000 + at);
  }
  await writer.done();
  const parts = await cache.cover('f', 0, 3 * ENTRY);
  const edges = [0, ENTRY - 1000, ENTRY, 2 * ENTRY, 2 * ENTRY + 2000, 3 * ENTRY];
  assert.deepEqual(parts.map(({ begin, end, entry }) => [begin, end, Boolean(entry)]),
    [false, true, true, true, false].map((there, i) => [edges[i], edges[i + 1], there]));
  assert.deepEqual(Buffer.from(await cache.get('f', parts[2].entry)), Buffer.from(data.subarray(1000, 1000 + ENTRY)));
});

test('a read is done when its bytes are safe in the store', async (t) => {
  const { store, open } = await setUp(t);
  let letPut;
  let putBegun;
  const begun = new Promise((resolve) => (putBegun = resolve));
  const gate = new Promise((resolve) => (letPut = resolve));
  let slow = false;
  const folder = await open({ cache: { ...store, put: async (key, bytes) => {
    if (slow) putBegun();
    if (slow) await gate;
    await store.put(key, bytes);
  } } });
  slow = true;
  let done = false;
  const reading = folder.readAll(folder.tensors.get('norm.weight')).then(() => (done = true));
  await begun;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(done, false);
  letPut();
  await reading;
});

test('cacheInfo counts by folder and deleteCache forgets one or all', async (t) => {
  const { server, store, open } = await setUp(t);
  await readChecked(await open());
  const info = await cacheInfo(store);
  assert.equal(info.kind, 'memory');
  assert.deepEqual(info.folders.map(({ baseURL }) => baseURL), [server.url]);
  assert.ok(info.bytes > 160_000);
  await deleteCache('http://other.example/', store);
  assert.equal((await cacheInfo(store)).bytes, info.bytes);
  await deleteCache(server.url, store);
  assert.deepEqual((await cacheInfo(store)).folders, []);
  await readChecked(await open());
  await deleteCache(undefined, store);
  assert.equal((await cacheInfo(store)).bytes, 0);
});

test('in node there is no store of its own: none, with the reason', async () => {
  const { kind, store, reason } = await openStore('auto');
  assert.equal(kind, 'none');
  assert.equal(store, undefined);
  assert.ok(reason);
  assert.deepEqual(await openStore('none'), { kind: 'none' });
});
