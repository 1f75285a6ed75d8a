/** What sharing K/V heads saves in Qwen3.5-0.8B: counted from the formula, one decode step timed here. */
import { QWEN, divisors } from '../lab/gqa.js';
import { mebibytes } from './print.js';

const SEQ_LEN = 8192;
const BYTES_PER_VALUE = 2;

/** @param {import('../engine/engine.js').Engine} engine */
export async function run(engine) {
  const { heads, headDim, layers, kvHeads: star } = QWEN;
  const rows = await engine.gqaSweep({ heads, headDim, kvHeads: divisors(heads).reverse(), layers, seqLen: SEQ_LEN,
    bytesPerValue: BYTES_PER_VALUE, measure: true });
  return {
    data: { heads, headDim, layers, seqLen: SEQ_LEN, bytesPerValue: BYTES_PER_VALUE, variant: engine.variant, rows },
    lines: [
      `${heads} query heads of ${headDim}; ${layers} layers, ${SEQ_LEN} tokens, bf16; decode step of one layer in f32, ` +
        `measured here (${engine.variant})`,
      'K/V heads   group size   numbers per token and layer   whole cache   smaller by   decode step',
      ...rows.map((r) => [
        `${r.kvHeads}${r.kvHeads === star ? ' *' : ''}`.padStart(9), String(r.groupSize).padStart(12),
        String(r.floatsPerToken).padStart(29), mebibytes(r.bytes).padStart(13), `${r.ratio}x`.padStart(12),
        `${r.decodeMs.toFixed(2)} ms`.padStart(13)].join(' ')),
      '* Qwen3.5-0.8B',
    ],
  };
}
