/**
 * A web server on 127.0.0.1 for a folder, with Range, that misbehaves on order and writes down every byte it sends.
 *
 *     const server = await startFaultServer(folder);
 *     server.fault({ file: 'model.safetensors', drop: 1000 });          // once
 *     server.fault({ file: /./, status: 500, times: 2 });
 *     const gate = server.hold({ file: 'model.safetensors' });          // await gate.arrived; gate.release()
 *     server.log                                                        // [{ file, begin, end, status, sent, range }]
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const PAGE = '<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head><body>Welcome</body></html>';

/**
 * @typedef {object} Fault  applies to the next `times` requests that match; then it is gone
 * @property {string | RegExp} file
 * @property {(request: { file: string, begin: number, end: number, range: boolean }) => boolean} [when]
 * @property {number} [times]            default 1; Infinity for ever
 * @property {number} [drop]             cut the connection after so many body bytes
 * @property {number} [status]           answer with this status and a short text
 * @property {string} [contentRange]     send this Content-Range
 * @property {number} [truncate]         the file has only so many bytes
 * @property {boolean} [html]            a web page with status 200
 * @property {string} [body]             this text with status 200
 * @property {boolean} [ignoreRange]     the whole file with status 200
 * @property {boolean} [gzip]            packed, Content-Encoding: gzip
 * @property {boolean} [noLength]        no Content-Length
 * @property {boolean} [noContentRange]  206 without Content-Range
 * @property {boolean} [endless]         all asked for, and then the connection stays open
 * @property {Promise<void>} [gate]      wait for it before the headers, or before byte `gateAt` of the body
 * @property {number} [gateAt]
 * @property {() => void} [onArrive]
 * @property {Record<string, string>} [headers]
 */

const send = (response, bytes) => new Promise((resolve) => {
  if (!bytes.length || response.destroyed) resolve(undefined);
  else if (response.write(bytes)) resolve(undefined);
  else {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve(undefined);
    };
    response.on('drain', go).on('close', go);
  }
});

/** What a request asks for, of a file that seems to be `size` long. */
function wantedRange(header, size) {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined) return { begin: 0, end: size, range: false };
  return { begin: Number(from), end: to === '' ? size : Math.min(size, Number(to) + 1), range: true };
}

/**
 * @param {string | Record<string, Uint8Array | string>} folder  a path, or the files themselves
 * @param {{ headers?: Record<string, string> }} [options]
 */
export async function startFaultServer(folder, { headers: always = {} } = {}) {
  const log = [];
  /** @type {Fault[]} */
  const faults = [];

  async function load(file) {
    if (typeof folder === 'string') return readFile(join(folder, file));
    if (!Object.hasOwn(folder, file)) throw new Error('no such file');
    return Buffer.from(folder[file]);
  }

  function takeFault(request) {
    const at = faults.findIndex(({ file, when }) =>
      (typeof file === 'string' ? file === request.file : file.test(request.file)) && (!when || when(request)));
    if (at < 0) return {};
    const fault = faults[at];
    fault.times -= 1;
    if (fault.times <= 0) faults.splice(at, 1);
    return fault;
  }

  async function answer(request, response) {
    const file = decodeURIComponent(new URL(request.url, 'http://x').pathname).slice(1);
    const asked = wantedRange(request.headers.range, Infinity);
    const entry = { method: request.method, file, ...asked, status: 0, sent: 0 };
    log.push(entry);
    const fault = takeFault(entry);
    fault.onArrive?.();
    if (fault.gate && fault.gateAt === undefined) await fault.gate;
    if (response.destroyed) return;

    const finish = (status, body, headers = {}) => {
      entry.status = status;
      response.writeHead(status, { ...always, ...headers, ...fault.headers });
      entry.sent += body.length;
      response.end(body);
    };
    if (fault.status) return void finish(fault.status, `status ${fault.status}`, { 'Content-Type': 'text/plain' });
    if (fault.html) return void finish(200, PAGE, { 'Content-Type': 'text/html' });
    if (fault.body !== undefined) return void finish(200, fault.body, { 'Content-Type': 'text/plain' });
    let bytes;
    try {
      bytes = await load(file);
    } catch {
      return void finish(404, 'not found', { 'Content-Type': 'text/plain' });
    }
    if (fault.truncate !== undefined) bytes = bytes.subarray(0, fault.truncate);
    const { begin, end, range } = fault.ignoreRange ? wantedRange('', bytes.length)
      : wantedRange(request.headers.range, bytes.length);
    Object.assign(entry, { begin, end });
    if (range && begin >= bytes.length) return void finish(416, '', { 'Content-Range': `bytes */${bytes.length}` });

    const plain = bytes.subarray(begin, end);
    const body = fault.gzip ? gzipSync(plain) : plain;
    entry.status = range ? 206 : 200;
    response.writeHead(entry.status, {
      'Content-Type': 'application/octet-stream',
      ...(fault.gzip && { 'Content-Encoding': 'gzip' }),
      ...(!fault.noLength && !fault.endless && { 'Content-Length': body.length }),
      ...(range && !fault.noContentRange &&
        { 'Content-Range': fault.contentRange ?? `bytes ${begin}-${end - 1}/${bytes.length}` }),
      ...always, ...fault.headers,
    });
    const stop = fault.drop ?? body.length;
    const cut = Math.min(stop, fault.gateAt ?? stop);
    for (const [from, to] of [[0, cut], [cut, stop]]) {
      if (from > 0 || fault.gateAt === 0) await (fault.gateAt === undefined ? undefined : fault.gate);
      for (let at = from; at < to && !response.destroyed; at += 65536) {
        const chunk = body.subarray(at, Math.min(to, at + 65536));
        await send(response, chunk);
        entry.sent += chunk.length;
      }
    }
    if (fault.drop !== undefined) setImmediate(() => request.socket.destroy());
    else if (!fault.endless) response.end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    url: `http://127.0.0.1:${port}/`,
    log,
    /** @param {Fault} fault */
    fault: (fault) => void faults.push({ times: 1, ...fault }),
    /** No more faults. */
    heal: () => void faults.splice(0),
    /** Hold back an answer until release(). @param {Fault} fault */
    hold(fault) {
      let release;
      let onArrive;
      const gate = new Promise((resolve) => {
        release = resolve;
      });
      const arrived = new Promise((resolve) => {
        onArrive = resolve;
      });
      faults.push({ times: 1, ...fault, gate, onArrive });
      return { arrived, release };
    },
    /** Body bytes sent of the files that match. @param {RegExp} [pattern] */
    sent: (pattern = /./) => log.filter(({ file }) => pattern.test(file)).reduce((sum, { sent }) => sum + sent, 0),
    async close() {
      const closed = new Promise((resolve) => server.close(() => resolve(undefined)));
      server.closeAllConnections();
      await closed;
    },
  };
}
