/**
 * A streamed forward of Qwen3.5-0.8B's shape against a bare download of the same bytes, both from a server throttled
 * to 100 MB/s; the ratio pair by pair.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../web/engine/index.js';

const RATE = 100e6;
const T = 16;
const REQUEST = 16 << 20;

/** The same bytes with nothing done to them, over as many connections. */
async function bareDownload(base, begin, end) {
  let at = begin;
  const line = async () => {
    while (at < end) {
      const from = at;
      at = Math.min(end, at + REQUEST);
      const response = await fetch(`${base}model.safetensors`, { headers: { range: `bytes=${from}-${at - 1}` } });
      for await (const chunk of response.body) if (chunk.length < 0) throw new Error('unreachable');
    }
  };
  await Promise.all([line(), line(), line(), line()]);
}

/** @param {number} [pairs] */
export async function benchStreaming(pairs = 3) {
  const server = spawn(process.execPath,
    [fileURLToPath(new URL('../helpers/synthetic-server.mjs', import.meta.url)), '--rate', String(RATE)],
    { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  const base = String(line).trim();
  const engine = await createEngine();
  const rows = [];
  try {
    for (let i = 0; i < pairs; i++) {
      let bytes = 0;
      let start = performance.now();
      const model = await engine.openModel(base, { keep: 'stream', cache: 'none', onProgress: (p) => { bytes = p.loadedBytes; } });
      await model.forward(Array.from({ length: T }, (_, t) => t * 11), { logits: 'none' });
      const forward = performance.now() - start;
      const memory = engine.memoryBytes;
      await model.close();
      start = performance.now();
      await bareDownload(base, 510e6, 510e6 + bytes);
      const bare = performance.now() - start;
      rows.push({ bytes, forward, bare, ratio: forward / bare, memory });
    }
  } finally {
    await engine.close();
    server.kill();
  }
  return rows;
}
