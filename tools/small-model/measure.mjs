/** What a trained folder can do and where its heads look, on documents that no training saw. */
import { createEngine, loadTokenizer } from '../../web/engine/index.js';
import { corpusIds, documents } from './corpus.mjs';
import { HELD_OUT, TRAINING } from './recipe.mjs';
import { EN_PEOPLE, ZH_PEOPLE } from './sentences.mjs';

const PROMPTS = ['The cat sat on the', '今天天气不错，我们去'];

/** Sums and counts by name. */
class Means {
  #sums = new Map();

  add(name, value) {
    const entry = this.#sums.get(name) ?? { sum: 0, n: 0 };
    entry.sum += value;
    entry.n += 1;
    this.#sums.set(name, entry);
  }

  /** @returns {Record<string, number>} */
  all() {
    return Object.fromEntries(Array.from(this.#sums, ([name, { sum, n }]) => [name, sum / n]));
  }
}

/** Natural logarithm of the sum of exponentials of one row. */
function logSum(row) {
  const most = row.reduce((a, b) => Math.max(a, b), -Infinity);
  return most + Math.log(row.reduce((sum, x) => sum + Math.exp(x - most), 0));
}

const argmax = (row) => row.reduce((best, x, i) => (x > row[best] ? i : best), 0);

const PEOPLE = [...Object.entries(ZH_PEOPLE), ...Object.entries(EN_PEOPLE)];
/** What somebody has stands three words after the name, in both languages. */
const THING_AFTER_NAME = 3;

/** Who is meant by the pronoun at word t, and who is not: places of both names. */
function referents(words, t) {
  const names = PEOPLE.find(([pronoun]) => pronoun === words[t].trim())?.[1];
  if (!names) return undefined;
  const known = PEOPLE.flatMap(([, list]) => list);
  const places = words.flatMap((word, i) => (known.includes(word.trim()) ? [i] : []));
  return { meant: places.find((i) => names.includes(words[i].trim())),
    other: places.find((i) => !names.includes(words[i].trim())) };
}

/**
 * Questions about one head's map of a document: [name, share of attention].
 * @param {import('./corpus.mjs').Document} doc @param {(t: number, s: number) => number} look
 * @returns {[string, number][]}
 */
function questions({ kind, words, decided }, look) {
  /** @type {[string, number][]} */
  const out = words.slice(1).map((_, i) => ['previous', look(i + 1, i)]);
  if (kind.startsWith('people')) {
    words.forEach((_, t) => {
      const who = referents(words, t);
      if (who) out.push(['name meant', look(t, who.meant)], ['other name', look(t, who.other)]);
    });
    for (const d of decided) {
      const t = words[d - 1] === '在' || words[d - 1].startsWith(' the') ? d - 2 : d - 1;
      const who = referents(words, t);
      if (!who) continue;
      out.push(['thing meant', look(d - 1, who.meant + THING_AFTER_NAME)],
        ['other thing', look(d - 1, who.other + THING_AFTER_NAME)]);
    }
  }
  if (kind.startsWith('copy')) for (const d of decided) out.push(['copied word', look(d - 1, words.indexOf(words[d]))]);
  return out;
}

/** Losses and right guesses, document by document. */
async function skills(model, tokenizer, docs) {
  const loss = new Means();
  const right = new Means();
  const heads = new Map();
  for (const doc of docs) {
    const { ids } = await tokenizer.encode(doc.text);
    const { logits, layers } = await model.forward(ids, { logits: 'all', capture: ['probs'] });
    const [T, V] = logits.shape;
    const row = (t) => logits.data.subarray(t * V, (t + 1) * V);
    for (let t = 1; t < T; t++) {
      const nats = logSum(row(t - 1)) - row(t - 1)[ids[t]];
      loss.add('all', nats);
      loss.add(doc.kind, nats);
    }
    for (const d of doc.decided) right.add(doc.kind, argmax(row(d - 1)) === ids[d] ? 1 : 0);
    layers.forEach(({ probs }, layer) => {
      if (!probs) return;
      for (let h = 0; h < probs.shape[0]; h++) {
        const key = `${layer}.${h}`;
        if (!heads.has(key)) heads.set(key, { layer, head: h, means: new Means() });
        const look = (t, s) => probs.data[(h * T + t) * T + s];
        for (const [name, share] of questions(doc, look)) heads.get(key).means.add(name, share);
      }
    });
  }
  return { loss: loss.all(), right: right.all(),
    heads: Array.from(heads.values(), ({ layer, head, means }) => ({ layer, head, ...means.all() })) };
}

const norm = (row) => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));

/** First-token attention, norm of the first value against the others, mean gate: on texts as long as in training. */
async function firstToken(model, rows) {
  const means = new Map();
  for (const ids of rows) {
    const { layers } = await model.forward(ids, { logits: 'none', capture: ['probs', 'v', 'gate'] });
    layers.forEach(({ probs, v, gate }, layer) => {
      if (!probs) return;
      if (!means.has(layer)) means.set(layer, new Means());
      const [H, T] = probs.shape;
      const [, K, d] = v.shape;
      for (let h = 0; h < H; h++) {
        for (let t = Math.ceil(T / 2); t < T; t++) means.get(layer).add('first', probs.data[(h * T + t) * T]);
      }
      for (let k = 0; k < K; k++) {
        const norms = Array.from({ length: T }, (_, t) => norm(v.data.subarray((t * K + k) * d, (t * K + k + 1) * d)));
        means.get(layer).add('valueRatio', norms[0] / (norms.slice(1).reduce((a, b) => a + b, 0) / (T - 1)));
      }
      if (gate) for (const x of gate.data) means.get(layer).add('gate', x);
    });
  }
  return Array.from(means, ([layer, m]) => ({ layer, ...m.all() }));
}

/**
 * @param {string} folder
 */
export async function measureModel(folder) {
  const tokenizer = await loadTokenizer(folder);
  const engine = await createEngine({ variant: TRAINING.variant });
  try {
    const model = await engine.openModel(folder, {});
    const docs = documents(HELD_OUT.documents, HELD_OUT.seed);
    const row = await corpusIds(docs, tokenizer, tokenizer.vocab - 1);
    const T = TRAINING.seqLen;
    const rows = Array.from({ length: 60 }, (_, i) => row.slice(i * T, (i + 1) * T));
    const prompts = [];
    for (const text of PROMPTS) {
      const { logits } = await model.forward((await tokenizer.encode(text)).ids, {});
      const best = argmax(logits.data);
      const share = Math.exp(logits.data[best] - logSum(logits.data));
      prompts.push({ text, next: await tokenizer.decode([best]), share });
    }
    return { prompts, ...await skills(model, tokenizer, docs), sinks: await firstToken(model, rows) };
  } finally {
    await engine.close();
  }
}
