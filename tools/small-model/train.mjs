/**
 * Trains the two small models that ship with the page, side by side on two cores, measures them and writes their
 * folders with a model card each.
 *
 *     node tools/small-model/train.mjs FOLDER      writes FOLDER/small and FOLDER/small-ungated
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { loadTokenizer } from '../../web/engine/index.js';
import { modelCard } from './card.mjs';
import { modelConfig } from './config.mjs';
import { corpusIds, documents } from './corpus.mjs';
import { CORPUS, sharedTokenizer, writeFolder } from './folder.mjs';
import { measureModel } from './measure.mjs';
import { SHAPE, TRAINING, TWINS } from './recipe.mjs';

/** @param {typeof TWINS[number]} twin @param {any} config @param {Int32Array} ids */
function trainTwin({ folder }, config, ids) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./twin.mjs', import.meta.url), { workerData: { config, ids } });
    let last;
    worker.on('message', ({ weights, ...progress }) => {
      if (weights) return resolve({ weights, loss: last.loss });
      last = progress;
      if (progress.step % 100 === 0) console.log(`${folder} step ${progress.step} loss ${progress.loss.toFixed(3)}`);
      return undefined;
    });
    worker.on('error', reject);
  });
}

/** @param {string} out */
async function train(out) {
  const tokenizerFiles = sharedTokenizer();
  const end = tokenizerFiles['tokenizer.json'].added_tokens[0].id;
  const configs = TWINS.map(({ gated, note }) => modelConfig({ vocab: end + 1, end, ...SHAPE, gated, note }));
  for (const { folder } of TWINS) await writeFolder(join(out, folder), tokenizerFiles);
  const tokenizer = await loadTokenizer(join(out, TWINS[0].folder));
  const ids = await corpusIds(documents(CORPUS.documents, CORPUS.seed), tokenizer, end);

  const begun = Date.now();
  const results = await Promise.all(TWINS.map((twin, i) => trainTwin(twin, configs[i], ids)));
  console.log(`trained ${TRAINING.steps} steps in ${Math.round((Date.now() - begun) / 1000)} s`);
  for (const [i, { folder }] of TWINS.entries()) {
    await writeFolder(join(out, folder), { 'config.json': configs[i], 'model.safetensors': results[i].weights });
  }
  const found = [];
  for (const { folder } of TWINS) found.push(await measureModel(join(out, folder)));
  for (const [i, twin] of TWINS.entries()) {
    await writeFolder(join(out, twin.folder), { 'MODEL.md': modelCard({ twin, config: configs[i], tokens: ids.length,
      loss: results[i].loss, found: found[i], other: found[1 - i] }) });
  }
}

if (!process.argv[2]) {
  console.error('usage: node tools/small-model/train.mjs FOLDER');
  process.exit(2);
}
await train(process.argv[2]);
