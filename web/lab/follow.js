/** One head at one token, on its way into the residual stream. */
import { falling, rising } from './finite.js';
import { countGates, squareOf } from './gates.js';

/** @param {ArrayLike<number>} x */
export function lengthOf(x) {
  let square = 0;
  for (let i = 0; i < x.length; i += 1) square += x[i] ** 2;
  return Math.sqrt(square);
}

/**
 * What the head brought, its gate, what gets through, and what is added to the stream.
 * @param {Record<string, any>} captures headOut, gate, hIn, headContribution, headContributionUngated of one layer
 * @param {number} token @param {number} head
 */
export function journey(captures, token, head) {
  const { headOut, gate, hIn, headContribution, headContributionUngated } = captures;
  const brought = squareOf(headOut, token, head);
  const opened = gate ? squareOf(gate, token, head) : null;
  const through = opened ? brought.map((o, i) => o * opened[i]) : brought;
  const [, N] = hIn.shape;
  const heads = headContribution.shape[1];
  const residual = lengthOf(hIn.data.subarray(token * N, (token + 1) * N));
  const added = headContribution.data[token * heads + head];
  return {
    brought, gate: opened, through, residual, added, share: added / residual,
    ungated: gate ? headContributionUngated.data[token * heads + head] : added,
    lengths: [lengthOf(brought), lengthOf(through)],
    mean: opened ? countGates(opened, 1).mean : Number.NaN,
  };
}

/** Share of the stream that a head adds, by token. @param {Record<string, any>} captures @param {number} head @returns {number[]} */
export function sharesOf(captures, head) {
  return Array.from({ length: captures.headOut.shape[0] }, (_, token) => journey(captures, token, head).share);
}

/** Token where the head adds the least, or the most, of the stream. @param {number[]} shares @param {'quietest' | 'loudest'} which */
export function extreme(shares, which) {
  const order = which === 'quietest' ? rising : falling;
  return Array.from(shares.keys()).sort((a, b) => order(shares[a], shares[b]) || a - b)[0] ?? 0;
}
