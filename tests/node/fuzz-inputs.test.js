/**
 * Every file that the engine reads, with one thing wrong in it: a field of another kind, the text cut, a byte changed.
 * A right result or an EngineError, never another error, and the same answer from a worker.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pack } from '../../web/cli/pack.js';
import { createEngine } from '../../web/engine/index.js';
import { damaged, outcome, truncated, wrongFields } from '../helpers/fuzz.js';

const EXAMPLE = fileURLToPath(new URL('../../web/models/example/', import.meta.url));
const CLI = fileURLToPath(new URL('../../web/cli.js', import.meta.url));
const BASE = 'http://model.test/';
const IDS = [3, 600, 17];

const engines = { here: await createEngine(), worker: await createEngine({ workers: 1 }) };
const root = await mkdtemp(join(tmpdir(), 'attn-fuzz-'));
after(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.close()));
  await rm(root, { recursive: true });
});

const filesOf = async (dir) => Object.fromEntries(await Promise.all((await readdir(dir)).map(async (name) =>
  [name, await readFile(join(dir, name))])));
const single = await filesOf(EXAMPLE);
await pack(EXAMPLE, join(root, 'packed'), { limit: 80_000 });
const packed = await filesOf(join(root, 'packed'));
const plainConfig = JSON.parse(String(packed['config.json']));
delete plainConfig.attn_sums;
/** The packed folder, its sums forgotten: index and parts of matrices are read as they are. */
const sharded = { ...packed, 'config.json': Buffer.from(JSON.stringify(plainConfig)) };
const live = await engines.here.openModel(EXAMPLE);
const pieces = [{ id: 3, text: 'a', bytes: Uint8Array.of(97), joins: [] }];
const recording = { 'run.safetensors': Buffer.from((await live.forward(IDS, { capture: ['probs', 'type'] }))
  .save({ prompt: 'a', pieces, next: pieces, date: '2026-11-30' })) };
await live.close();

/** A fetch that answers from these files. @param {Record<string, Uint8Array>} files */
const fetchOf = (files) => async (url, { headers } = {}) => {
  const file = files[decodeURIComponent(new URL(String(url)).pathname.slice(1))];
  if (!file) return new Response('none', { status: 404 });
  const [, from, to] = /bytes=(\d+)-(\d*)/.exec(new Headers(headers).get('range') ?? '') ?? [];
  if (from === undefined) return new Response(Uint8Array.from(file), { headers: { 'content-length': String(file.length) } });
  const body = file.subarray(Number(from), to ? Number(to) + 1 : undefined);
  if (body.length === 0) return new Response('', { status: 416, headers: { 'content-range': `bytes */${file.length}` } });
  return new Response(Uint8Array.from(body), { status: 206, headers: { 'content-length': String(body.length),
    'content-range': `bytes ${from}-${Number(from) + body.length - 1}/${file.length}` } });
};
const web = (files) => ({ fetch: fetchOf(files), cache: 'none', network: { retries: 0, backoffMs: 0 } });

async function readModel(engine, files) {
  const model = await engine.openModel(BASE, web(files));
  try {
    const { logits, layers } = await model.forward(IDS);
    assert.equal(logits.data.length, model.config.vocab);
    assert.equal(layers.length, model.config.layers);
  } finally {
    await model.close();
  }
}
async function readLayer(engine, files) {
  const layer = await engine.openLayer({ baseURL: BASE, layer: 3, ...web(files) });
  try {
    assert.equal((await layer.forward(await layer.embed(IDS))).out.shape[0], IDS.length);
  } finally {
    await layer.close();
  }
}
async function readTokenizer(engine, files) {
  const tokenizer = await engine.loadTokenizer(BASE, web(files));
  try {
    const { ids, pieces: found } = await tokenizer.encode('The cat, 今天😀');
    assert.equal(found.length, ids.length);
    assert.equal(typeof await tokenizer.decode(ids), 'string');
  } finally {
    await tokenizer.close();
  }
}
async function readRecording(engine, files) {
  const player = await engine.openRecording(`${BASE}run.safetensors`, { fetch: fetchOf(files), network: { retries: 0 } });
  try {
    const [{ tokens, prompt }] = player.prompts;
    assert.equal(typeof prompt, 'string');
    assert.ok((await player.forward(tokens, { capture: 'all' })).layers.length <= player.config.layers);
  } finally {
    await player.close();
  }
}

const bytesOf = (text) => Buffer.from(text);
const asWhole = (entries) => (function* all() {
  for (const [what, text] of entries) yield [what, bytesOf(text)];
}());

/** A safetensors file with another header. */
function withHeader(file, header) {
  const n = Number(file.readBigUInt64LE(0));
  const text = bytesOf(header);
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([start, text, file.subarray(8 + n)]);
}
const headerOf = (file) => JSON.parse(String(file.subarray(8, 8 + Number(file.readBigUInt64LE(0)))));

/** Wrong in every way that a JSON file can be. */
function* wrongJSON(file, seed) {
  yield* asWhole(wrongFields(JSON.parse(String(file))));
  yield* asWhole(truncated(String(file)));
  yield* damaged(file, seed);
}
/** Wrong in every way that a safetensors file can be. */
function* wrongTensors(file, seed) {
  for (const [what, header] of wrongFields(headerOf(file))) yield [what, withHeader(file, header)];
  const n = Number(file.readBigUInt64LE(0));
  for (const at of [0, 4, 7, 8, 9, 8 + (n >> 1), 8 + n, 9 + n, (8 + n + file.length) >> 1, file.length - 1]) {
    yield [`cut after ${at}`, file.subarray(0, at)];
  }
  yield ['a byte too many', Buffer.concat([file, Buffer.of(0)])];
  for (const length of [0n, 1n, 2n, 2n ** 31n, 2n ** 53n, 2n ** 64n - 1n]) {
    const wrong = Buffer.from(file);
    wrong.writeBigUInt64LE(length);
    yield [`header of ${length} bytes`, wrong];
  }
  yield* damaged(file.subarray(0, 8 + n), seed, 40);
}
/** A shard that holds rows of a matrix: the fields of those entries. */
const ROWS_FILE = Object.entries(JSON.parse(String(packed['model.safetensors.index.json'])).weight_map)
  .find(([name]) => name.includes('.rows.'))[1];
function* wrongRows(file) {
  for (const [what, header] of wrongFields(headerOf(file))) {
    if (what.includes('.rows.')) yield [what, withHeader(file, header)];
  }
}

/** The texts within a recording's metadata, each a JSON of its own. */
function* wrongMetadata(file) {
  const header = headerOf(file);
  for (const field of ['config', 'tokens', 'typed', 'pieces', 'next']) {
    const json = JSON.parse(header.__metadata__[field]);
    for (const [what, text] of [...wrongFields(json), ...truncated(header.__metadata__[field], 10)]) {
      const metadata = { ...header.__metadata__, [field]: text };
      yield [`${field}: ${what}`, withHeader(file, JSON.stringify({ ...header, __metadata__: metadata }))];
    }
  }
}

/** name: [folder, file, wrong files, reader]. A new file that the engine reads joins by a row. */
const INPUTS = {
  'config.json': [single, 'config.json', (file) => wrongJSON(file, 1), readModel],
  'config.json of a layer': [single, 'config.json', (file) => wrongJSON(file, 2), readLayer],
  'model.safetensors.index.json': [sharded, 'model.safetensors.index.json', (file) => wrongJSON(file, 3), readModel],
  'model.safetensors': [single, 'model.safetensors', (file) => wrongTensors(file, 4), readModel],
  'a shard with rows of a matrix': [sharded, ROWS_FILE, wrongRows, readModel],
  'tokenizer.json': [single, 'tokenizer.json', (file) => wrongJSON(file, 6), readTokenizer],
  'tokenizer_config.json': [single, 'tokenizer_config.json', (file) => wrongJSON(file, 7), readTokenizer],
  'sha256.json': [packed, 'sha256.json', (file) => wrongJSON(file, 8), readTokenizer],
  'config.json with sums': [packed, 'config.json', (file) => wrongJSON(file, 9), readTokenizer],
  'a recording': [recording, 'run.safetensors', (file) => wrongTensors(file, 10), readRecording],
  'a recording\'s metadata': [recording, 'run.safetensors', wrongMetadata, readRecording],
};

for (const [name, [files, file, wrong, read]] of Object.entries(INPUTS)) {
  test(`${name}: right, and wrong in every way`, { timeout: 120_000 }, async () => {
    for (const engine of Object.values(engines)) await read(engine, files);
    const faults = [];
    let count = 0;
    for (const [what, bytes] of wrong(files[file])) {
      const ends = {};
      for (const [side, engine] of Object.entries(engines)) {
        const { text, fault } = await outcome(() => read(engine, { ...files, [file]: bytes }));
        if (fault) faults.push(`${what}, ${side}: ${fault}`);
        ends[side] = text;
      }
      if (ends.here !== ends.worker) faults.push(`${what}: here ${ends.here}, by a worker ${ends.worker}`);
      count++;
    }
    assert.ok(count > 50, `${count} files`);
    assert.equal(faults.length, 0, `${faults.length} of ${count}:\n${faults.slice(0, 30).join('\n')}`);
    for (const engine of Object.values(engines)) await read(engine, files);
  });
}

/** @returns {Promise<{ code: number, out: string, err: string }>} */
const run = (...args) => new Promise((resolve) => {
  execFile(process.execPath, [CLI, ...args], (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }));
});

/** What does most harm to each file, for the command line: it reads through the same doors. */
const DAMAGE = { 'half of it': (bytes) => bytes.subarray(0, bytes.length >> 1), 'nothing': () => Buffer.alloc(0),
  null: () => bytesOf('null'), list: () => bytesOf('[]'), page: () => bytesOf('<!doctype html><title>x</title>') };
const COMMANDS = { 'config.json': 'model', 'model.safetensors': 'layer', 'tokenizer.json': 'record' };

test('damaged folders by the command line: one line and exit 2', async () => {
  for (const [file, command] of Object.entries(COMMANDS)) {
    for (const [what, damage] of Object.entries(DAMAGE)) {
      const dir = join(root, `${file}-${what}`);
      await cp(EXAMPLE, dir, { recursive: true });
      await writeFile(join(dir, file), damage(single[file]));
      const more = command === 'record' ? ['--out', join(root, 'out')] : [];
      const { code, out, err } = await run(command, dir, 'The cat', ...more);
      assert.equal(code, 2, `${file}, ${what}: ${err}${out}`);
      assert.equal(out, '');
      assert.match(err, /^attention-by-hand: [^\n]*expected[^\n]* \[[A-Z_]+\]\n$/, `${file}, ${what}`);
    }
  }
});
