/** What is counted on the gates of a layer: open, nearly shut, mean; one square is all gates of one head at one token. */

/** @typedef {{ shape: readonly number[], data: Float32Array }} Gate  (T, H, d), each 0..1 */

/** The chapter's "closed": a gate that lets less than a tenth through. */
export const NEARLY_SHUT = 0.1;

/** The d gates of head h at token t. @param {Gate} gate @param {number} t @param {number} h */
export function squareOf({ shape: [, H, d], data }, t, h) {
  return data.subarray((t * H + h) * d, (t * H + h + 1) * d);
}

/** @param {ArrayLike<number>} gates @param {number} threshold */
export function countGates(gates, threshold) {
  let [open, shut, sum] = [0, 0, 0];
  for (let i = 0; i < gates.length; i += 1) {
    sum += gates[i];
    if (gates[i] > threshold) open += 1;
    if (gates[i] < NEARLY_SHUT) shut += 1;
  }
  return { open, shut, mean: sum / gates.length, of: gates.length };
}

/** The square with the largest mean. @param {Gate} gate @returns {{ token: number, head: number }} */
export function mostOpen(gate) {
  const [T, H] = gate.shape;
  let best = { token: 0, head: 0, mean: -1 };
  for (let token = 0; token < T; token += 1) {
    for (let head = 0; head < H; head += 1) {
      const { mean } = countGates(squareOf(gate, token, head), 1);
      if (mean > best.mean) best = { token, head, mean };
    }
  }
  return { token: best.token, head: best.head };
}

/**
 * Mean and the middle four fifths of all gates of a layer; one that is no number leaves none of them.
 * @param {Gate} gate
 */
export function spreadOf({ data }) {
  const sorted = Float32Array.from(data).sort();
  const whole = data.every(Number.isFinite);
  const at = (/** @type {number} */ part) => (
    !whole ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]);
  return { ...countGates(data, 0.5), low: at(0.1), high: at(0.9), median: at(0.5) };
}

/** Half of a layer's gates let less than a quarter through. @param {Gate} gate */
export const mostlyShut = (gate) => spreadOf(gate).median < 0.25;

/** Mostly shut, and no more than one gate in four is past one half. @param {Gate} gate */
export function silenceIsDefault(gate) {
  const { open, of } = countGates(gate.data, 0.5);
  return mostlyShut(gate) && open <= of / 4;
}
