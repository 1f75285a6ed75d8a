/** What a reader changes, seen in the captures of the changed run; and what cannot be changed is refused. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { folderPath, golden } from '../helpers/golden.js';

const engine = await createEngine({ variant: 'simd' });
const model = await engine.openModel(folderPath('odd5')); // H = 6, K = 3, d = 20; layers 0 and 2 full
const { tokens } = golden('odd5');
const T = tokens.length;
const run = (interventions, capture = 'all') => model.forward(tokens, { capture, interventions });
const plain = await run([]);
test.after(() => engine.close());

test('a forced gate is the gate, and silence leaves nothing of the head', async () => {
  const changed = await run([{ layer: 0, head: 4, gate: 0 }]);
  const { gate, headContribution, headContributionUngated } = changed.layers[0];
  for (let t = 0; t < T; t++) {
    assert.equal(headContribution.data[t * 6 + 4], 0);
    assert.ok(headContributionUngated.data[t * 6 + 4] > 0);
    assert.ok(gate.data.subarray((t * 6 + 4) * 20, (t * 6 + 5) * 20).every((g) => g === 0));
    assert.deepEqual(gate.data.slice(t * 120, t * 120 + 80), plain.layers[0].gate.data.slice(t * 120, t * 120 + 80));
  }
  assert.notDeepEqual(changed.logits.data, plain.logits.data);
});

test('gate 1 for all heads: the contribution with the gate is the one without', async () => {
  const { headContribution, headContributionUngated } = (await run([{ layer: 2, head: 'all', gate: 1 }])).layers[2];
  assert.deepEqual(headContribution.data, headContributionUngated.data);
});

test('a zeroed head keeps its output before the gate and adds nothing', async () => {
  const { headOut, headContribution } = (await run([{ layer: 0, head: 2, zero: true }])).layers[0];
  assert.deepEqual(headOut.data, plain.layers[0].headOut.data);
  for (let t = 0; t < T; t++) assert.equal(headContribution.data[t * 6 + 2], 0);
});

test('a zeroed head of a linear layer', async () => {
  const changed = (await run([{ layer: 1, head: 5, zero: true }])).layers[1];
  for (let t = 0; t < T; t++) {
    assert.equal(changed.headContribution.data[t * 6 + 5], 0);
    assert.equal(changed.headContribution.data[t * 6 + 4], plain.layers[1].headContribution.data[t * 6 + 4]);
  }
  assert.deepEqual(changed.state.data, plain.layers[1].state.data);
});

test('kv mean: every K and V head is the mean of all', async () => {
  const { k, v } = (await run([{ layer: 0, kv: 'mean' }])).layers[0];
  for (const [name, m] of Object.entries({ k, v })) {
    const before = plain.layers[0][name].data;
    for (let t = 0; t < T; t++) {
      for (let i = 0; i < 20; i++) {
        const mean = (before[t * 60 + i] + before[t * 60 + 20 + i] + before[t * 60 + 40 + i]) / 3;
        for (let j = 0; j < 3; j++) assert.ok(Math.abs(m.data[t * 60 + j * 20 + i] - mean) < 1e-5, `${name} ${t} ${j}`);
      }
    }
  }
});

test('hideFirst: key 0 is masked for every query but the first, rows still sum to 1', async () => {
  const { probs, scores } = (await run([{ layer: 0, head: 1, hideFirst: true }])).layers[0];
  for (let h = 0; h < 6; h++) {
    for (let t = 0; t < T; t++) {
      const at = (h * T + t) * T;
      const hidden = h === 1 && t > 0;
      assert.equal(probs.data[at] === 0, hidden, `head ${h} row ${t}`);
      assert.equal(scores.data[at] === -Infinity, hidden);
      assert.ok(Math.abs(probs.data.subarray(at, at + T).reduce((a, b) => a + b, 0) - 1) < 1e-6);
    }
  }
});

test('changes of one layer leave the layers before it alone', async () => {
  const changed = await run([{ layer: 2, head: 'all', gate: 0 }], ['hOut']);
  assert.deepEqual(changed.layers[1].hOut.data, plain.layers[1].hOut.data);
  assert.notDeepEqual(changed.layers[2].hOut.data, plain.layers[2].hOut.data);
});

for (const [what, change] of Object.entries({
  'head out of range': { layer: 0, head: 6, gate: 1 },
  'head negative': { layer: 0, head: -1, zero: true },
  'no head': { layer: 0, gate: 1 },
  'layer out of range': { layer: 5, head: 0, zero: true },
  'layer missing': { head: 0, zero: true },
  'gate on a linear layer': { layer: 1, head: 0, gate: 1 },
  'hideFirst on a linear layer': { layer: 1, head: 0, hideFirst: true },
  'two kinds at once': { layer: 0, head: 0, gate: 1, zero: true },
  'no kind': { layer: 0, head: 0 },
  'unknown key': { layer: 0, head: 0, mute: true },
  'gate not a number': { layer: 0, head: 0, gate: 'open' },
  'gate NaN': { layer: 0, head: 0, gate: NaN },
  'kv with another word': { layer: 0, kv: 'max' },
})) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(run([change]), { name: 'EngineError', code: 'BAD_OPTION' });
    const again = await model.forward(tokens);
    assert.deepEqual(again.logits.data, plain.logits.data, 'the model goes on as before');
  });
}

test('refused: a gate on a model without gates', async () => {
  const ungated = await engine.openModel(folderPath('qwen3_3'));
  await assert.rejects(ungated.forward([1, 2], { interventions: [{ layer: 0, head: 0, gate: 1 }] }), { code: 'BAD_OPTION' });
  await ungated.close();
});
