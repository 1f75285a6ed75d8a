import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'node:test';
import { readBases, baseName } from '../../web/engine/address.js';
import { findPrefix, openFolder, rowRanges } from '../../web/engine/folder.js';
import { planRequests } from '../../web/engine/plan.js';
import { createTransport, readNetwork } from '../../web/engine/transport.js';
import { startFaultServer } from '../helpers/fault-server.js';

const path = (name) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));
const QUICK = { stallMs: 2000, retries: 2, backoffMs: 1 };
const NAMES = ['tiny4', 'mqa8', 'shard2_f16', 'qwen3_3'];

async function serve(t, folder, options) {
  const server = await startFaultServer(typeof folder === 'string' ? path(folder) : folder, options);
  t.after(() => server.close());
  return server;
}
const open = (base, options = {}) => openFolder(base, { network: QUICK, ...options });

async function refused(promise, code) {
  const error = await promise.then(() => assert.fail(`expected ${code}`), (e) => e);
  assert.equal(error.name, 'EngineError', error.stack);
  assert.equal(error.code, code, error.message);
  return error;
}

/** All tensors of the folder through read(), checked against the files themselves. */
async function readEverything(folder, name) {
  const tensors = [...folder.tensors.values()];
  const out = tensors.map(({ begin, end }) => new Uint8Array(end - begin));
  const seen = tensors.map(() => 0);
  let progress = 0;
  await folder.read(tensors, (i, chunk, at) => {
    out[i].set(chunk, at);
    seen[i] += chunk.length;
  }, { onBytes: (n) => (progress += n) });
  for (const [i, { file, begin, end }] of tensors.entries()) {
    assert.equal(seen[i], end - begin);
    assert.deepEqual(Buffer.from(out[i]), (await readFile(`${path(name)}/${file}`)).subarray(begin, end));
  }
  assert.equal(progress, seen.reduce((a, b) => a + b));
  return progress;
}

test('the golden folders over HTTP: prefix, tensors, every byte, and nothing else is fetched', async (t) => {
  for (const name of NAMES) {
    const server = await serve(t, name);
    const folder = await open(server.url);
    folder.check();
    assert.equal(folder.prefix, name === 'mqa8' ? 'model.language_model.' : 'model.');
    assert.ok(![...folder.tensors.keys()].some((key) => /visual|mtp/.test(key)), 'decoys are skipped');
    assert.equal(folder.tensors.has('lm_head.weight'), name === 'shard2_f16' || name === 'qwen3_3');
    const weights = await readEverything(folder, name);
    let headers = 0;
    for (const { file } of folder.files) {
      headers += 8 + Number((await readFile(`${path(name)}/${file}`)).readBigUInt64LE());
    }
    assert.equal(server.sent(/\.safetensors$/), weights + headers);
    const served = server.log.filter(({ status }) => status < 300).reduce((sum, { sent }) => sum + sent, 0);
    assert.equal(folder.received.bytes, served);
  }
});

test('the same from a local path and from a file: URL', async () => {
  const url = pathToFileURL(path('shard2_f16'));
  for (const base of [path('shard2_f16'), String(url), url]) {
    const folder = await open(base);
    folder.check();
    await readEverything(folder, 'shard2_f16');
  }
  const error = await refused(open(path('nowhere')), 'HTTP');
  assert.equal(error.details.status, 404);
});

test('neighbours share a request, groups do not, long spans are cut, and rows come one by one', () => {
  const r = (begin, end, group, file = 'a') => ({ file, begin, end, group });
  const spans = (ranges, options) =>
    planRequests(ranges, options).map((q) => [q.begin, q.end, q.ranges.map((x) => x.index)]);
  assert.deepEqual(spans([r(0, 4), r(4, 9), r(10, 12)]), [[0, 9, [0, 1]], [10, 12, [2]]]);
  assert.deepEqual(spans([r(4, 9), r(0, 4)]), [[4, 9, [0]], [0, 4, [1]]]);
  assert.deepEqual(spans([r(4, 9, 1), r(0, 4, 1), r(9, 12, 2)]), [[0, 9, [1, 0]], [9, 12, [2]]]);
  assert.deepEqual(spans([r(0, 4), r(4, 9, undefined, 'b')]), [[0, 4, [0]], [4, 9, [1]]]);
  assert.deepEqual(spans([r(3, 25)], { limit: 10 }), [[3, 10, [0]], [10, 20, [0]], [20, 25, [0]]]);
  assert.deepEqual(spans([r(5, 5), r(7, 8)]), [[7, 8, [1]]]);
  assert.deepEqual(spans([r(0, 4, 1), r(0, 4, 1), r(2, 6, 1)]), [[0, 6, [0, 1, 2]]]);
});

test('rows of the embedding: only their bytes are served, a row asked twice comes twice', async (t) => {
  const server = await serve(t, 'tiny4');
  const folder = await open(server.url);
  const before = server.sent(/safetensors$/);
  const rows = [5, 96, 5, 6];
  const embed = folder.tensors.get('embed_tokens.weight');
  const got = rows.map(() => new Uint8Array(128));
  await folder.read(rowRanges(embed, rows), (i, chunk, at) => got[i].set(chunk, at));
  const file = await readFile(`${path('tiny4')}/${embed.file}`);
  rows.forEach((row, i) =>
    assert.deepEqual(Buffer.from(got[i]), file.subarray(embed.begin + row * 128).subarray(0, 128)));
  assert.equal(server.sent(/safetensors$/) - before, 3 * 128);
});

test('at most `parallel` requests at a time, begun in the order of need', async (t) => {
  const server = await serve(t, 'qwen3_3');
  const folder = await open(server.url, { network: { ...QUICK, stallMs: 20_000, parallel: 2 } });
  server.log.length = 0;
  const tensors = [...folder.tensors.values()].reverse().slice(0, 5);
  const gates = tensors.map(({ begin }) => server.hold({ file: /safetensors$/, when: (q) => q.begin === begin }));
  const reading = folder.read(tensors, () => {});
  await Promise.all([gates[0].arrived, gates[1].arrived]);
  const begun = async () => {
    await fetch(`${server.url}config.json`).then((r) => r.text());      // what was sent before has arrived by now
    return server.log.filter(({ file }) => /safetensors/.test(file)).length;
  };
  assert.equal(await begun(), 2);
  gates[1].release();
  await gates[2].arrived;
  assert.equal(await begun(), 3);
  gates.forEach(({ release }) => release());
  await reading;
});

test('abort and close end a read at once; the folder reads again after an abort', async (t) => {
  const server = await serve(t, 'tiny4');
  const folder = await open(server.url, { network: { ...QUICK, stallMs: 60_000 } });
  const tensors = [folder.tensors.get('norm.weight')];
  const controller = new AbortController();
  const gate = server.hold({ file: /safetensors/ });
  const reading = folder.read(tensors, () => {}, { signal: controller.signal });
  await gate.arrived;
  controller.abort();
  await refused(reading, 'ABORTED');
  await folder.read(tensors, () => {});
  const second = server.hold({ file: /safetensors/ });
  const last = folder.read(tensors, () => {});
  await second.arrived;
  folder.close();
  await refused(last, 'ABORTED');
  await refused(folder.read(tensors, () => {}), 'ABORTED');
  await refused(open(server.url, { signal: AbortSignal.abort() }), 'ABORTED');
  gate.release();
  second.release();
});

test('the first failure ends the whole read: nothing more is asked for', async (t) => {
  const server = await serve(t, 'tiny4');
  const folder = await open(server.url, { network: { ...QUICK, parallel: 1 } });
  const names = ['norm.weight', 'embed_tokens.weight', 'layers.3.mlp.up_proj.weight', 'layers.1.mlp.up_proj.weight'];
  const tensors = names.map((name) => folder.tensors.get(name));
  server.fault({ file: /safetensors/, when: ({ begin }) => begin === tensors[1].begin, status: 404 });
  server.log.length = 0;
  const error = await refused(folder.read(tensors, () => {}), 'HTTP');
  assert.equal(error.details.status, 404);
  await folder.read([folder.tensors.get('norm.weight')], () => {});
  assert.deepEqual(server.log.map(({ begin }) => begin), [0, 1, 0].map((i) => tensors[i].begin));
});

test('what is missing or a page: HTTP with status and url, NOT_WEIGHTS, BAD_CONFIG', async (t) => {
  const config = await readFile(`${path('tiny4')}/config.json`);
  const empty = await serve(t, {});
  const none = await refused(open(empty.url), 'HTTP');
  assert.equal(none.details.status, 404);
  assert.equal(none.details.url, `${empty.url}config.json`);
  const bare = await serve(t, { 'config.json': config });
  assert.equal((await refused(open(bare.url), 'HTTP')).details.url, `${bare.url}model.safetensors`);
  const page = '<!doctype html><p>not found';
  await refused(open((await serve(t, { 'config.json': page })).url), 'NOT_WEIGHTS');
  await refused(open((await serve(t, { 'config.json': '{"model_type"' })).url), 'BAD_CONFIG');
  await refused(open((await serve(t, { 'config.json': config, 'model.safetensors': page })).url), 'NOT_WEIGHTS');
  const lfs = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n';
  await refused(open((await serve(t, { 'config.json': config, 'model.safetensors': lfs })).url), 'NOT_WEIGHTS');
  await refused(open((await serve(t, { 'config.json': config, 'model.safetensors': 'abc' })).url), 'TRUNCATED');
});

test('a one-page site that answers every address with its page still serves a model without index', async (t) => {
  const server = await serve(t, 'tiny4');
  server.fault({ file: /index\.json$/, html: true, times: Infinity });
  (await open(server.url)).check();
});

test('shard names that lead out of the folder are never fetched', async (t) => {
  const config = await readFile(`${path('tiny4')}/config.json`);
  for (const name of ['../x.safetensors', '/x.safetensors', 'https://h/x.safetensors', 'a\\x.safetensors',
    'a/../x.safetensors', '%2e%2e/x.safetensors', '..%2fx.safetensors', './x.safetensors', 'a//x.safetensors',
    'x.safetensors?y=.safetensors', 'x.bin', '', 7, null, '__proto__']) {
    const index = JSON.stringify({ weight_map: { 'model.embed_tokens.weight': name } });
    const server = await serve(t, { 'config.json': config, 'model.safetensors.index.json': index });
    await refused(open(server.url), 'BAD_FILE');
    assert.deepEqual(server.log.map(({ file }) => file), ['config.json', 'model.safetensors.index.json'], String(name));
  }
  for (const index of ['{}', '[]', '{"weight_map":[]}', '{"weight_map":{}}', 'null', '{"weight']) {
    const server = await serve(t, { 'config.json': config, 'model.safetensors.index.json': index });
    await refused(open(server.url), 'BAD_FILE');
  }
});

test('an index that promises what its shard lacks, and a shard that is not wanted', async (t) => {
  const files = { 'config.json': await readFile(`${path('shard2_f16')}/config.json`) };
  for (const n of [1, 2]) files[`model-0000${n}-of-00002.safetensors`] =
    await readFile(`${path('shard2_f16')}/model-0000${n}-of-00002.safetensors`);
  const index = JSON.parse(String(await readFile(`${path('shard2_f16')}/model.safetensors.index.json`)));
  files['model.safetensors.index.json'] = JSON.stringify(index);
  const server = await serve(t, files);
  const part = await open(server.url, { wants: (name) => /^embed|^layers\.0\./.test(name) });
  assert.deepEqual(part.missing(['norm.weight', 'embed_tokens.weight']), ['norm.weight']);
  assert.equal(server.sent(/00002-of/), 0);
  index.weight_map['model.norm.weight'] = 'model-00001-of-00002.safetensors';
  files['model.safetensors.index.json'] = JSON.stringify(index);
  const error = await refused(open((await serve(t, files)).url), 'BAD_FILE');
  assert.equal(error.details.field, 'model.norm.weight');
});

test("vision, mtp and foreign tensors are no part of the table, though 'model.' stands before them", async (t) => {
  const names = ['model.embed_tokens.weight', 'model.visual.a', 'mtp.norm.weight', 'other.c', 'lm_head.weight'];
  const entries = names.map((name) => [name, { dtype: 'F32', shape: [0], data_offsets: [0, 0] }]);
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const config = await readFile(`${path('tiny4')}/config.json`);
  const server = await serve(t, { 'config.json': config, 'model.safetensors': Buffer.concat([length, header]) });
  assert.deepEqual([...(await open(server.url)).tensors.keys()], ['embed_tokens.weight', 'lm_head.weight']);
});

test('the prefix is that of the one embedding outside mtp and vision', () => {
  assert.equal(findPrefix(['embed_tokens.weight', 'norm.weight']), '');
  const decoys = ['mtp.embed_tokens.weight', 'model.visual.embed_tokens.weight'];
  assert.equal(findPrefix([...decoys, 'a.b.embed_tokens.weight']), 'a.b.');
  assert.throws(() => findPrefix(['mtp.embed_tokens.weight', 'my_embed_tokens.weight']), { code: 'MISSING_TENSOR' });
  assert.throws(() => findPrefix(['a.embed_tokens.weight', 'b.embed_tokens.weight']), { code: 'BAD_FILE' });
});

test('addresses: hub pages become folders, foreign things are explained', () => {
  const name = (base) => baseName(readBases(base)[0]);
  const folder = 'https://huggingface.co/Qwen/Qwen3.5-0.8B/resolve/main/';
  for (const page of ['https://huggingface.co/Qwen/Qwen3.5-0.8B', 'https://huggingface.co/Qwen/Qwen3.5-0.8B/tree/main',
    'https://huggingface.co/Qwen/Qwen3.5-0.8B/blob/main/config.json', `${folder}model.safetensors?download=true`,
    'https://huggingface.co/Qwen/Qwen3.5-0.8B/blob/main/model.safetensors?show_file_info=model.safetensors',
    folder.slice(0, -1)]) {
    assert.equal(name(page), folder);
  }
  assert.equal(name('https://hub.example/a/b/blob/v1.2/sub/config.json'), 'https://hub.example/a/b/resolve/v1.2/sub/');
  assert.equal(name('https://x.example/models/tiny?v=3#top'), 'https://x.example/models/tiny/?v=3');
  assert.equal(name('https://x.example/a%2Fb%2fmodel.safetensors'), 'https://x.example/a%2Fb/', 'of a packed path the file');
  assert.equal(name('https://huggingface.co/a/b/resolve/refs%2Fpr%2F1'), 'https://huggingface.co/a/b/resolve/refs%2Fpr%2F1/');
  assert.equal(name(new URL('http://x.example/m/')), 'http://x.example/m/');
  assert.equal(name('models/tiny'), 'models/tiny', 'in node a plain name is a local path');
  for (const bad of ['', '  ', 7, null, undefined, [], 'ftp://x/y', 'data:,x', 'javascript:1', 'http://',
    'https://u:p@x.example/', ['a', 'b']]) {
    assert.throws(() => readBases(/** @type {any} */ (bad)), { code: 'BAD_OPTION' }, String(bad));
  }
});

test('mirrors: the next one takes over, in the middle of a range too', async (t) => {
  const [first, second] = [await serve(t, 'tiny4'), await serve(t, 'tiny4')];
  const gone = await startFaultServer(path('tiny4'));
  await gone.close();
  const folder = await open([gone.url, first.url, second.url]);
  assert.ok(first.log.length > 0);
  first.fault({ file: /safetensors/, drop: 20_000 });
  first.fault({ file: /safetensors/, status: 503, times: Infinity });
  await readEverything(folder, 'tiny4');
  assert.ok(second.sent(/safetensors/) > 0);
  let retries = 0;
  const onEvent = ({ type }) => (retries += type === 'retry');
  const error = await refused(open([gone.url, `${first.url}nowhere/`], { onEvent }), 'HTTP');
  assert.equal(retries, 2, 'a mirror out of reach is not waited for when another has answered');
  assert.equal(error.details.status, 404);
  assert.match(error.message, /mirror: .*connection failed/);
});

test('CORS_OR_BLOCKED: a first request to another origin that dies without an answer', async () => {
  const dead = async () => {
    throw new TypeError('Failed to fetch');
  };
  const transport = (origin) => createTransport(/** @type {any} */ (readBases('https://models.example/m/')),
    { fetch: dead, network: readNetwork(QUICK), origin });
  const read = (origin) => transport(origin).read('config.json', 0, Infinity, () => {});
  const error = await refused(read('https://course.example'), 'CORS_OR_BLOCKED');
  assert.match(error.message, /Access-Control-Allow-Origin/);
  assert.equal(error.message.match(/Access-Control-Allow-Origin/g)?.length, 1);
  await refused(read('https://models.example'), 'NETWORK');
  await refused(read(undefined), 'NETWORK');
});

test('NETWORK, not CORS, where nothing answers at all; what holds for two mirrors is said once', async () => {
  const dead = async () => {
    throw new TypeError('Failed to fetch');
  };
  const bases = /** @type {any} */ (readBases(['https://models.example/m/', 'https://mirror.example/m/']));
  const read = (/** @type {boolean} */ there) => createTransport(bases, {
    fetch: dead, network: readNetwork(QUICK), origin: 'https://course.example', answers: async () => there,
  }).read('config.json', 0, Infinity, () => {});
  const unknown = await refused(read(false), 'NETWORK');
  // a server that answers its own site only looks the same from here
  assert.match(unknown.message, /no server answers there, or it keeps other sites out by Cross-Origin-Resource-Policy/);
  assert.doesNotMatch(unknown.message, /Access-Control/);
  const blocked = await refused(read(true), 'CORS_OR_BLOCKED');
  for (const { message } of [unknown, blocked]) {
    assert.match(message, /mirror: the same from https:\/\/mirror\.example/);
    const sentences = message.split(/[:;.(] |\(/).map((s) => s.trim()).filter((s) => s.length > 12);
    assert.deepEqual(sentences.filter((s, i) => sentences.indexOf(s) !== i), []);
  }
});

test('a host that is not there is heard not to answer', async () => {
  const gone = await startFaultServer({});
  await gone.close();
  const transport = createTransport(/** @type {any} */ (readBases(gone.url)),
    { fetch: globalThis.fetch, network: readNetwork(QUICK), origin: 'https://course.example' });
  const error = await refused(transport.read('config.json', 0, Infinity, () => {}), 'NETWORK');
  assert.equal(error.details.unknown, true);
});
