/**
 * The sink lab's two runs: what can be set, what is refused, what each measuring point keeps, what may be said of it.
 * The first model has no gate; the second differs from it in one thing.
 */

/** Updates of a whole run, updates between two measuring points, and how many it takes before anything is concluded. */
export const STEPS = 1500;
export const EVERY = 25;
export const ENOUGH = 800;
/** Sequences measured at each point, and tokens of the one whose map is drawn. */
export const PROBES = 6;
export const LINE = 16;
export const SEQUENCE = 48;
const VOCAB = 32;
/** Loss of guessing blindly among all symbols and BOS. */
export const BLIND = Math.log(VOCAB + 1);

export const SECONDS = ['gate', 'plus_one', 'sink_logit', 'off'];
export const RECIPES = ['clear', 'real'];
export const OPTIMIZERS = ['adamw', 'sgd'];
/** Rates at which each optimizer learns the task. @type {Record<string, number>} */
export const RATES = { adamw: 0.003, sgd: 0.1 };

/**
 * @typedef {{ seed: number, learningRate: number, optimizer: string, second: string, recipe: string, triggers: number,
 *   batch: number }} Settings
 * @typedef {{ trigger?: number, other?: number }} Pair  at trigger tokens, at all others
 * @typedef {{ loss: Pair, firstTokenAttention: Pair, valueRatio?: number, gate: Pair, rowSum: Pair,
 *   map: Float32Array, gates: number[] | null }} Measured  map (LINE, LINE) and gate per row of the line that is drawn
 * @typedef {{ step: number, line: number[], models: [Measured, Measured] }} Point
 */

/** @returns {Settings} */
export const freshSettings = () => (
  { seed: 7, learningRate: RATES.adamw, optimizer: 'adamw', second: 'gate', recipe: 'clear', triggers: 3, batch: 16 });

const SHARED = {
  vocab_size: VOCAB + 1, hidden_size: 32, num_hidden_layers: 1, layer_types: ['full_attention'], num_attention_heads: 1,
  num_key_value_heads: 1, head_dim: 32, intermediate_size: 128, initializer_range: 0.1,
};

/** clear: learned positions, nothing else, where the drain shows best; real: RoPE, QK-norm, tied output as in Qwen3.5. */
const RECIPE = {
  clear: { position_embedding: 'learned', qk_norm: false, tie_word_embeddings: false },
  real: { position_embedding: 'rope', qk_norm: true, tie_word_embeddings: true },
};

/** What engine.createTrainer is asked for. @param {Settings} settings @param {0 | 1} model */
export function trainerOptions({ seed, learningRate, optimizer, second, recipe, triggers, batch }, model) {
  const choice = model === 0 ? 'off' : second;
  const cure = choice === 'plus_one' || choice === 'sink_logit' ? { attention_cure: choice } : {};
  return {
    config: { ...SHARED, ...RECIPE[/** @type {'clear' | 'real'} */ (recipe)], attn_output_gate: choice === 'gate', ...cure },
    task: { kind: 'bigram-backcopy', vocab: VOCAB, triggers }, seed, batch, seqLen: SEQUENCE, optimizer, learningRate,
  };
}

/** Whole numbers a field takes, from and to. @type {Record<string, [number, number]>} */
const WHOLE = { seed: [0, 2 ** 32 - 1], triggers: [1, VOCAB - 1], batch: [1, 4096] };

/**
 * The first setting no run can be made of, by the trainer's own limits.
 * @param {Settings} settings @returns {{ field: 'learningRate' | 'seed' | 'triggers' | 'batch', found: number } | null}
 */
export function refused(settings) {
  const { learningRate } = settings;
  if (!(learningRate > 0 && learningRate <= 10)) return { field: 'learningRate', found: learningRate };
  for (const field of /** @type {const} */ (['seed', 'triggers', 'batch'])) {
    const [least, most] = WHOLE[field];
    const found = settings[field];
    if (!Number.isInteger(found) || found < least || found > most) return { field, found };
  }
  return null;
}

/** A rate to go on with after one that blew up. @param {Settings} settings */
export const calmer = ({ learningRate, optimizer }) => (
  learningRate > RATES[optimizer] ? RATES[optimizer] : Number((learningRate / 10).toPrecision(2)));

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzαβγδε'];

/** How a token is written: triggers as numbers in circles, BOS by name. @param {number} id @param {number} triggers */
export function symbol(id, triggers) {
  if (id === VOCAB) return 'BOS';
  return id < triggers ? String.fromCodePoint(id < 20 ? 0x2460 + id : 0x3251 + id - 20) : LETTERS[id - triggers];
}

/** Which of the sequences shows most copying at its beginning. @param {{ shape: number[], data: Int32Array }} sample @param {number} triggers */
export function busiest({ shape: [n, width], data }, triggers) {
  const copies = Array.from({ length: n }, (_, i) => (
    data.subarray(i * width + 2, i * width + LINE).reduce((sum, id) => sum + Number(id < triggers), 0)));
  return copies.indexOf(Math.max(...copies));
}

/**
 * The beginning of a probed sequence as it is drawn: nothing after it counts for it.
 * @param {Record<string, any>} captures probs (1, T, T) and, with a gate, gate (T, 1, d)
 */
export function drawnLine({ probs, gate }) {
  const T = probs.shape[1];
  const map = new Float32Array(LINE * LINE);
  for (let t = 0; t < LINE; t += 1) map.set(probs.data.subarray(t * T, t * T + LINE), t * LINE);
  if (!gate) return { map, gates: null };
  const width = gate.data.length / T;
  const mean = (/** @type {number} */ t) => gate.data.subarray(t * width, (t + 1) * width)
    .reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) / width;
  return { map, gates: Array.from({ length: LINE }, (_, t) => mean(t)) };
}

/** The point on display at a step: the last one that is not later. @param {Point[]} points @param {number} step */
export function pointAt(points, step) {
  let at = 0;
  while (at + 1 < points.length && points[at + 1].step <= step) at += 1;
  return at;
}

/** First-symbol share of a head without preference, over the queries that are measured. */
export const EVEN = Array.from({ length: SEQUENCE - 3 }, (_, i) => 1 / (i + 4)).reduce((a, b) => a + b, 0) / (SEQUENCE - 3);

/** A sink: three times the even share goes to the first symbol, whose value is less than half as long as the others. */
const hasSink = (/** @type {Measured} */ m) => (m.firstTokenAttention.other ?? 0) > 3 * EVEN && (m.valueRatio ?? 1) < 0.5;

/**
 * What the run on display bears out. early: too soon to tell; copying: not even the copying was learned; none: no sink
 * without a gate; sink: one grew, and the gate closes in its place; cured: the same for a cure; uncured: the cure's model grew
 * one too; same: the two models do
 * not differ, nor do their curves; both: a sink grew, but the second model is not clearly without one.
 * @param {Point} point @param {Settings} settings
 * @returns {'early' | 'copying' | 'none' | 'sink' | 'cured' | 'uncured' | 'same' | 'both'}
 */
export function verdict({ step, models: [plain, second] }, settings) {
  if (step < ENOUGH) return 'early';
  if (settings.second === 'off' && plain.valueRatio === second.valueRatio) return 'same';
  if (!((plain.loss.trigger ?? 9) < 1 && (second.loss.trigger ?? 9) < 1)) return 'copying';
  if (!hasSink(plain)) return 'none';
  const kept = (second.valueRatio ?? 0) >= (plain.valueRatio ?? 1) + 0.25;
  if (settings.second !== 'gate') return kept ? 'cured' : hasSink(second) ? 'uncured' : 'both';
  return kept && (second.gate.trigger ?? 0) - (second.gate.other ?? 1) >= 0.4 ? 'sink' : 'both';
}

/** What a head lets through: its mean gate; with a cure the sum of its shares. @param {Measured} measured @param {string} second */
export const letsThrough = ({ gate, rowSum }, second) => (second === 'gate' ? gate : rowSum);
