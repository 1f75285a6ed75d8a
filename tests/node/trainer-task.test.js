/** What the trainer's sequences are made of. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { Random } from '../../web/engine/train-random.js';
import { CORPUS, LAB, LAB_TASK, MODELS } from '../helpers/lab-model.js';
import { val8 } from '../helpers/prng.js';

const SEQUENCES = 600;
const [VOCAB, TRIGGERS, BOS] = [LAB_TASK.vocab, LAB_TASK.triggers, LAB_TASK.vocab];

async function sequences(seed) {
  const engine = await createEngine({ variant: 'scalar' });
  const trainer = await engine.createTrainer({ config: LAB, task: LAB_TASK, seed, seqLen: 48 });
  const { shape, data } = await trainer.sample(SEQUENCES, 11);
  await engine.close();
  assert.deepEqual(shape, [SEQUENCES, 49]);
  return Array.from({ length: SEQUENCES }, (_, i) => [...data.subarray(i * 49, (i + 1) * 49)]);
}

test('Bigram-Backcopy: BOS, no trigger after it, a copy after each trigger, a fixed table after the rest', async () => {
  const counts = Array.from({ length: VOCAB }, () => Array(VOCAB).fill(0));
  let copies = 0;
  for (const ids of await sequences(1)) {
    assert.equal(ids[0], BOS);
    assert.ok(ids[1] >= TRIGGERS && ids[1] < VOCAB, `token after BOS: ${ids[1]}`);
    assert.ok(ids.slice(1).every((id) => id >= 0 && id < VOCAB), 'BOS comes once');
    for (let t = 3; t < ids.length; t++) {
      if (ids[t - 1] >= TRIGGERS) counts[ids[t - 1]][ids[t]] += 1;
      else {
        assert.equal(ids[t], ids[t - 2], `after a trigger at position ${t - 1}`);
        copies += 1;
      }
    }
  }
  assert.ok(copies > 0.06 * SEQUENCES * 46 && copies < 0.5 * SEQUENCES * 46, `${copies} copies`);
  const rows = counts.slice(TRIGGERS).filter((row) => row.reduce((a, b) => a + b) > 300);
  assert.ok(rows.length > 15, `${rows.length} rows with enough to count`);
  const entropies = rows.map((row) => {
    const sum = row.reduce((a, b) => a + b);
    return row.reduce((h, n) => h - (n ? (n / sum) * Math.log(n / sum) : 0), 0);
  });
  const mean = entropies.reduce((a, b) => a + b) / entropies.length;
  assert.ok(mean > 2.2 && mean < 3, `a row has ${mean} nats; uniform would be ${Math.log(VOCAB)}`);
  for (const row of rows) {
    const share = row.slice(0, TRIGGERS).reduce((a, b) => a + b) / row.reduce((a, b) => a + b);
    assert.ok(share > 0.08, `triggers are ${share} of what follows`);
  }
});

test('the table is the seed\'s: two seeds have different likely followers', async () => {
  const follower = (lists) => {
    const counts = Array(VOCAB).fill(0);
    for (const ids of lists) for (let t = 3; t < 49; t++) if (ids[t - 1] === 9) counts[ids[t]] += 1;
    return counts;
  };
  const [a, b, again] = [await sequences(1), await sequences(2), await sequences(1)].map(follower);
  assert.deepEqual(again, a);
  const overlap = a.reduce((n, x, i) => n + Math.min(x, b[i]), 0);
  assert.ok(overlap < 0.8 * Math.min(a.reduce((x, y) => x + y), b.reduce((x, y) => x + y)));
});

test('corpus: windows of the text from every place, first and last included', async () => {
  const engine = await createEngine({ variant: 'scalar' });
  const ids = Array.from({ length: 19 }, (_, i) => i);
  const trainer = await engine.createTrainer({ config: MODELS.qwen3, task: { ...CORPUS, ids }, seqLen: 15 });
  const { data } = await trainer.sample(200);
  const starts = new Set();
  for (let i = 0; i < 200; i++) {
    const window = [...data.subarray(i * 16, (i + 1) * 16)];
    assert.deepEqual(window, ids.slice(window[0], window[0] + 16));
    starts.add(window[0]);
  }
  assert.deepEqual([...starts].sort((a, b) => a - b), [0, 1, 2, 3]);
  await engine.close();
});

test('the generator is the documented one, and its bell is one', () => {
  const random = new Random('layers.0.self_attn.q_proj.weight', 42);
  const draws = Array.from({ length: 50 }, () => random.uniform());
  const bytes = val8('layers.0.self_attn.q_proj.weight', 42, 50);
  draws.forEach((u, i) => assert.equal((2 * Math.floor(u * 256) - 255) / 256, bytes[i]));
  const bell = Array.from({ length: 20000 }, () => random.normal());
  const mean = bell.reduce((a, b) => a + b) / 20000;
  const variance = bell.reduce((a, b) => a + (b - mean) ** 2, 0) / 20000;
  assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.04, `mean ${mean}, variance ${variance}`);
});
