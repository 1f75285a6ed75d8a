/**
 * The sink lab in Chromium: both models learn at once, one worker each, while the page draws frames.
 * Uses the engine's test page, built into build/engine-site.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { openBrowser, waits } from '../helpers/browser.js';
import { LAB, LAB_TASK } from '../helpers/lab-model.js';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const SITE = at('../../build/engine-site');

/** @returns {Promise<{ seconds: number[], worstFrame: number, variant: string } | string>} seconds for 1000 updates
 *    (ungated, gated) and the longest time between two frames meanwhile, in ms; or why it cannot run here */
export async function benchTraining() {
  if (waits) return waits;
  await build({ root: at('../browser/engine-page'), base: './', logLevel: 'error', worker: { format: 'es' },
    build: { outDir: SITE, emptyOutDir: true, target: 'es2022' } });
  mkdirSync(`${SITE}/wasm`, { recursive: true });
  cpSync(at('../../build/wasm'), `${SITE}/wasm`, { recursive: true });
  const closing = [];
  const open = openBrowser((f) => closing.push(f), SITE);
  const { page, close } = await open({ whole: false });
  try {
    return await page.evaluate(async ([config, task]) => {
      const engines = await Promise.all([0, 1].map(() => window.api.createEngine({ wasmURL: window.wasmURL, workers: 1 })));
      const trainers = await Promise.all(engines.map((engine, i) => engine.createTrainer({
        config: { ...config, attn_output_gate: i === 1 }, task, seed: 1, batch: 16, seqLen: 48 })));
      let running = true;
      let worstFrame = 0;
      let last = performance.now();
      const frame = (now) => {
        worstFrame = Math.max(worstFrame, now - last);
        last = now;
        if (running) requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      const seconds = await Promise.all(trainers.map(async (trainer) => {
        const begun = performance.now();
        for (let done = 0; done < 1000; done += 20) await trainer.step(20);
        return (performance.now() - begun) / 1000;
      }));
      running = false;
      await Promise.all(engines.map((engine) => engine.close()));
      return { seconds, worstFrame, variant: engines[0].variant };
    }, [LAB, LAB_TASK]);
  } finally {
    await close();
    for (const f of closing) await f();
  }
}
