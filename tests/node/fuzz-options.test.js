/**
 * Every option and argument of every call as something else than it should be: a right result or an EngineError that
 * names it, and the same answer from a worker. A new call or option joins by a row; one without is found.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEngine, inspectModel, loadTokenizer } from '../../web/engine/index.js';
import { fetchOf } from '../helpers/synthetic-model.js';
import { outcome, VALUE_KINDS } from '../helpers/fuzz.js';

const ENGINE = new URL('../../web/engine/', import.meta.url);
const EXAMPLE = fileURLToPath(new URL('../../web/models/example/', import.meta.url));
const BASE = 'http://model.test/';
const IDS = [3, 600, 17];

const engines = { here: await createEngine(), worker: await createEngine({ workers: 1 }) };
after(() => Promise.all(Object.values(engines).map((engine) => engine.close())));

/** The example's files, and a recording of it. */
const files = new Map();
const addFile = (name, bytes) => files.set(name,
  { size: bytes.length, *read(begin, end) { yield Uint8Array.from(bytes.subarray(begin, end)); } });
for (const name of await readdir(EXAMPLE)) addFile(name, await readFile(EXAMPLE + name));
const source = await engines.here.openModel(EXAMPLE);
const config = JSON.parse(await readFile(`${EXAMPLE}config.json`, 'utf8'));
const liveRun = await source.forward(IDS, { capture: ['probs'] });
addFile('run.safetensors', liveRun.save({ prompt: 'a' }));
await source.close();
const fetch = fetchOf(files);
const web = { fetch, cache: 'none', network: { retries: 0, backoffMs: 0 } };

const trainerConfig = { vocab_size: 9, hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, head_dim: 8,
  layer_types: ['full_attention'], intermediate_size: 8, num_key_value_heads: 1, max_position_embeddings: 64 };
const trainerOptions = { config: trainerConfig, task: { kind: 'bigram-backcopy', vocab: 8, triggers: 2 }, seqLen: 8, batch: 2 };
const layerTensors = async () => {
  const trainer = await engines.here.createTrainer(trainerOptions);
  const bytes = (await trainer.export())['model.safetensors'];
  await trainer.close();
  const n = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + n)));
  delete header.__metadata__;
  return Object.fromEntries(Object.entries(header).map(([name, { dtype, shape, data_offsets: [a, b] }]) =>
    [name.replace(/^model\./, ''), { dtype, shape, data: bytes.slice(8 + n + a, 8 + n + b) }]));
};
const tensors = await layerTensors();

/** Handles that calls are made on, one of each on each side. */
async function openAll(engine) {
  const model = await engine.openModel(BASE, web);
  return {
    engine, model,
    session: await model.session(),
    layer: await engine.openLayer({ baseURL: BASE, layer: 3, ...web }),
    recording: await engine.openRecording(`${BASE}run.safetensors`, { fetch }),
    tokenizer: await engine.loadTokenizer(BASE, web),
    trainer: await engine.createTrainer(trainerOptions),
    run: await model.forward(IDS, { capture: ['probs'] }),
  };
}
const sides = { here: await openAll(engines.here), worker: await openAll(engines.worker) };

const closing = (promise) => promise.then((handle) => handle.close());
const anything = { onProgress: () => {}, signal: new AbortController().signal };

/**
 * where: as the checker of options names the call · args: arguments before the options, right ones · options: right
 * ones · call(handles, ...args, options) · local: not through workers · also: options left out of `options` on purpose
 */
const CALLS = [
  { where: 'createEngine', options: { variant: 'auto', wasmURL: undefined, workers: 0, signal: anything.signal },
    call: (_, o) => closing(createEngine(o)), local: true },
  { where: 'inspectModel', args: { baseURL: BASE }, options: { ...web, signal: anything.signal },
    call: (_, base, o) => inspectModel(base, o), local: true },
  { where: 'attention', call: ({ engine }, o) => engine.attention(o), options: { q: [1, 2], k: [1, 2, 3, 4], v: [1, 2],
    queries: 1, keys: 2, dim: 2, valueDim: 1, causal: false, scale: 1, signal: anything.signal } },
  { where: 'gate', call: ({ engine }, o) => engine.gate(o),
    options: { x: [1], wGate: [1, 2], headOut: [1, 2], features: 1, heads: 1, dim: 2, signal: anything.signal } },
  { where: 'gateSgd', call: ({ engine }, o) => engine.gateSgd(o), options: { x: [1, 2], residual: [1, 2], headOut: [1, 2],
    target: [1, 2], w0: [1], learningRate: 1, steps: 2, n: 2, features: 1, signal: anything.signal } },
  { where: 'gqaSweep', call: ({ engine }, o) => engine.gqaSweep(o), options: { heads: 4, headDim: 2, kvHeads: [4, 2], layers: 1,
    seqLen: 4, bytesPerValue: 2, measure: false, signal: anything.signal } },
  { where: 'openLayer', name: 'openLayer of a folder', call: ({ engine }, o) => closing(engine.openLayer(o)),
    options: { baseURL: BASE, layer: 0, ...web, ...anything } },
  { where: 'openLayer', name: 'openLayer of tensors', call: ({ engine }, o) => closing(engine.openLayer(o)),
    options: { config: trainerConfig, kind: 'full_attention', tensors } },
  { where: 'openModel', args: { baseURL: BASE }, call: ({ engine }, base, o) => closing(engine.openModel(base, o)),
    options: { layers: 1, keep: 'stream', quantize: 'none', ...web, ...anything } },
  { where: 'forward', args: { ids: IDS }, call: ({ model }, ids, o) => model.forward(ids, o),
    options: { capture: ['v'], logits: 'last', interventions: [], onLayer: () => {}, signal: anything.signal } },
  { where: 'session', call: ({ model }, o) => closing(model.session(o)), options: {} },
  { where: 'append', args: { ids: IDS }, options: { capture: [], interventions: [], signal: anything.signal },
    call: async ({ model }, ids, o) => {
      const session = await model.session();
      await session.append(ids, o).finally(() => session.close());
    } },
  { where: 'generate', args: { ids: IDS }, call: ({ model }, ids, o) => model.generate(ids, o),
    options: { maxTokens: 2, stopIds: [], onToken: () => {}, signal: anything.signal } },
  { where: 'layer.forward', args: { x: { shape: [1, 64], data: new Float32Array(64) } },
    call: ({ layer }, x, o) => layer.forward(x, o), options: { capture: [], signal: anything.signal } },
  { where: 'layer.embed', args: { ids: IDS }, call: ({ layer }, ids, o) => layer.embed(ids, o), options: { ...anything } },
  { where: 'openRecording', args: { url: `${BASE}run.safetensors` }, options: { fetch, network: { retries: 0 }, signal: anything.signal },
    call: ({ engine }, url, o) => closing(engine.openRecording(url, o)) },
  { where: 'forward', name: 'recording.forward', args: { ids: IDS }, call: ({ recording }, ids, o) => recording.forward(ids, o),
    options: { capture: ['probs'], logits: 'last', interventions: [], onLayer: () => {}, signal: anything.signal } },
  { where: 'save', call: ({ run }, o) => run.save(o), options: { prompt: 'a', pieces: [], next: [], date: '2026-11-30' } },
  { where: 'loadTokenizer', args: { baseURL: BASE }, call: ({ engine }, base, o) => closing(engine.loadTokenizer(base, o)),
    options: { ...web, ...anything } },
  { where: 'loadTokenizer', name: 'loadTokenizer by itself', args: { baseURL: BASE }, options: { ...web, ...anything },
    call: (_, base, o) => closing(loadTokenizer(base, o)), local: true },
  { name: 'encode', args: { text: 'The cat' }, call: ({ tokenizer }, text) => tokenizer.encode(text) },
  { name: 'decode', args: { ids: [1, 2] }, call: ({ tokenizer }, ids) => tokenizer.decode(ids) },
  { name: 'pieces', args: { ids: [1, 2] }, call: ({ tokenizer }, ids) => tokenizer.pieces(ids) },
  { where: 'createTrainer', call: ({ engine }, o) => closing(engine.createTrainer(o)), options: { ...trainerOptions, seed: 1, signal: anything.signal,
    optimizer: 'sgd', learningRate: 0.1, weightDecay: 0, clip: 1 } },
  { where: 'task', options: trainerOptions.task,
    call: ({ engine }, task) => closing(engine.createTrainer({ ...trainerOptions, task })) },
  { where: 'task', name: 'task of a corpus', options: { kind: 'corpus', ids: [1, 2, 3, 4, 5, 6, 7, 8, 1, 2] },
    call: ({ engine }, task) => closing(engine.createTrainer({ ...trainerOptions, task })) },
  { where: 'trainer.step', args: { n: 1 }, options: { learningRate: 1e-3, signal: anything.signal },
    call: ({ trainer }, n, o) => trainer.step(n, o) },
  { name: 'sample', args: { n: 1, seed: 1 }, call: ({ trainer }, n, seed) => trainer.sample(n, seed) },
  { where: 'trainer.probe', args: { ids: [1, 2] }, options: { capture: 'all', signal: anything.signal },
    call: ({ trainer }, ids, o) => trainer.probe(ids, o) },
  { where: 'trainer.export', options: { dtype: 'F32' }, call: ({ trainer }, o) => trainer.export(o) },
  { name: 'deleteCache', args: { baseURL: BASE }, call: ({ engine }, base) => engine.deleteCache(base) },
];

/** Wrong in their own ways, beside VALUE_KINDS. */
const MORE = {
  fetch: { 'gives null': () => async () => null, 'gives nothing': () => () => {}, 'gives text': () => () => 'frob',
    throws: () => () => { throw new Error('frob'); }, rejects: () => () => Promise.reject('frob'),
    'gives no bytes': () => async () => ({ status: 200, body: { getReader: () => ({ read: async () => ({ value: 'frob' }),
      cancel: async () => {} }) } }),
    'gives a page': () => async () => new Response('<!doctype html>') },
  network: Object.fromEntries(['stallMs', 'retries', 'backoffMs', 'parallel', 'wholeLimit', 'frob'].flatMap((key) =>
    Object.entries(VALUE_KINDS).map(([kind, make]) => [`${key}: ${kind}`, () => ({ retries: 0, [key]: make() })]))),
  interventions: Object.fromEntries(['layer', 'head', 'gate', 'zero', 'kv', 'hideFirst', 'frob'].flatMap((key) =>
    Object.entries(VALUE_KINDS).map(([kind, make]) => [`${key}: ${kind}`, () => [{ layer: 3, head: 0, zero: true, [key]: make() }]]))),
  pieces: Object.fromEntries(['bytes', 'text'].flatMap((key) =>
    Object.entries(VALUE_KINDS).map(([kind, make]) => [`${key}: ${kind}`, () => [{ [key]: make() }]]))),
  tensors: Object.fromEntries(['dtype', 'shape', 'data'].flatMap((key) => Object.entries(VALUE_KINDS).map(([kind, make]) =>
    [`${key}: ${kind}`, () => ({ ...tensors, 'layers.0.self_attn.q_proj.weight': {
      ...tensors['layers.0.self_attn.q_proj.weight'], [key]: make() } })]))),
  config: Object.fromEntries(Object.keys(trainerConfig).flatMap((key) => Object.entries(VALUE_KINDS).map(([kind, make]) =>
    [`${key}: ${kind}`, () => ({ ...trainerConfig, [key]: make() })]))),
  onProgress: { 'returns a function': () => () => () => 1, 'returns a promise': () => async () => 1 },
  onLayer: { 'returns a function': () => () => () => 1 },
  onToken: { 'returns a function': () => () => () => 1 },
};

/** One call with one thing wrong on both sides. */
async function compare(row, what, make, faults) {
  const ends = {};
  for (const [side, handles] of Object.entries(sides)) {
    if (row.local && side !== 'here') continue;
    const { args, options } = make();
    const end = await outcome(() => row.call(handles, ...Object.values(args), ...(row.options ? [options] : [])));
    if (end.fault) faults.push(`${what}, ${side}: ${end.fault}`);
    ends[side] = end.text;
  }
  // an address crosses as text, and a text may be right where an address is not
  const isText = what.endsWith('address') && ends.worker === 'right';
  const differs = ends.worker !== undefined && ends.worker !== ends.here && !isText;
  const onlyHere = /'auto' or 'none' with workers/.test(ends.worker); // a store of one's own cannot cross
  if (differs && !onlyHere) faults.push(`${what}: here ${ends.here}, by a worker ${ends.worker}`);
  return ends.here;
}

for (const row of CALLS) {
  const { where, name = where, args = {}, options = {} } = row;
  test(`${name}: right, and every wrong value`, { timeout: 60_000 }, async () => {
    const faults = [];
    assert.equal(await compare(row, 'as it should be', () => ({ args, options }), faults), 'right', faults.join('\n'));
    for (const list of ['args', 'options']) {
      for (const key of Object.keys(row[list] ?? {})) {
        for (const [kind, make] of Object.entries({ ...VALUE_KINDS, ...MORE[key] })) {
          const wrong = () => ({ args: { ...args }, options: { ...options }, [list]: { ...row[list], [key]: make() } });
          const end = await compare(row, `${key}: ${kind}`, wrong, faults);
          const named = end === 'right' || end.includes(key) || /^(HTTP|NETWORK|NOT_WEIGHTS) /.test(end) ||
            (key === 'config' && /config\.json|tensor /.test(end)) || (key === 'tensors' && /tensor /.test(end)) ||
            /^NOT_RECORDED /.test(end) || /^OUT_OF_MEMORY /.test(end) || end.includes('queries');
          if (!named) faults.push(`${key}: ${kind}: the message does not name it: ${end}`);
        }
      }
    }
    if (row.options) {
      for (const [kind, make] of Object.entries(VALUE_KINDS)) {
        if (make() === null) continue; // as if there were none
        await compare(row, `options: ${kind}`, () => ({ args, options: make() }), faults);
      }
    }
    assert.equal(faults.length, 0, `${faults.length} of them:\n${faults.slice(0, 30).join('\n')}`);
  });
}

test('every name that the checkers know has a row', async () => {
  const seen = new Set();
  for (const row of CALLS.filter(({ where }) => where)) {
    const { args = {}, options } = row;
    seen.add(row.where);
    const { error } = await outcome(() => row.call(sides.here, ...Object.values(args), { ...options, frob: 1 }));
    const [, known] = new RegExp(`^${row.where}: option: expected (.*), found frob$`).exec(error?.message ?? '') ?? [];
    assert.ok(known, `${row.name ?? row.where}: ${error?.message}`);
    const others = row.where === 'openLayer' ? CALLS.filter(({ where }) => where === 'openLayer') : [row];
    const have = new Set(others.flatMap((r) => Object.keys(r.options)));
    if (known !== 'none') assert.deepEqual(known.split(', ').filter((name) => !have.has(name)), [], row.where);
  }
  const text = (await Promise.all((await readdir(ENGINE)).map((name) => readFile(new URL(name, ENGINE), 'utf8')))).join('\n');
  const calls = [...text.matchAll(/\boptions\('([^']+)', /g)].map(([, where]) => where);
  assert.ok(calls.length >= 20);
  assert.deepEqual([...new Set(calls)].filter((where) => !seen.has(where)), []);
});

test('after everything the handles still answer', async () => {
  for (const { model, tokenizer, trainer } of Object.values(sides)) {
    assert.equal((await model.forward(IDS)).logits.data.length, config.vocab_size);
    assert.equal((await tokenizer.encode('The cat')).pieces.length > 0, true);
    assert.ok((await trainer.step(1)).loss > 0);
  }
});

test('what is closed says so, by itself and inside a callback', async () => {
  for (const engine of Object.values(engines)) {
    const all = await openAll(engine);
    for (const handle of ['session', 'layer', 'tokenizer', 'trainer', 'recording', 'model']) await all[handle].close();
    for (const [what, call] of Object.entries({
      model: () => all.model.forward(IDS), generate: () => all.model.generate(IDS, { maxTokens: 1 }),
      session: () => all.session.append(IDS), layer: () => all.layer.forward([1]), encode: () => all.tokenizer.encode('a'),
      decode: () => all.tokenizer.decode([1]), trainer: () => all.trainer.step(1), more: () => all.session.generate(IDS, { maxTokens: 1 }),
    })) {
      const { text, fault } = await outcome(call);
      assert.equal(fault, undefined, `${what}: ${fault}`);
      assert.match(text, /^BAD_OPTION \w+: expected an open one, found a closed one$/, what);
    }
    for (let at = 0; at < 4; at++) {
      const model = await engine.openModel(BASE, web);
      let closed;
      const { text, fault } = await outcome(() => model.forward(IDS, { onLayer: (i) => {
        if (i === at) closed = model.close();
      } }));
      assert.equal(fault, undefined);
      assert.match(text, /^(ABORTED|BAD_OPTION|right)/);
      await closed;
    }
  }
});
