/**
 * Which requests fetch a list of ranges: neighbours joined, none longer than a connection should carry, in the order
 * in which the bytes are needed, and not one byte that nobody asked for. Pure.
 */

/**
 * @typedef {{ file: string, begin: number, end: number, group?: unknown }} Range
 *   Ranges in a row with the same group (a layer, say) may be fetched in file order and joined with one another, never
 *   with another group's. Without a group only those join that follow each other in the file as they do in the list.
 * @typedef {{ index: number, begin: number, end: number }} Wanted  index: in the list given
 * @typedef {{ file: string, begin: number, end: number, ranges: Wanted[] }} Request
 */

/** Longest request, cut at multiples of this in the file: several connections share a large tensor. */
export const REQUEST = 16 << 20;

/** Ranges in a row that may be joined. */
function bundles(ranges) {
  const out = [];
  ranges.forEach((range, index) => {
    const bundle = out.at(-1);
    const last = bundle?.at(-1);
    const follows = last && (range.group === undefined
      ? last.group === undefined && last.file === range.file &&
        range.begin >= last.begin && range.end >= last.end
      : last.group === range.group);
    const item = { ...range, index };
    if (follows) bundle.push(item);
    else out.push([item]);
  });
  return out;
}

/**
 * @param {Range[]} ranges
 * @param {{ limit?: number }} [options]
 * @returns {Request[]}
 */
export function planRequests(ranges, { limit = REQUEST } = {}) {
  const requests = [];
  for (const bundle of bundles(ranges)) {
    const files = new Map();
    for (const range of bundle) {
      if (range.end <= range.begin) continue;
      if (!files.has(range.file)) files.set(range.file, []);
      files.get(range.file).push(range);
    }
    for (const [file, list] of files) {
      const spans = [];
      for (const { index, begin, end } of list.sort((a, b) => a.begin - b.begin)) {
        const span = spans.at(-1);
        if (span && begin <= span.end) {
          span.end = Math.max(span.end, end);
          span.ranges.push({ index, begin, end });
        } else {
          spans.push({ begin, end, ranges: [{ index, begin, end }] });
        }
      }
      for (const span of spans) requests.push(...cut(file, span, limit));
    }
  }
  return requests;
}

/** @returns {Request[]} */
function cut(file, { begin, end, ranges }, limit) {
  const pieces = [];
  for (let at = begin; at < end;) {
    const until = Math.min(end, (Math.floor(at / limit) + 1) * limit);
    const from = at;
    pieces.push({ file, begin: from, end: until, ranges: ranges.filter((r) => r.begin < until && r.end > from) });
    at = until;
  }
  return pieces;
}
