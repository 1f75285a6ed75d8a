/**
 * One of the twins, trained in its own thread. workerData: { config, ids }; messages: { step, loss } while it learns,
 * then { weights }.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from '../../web/engine/index.js';
import { rateAt, TRAINING } from './recipe.mjs';

const REPORT_EVERY = 50;

const { variant, steps, seed, batch, seqLen, optimizer, learningRate, weightDecay } = TRAINING;
const engine = await createEngine({ variant });
const trainer = await engine.createTrainer({
  config: workerData.config, task: { kind: 'corpus', ids: workerData.ids }, seed, batch, seqLen, optimizer, learningRate, weightDecay,
});
let sum = 0;
for (let done = 0; done < steps;) {
  const { step, loss } = await trainer.step(1, { learningRate: rateAt(done) });
  done = step;
  sum += loss;
  if (step % REPORT_EVERY > 0) continue;
  parentPort.postMessage({ step, loss: sum / REPORT_EVERY });
  sum = 0;
}
const files = await trainer.export({ dtype: 'BF16' });
parentPort.postMessage({ weights: files['model.safetensors'] });
await engine.close();
