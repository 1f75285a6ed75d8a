import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../web/engine/errors.js';
import { exchange } from '../../web/engine/exchange.js';
import { createTransport, readNetwork } from '../../web/engine/transport.js';
import { readBases } from '../../web/engine/address.js';
import { startFaultServer } from '../helpers/fault-server.js';

/** Bytes that no packing shortens. */
let state = 1;
const DATA = Uint8Array.from({ length: 300_000 }, () => (state = (state * 48271) % 0x7fffffff) >> 8);
const FILE = 'w.safetensors';
const QUICK = { stallMs: 400, retries: 3, backoffMs: 1 };

/** A server for DATA and a transport to it. */
async function setUp(t, { network = {}, files = { [FILE]: DATA }, bases = (url) => [url], ...options } = {}) {
  const server = await startFaultServer(files);
  t.after(() => server.close());
  const events = [];
  const transport = createTransport(/** @type {any} */ (readBases(bases(server.url))), { fetch,
    network: readNetwork({ ...QUICK, ...network }), onEvent: (event) => events.push(event), ...options });
  return { server, transport, events };
}

/** Reads and checks that each byte comes once, in order and right. */
async function readChecked(transport, begin, end, options, data = DATA, file = FILE) {
  let at = begin;
  const source = await transport.read(file, begin, end, (chunk, offset) => {
    assert.equal(offset, at, 'no byte twice, none left out');
    assert.deepEqual(Buffer.from(chunk), Buffer.from(data.subarray(at, at + chunk.length)));
    at += chunk.length;
  }, options);
  assert.equal(at, Math.min(end, data.length));
  return source;
}

const failure = async (promise) => {
  const error = await promise.then(() => assert.fail('expected a failure'), (e) => e);
  assert.equal(error.name, 'EngineError', error.stack);
  return error;
};

test('one range, one request, the bytes asked for and no more', async (t) => {
  const { server, transport } = await setUp(t);
  const { size } = await readChecked(transport, 1000, 250_001);
  assert.equal(size, DATA.length);
  assert.equal(transport.size(FILE), DATA.length);
  assert.deepEqual(server.log.map(({ begin, end, status, sent }) => [begin, end, status, sent]),
    [[1000, 250_001, 206, 249_001]]);
  assert.equal(transport.received.bytes, 249_001);
});

test('a whole file of unknown length is asked for without Range', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, noLength: true });
  await readChecked(transport, 0, Infinity);
  assert.equal(server.log[0].range, false);
});

test('a dropped connection is taken up where it broke off', async (t) => {
  const { server, transport, events } = await setUp(t);
  server.fault({ file: FILE, drop: 70_000 });
  server.fault({ file: FILE, drop: 1 });
  server.fault({ file: FILE, drop: 0 });
  await readChecked(transport, 500, 300_000);
  const begins = server.log.map(({ begin }) => begin);
  assert.equal(begins[0], 500);
  assert.ok(begins[1] > 500 && begins[1] <= 70_500, `${begins}`);
  assert.ok(begins.at(-1) >= begins[1]);
  assert.equal(events.filter(({ type }) => type === 'retry').length, 3);
  assert.equal(transport.received.retries, 3);
});

test('a whole file resumes too; a packed one begins again, and no byte comes twice', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, drop: 70_000 });
  await readChecked(transport, 0, Infinity);
  assert.equal(server.log[1].range, true);
  server.fault({ file: FILE, gzip: true, drop: 200_000 });
  await readChecked(transport, 0, Infinity);
  assert.equal(server.log[3].range, false);
});

test('drops without end: NETWORK after the retries, with address and count', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, drop: 0, times: Infinity });
  const error = await failure(transport.read(FILE, 0, 10, () => {}));
  assert.equal(error.code, 'NETWORK');
  assert.equal(server.log.length, 1 + QUICK.retries);
  assert.equal(error.details.tries, 4);
  assert.ok(error.message.includes(server.url), error.message);
});

test('progress renews the patience: many drops, one result', async (t) => {
  const { server, transport } = await setUp(t, { network: { retries: 1 } });
  server.fault({ file: FILE, drop: 140_000, times: 4 });
  await readChecked(transport, 0, 300_000);
});

test('status 500 twice, then well', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, status: 500, times: 2 });
  await readChecked(transport, 0, 300_000);
  assert.deepEqual(server.log.map(({ status }) => status), [500, 500, 206]);
});

test('4xx is final, 5xx after the retries: HTTP with status and url', async (t) => {
  const { server, transport } = await setUp(t);
  for (const [status, requests] of [[404, 1], [403, 1], [503, 4], [429, 4]]) {
    server.log.length = 0;
    server.fault({ file: FILE, status, times: requests });
    const error = await failure(transport.read(FILE, 0, 9, () => {}));
    assert.equal(error.code, 'HTTP');
    assert.equal(error.details.status, status);
    assert.equal(error.details.url, server.url + FILE);
    assert.equal(server.log.length, requests);
  }
});

test('a wrong Content-Range is never believed', async (t) => {
  const { server, transport } = await setUp(t);
  await readChecked(transport, 0, 10);
  const wrong = ['bytes 7-16/300000', 'bytes 0-9/299999', 'bytes 0-9/5', 'bytes 9-0/300000', 'pages 1-2/3',
    'bytes */3'];
  for (const contentRange of wrong) {
    server.fault({ file: FILE, contentRange });
    await readChecked(transport, 0, 10);
    server.fault({ file: FILE, contentRange, times: 4 });
    const error = await failure(transport.read(FILE, 0, 10, () => assert.fail('handed over')));
    assert.equal(error.code, 'HTTP');
    assert.match(error.message, /Content-Range: expected bytes 0-9\/300000, found/);
  }
});

test('without Content-Range and Content-Length (CORS hides them) the status counts', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, noContentRange: true, noLength: true });
  await readChecked(transport, 5, 200_000);
});

test('an answer of fewer bytes than asked is completed by a second request', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, contentRange: 'bytes 0-99/300000', drop: 100 });
  await readChecked(transport, 0, 1000);
  assert.equal(server.log[1].begin, 100);
});

test('a file that ends early is TRUNCATED, whatever the server tells', async (t) => {
  const { server, transport } = await setUp(t);
  for (const how of [{}, { noContentRange: true }, { noLength: true }, { ignoreRange: true },
    { ignoreRange: true, noLength: true }]) {
    const fresh = createTransport(/** @type {any} */ (readBases(server.url)), { fetch, network: readNetwork(QUICK) });
    server.heal();
    server.fault({ file: FILE, truncate: 1234, times: Infinity, ...how });
    const error = await failure(fresh.read(FILE, 1000, 2000, () => {}));
    assert.equal(error.code, 'TRUNCATED', `${JSON.stringify(how)} ${error.message}`);
  }
  server.heal();
  server.fault({ file: FILE, truncate: 100 });
  assert.equal((await failure(transport.read(FILE, 100, 200, () => {}))).code, 'TRUNCATED');
});

test('no first byte: a stall is cut off and tried again; a stall in the middle resumes', async (t) => {
  // long enough that only what is held counts as silence, also on a busy machine
  const { server, transport, events } = await setUp(t, { network: { stallMs: 1500 } });
  const first = server.hold({ file: FILE });
  await readChecked(transport, 0, 300_000);
  assert.match(events[0].message, /no byte for 1500 ms/);
  const middle = server.hold({ file: FILE, gateAt: 66_000 });
  await readChecked(transport, 0, 300_000);
  assert.ok(server.log.at(-1).begin > 0, 'resumed');
  first.release();
  middle.release();
});

test('a slow first byte that comes in time is no failure', async (t) => {
  const { server, transport, events } = await setUp(t, { network: { stallMs: 20_000 } });
  const gate = server.hold({ file: FILE });
  const reading = readChecked(transport, 0, 1000);
  await gate.arrived;
  gate.release();
  await reading;
  assert.deepEqual(events, []);
});

test('a server that keeps the connection open after the last byte does not hold the read', async (t) => {
  const { server, transport } = await setUp(t, { network: { stallMs: 20_000 } });
  server.fault({ file: FILE, endless: true });
  await readChecked(transport, 3, 400);
});

test('gzip: bytes are counted as they come out, ranges and whole files alike', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, gzip: true });
  await readChecked(transport, 10, 200_000);
  server.fault({ file: FILE, gzip: true, noLength: true });
  await readChecked(transport, 0, Infinity);
  server.fault({ file: FILE, gzip: true, ignoreRange: true });
  await readChecked(transport, 10, 200_000);
});

test('status 200 to a Range request: sliced in passing, fetched once, later reads from memory', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, ignoreRange: true, times: Infinity });
  await readChecked(transport, 250_000, 250_008);
  await Promise.all([readChecked(transport, 8, 100_000), readChecked(transport, 100_000, 300_000)]);
  assert.deepEqual(server.log.map(({ status, sent }) => [status, sent]), [[200, 300_000]]);
});

test('status 200 with more than the limit is refused, length told or not', async (t) => {
  const { server, transport } = await setUp(t, { network: { wholeLimit: 200_000 } });
  for (const how of [{}, { noLength: true }]) {
    server.fault({ file: FILE, ignoreRange: true, ...how });
    const error = await failure(transport.read(FILE, 1000, 2000, () => {}));
    assert.equal(error.code, 'HTTP');
    assert.equal(error.details.status, 200);
    assert.match(error.message, /supports Range/);
    if (!how.noLength) assert.equal(transport.received.bytes, 0, 'refused before it comes');
  }
  server.fault({ file: FILE, ignoreRange: true });
  await readChecked(transport, 0, 150_000);
});

test('a web page in place of weights: once more, then NOT_WEIGHTS; a pointer at once', async (t) => {
  const { server, transport } = await setUp(t);
  server.fault({ file: FILE, html: true });
  await readChecked(transport, 0, 64);
  server.log.length = 0;
  server.fault({ file: FILE, html: true, times: 2 });
  const page = await failure(transport.read(FILE, 0, 8, () => assert.fail('handed over')));
  assert.equal(page.code, 'NOT_WEIGHTS');
  assert.equal(server.log.length, 2);
  server.fault({ file: FILE, body: 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' });
  const pointer = await failure(transport.read(FILE, 0, 8, () => assert.fail('handed over')));
  assert.equal(pointer.code, 'NOT_WEIGHTS');
  assert.match(pointer.message, /pointer file/);
});

test("a header whose length begins with the letter '<' is no web page", async (t) => {
  const data = Uint8Array.of(0x3c, 0x21, 0, 0, 0, 0, 0, 0, 0x7b, 0x22);
  const { transport } = await setUp(t, { files: { [FILE]: data } });
  await readChecked(transport, 0, 8, undefined, data);
});

test('abort is heeded at once: before headers, in a body, between tries, by a fetch that is deaf', async (t) => {
  const { server, transport } = await setUp(t, { network: { backoffMs: 60_000, stallMs: 60_000 } });
  const aborted = async (begin, run) => {
    const controller = new AbortController();
    const reading = transport.read(FILE, 0, 200_000, () => {}, { signal: controller.signal });
    await begin;
    await run?.();
    controller.abort();
    assert.equal((await failure(reading)).code, 'ABORTED');
  };
  const head = server.hold({ file: FILE });
  await aborted(head.arrived);
  head.release();
  const middle = server.hold({ file: FILE, gateAt: 100_000 });
  await aborted(middle.arrived);
  middle.release();
  let waiting;
  const retry = new Promise((resolve) => {
    waiting = resolve;
  });
  server.fault({ file: FILE, status: 500 });
  const deaf = createTransport(/** @type {any} */ (readBases(server.url)), { fetch,
    network: readNetwork({ backoffMs: 60_000 }), onEvent: waiting });
  const stop = new AbortController();
  const reading = deaf.read(FILE, 0, 9, () => {}, { signal: stop.signal });
  await retry;
  stop.abort();
  assert.equal((await failure(reading)).code, 'ABORTED');
  const never = createTransport(/** @type {any} */ (readBases(server.url)), {
    fetch: () => new Promise(() => {}), network: readNetwork({}) });
  const quit = new AbortController();
  const silent = never.read(FILE, 0, 9, () => {}, { signal: quit.signal });
  quit.abort();
  assert.equal((await failure(silent)).code, 'ABORTED');
  assert.equal((await failure(transport.read(FILE, 0, 9, () => {}, { signal: quit.signal }))).code, 'ABORTED');
});

test('a sink that throws ends the read with its own error, and nothing is tried again', async (t) => {
  const { server, transport } = await setUp(t);
  const mine = new EngineError('NETWORK', 'a sink may fail with any error');
  await assert.rejects(transport.read(FILE, 0, 9, () => {
    throw mine;
  }), (error) => error === mine);
  assert.equal(server.log.length, 1);
});

test('options of the network are checked', () => {
  for (const bad of [{ stallMs: 0 }, { stallMs: NaN }, { retries: -1 }, { parallel: 0 }, { backoffMs: '1' },
    { speed: 1 }]) {
    assert.throws(() => readNetwork(/** @type {any} */ (bad)), { code: 'BAD_OPTION' });
  }
});

test('Retry-After in seconds or as a date by the server\'s own clock', async () => {
  const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
  const asked = async (headers) => {
    const fetch = async () => new Response('later', { status: 503, headers });
    const error = await failure(exchange('http://x/f', { fetch, begin: 0, end: 9, stallMs: 1000, wholeLimit: 0, onChunk: () => {} }));
    assert.equal(error.details.status, 503);
    return error.details.retryAfterMs;
  };
  assert.equal(await asked({ 'retry-after': '7' }), 7000);
  assert.equal(await asked({ 'retry-after': 'Wed, 21 Oct 2015 07:28:05 GMT', date }), 5000);
  const near = await asked({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
  assert.ok(near > 50_000 && near <= 60_000, `${near}`);
  for (const text of ['0', '-3', 'soon', '', date]) assert.equal(await asked({ 'retry-after': text, date }), undefined, text);
});
