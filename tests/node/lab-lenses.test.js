/** Lenses: the rules, and how close a map comes to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeness, LENSES, ranked, strength, targetOf } from '../../web/lab/lenses.js';

/** One head per target rule, all attention on the target. */
function ruled(rules, T) {
  const data = new Float32Array(rules.length * T * T);
  rules.forEach((rule, h) => {
    for (let i = 0; i < T; i++) data[(h * T + i) * T + targetOf(rule, i)] = 1;
  });
  return { shape: [rules.length, T, T], data };
}

test('each rule names one key and draws it darkest, never a later one', () => {
  for (const lens of LENSES) {
    for (let i = 0; i < 5; i++) {
      assert.equal(strength(lens, i, targetOf(lens, i)), 3);
      assert.ok(targetOf(lens, i) <= i);
    }
  }
  assert.deepEqual(LENSES.map((lens) => targetOf(lens, 4)), [4, 3, 0]);
});

test('a head made by a rule ranks first under it and only there', () => {
  const probs = ruled(['determiner', 'self', 'previous'], 5);
  for (const [lens, head] of [['self', 1], ['previous', 2], ['determiner', 0]]) {
    const list = ranked(/** @type {any} */ (lens), [{ layer: 7, probs }]);
    assert.deepEqual(list[0], { layer: 7, head, share: 1 });
    assert.equal(list[1].share, 0);
  }
  assert.equal(closeness('self', ruled(['self'], 2), 0), 0, 'two tokens cannot tell the rules apart');
});
