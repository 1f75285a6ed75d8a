/** One engine in a worker for all models of a page: there while a model is open, gone with the last. */
import { engineOptions } from './engine.js';
import { engineScript } from './engine-script.js';

/** @type {Promise<any> | null} */
let engine = null;
let leases = 0;

/** An engine in workers of its own. @param {number} workers @returns {Promise<any>} */
export async function workerEngine(workers) {
  const { createEngine } = await engineScript();
  try {
    return await createEngine({ ...engineOptions(), workers });
  } catch (error) {
    if (/** @type {any} */ (error).code === 'NO_WASM') throw error;
    // A page whose worker file stands on another origin may not start it: then the work is done here.
    return createEngine({ ...engineOptions(), workers: 0 });
  }
}

/** A claim on the engine: get() starts it when first asked, release() ends it when nobody else holds one. */
export function leaseEngine() {
  leases += 1;
  let held = true;
  return {
    get() {
      const starting = engine ??= workerEngine(1).catch((error) => {
        engine = null;
        throw error;
      });
      return starting;
    },
    /** After WORKER_LOST: the next get() starts another. */
    lost() {
      engine?.then((e) => e.close(), () => {});
      engine = null;
    },
    release() {
      if (!held) return;
      held = false;
      leases -= 1;
      if (leases > 0) return;
      engine?.then((e) => e.close(), () => {});
      engine = null;
    },
  };
}
