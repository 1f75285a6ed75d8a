/**
 * What generate() gives back: a plain list of the new ids, which also says why there are no more. The reason is no
 * entry and no enumerable property, so that the list equals the list of its ids.
 */

/** @typedef {'maxTokens' | 'stopId' | 'limit'} Ended  limit: the model has no more positions */

/** @param {number[]} ids @param {Ended} ended @returns {number[] & { ended: Ended }} */
export const generated = (ids, ended) => /** @type {any} */ (Object.defineProperty(ids, 'ended', { value: ended }));
