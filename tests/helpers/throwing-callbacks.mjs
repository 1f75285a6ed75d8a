/**
 * Callbacks that throw: `node throwing-callbacks.mjs WORKERS` prints, for each, how its call ended and what was reported
 * as uncaught in this process, and whether the calls after it were right.
 */
import { createEngine } from '../../web/engine/index.js';
import { folderPath, golden } from './golden.js';

let reported = [];
let heard = () => {};
process.on('uncaughtException', (error) => {
  reported.push(error.message);
  heard();
});
/** Resolves when something is reported, or has been. */
const aReport = () => new Promise((resolve) => {
  heard = () => resolve(undefined);
  if (reported.length) heard();
});

const engine = await createEngine({ workers: Number(process.argv[2]), variant: 'simd' });
const tiny = folderPath('tiny4');
const example = new URL('../../web/models/example/', import.meta.url).href;
const { tokens, greedy } = golden('tiny4');
const model = await engine.openModel(tiny, { cache: 'none' });
const plain = await model.forward(tokens);
const thrower = (what) => () => {
  throw new Error(what);
};

const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
const CALLS = {
  onLayer: async (f) => same((await model.forward(tokens, { onLayer: f })).logits.data, plain.logits.data),
  onToken: async (f) => same(await model.generate(tokens, { maxTokens: 3, onToken: f }), greedy.tokens.slice(0, 3)),
  'onProgress of a model': async (f) => {
    const own = await engine.openModel(tiny, { cache: 'none', onProgress: f });
    const { logits } = await own.forward(tokens);
    const session = await own.session();
    const appended = await session.append(tokens);
    await own.close();
    return same(logits.data, plain.logits.data) && appended.logits.data.length === plain.logits.data.length;
  },
  'onProgress of a layer': async (f) => {
    const layer = await engine.openLayer({ baseURL: tiny, layer: 3, cache: 'none', onProgress: f });
    const { data } = await layer.embed([1, 2]);
    await layer.close();
    return data.every(Number.isFinite);
  },
  'onProgress of an embedding': async (f) => {
    const layer = await engine.openLayer({ baseURL: tiny, layer: 3, cache: 'none' });
    const { data } = await layer.embed([1, 2], { onProgress: f });
    await layer.close();
    return data.every(Number.isFinite);
  },
  'onProgress of a tokenizer': async (f) => (await engine.loadTokenizer(example, { onProgress: f })).vocab > 100,
};

for (const [what, call] of Object.entries(CALLS)) {
  reported = [];
  const own = await call(thrower(what)).catch((error) => String(error));
  await aReport();
  const first = reported;
  reported = [];
  const later = await Promise.all([call(() => {}), model.forward(tokens).then((run) => same(run.logits.data, plain.logits.data)),
    engine.gqaSweep({ heads: 4, headDim: 2 }).then((rows) => rows.length === 1)]).catch((error) => [String(error)]);
  console.log(JSON.stringify({ what, own, reported: [...new Set(first)], later, reportedLater: reported }));
}
await engine.close();
