/** Speed of the sink lab's training: one layer, T = 48, width 32, batch 16, AdamW. */
import { LAB, LAB_TASK } from '../helpers/lab-model.js';

const BATCHES = 8;

/**
 * @param {any} engine @param {number} [steps] timed ones; a hundred before them warm the compiler
 * @returns {Promise<{ gated: boolean, ms: number, best: number }[]>} ms for one update: the median
 *   of eight stretches and the fastest of them
 */
export async function benchTrainer(engine, steps = 240) {
  const rows = [];
  for (const gated of [false, true]) {
    const trainer = await engine.createTrainer({ config: { ...LAB, attn_output_gate: gated }, task: LAB_TASK, seed: 1,
      batch: 16, seqLen: 48 });
    await trainer.step(100);
    const times = [];
    for (let i = 0; i < BATCHES; i++) {
      const start = performance.now();
      await trainer.step(steps / BATCHES);
      times.push((performance.now() - start) / (steps / BATCHES));
    }
    times.sort((a, b) => a - b);
    rows.push({ gated, ms: times[BATCHES >> 1], best: times[0] });
    await trainer.close();
  }
  return rows;
}
