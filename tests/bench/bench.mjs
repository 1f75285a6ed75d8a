/** `make bench`: start-up, page, layer speed, streaming, training. Medians of this run on this machine. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../web/engine/index.js';
import { supported, VARIANTS } from '../../web/engine/variants.js';
import { benchFirstToy } from './first-toy.mjs';
import { benchLayer } from './layer.mjs';
import { benchStreaming } from './streaming.mjs';
import { benchTrainer } from './trainer.mjs';
import { benchTraining } from './training.mjs';

const only = process.argv.slice(2);
const wanted = (name) => only.length === 0 || only.includes(name);
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

console.log(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores`);

if (wanted('startup')) {
  const file = fileURLToPath(new URL('startup.mjs', import.meta.url));
  const times = Array.from({ length: 9 }, () => Number(execFileSync(process.execPath, [file])));
  console.log(`engine start to first toy result: ${median(times).toFixed(1)} ms (${Math.min(...times).toFixed(1)} to ` +
    `${Math.max(...times).toFixed(1)}, 9 processes)`);
}

if (wanted('page')) {
  for (const lang of ['en', 'zh-CN']) {
    const times = await benchFirstToy(lang);
    console.log(typeof times === 'string' ? `page to first toy: ${times}` : `page to first toy (${lang}), Chromium started anew: ` +
      `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}, ${times.length} loads)`);
  }
}

if (wanted('layer')) {
  console.log('full-attention layer of Qwen3.5-0.8B, bf16 weights, one thread:');
  for (const variant of VARIANTS.filter(supported)) {
    const engine = await createEngine({ variant }).catch(() => undefined);
    if (!engine) continue;
    const rows = await benchLayer(engine, variant === 'scalar' ? 2 : 9);
    console.log(`  ${variant.padEnd(8)} ${rows.map((r) => `T=${r.T}: ${r.ms.toFixed(1)} ms, ${r.gflops.toFixed(1)} GFLOP/s`).join(' · ')}`);
    await engine.close();
  }
}

if (wanted('streaming')) {
  const rows = await benchStreaming();
  for (const r of rows) {
    console.log(`streamed forward, T=16, 100 MB/s: ${(r.bytes / 1e6).toFixed(0)} MB in ${(r.forward / 1000).toFixed(2)} s, bare download ` +
      `${(r.bare / 1000).toFixed(2)} s, ratio ${r.ratio.toFixed(3)}, WASM memory ${(r.memory / 2 ** 20).toFixed(0)} MiB`);
  }
  console.log(`median ratio ${median(rows.map((r) => r.ratio)).toFixed(3)}`);
}

if (wanted('training')) {
  const engine = await createEngine();
  const rows = await benchTrainer(engine);
  console.log(`sink lab, batch 16, ${engine.variant}: ${rows.map((r) => `${r.gated ? 'gated' : 'ungated'} ${r.ms.toFixed(1)} ms per update ` +
    `(1000 in ${r.ms.toFixed(1)} s, best stretch ${r.best.toFixed(1)} s)`).join(' · ')}`);
  await engine.close();
  const lab = await benchTraining();
  console.log(typeof lab === 'string' ? `sink lab in Chromium: ${lab}` : `sink lab in Chromium, 1000 updates, ${lab.variant}, both models at ` +
    `once: ungated ${lab.seconds[0].toFixed(1)} s, gated ${lab.seconds[1].toFixed(1)} s, longest frame ${lab.worstFrame.toFixed(0)} ms`);
}
