/**
 * Serves a synthetic model from a process of its own, so that its work never slows the one that is measured:
 *   node synthetic-server.mjs --rate 100e6 [--config JSON]
 * Prints its address; ends with its standard input.
 */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { syntheticModel } from './synthetic-model.js';

const { values } = parseArgs({ options: { rate: { type: 'string' }, config: { type: 'string' } } });
const rate = Number(values.rate ?? Infinity); // bytes a second, all connections together
const files = syntheticModel(values.config ? JSON.parse(values.config) : undefined);

let due = 0;
/** Waits until so many bytes more are allowed. */
async function allow(bytes) {
  if (rate === Infinity) return;
  due = Math.max(due, performance.now() - 20) + bytes / rate * 1000;
  const wait = due - performance.now();
  if (wait > 2) await new Promise((resolve) => setTimeout(resolve, wait));
}

async function* paced(chunks) {
  for (const chunk of chunks) {
    await allow(chunk.length);
    yield chunk;
  }
}

const server = createServer(async (request, response) => {
  const file = files.get(decodeURIComponent(request.url.split('?')[0].slice(1)));
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const begin = first ? Number(first) : 0;
  const end = last ? Number(last) + 1 : file.size;
  response.writeHead(first ? 206 : 200, { 'content-length': end - begin, 'accept-ranges': 'bytes',
    ...(first ? { 'content-range': `bytes ${begin}-${end - 1}/${file.size}` } : {}) });
  await pipeline(Readable.from(paced(file.read(begin, end)), { objectMode: false, highWaterMark: 1 << 20 }), response)
    .catch(() => {}); // the reader has gone
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${/** @type {any} */ (server.address()).port}/`));
process.stdin.resume().on('end', () => process.exit(0));
