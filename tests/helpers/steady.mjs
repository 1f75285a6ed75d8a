/**
 * The same call over and over: `node --no-opt --expose-gc --import ./measure.mjs steady.mjs WORKERS MANY FEW` prints a
 * line of JSON for every kind of call: what each thread held after a fifth of the calls and after all of them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createEngine } from '../../web/engine/index.js';
import { openFolder } from '../../web/engine/folder.js';
import { layerShapes } from '../../web/engine/shapes.js';
import { folderPath, golden } from './golden.js';
import { LAB, LAB_TASK } from './lab-model.js';
import { measure } from './measure.mjs';

const workers = Number(process.argv[2]);
/** Calls of a cheap kind, and of one that opens files. */
const [MANY, FEW] = process.argv.slice(3).map(Number);

const engine = await createEngine({ workers, variant: 'simd' });
const tiny = folderPath('tiny4');
const { tokens } = golden('tiny4');
const example = new URL('../../web/models/example/', import.meta.url).href;
const [q, k, v] = [3, 5, 5].map((rows) => ({ shape: [rows, 4], data: Float32Array.from({ length: 4 * rows }, Math.sin) }));
const model = await engine.openModel(tiny, { cache: 'none' });
const session = await model.session();
const tokenizer = await engine.loadTokenizer(example);
const train = { config: LAB, task: LAB_TASK, seed: 3, batch: 2, seqLen: 12 };
const trainer = await engine.createTrainer(train);
const layer = await engine.openLayer({ baseURL: tiny, layer: 3, cache: 'none' });
const path = new URL('../../build/steady.safetensors', import.meta.url);
const run = await model.forward(tokens, { capture: 'all' });
await writeFile(path, run.save({ prompt: 'x' }));
const recording = await engine.openRecording(path.href);
const folder = await openFolder(tiny, { cache: 'none' });
const bytes = await readFile(new URL('model.safetensors', `file://${tiny}/`));
const tensors = Object.fromEntries(layerShapes(folder.config, 3).map(([name]) => {
  const { dtype, shape, begin, end } = folder.tensors.get(`layers.3.${name}`);
  return [`layers.0.${name}`, { dtype, shape, data: new Uint8Array(bytes.subarray(begin, end)) }];
}));
const config = await folder.json('config.json');
folder.close();
/** The folder as a server that knows ranges, without a server. */
const ownFetch = async (url, { headers }) => {
  const whole = String(url).endsWith('config.json') ? Buffer.from(JSON.stringify(config)) : bytes;
  if (String(url).endsWith('index.json')) return new Response('', { status: 404 });
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(new Headers(headers).get('range') ?? '') ?? [];
  if (from === undefined) return new Response(whole);
  return new Response(whole.subarray(Number(from), Number(to) + 1), { status: 206,
    headers: { 'content-range': `bytes ${from}-${to}/${whole.length}` } });
};
const x = Float32Array.from({ length: 2 * 64 }, Math.sin);
const forLong = new AbortController();
const { signal } = forLong;
const nothing = () => {};

/** Opens and closes. */
const opened = async (opening, use = nothing) => {
  const handle = await opening;
  await use(handle);
  await handle.close();
};
const refused = (promise) => promise.then(() => {
  throw new Error('expected it to be refused');
}, nothing);

/** @type {Record<string, [number, () => Promise<any>]>} */
const KINDS = {
  'attention': [MANY, () => engine.attention({ q, k, v, causal: false, signal })],
  'gate': [MANY, () => engine.gate({ x: [1, 2], wGate: [1, 2, 3, 4], headOut: { shape: [1, 2], data: [1, 2] } })],
  'gateSgd': [MANY, () => engine.gateSgd({ x: [1, 2], residual: [1], headOut: [2], target: [3], w0: [1, 1], steps: 9 })],
  'gqaSweep': [MANY, () => engine.gqaSweep({ heads: 8, headDim: 4, kvHeads: [8, 2], seqLen: 16 })],
  'forward with callbacks': [MANY, () => model.forward(tokens.slice(0, 3), { capture: 'all', onLayer: nothing, signal })],
  'append': [MANY, () => session.append([session.tokens.length % 97], { capture: ['probs'], signal })],
  'a session': [MANY, () => opened(model.session(), (s) => s.append([1, 2]))],
  'generate with callbacks': [MANY, () => model.generate([1, 2], { maxTokens: 2, onToken: nothing, signal })],
  'encode and decode': [MANY, async () => tokenizer.decode((await tokenizer.encode('The cat sat on the mat')).ids)],
  'layer.forward': [MANY, () => layer.forward(x.subarray(0, 2 * layer.config.hidden), { capture: 'all', signal })],
  'layer.embed with progress': [MANY, () => layer.embed([1, 2, 3], { onProgress: nothing, signal })],
  'a recorded forward': [MANY, () => recording.forward(tokens, { capture: ['probs'], onLayer: nothing })],
  'step, sample, probe': [MANY, async () => {
    await trainer.step(1, { signal });
    await trainer.sample(2, 7);
    await trainer.probe([1, 2, 3], { signal });
  }],
  'export': [MANY, () => trainer.export()],
  'refused calls': [MANY, async () => {
    await refused(engine.attention({ q: 1 }));
    await refused(model.forward([-1], { onLayer: nothing }));
    await refused(model.forward([1], { onLayer: nothing, signal: AbortSignal.abort() }));
    await refused(engine.openModel(`${tiny}/nowhere`, { onProgress: nothing, fetch: ownFetch }));
    await refused(engine.openLayer({ baseURL: tiny, layer: 99, onProgress: nothing }));
  }],
  'stopped calls': [FEW, async () => {
    const stop = new AbortController();
    await refused(model.forward(tokens, { signal: stop.signal, onLayer: () => stop.abort() }));
  }],
  'a layer from tensors': [FEW, () => opened(engine.openLayer({ config, kind: 'full_attention', tensors }))],
  'a layer from a folder': [FEW, () => opened(engine.openLayer({ baseURL: tiny, layer: 3, cache: 'none', onProgress: nothing }))],
  'a model with progress': [FEW, () => opened(engine.openModel(tiny, { cache: 'none', onProgress: nothing, signal }),
    (m) => m.forward([1, 2]))],
  'a model with fetch': [FEW, () => opened(engine.openModel('http://here/', { cache: 'none', fetch: ownFetch, signal }),
    (m) => m.forward([1, 2]))],
  'a tokenizer with progress': [FEW, () => opened(engine.loadTokenizer(example, { onProgress: nothing }))],
  'a recording': [FEW, () => opened(engine.openRecording(path.href))],
  'a trainer': [FEW, () => opened(engine.createTrainer(train), (t) => t.step(1))],
};

async function repeat(f, times) {
  for (let i = 0; i < times; i++) await f();
}

for (const [kind, [times, f]] of Object.entries(KINDS)) {
  await repeat(f, times / 5);
  const early = { threads: await measure(workers), memory: engine.memoryBytes };
  await repeat(f, times * 4 / 5);
  const late = { threads: await measure(workers), memory: engine.memoryBytes };
  console.log(JSON.stringify({ kind, times, early, late }));
}
await engine.close();
