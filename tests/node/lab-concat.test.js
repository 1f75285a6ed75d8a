/** Fig 6: gluing and adding are the same arithmetic, whatever is muted and scaled. */
import assert from 'node:assert/strict';
import { largestDifference } from '../../web/lab/measure.js';
import { test } from 'node:test';
import { formatter } from '../../web/lab/format.js';
import { addUp, freshMix, operands, productArgs, scaled, SIZES, strip } from '../../web/lab/concat.js';
import { onEngine } from '../helpers/variants.js';

/** Both ways, by the engine. */
async function both(engine, mix) {
  const all = operands(mix);
  const whole = (await engine.gate(productArgs(all))).z;
  assert.deepEqual(whole.shape, [1, SIZES.width]);
  const parts = [];
  for (let h = 0; h < SIZES.heads; h += 1) parts.push((await engine.gate(productArgs(strip(all, h)))).z.data);
  return { all, whole: whole.data, parts, sum: addUp(parts) };
}

onEngine('one product and eight added ones differ by rounding only', async (engine) => {
  for (const seed of [1, 2, 3, 44]) {
    const { all, whole, sum } = await both(engine, { ...freshMix(), seed });
    const exact = Array.from({ length: SIZES.width }, (_, i) => (
      all.x.reduce((s, x, r) => s + x * all.w[r * SIZES.width + i], 0)));
    assert.ok(largestDifference(whole, sum) < 1e-6, `seed ${seed}`);
    assert.ok(largestDifference(whole, exact) < 1e-6, `seed ${seed} against double precision`);
    assert.ok(Math.max(...exact.map(Math.abs)) > 0.1, 'there is something to compare');
  }
});

onEngine('a muted head adds exactly nothing, a doubled one twice as much', async (engine) => {
  const mix = { ...freshMix(), picked: 5 };
  const [plain, muted, twice] = [await both(engine, mix), await both(engine, scaled(mix, 0)), await both(engine, scaled(mix, 2))];
  assert.deepEqual(Array.from(muted.parts[5], Math.abs), [0, 0, 0, 0, 0]);
  assert.deepEqual(Array.from(twice.parts[5]), Array.from(plain.parts[5], (v) => 2 * v));
  assert.deepEqual(muted.parts[4], plain.parts[4], 'the others are as they were');
  const gone = Array.from(plain.whole, (v, i) => v - plain.parts[5][i]);
  assert.ok(largestDifference(muted.whole, gone) < 1e-6);
});

test('the seed decides the weights, differences print with one digit', () => {
  assert.deepEqual(operands(freshMix()), operands(freshMix()));
  assert.notDeepEqual(operands(freshMix()), operands({ ...freshMix(), seed: 2 }));
  assert.deepEqual([0, 1.234e-7, 5e-8].map(formatter('en').exponent), ['0', '1.2e−7', '5.0e−8']);
});
