/** The sink lab without its page: what is refused, what may be said of a run, the drawn guess, shared K/V heads. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { flat, guessAt, KNOTS, setKnot, stroke } from '../../web/lab/sink-guess.js';
import { byCache, cacheNumbers, kvOptions, kvVerdict, meanCourse, plan, STEPS as KV_STEPS } from '../../web/lab/sink-kv.js';
import {
  busiest, calmer, drawnLine, ENOUGH, EVEN, freshSettings, LINE, OPTIMIZERS, pointAt, RECIPES, refused, SECONDS, symbol,
  trainerOptions, verdict,
} from '../../web/lab/sink-run.js';

test('what the lab refuses is what the trainer refuses, by the same field', async () => {
  const engine = await createEngine();
  const absurd = { learningRate: [0, -1, 1e9, NaN, 10.5], seed: [-1, 1.5, 2 ** 32], triggers: [0, 32, 2.5], batch: [0, -4, 1.5, 5000] };
  for (const [field, list] of Object.entries(absurd)) {
    for (const value of list) {
      const settings = { ...freshSettings(), [field]: value };
      assert.deepEqual(refused(settings), { field, found: value });
      await assert.rejects(engine.createTrainer(trainerOptions(settings, 1)), (error) => {
        assert.ok(['BAD_OPTION', 'BAD_SHAPE'].includes(error.code), error.code);
        assert.match(error.message, new RegExp(field));
        return true;
      });
    }
  }
  for (const good of [{ learningRate: 10 }, { learningRate: 1e-6 }, { seed: 2 ** 32 - 1 }, { triggers: 31 }, { batch: 1 }]) {
    assert.equal(refused({ ...freshSettings(), ...good }), null);
    await (await engine.createTrainer(trainerOptions({ ...freshSettings(), ...good }, 0))).close();
  }
  await engine.close();
});

test('every choice makes two models that differ in nothing but that choice', async () => {
  const engine = await createEngine();
  for (const recipe of RECIPES) {
    for (const second of SECONDS) {
      for (const optimizer of OPTIMIZERS) {
        const settings = { ...freshSettings(), recipe, second, optimizer };
        const [plain, other] = await Promise.all([0, 1].map((m) => engine.createTrainer(trainerOptions(settings, m))));
        assert.deepEqual([plain.config.gated, other.config.gated], [false, second === 'gate']);
        assert.equal(plain.config.attentionCure, 'none');
        assert.equal(other.config.attentionCure, ['plus_one', 'sink_logit'].includes(second) ? second : 'none');
        assert.deepEqual([plain.config.positionEmbedding, plain.config.qkNorm], recipe === 'real' ? ['rope', true] : ['learned', false]);
        await Promise.all([plain.close(), other.close()]);
      }
    }
  }
  await engine.close();
});

/** A model as it was measured at one step. */
const model = (share, ratio, { copy = 0.2, trigger, other } = {}) => ({
  loss: { trigger: copy, other: 2.7 }, firstTokenAttention: { trigger: 0, other: share }, valueRatio: ratio,
  gate: { trigger, other }, rowSum: { trigger: 1, other: 1 },
});

test('nothing is concluded that the run does not bear out', () => {
  const says = (plain, second, given = {}, step = ENOUGH) => verdict(/** @type {any} */ ({ step, models: [plain, second] }), { ...freshSettings(), ...given });
  const sink = model(0.8, 0.3);
  const gated = model(0.4, 0.8, { trigger: 0.8, other: 0.2 });
  assert.equal(says(sink, gated), 'sink');
  assert.equal(says(sink, gated, {}, ENOUGH - 1), 'early');
  assert.equal(says(model(0.8, 0.3, { copy: 3 }), gated), 'copying');
  assert.equal(says(sink, { ...gated, loss: { trigger: 3, other: 3 } }), 'copying');
  assert.equal(says(model(0.1, 0.3), gated), 'none', 'little attention');
  assert.equal(says(model(0.8, 0.6), gated), 'none', 'a value of its own');
  assert.equal(says(sink, model(0.4, 0.8, { trigger: 0.6, other: 0.4 })), 'both', 'a gate that hardly moves');
  assert.equal(says(sink, model(0.4, 0.4, { trigger: 0.8, other: 0.2 })), 'both', 'a value that shrank too');
  assert.equal(says(sink, model(0.1, 0.9), { second: 'plus_one' }), 'cured');
  assert.equal(says(sink, model(0.8, 0.3), { second: 'sink_logit' }), 'uncured');
  assert.equal(says(sink, model(0.1, 0.45), { second: 'sink_logit' }), 'both');
  assert.equal(says(sink, sink, { second: 'off' }), 'same');
});

test('small things: even share, tokens’ names, a calmer rate, the point at a step', () => {
  assert.ok(Math.abs(EVEN - 0.05834364) < 1e-7);
  assert.deepEqual([0, 2, 3, 28, 31, 32].map((id) => symbol(id, 3)), ['①', '③', 'a', 'z', 'γ', 'BOS']);
  assert.equal(new Set(Array.from({ length: 32 }, (_, id) => symbol(id, 25))).size, 32);
  assert.deepEqual([10, 0.003, 0.0005].map((learningRate) => calmer({ ...freshSettings(), learningRate })), [0.003, 0.0003, 0.00005]);
  const points = /** @type {any} */ ([0, 25, 26, 50].map((step) => ({ step })));
  assert.deepEqual([0, 24, 25, 40, 99].map((s) => pointAt(points, s)), [0, 0, 1, 2, 3]);
});

test('the line that is drawn: most copying at its beginning, shares and gates cut out of the whole', () => {
  const width = 49;
  const data = new Int32Array(2 * width).fill(9);
  data[3] = 0; // one copy early in the first sequence, many late
  data.fill(1, 30, 49);
  data[width + 3] = data[width + 6] = 2;
  assert.equal(busiest({ shape: [2, width], data }, 3), 1);
  const T = 48;
  const probs = { shape: [1, T, T], data: Float32Array.from({ length: T * T }, (_, i) => i) };
  const gate = { shape: [T, 1, 2], data: Float32Array.from({ length: 2 * T }, (_, i) => i) };
  const { map, gates } = drawnLine({ probs, gate });
  assert.deepEqual([map.length, map[LINE + 2], map[LINE * LINE - 1]], [LINE * LINE, T + 2, 15 * T + 15]);
  assert.deepEqual([gates.length, gates[0], gates[3]], [LINE, 0.5, 6.5]);
  assert.equal(drawnLine({ probs }).gates, null);
});

test('a guess is drawn by strokes and by numbers, and stays between 0 and 1', () => {
  const start = flat(0.06);
  assert.equal(start.length, 31);
  const rising = stroke(start, { x: 500, y: 0.1 }, { x: 1000, y: 0.6 });
  assert.deepEqual([0, 500, 750, 1000, 1500].map((s) => Math.round(guessAt(rising, s) * 1000) / 1000), [0.06, 0.1, 0.35, 0.6, 0.6]);
  assert.equal(guessAt(stroke(start, { x: 1000, y: 2 }, { x: 500, y: -3 }), 1000), 1, 'drawn from right to left, beyond the axes');
  const typed = setKnot(setKnot(start, 1, 0.5), 2, 0.9);
  assert.deepEqual(KNOTS.map((s) => guessAt(typed, s)), [0.06, 0.5, 0.9]);
  assert.ok(Math.abs(guessAt(typed, 750) - 0.28) < 1e-9 && Math.abs(guessAt(typed, 1250) - 0.7) < 1e-9);
  assert.equal(guessAt(start, 1000), 0.06, 'the guess before is left as it was');
});

const run = (kvHeads, seed, trigger) => ({ kvHeads, seed, points: [{ step: 0, loss: { trigger: 3.5 } }, { step: KV_STEPS, loss: { trigger } }] });
const three = (list) => list.flatMap(([most, least], i) => [run(4, i + 1, most), run(1, i + 1, least)]);

test('shared K/V: cache by heads, all seeds soon comparable, spread and mean by group', () => {
  assert.deepEqual([4, 2, 1].map(cacheNumbers), [64, 32, 16]);
  assert.deepEqual(plan(2).map(({ kvHeads, seed }) => `${seed}:${kvHeads}`), ['1:4', '1:2', '1:1', '2:4', '2:2', '2:1']);
  assert.equal(kvOptions({ kvHeads: 2, seed: 5 }).config.num_key_value_heads, 2);
  const runs = three([[0.1, 0.5], [0.3, 0.4]]);
  const [four, one] = byCache(runs, KV_STEPS);
  assert.deepEqual([four.cache, four.low, four.high, Math.round(four.mean * 100)], [64, 0.1, 0.3, 20]);
  assert.deepEqual([one.cache, one.values], [16, [0.5, 0.4]]);
  assert.deepEqual(byCache(runs, 50), [], 'nobody was measured there');
  assert.deepEqual(meanCourse([...runs, { kvHeads: 4, seed: 9, points: [] }], 4), [], 'only where every seed has come');
  assert.deepEqual(meanCourse(runs, 4).map((p) => p.x), [0, KV_STEPS]);
});

test('shared K/V: a price only when every seed agrees and it stands out of the noise', () => {
  const kind = (list) => kvVerdict(three(list), KV_STEPS).kind;
  assert.equal(kind([[0.1, 0.5], [0.1, 0.6]]), 'early');
  assert.equal(kind([[0.1, 0.5], [0.1, 0.6], [0.2, 0.7]]), 'costs');
  assert.equal(kind([[0.5, 0.1], [0.6, 0.1], [0.7, 0.2]]), 'gains');
  assert.equal(kind([...Array(7).fill([0.1, 0.6]), [0.2, 0.15]]), 'noise', 'one seed says otherwise');
  assert.equal(kind([[0.1, 0.11], [0.1, 0.9], [0.1, 0.12]]), 'noise', 'one seed says it all');
  assert.equal(kind([[0.1, 0.1], [0.1, 0.1], [0.1, 0.1]]), 'noise');
});
