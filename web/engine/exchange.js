/**
 * One request and its answer, read with suspicion: the bytes [begin, end) of one address go to `onChunk` in order, or
 * an EngineError says why not. Trying again is transport.js's affair; `begin` is then where the last try ended.
 */
import { EngineError, show } from './errors.js';
import { within } from './wait.js';

/** Enough of a file's first bytes to know a web page or a pointer when one is sent in its place. */
const SNIFF = 64;

/**
 * @typedef {object} Ask
 * @property {typeof globalThis.fetch} fetch
 * @property {number} begin
 * @property {number} end              Infinity: to the end of the file, whatever that is
 * @property {number} [size]           the file's length, when an earlier answer told
 * @property {boolean} [fresh]         past the browser's own cache only if the server says it is unchanged
 * @property {number} stallMs
 * @property {number} wholeLimit       how many bytes too many a server without Range may send
 * @property {AbortSignal} [signal]
 * @property {(chunk: Uint8Array, offset: number) => void | Promise<void>} onChunk  chunk is valid during the call
 * @property {(bytes: number) => void} [onReceived]  every byte of the body, wanted or not
 * @property {(size: number) => void} [onSize]  the file's length, as soon as the answer tells
 *
 * @typedef {object} Answer
 * @property {number} [size]           length of the file
 * @property {Uint8Array} [whole]      the file, when the server knows no Range and it had to come anyway
 * @property {{ commit?: string, etag?: string, modified?: string }} version
 */

const header = (response, name) => response.headers?.get?.(name) ?? undefined;

/** Is that what a fetch must give? @param {any} x */
export const isResponse = (x) => typeof x === 'object' && x !== null && Number.isInteger(x.status);

function fail(code, url, message, details = {}) {
  return new EngineError(code, `${url}: ${message}`, { url, ...details });
}

/** What a fetch of the caller's own gave, and must not. */
const odd = (expected, found) => new EngineError('BAD_OPTION', `fetch: expected ${expected}, found ${show(found)}`,
  { field: 'fetch', expected, found });

/**
 * A file's length by Content-Length: only where nothing can hide that the body is packed.
 * @param {Response} response
 */
function declaredSize(response) {
  const length = header(response, 'content-length');
  const packed = header(response, 'content-encoding');
  if (length === undefined || !/^\d+$/.test(length) || (packed && packed !== 'identity')) return undefined;
  return response.type === 'cors' ? undefined : Number(length);
}

/** Status 416 to a request for the rest: there is none, the file had come to its end. */
const emptyRest = (response, begin) => header(response, 'content-range') === `bytes */${begin}`;

/**
 * How long a server asks to wait: seconds, or a date by its own clock, which Date tells.
 * @param {Response} response @returns {number | undefined} milliseconds
 */
function retryAfter(response) {
  const text = header(response, 'retry-after')?.trim() ?? '';
  const now = Date.parse(header(response, 'date') ?? '') || Date.now();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return ms > 0 ? ms : undefined;
}

/** What a status other than 200 and 206 means. */
function refusal(response, url, begin) {
  const { status } = response;
  if (status === 416) {
    const found = header(response, 'content-range') ?? 'none there';
    return fail('TRUNCATED', url, `the file ends early: expected bytes from ${begin} on, found ${found}`,
      { status, expected: begin, found, sure: true });
  }
  return fail('HTTP', url, `expected the file, found HTTP status ${status}`,
    { status, found: status, retryAfterMs: retryAfter(response) });
}

/**
 * The answer to a Range request: up to `until` of a file of `size`. Without the header (CORS hides it) as asked.
 * @param {Response} response @param {string} url @param {Ask} ask
 * @returns {{ until: number, size?: number }}
 */
function contentRange(response, url, { begin, end, size: known }) {
  const text = header(response, 'content-range');
  if (text === undefined) return { until: end, size: known };
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(text) ?? [];
  const size = total === undefined || total === '*' ? known : Number(total);
  const until = Number(last) + 1;
  if (Number(first) !== begin || !(until > begin) || (known !== undefined && size !== known) || until > size) {
    const expected = `bytes ${begin}-${end === Infinity ? '' : end - 1}/${known ?? '*'}`;
    throw fail('HTTP', url, `wrong Content-Range: expected ${expected}, found ${text}`,
      { status: 206, expected, found: text });
  }
  return { until, size };
}

/**
 * A page or a pointer in a file's place, and how it begins.
 * @param {Uint8Array} bytes @returns {{ kind: 'page' | 'pointer', words: string, text: string } | undefined}
 */
export function recognize(bytes) {
  const start = bytes.subarray(0, SNIFF);
  if (start.includes(0)) return undefined;
  const text = new TextDecoder('latin1').decode(start);
  const kind = /^(\u00ef\u00bb\u00bf)?\s*<[!?a-z]/i.test(text) ? 'page'
    : /^version (https:\/\/git-lfs|$)|^# xet ve/.test(text) ? 'pointer' : undefined;
  if (!kind) return undefined;
  const words = `${kind === 'page' ? 'a web page' : 'a pointer file'} beginning ${JSON.stringify(text.slice(0, 40))}`;
  return { kind, words, text };
}

/** Refuses a page or a pointer in the file's place. */
export function sniff(bytes, url) {
  const other = recognize(bytes);
  if (!other) return;
  throw fail('NOT_WEIGHTS', url, `expected the file, found ${other.words}`, { kind: other.kind, found: other.text });
}

/** The body's chunks; a stream where there is one. */
function bodyReader(response) {
  if (response.body?.getReader) return response.body.getReader();
  let bytes = response.arrayBuffer?.() ?? Promise.resolve(new ArrayBuffer(0));
  return {
    read: async () => {
      const value = bytes && new Uint8Array(await bytes);
      bytes = null;
      return value ? { done: false, value } : { done: true, value: undefined };
    },
    cancel: async () => {},
  };
}

/** @param {Uint8Array[]} chunks */
export function joinBytes(chunks) {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Keep a file that comes whole, as long as it stays within the limit. */
function createKeeper(limit) {
  const chunks = [];
  let length = 0;
  return {
    /** @returns {boolean} it still fits */
    add(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      return length <= limit;
    },
    join: () => joinBytes(chunks),
  };
}

function tooLarge(url, { begin, end, wholeLimit }, size) {
  return fail('HTTP', url, `the server sends the whole file (status 200) in answer to a request for bytes ` +
    `${begin}-${end - 1}; expected at most ${wholeLimit} bytes too many, found ${size ?? 'more'}. ` +
    'Serve the folder from a server that supports Range requests.',
  { status: 200, ignoresRange: true, expected: wholeLimit, found: size });
}

/**
 * Bytes up to `want` were asked for and `position` was reached: was that all there is?
 * @param {string} url
 * @param {{ position: number, begin: number, want: number, size?: number }} state
 */
function checkEnd(url, { position, begin, want, size }) {
  if (position >= want) return;
  if (size !== undefined && position < size) {
    const until = Math.min(want, size);
    throw fail('NETWORK', url, `the answer broke off: expected bytes ${begin}-${until - 1}, ` +
      `found ${position - begin} of ${until - begin} bytes`, { expected: until - begin, found: position - begin });
  }
  if (want === Infinity) return;
  throw fail('TRUNCATED', url, `the file ends early: expected at least ${want} bytes, found ${position}`,
    { expected: want, found: position, sure: size !== undefined });
}

/** The end of a body follows its last byte; a server that goes on sending is cut off. */
function release(reader, connection) {
  const patience = setTimeout(() => connection.abort(), 1000);
  patience.unref?.();
  reader.read().then(({ done }) => done || connection.abort(), () => {}).finally(() => clearTimeout(patience));
}

/**
 * Send the body's bytes within [begin, end) to onChunk.
 * @param {{ read(): Promise<{ done: boolean, value?: Uint8Array }> }} reader of a body that starts at byte `position`
 * @param {string} url
 * @param {{ position: number, goal: number, keeper?: ReturnType<typeof createKeeper> }} state
 * @param {Ask} ask
 * @returns {Promise<{ position: number, ended: boolean }>}
 */
async function pour(reader, url, { position, goal, keeper }, ask) {
  const { begin, onChunk, onReceived = () => {} } = ask;
  const take = async (chunk) => {
    const start = position;
    const from = Math.max(start, begin);
    const to = Math.min(start + chunk.length, goal);
    position += chunk.length;
    if (keeper && !keeper.add(chunk)) throw tooLarge(url, ask);
    if (from < to) await onChunk(chunk.subarray(from - start, to - start), from);
  };
  /** @type {Uint8Array | undefined} */
  let head = position === 0 ? new Uint8Array(0) : undefined;
  while (keeper || position < goal) {
    const { done, value } = await reader.read();
    if (!done && !(value instanceof Uint8Array)) throw odd('bytes from fetch', value);
    if (!done) onReceived(value.length);
    if (head) {
      if (!done) head = head.length ? joinBytes([head, value]) : value;
      if (!done && head.length < Math.min(SNIFF, goal)) continue;
      sniff(head, url);
      const first = head;
      head = undefined;
      await take(first);
    } else if (!done) {
      await take(value);
    }
    if (done) return { position, ended: true };
  }
  return { position, ended: false };
}

/**
 * @param {string} url
 * @param {Ask} ask
 * @returns {Promise<Answer>}
 */
export async function exchange(url, ask) {
  const { fetch, begin, end, stallMs, signal, wholeLimit } = ask;
  const wantsRange = begin > 0 || end !== Infinity;
  const connection = new AbortController();
  const quiet = () => fail('NETWORK', url, `no byte for ${stallMs} ms`, { stalled: true });
  const next = (promise, details) => within(promise, { signal, ms: stallMs, onSilence: quiet }).catch((error) => {
    if (error instanceof EngineError) throw error;
    const why = error?.cause?.message || error?.message || error;
    throw fail('NETWORK', url, `expected an answer, but the connection failed: ${why}`, details);
  });
  let reader;
  let packed = false;
  try {
    const opening = Promise.resolve().then(() => fetch(url, {
      headers: wantsRange ? { Range: `bytes=${begin}-${end === Infinity ? '' : end - 1}` } : {},
      signal: connection.signal,
      // parallel ranges of one file wait for each other in some browsers' caches, so those are passed by
      cache: ask.fresh ? 'no-cache' : 'no-store',
    }));
    // a fetch that does not heed its signal may still answer when nobody listens
    opening.then((late) => connection.signal.aborted && late.body?.cancel?.(), () => {}).catch(() => {});
    const response = await next(opening, { unreached: true });
    if (!isResponse(response)) throw odd('a Response from fetch', response);
    packed = (header(response, 'content-encoding') ?? 'identity') !== 'identity';
    const version = { commit: header(response, 'x-repo-commit'), etag: header(response, 'etag'),
      modified: header(response, 'last-modified') };
    const partial = response.status === 206 && wantsRange;
    if (response.status === 416 && end === Infinity && emptyRest(response, begin)) {
      return { size: begin, version };
    }
    if (response.status !== 200 && !partial) throw refusal(response, url, begin);

    const { until, size } = partial ? contentRange(response, url, ask) : { until: end, size: declaredSize(response) };
    if (size !== undefined) ask.onSize?.(size);
    let keeper;
    if (!partial && end !== Infinity) {
      const limit = wholeLimit + end - begin;
      const hint = Number(header(response, 'content-length') ?? 0);
      if (hint > limit) throw tooLarge(url, ask, hint);
      keeper = createKeeper(limit);
    }
    const goal = Math.min(until, end);
    const body = bodyReader(response);
    reader = body;
    const { position, ended } = await pour({ read: () => next(body.read()) }, url,
      { position: partial ? begin : 0, goal, keeper }, ask);
    checkEnd(url, { position, begin, want: keeper ? Math.max(end, size ?? end) : end, size });
    if (!ended) release(body, connection);
    return { size: size ?? (end === Infinity || keeper ? position : undefined), whole: keeper?.join(), version };
  } catch (error) {
    if (packed && error instanceof EngineError) error.details.packed = true;
    reader?.cancel().catch(() => {});
    connection.abort();
    throw error;
  }
}
