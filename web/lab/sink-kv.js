/** The same small task with fewer and fewer K/V heads, over several seeds: what sharing costs in quality, and how sure that is. */

export const HEADS = 4;
export const HEAD_DIM = 8;
export const KV_HEADS = [4, 2, 1];
export const STEPS = 600;
export const EVERY = 50;
export const MOST_SEEDS = 8;
export const TRIGGERS = 3;

/**
 * @typedef {{ kvHeads: number, seed: number }} Job
 * @typedef {Job & { points: { step: number, loss: { trigger?: number, other?: number } }[] }} Run
 */

/** What engine.createTrainer is asked for. @param {Job} job */
export const kvOptions = ({ kvHeads, seed }) => ({
  config: {
    vocab_size: 33, hidden_size: 32, num_hidden_layers: 1, layer_types: ['full_attention'], num_attention_heads: HEADS,
    num_key_value_heads: kvHeads, head_dim: HEAD_DIM, intermediate_size: 128, attn_output_gate: true,
    position_embedding: 'learned', qk_norm: false, tie_word_embeddings: false, initializer_range: 0.1,
  },
  task: { kind: 'bigram-backcopy', vocab: 32, triggers: TRIGGERS }, seed, batch: 16, seqLen: 48, learningRate: 0.004,
});

/** Numbers kept per token: a key and a value for each K/V head. @param {number} kvHeads */
export const cacheNumbers = (kvHeads) => 2 * kvHeads * HEAD_DIM;

/** Seed by seed, so that every seed is soon comparable. @param {number} seeds @returns {Job[]} */
export const plan = (seeds) => Array.from({ length: seeds }, (_, i) => KV_HEADS.map((kvHeads) => ({ kvHeads, seed: i + 1 }))).flat();

/** @param {Run} run @param {number} step */
const lossAt = (run, step) => run.points.find((p) => p.step === step)?.loss.trigger;

const mean = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0) / list.length;

/**
 * Loss on the copied tokens at one step, by number of K/V heads.
 * @param {Run[]} runs @param {number} step
 */
export function byCache(runs, step) {
  return KV_HEADS.map((kvHeads) => {
    const values = runs.filter((r) => r.kvHeads === kvHeads).map((r) => lossAt(r, step)).filter((x) => x !== undefined);
    return { kvHeads, cache: cacheNumbers(kvHeads), values, mean: mean(values), low: Math.min(...values), high: Math.max(...values) };
  }).filter(({ values }) => values.length > 0);
}

/** The mean course of all seeds that have come as far. @param {Run[]} runs @param {number} kvHeads */
export function meanCourse(runs, kvHeads) {
  const own = runs.filter((r) => r.kvHeads === kvHeads);
  const steps = own[0]?.points.map((p) => p.step) ?? [];
  return steps.filter((step) => own.every((r) => lossAt(r, step) !== undefined))
    .map((step) => ({ x: step, y: mean(own.map((r) => /** @type {number} */ (lossAt(r, step)))) }));
}

/**
 * One K/V head against as many as there are queries, seed against the same seed. early: fewer than three seeds have both;
 * costs or gains: all seeds agree and their mean is more than two standard errors from nothing; noise: anything else.
 * @param {Run[]} runs @param {number} step
 * @returns {{ kind: 'early' | 'costs' | 'gains' | 'noise', seeds: number, mean: number, error: number }}
 */
export function kvVerdict(runs, step) {
  const loss = (/** @type {number} */ kvHeads, /** @type {number} */ seed) => {
    const run = runs.find((r) => r.kvHeads === kvHeads && r.seed === seed);
    return run && lossAt(run, step);
  };
  const [most, least] = [KV_HEADS[0], KV_HEADS[KV_HEADS.length - 1]];
  const seeds = [...new Set(runs.map((r) => r.seed))];
  const apart = seeds.map((seed) => (loss(least, seed) ?? NaN) - (loss(most, seed) ?? NaN)).filter((d) => !Number.isNaN(d));
  const m = mean(apart);
  const error = Math.sqrt(apart.reduce((sum, d) => sum + (d - m) ** 2, 0) / (apart.length - 1) / apart.length);
  const agreed = apart.every((d) => d > 0) || apart.every((d) => d < 0);
  const kind = apart.length < 3 ? 'early' : agreed && Math.abs(m) > 2 * error ? (m > 0 ? 'costs' : 'gains') : 'noise';
  return { kind, seeds: apart.length, mean: m, error };
}
