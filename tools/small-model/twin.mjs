/**
 * One of the twins, trained in its own thread. workerData: { config, ids }; messages: { step, loss } while it learns,
 * then { weights }.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from '../../web/engine/index.js';
import { TRAINING } from './recipe.mjs';

const REPORT_EVERY = 50;

const { variant, steps, ...recipe } = TRAINING;
const engine = await createEngine({ variant });
const trainer = await engine.createTrainer({
  config: workerData.config, task: { kind: 'corpus', ids: workerData.ids }, ...recipe,
});
for (let done = 0; done < steps;) {
  const { step, loss } = await trainer.step(Math.min(REPORT_EVERY, steps - done));
  done = step;
  parentPort.postMessage({ step, loss });
}
const files = await trainer.export({ dtype: 'BF16' });
parentPort.postMessage({ weights: files['model.safetensors'] });
await engine.close();
