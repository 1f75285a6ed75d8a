/** Which mirror is worth asking after one that failed: none a second time, until the reader asks afresh. */

/** What another server may do better. */
const OF_SERVER = new Set(['NETWORK', 'HTTP', 'CORS_OR_BLOCKED', 'TRUNCATED', 'NOT_WEIGHTS', 'BAD_FILE', 'HASH_MISMATCH', 'MISSING_TENSOR']);

export class Mirrors {
  /** @type {Set<string>} */
  #failed = new Set();

  /** The reader asks afresh: with no grudge. */
  forget() { this.#failed.clear(); }

  /** @param {string} base was asked first, and failed */
  failed(base) { this.#failed.add(base); }

  /**
   * @param {string[]} bases @param {string} asked the one that was asked first @param {{ code?: string }} error
   * @returns {string | null} the one to ask next
   */
  next(bases, asked, error) {
    if (!OF_SERVER.has(error.code ?? '') || !bases.includes(asked)) return null;
    return bases.find((base) => base !== asked && !this.#failed.has(base)) ?? null;
  }
}
