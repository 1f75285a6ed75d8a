/** Work out of sight takes turns, one piece a task, so that many figures never hold up the one being looked at. */

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** Resolves in a task of its own, after all who asked before. @returns {Promise<unknown>} */
export function turn() {
  last = last.then(() => new Promise((go) => setTimeout(go)));
  return last;
}

/** Nobody who asks from now on has a turn before this is settled. @param {Promise<unknown>} until */
export function hold(until) {
  last = Promise.allSettled([last, until]);
}
