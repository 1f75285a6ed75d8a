/**
 * What a small model learns from: sequences of seqLen + 1 tokens, drawn anew for every update.
 *
 * Bigram-Backcopy (Guo et al. 2024, arXiv 2410.13835): after a trigger comes the token before it, after any other token
 * what a fixed table of bigrams says. Attention is needed for the first kind only; a head has to do something with
 * itself at all other tokens.
 */
import { badOption, badShape, isPlain, oneOf, options, size, tokenIds } from './options.js';
import { EngineError } from './errors.js';
import { Random } from './train-random.js';

/** @typedef {{ draw(random: Random, out: Int32Array): void }} Task fills out with one sequence */

/** Added to a trigger's share in every row, so that triggers are common enough to be learned. */
const TRIGGER_BOOST = 0.08;

/**
 * Rows of running sums, (vocab, vocab). A row's shares are fifth powers of uniform draws: a few likely followers and a
 * long tail, 2.5 nats like a Dirichlet distribution of 0.3.
 */
function bigramTable(vocab, triggers, seed) {
  const random = new Random('bigram-table', seed);
  return Array.from({ length: vocab }, () => {
    const shares = Float64Array.from({ length: vocab }, () => {
      const u = random.uniform();
      return u * u * u * u * u;
    });
    const sum = shares.reduce((a, b) => a + b, 0);
    let total = 0;
    const running = shares.map((share, i) => (total += share / sum + (i < triggers ? TRIGGER_BOOST : 0)));
    return running.map((x) => x / total);
  });
}

/** @returns {Task} */
function bigramBackcopy(o, config, seed) {
  const vocab = size('task.vocab', o.vocab, 2, 4096);
  const triggers = size('task.triggers', o.triggers, 1, vocab - 1);
  if (config.vocab < vocab + 1) {
    throw new EngineError('BAD_CONFIG', `config.json, vocab_size: expected at least ${vocab + 1} (with BOS), found ` +
      `${config.vocab}`, { field: 'vocab_size', expected: vocab + 1, found: config.vocab });
  }
  const table = bigramTable(vocab, triggers, seed);
  const follower = (token, random) => {
    const u = random.uniform();
    const next = table[token].findIndex((running) => u < running);
    return next < 0 ? vocab - 1 : next;
  };
  return {
    draw(random, out) {
      out[0] = vocab; // BOS
      out[1] = triggers + random.below(vocab - triggers);
      for (let t = 2; t < out.length; t++) {
        const copies = out[t - 1] < triggers && t - 1 >= 2;
        out[t] = copies ? out[t - 2] : follower(out[t - 1], random);
      }
    },
  };
}

/** @returns {Task} windows of a text, beginning anywhere */
function corpus(o, config, seqLen) {
  const ids = Int32Array.from(tokenIds(o.ids, config.vocab, 2 ** 28));
  if (ids.length < seqLen + 1) {
    badShape('task.ids', `at least ${seqLen + 1} tokens (seqLen + 1: a sequence and its last target)`, ids.length);
  }
  return {
    draw(random, out) {
      const start = random.below(ids.length - out.length + 1);
      out.set(ids.subarray(start, start + out.length));
    },
  };
}

/** Which options each kind has. */
const KINDS = { 'bigram-backcopy': ['kind', 'vocab', 'triggers'], corpus: ['kind', 'ids'] };

/**
 * @param {any} given { kind: 'bigram-backcopy', vocab, triggers } or { kind: 'corpus', ids }
 * @param {import('./config.js').Config} config @param {number} seed of the bigram table @param {number} seqLen
 * @returns {Task}
 */
export function createTask(given, config, seed, seqLen) {
  const kinds = Object.keys(KINDS);
  if (!isPlain(given)) {
    badOption('task', `an object with kind ${kinds.join(' or ')}`, given);
  }
  const kind = oneOf('task.kind', given.kind, kinds);
  options('task', given, KINDS[kind]);
  return kind === 'corpus' ? corpus(given, config, seqLen) : bigramBackcopy(given, config, seed);
}
