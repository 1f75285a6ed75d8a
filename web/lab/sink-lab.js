/**
 * What a head does with itself when it has nothing to fetch, measured on probes of the Bigram-Backcopy task
 * (Guo et al. 2024, arXiv 2410.13835): attention on the first token, the size of that token's value, the gate.
 */

/** Tokens before this position are counted in nothing: no trigger can act there yet. */
const FIRST_POSITION = 3;

/** A running mean. */
class Mean {
  #sum = 0;
  #n = 0;

  add(x) {
    this.#sum += x;
    this.#n += 1;
  }

  /** undefined when there was nothing to average: a figure shows a gap, never a zero. */
  get value() {
    return this.#n ? this.#sum / this.#n : undefined;
  }
}

/** -log softmax(row)[target] */
function surprise(row, target) {
  let top = -Infinity;
  for (const x of row) top = Math.max(top, x);
  let sum = 0;
  for (const x of row) sum += Math.exp(x - top);
  return top + Math.log(sum) - row[target];
}

function length(row) {
  let sum = 0;
  for (const x of row) sum += x * x;
  return Math.sqrt(sum);
}

const average = (row) => row.reduce((a, b) => a + b, 0) / row.length;

/** Two means side by side: queries at trigger tokens, and all others. */
const pair = () => ({ trigger: new Mean(), other: new Mean() });
const values = ({ trigger, other }) => ({ trigger: trigger.value, other: other.value });

/**
 * @typedef {{ shape: number[], data: Float32Array }} Matrix
 * @typedef {{ ids: ArrayLike<number>, logits: Matrix, layers: Record<string, any>[] }} Probe
 *   ids (T + 1): what was probed and the target of its last token; captures probs, v and, with a gate, gate
 * @param {Probe[]} probes
 * @param {{ triggers: number, layer?: number }} about
 * @returns {{ loss: { trigger?: number, other?: number }, firstTokenAttention: { trigger?: number, other?: number },
 *   valueRatio?: number, gate: { trigger?: number, other?: number }, rowSum: { trigger?: number, other?: number } }}
 *   firstTokenAttention: mean over heads of the share that BOS gets; valueRatio: mean |v_BOS| / mean |v| of the others,
 *   below 1 when BOS is drained; gate: mean over heads and dimensions, absent in a model without gate; rowSum: all
 *   shares of a row together, below 1 where a cure lets some of them go
 */
export function measureSink(probes, { triggers, layer = 0 }) {
  const [loss, first, gate, rowSum] = [pair(), pair(), pair(), pair()];
  const [bosValue, otherValue] = [new Mean(), new Mean()];
  for (const { ids, logits, layers } of probes) {
    const [T, V] = logits.shape;
    const { probs, v, gate: gates } = layers[layer];
    const [heads] = probs.shape;
    const [, kvHeads, d] = v.shape;
    for (let t = FIRST_POSITION; t < T; t++) {
      const kind = ids[t] < triggers ? 'trigger' : 'other';
      loss[kind].add(surprise(logits.data.subarray(t * V, (t + 1) * V), ids[t + 1]));
      for (let h = 0; h < heads; h++) {
        const row = probs.data.subarray((h * T + t) * T, (h * T + t) * T + t + 1);
        first[kind].add(row[0]);
        rowSum[kind].add(row.reduce((a, b) => a + b, 0));
      }
      const width = gates ? gates.data.length / T : 0;
      if (gates) gate[kind].add(average(gates.data.subarray(t * width, (t + 1) * width)));
    }
    for (let t = 0; t < T; t++) {
      for (let k = 0; k < kvHeads; k++) {
        const at = (t * kvHeads + k) * d;
        (t === 0 ? bosValue : otherValue).add(length(v.data.subarray(at, at + d)));
      }
    }
  }
  return {
    loss: values(loss),
    firstTokenAttention: values(first),
    valueRatio: otherValue.value ? bosValue.value / otherValue.value : undefined,
    gate: values(gate),
    rowSum: values(rowSum),
  };
}
