/** Lenses: the rules, how close a map comes to them, and what a head is called on which tokens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articlesOf, closeness, LENSES, lookOf, LOOKS, ranked, strength, targetOf, targetsOf } from '../../web/lab/lenses.js';

const pieces = (/** @type {string[]} */ ...texts) => texts.map((text) => ({ text }));
const CAT = pieces('I', ' saw', ' the', ' black', ' cat', ' and', ' it', ' sat');

/** One head per look, all attention on what it names, on itself where it names nothing. @param {string[]} looks @param {{ text: string }[]} text */
function ruled(looks, text) {
  const T = text.length;
  const data = new Float32Array(looks.length * T * T);
  looks.forEach((look, h) => targetsOf(/** @type {any} */ (look), T, articlesOf(text)).forEach((target, i) => {
    data[(h * T + i) * T + (target < 0 ? i : target)] = 1;
  }));
  return { shape: [looks.length, T, T], data };
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

test('articles are whole words, in either language', () => {
  assert.deepEqual(articlesOf(CAT), [2]);
  assert.deepEqual(articlesOf(pieces('The', ' cat', ' sat', ' on', ' the')), [0, 4]);
  assert.deepEqual(articlesOf(pieces(' the', 're', ' a', 'nt', ' s', 'the', ' A', '.', ' an', ' apple')), [6, 8]);
  assert.deepEqual(articlesOf(pieces('我', '喜欢', '那只', '黑', '猫', '，', '这', '狗')), [2, 6]);
  assert.deepEqual(articlesOf(pieces('今天', '天气', '不错')), []);
});

test('a head made by a look ranks first under it, and is called by it', () => {
  const looks = ['determiner', 'self', 'sink', 'previous'];
  for (const text of [CAT, pieces('我', '喜欢', '那只', '黑', '猫', '，', '它', '跑', '了')]) {
    const probs = ruled(looks, text);
    looks.forEach((look, head) => {
      const list = ranked(/** @type {any} */ (look), [{ layer: 7, probs }], text);
      assert.deepEqual(list[0], { layer: 7, head, share: 1, look });
      assert.ok(list[1].share < 0.5);
      assert.equal(lookOf(probs, head, articlesOf(text)), look);
    });
  }
});

test('attention on the first token is a sink, an article or not; without another article no head goes back to one', () => {
  for (const text of [pieces('The', ' cat', ' sat', ' on', ' the'), pieces('Dogs', ' bark', ' loud', ' here'), pieces('今天', '天气', '不错', '，', '我们'),
    pieces('那', '只', '猫', '坐', '下')]) {
    const probs = ruled(['sink', 'self', 'previous'], text);
    assert.deepEqual(ranked('determiner', [{ layer: 3, probs }], text), [], text.map((p) => p.text).join(''));
    assert.ok(Number.isNaN(closeness('determiner', probs, 0, articlesOf(text))));
    assert.deepEqual([0, 1, 2].map((h) => lookOf(probs, h, articlesOf(text))), ['sink', 'self', 'previous']);
    assert.deepEqual(ranked('sink', [{ layer: 3, probs }], text)[0], { layer: 3, head: 0, share: 1, look: 'sink' });
  }
});

test('an even map, a torn one and one that is no number are unclear; so is a text that is too short', () => {
  const T = CAT.length;
  const even = Float32Array.from({ length: T * T }, (_, n) => (n % T <= Math.floor(n / T) ? 1 / (Math.floor(n / T) + 1) : 0));
  const nan = even.map((x, n) => (n % T <= Math.floor(n / T) ? Number.NaN : x));
  const torn = ruled(['self', 'previous', 'sink', 'determiner'], CAT).data;
  const mean = Float32Array.from({ length: T * T }, (_, n) => [0, 1, 2, 3].reduce((sum, h) => sum + torn[h * T * T + n] / 4, 0));
  for (const data of [even, nan, mean]) assert.equal(lookOf({ shape: [1, T, T], data }, 0, articlesOf(CAT)), 'unclear');
  const two = pieces('A', ' b');
  for (const look of LOOKS) assert.deepEqual(ranked(look, [{ layer: 0, probs: ruled(['self'], two) }], two), []);
});
