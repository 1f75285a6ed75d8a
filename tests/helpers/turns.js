/** Waiting for what must happen at once or never, counted in turns of the event loop instead of milliseconds. */
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';

/** @param {number} n turns of the event loop */
export async function turns(n) {
  for (let i = 0; i < n; i++) await new Promise((resolve) => { setImmediate(resolve); });
}

/** The promise has an end within a few turns. @param {Promise<any>} promise @param {string} what */
export async function settled(promise, what, most = 10) {
  let over = false;
  promise.then(() => { over = true; }, () => { over = true; });
  for (let i = 0; i < most && !over; i++) await turns(1);
  assert.ok(over, `${what}: settles at once`);
}

/** The worker that is created while f runs, if any. @template T @param {() => Promise<T>} f */
export async function catchWorker(f) {
  /** @type {any} */
  let worker;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function post(...args) {
    worker = this;
    return postMessage.apply(this, args);
  };
  try {
    return { result: await f(), worker };
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
}
