/**
 * A folder behind a fetch whose n-th wait never ends: each request is two waits, for the answer's head and, after the
 * first half of its body, for the rest. It tells when the wait is reached, and what is still under way.
 */

/** @param {Record<string, Uint8Array>} files by name */
export function heldFolder(files) {
  /** @type {{ signal: AbortSignal, over: boolean }[]} */
  let asked = [];
  let waits = 0;
  let holdAt = Infinity;
  let reached = () => {};
  const never = () => {
    reached();
    return new Promise(() => {});
  };
  const wait = () => (++waits === holdAt ? never() : undefined);

  /** Deaf to its signal on purpose: the engine must not need it. */
  async function fetch(url, { headers, signal }) {
    const request = { signal, over: false };
    asked.push(request);
    await wait();
    const bytes = files[decodeURIComponent(new URL(String(url)).pathname.slice(1))];
    if (!bytes) {
      request.over = true;
      return new Response('none', { status: 404 });
    }
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(new Headers(headers).get('range') ?? '') ?? [];
    const begin = Number(from ?? 0);
    const body = bytes.subarray(begin, to ? Number(to) + 1 : bytes.length);
    const half = body.length >> 1;
    const parts = [body.slice(0, half), body.slice(half)];
    const stream = new ReadableStream({
      async pull(controller) {
        if (parts.length === 1) await wait();
        controller.enqueue(parts.shift());
        if (parts.length > 0) return;
        request.over = true;
        controller.close();
      },
      cancel: () => { request.over = true; },
    }, { highWaterMark: 0 });
    return new Response(stream, { status: from ? 206 : 200, headers: { 'content-length': String(body.length),
      ...(from ? { 'content-range': `bytes ${begin}-${begin + body.length - 1}/${bytes.length}` } : {}) } });
  }

  return {
    url: 'http://held.invalid/',
    fetch,
    /** Requests since the last hold(). */
    get requests() {
      return asked.length;
    },
    get waits() {
      return waits;
    },
    /** Requests that nobody has ended. */
    get underWay() {
      return asked.filter(({ signal, over }) => !over && !signal.aborted).length;
    },
    /** From now on the n-th wait is for ever. @param {number} n @returns {Promise<void>} when it is reached */
    hold(n) {
      asked = [];
      waits = 0;
      holdAt = n;
      return new Promise((resolve) => { reached = () => resolve(undefined); });
    },
  };
}
