/**
 * What a thread holds on to. Preloaded by --import, in a process and in its workers alike: every worker answers on a
 * channel, so that the process sees both sides of the door.
 */
import { isMainThread, threadId } from 'node:worker_threads';

/** What this thread holds when nothing can be collected any more. */
async function ownMeasure() {
  let [heapUsed, arrayBuffers, last] = [0, 0, -1];
  // buffers are given back on another thread, and ports close in a later turn
  for (let i = 0; i < 50 && (i < 3 || arrayBuffers < last); i++) {
    last = arrayBuffers || Infinity;
    await new Promise((resolve) => setImmediate(resolve));
    /** @type {any} */ (globalThis).gc();
    ({ heapUsed, arrayBuffers } = process.memoryUsage());
  }
  const count = {};
  for (const kind of process.getActiveResourcesInfo()) count[kind] = (count[kind] ?? 0) + 1;
  return { thread: threadId, heap: heapUsed, arrays: arrayBuffers, ports: count.MessagePort ?? 0, handles: count };
}

const questions = new BroadcastChannel('measure');
if (!isMainThread) {
  questions.onmessage = async () => {
    const answers = new BroadcastChannel('measured');
    answers.postMessage(await ownMeasure());
    answers.close();
  };
}
/** @type {any} */ (questions).unref();

/** Of this thread and of so many workers. @param {number} workers */
export async function measure(workers) {
  await ownMeasure(); // a worker still counts the arrays it has moved here, until this side lets go of them
  const answers = new BroadcastChannel('measured');
  const found = [];
  const all = new Promise((resolve) => {
    answers.onmessage = ({ data }) => {
      found.push(data);
      if (found.length === workers) resolve(undefined);
    };
  });
  questions.postMessage('?');
  if (workers) await all;
  answers.close();
  return [await ownMeasure(), ...found];
}
