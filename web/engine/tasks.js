/** Giving the thread back between blocks of work, so that messages, clicks and stops are served. */

/** @returns {Promise<void>} resolves in a later task, not only a later microtask */
export const nextTask = () => new Promise((resolve) => {
  setTimeout(resolve, 0);
});
