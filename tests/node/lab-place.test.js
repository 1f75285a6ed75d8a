/** Places in the address: written, read back, and not trusted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlace, placeHash, readValue, wordOf } from '../../web/lab/place.js';

test('a place is written as the page shows it and read back', () => {
  const hash = placeHash(12, { layer: 15, heads: '0,1', shown: true, veiled: false });
  assert.equal(hash, '#f12&layer=15&heads=0,1&shown=1');
  assert.deepEqual(parsePlace(hash), { figure: '12', state: { layer: '15', heads: '0,1', shown: '1' } });
  assert.deepEqual(parsePlace(placeHash('9')), { figure: '9', state: {} });
});

test('words with signs of their own survive', () => {
  const state = { prompt: '今天 & a=b #1' };
  assert.deepEqual(parsePlace(placeHash(23, state)), { figure: '23', state });
  assert.equal(placeHash(23, { prompt: 'a\ud800b' }), placeHash(23, { prompt: 'a\ufffdb' }));
});

test('what is no figure is no place', () => {
  for (const hash of ['', '#', '#s3', '#f', '#fx', '#f1234', '#f12xy', '#fb', '#f12?layer=1', '#s1#f12', 'f12']) assert.equal(parsePlace(hash), null, hash);
});

test('a value has to be one of those allowed', () => {
  assert.equal(readValue('mask', ['scores', 'mask']), 'mask');
  assert.equal(readValue('2', [1, 2, 4]), 2);
  assert.equal(readValue('1', [true]), true);
  assert.equal(readValue('1', [false, 1]), 1);
  assert.equal(readValue('8', { min: 1, max: 8 }), 8);
  for (const text of ['', ' ', '0', '9', '1.5', 'NaN', '1e1', 'Infinity', '-1', '0x2']) {
    assert.equal(readValue(text, { min: 1, max: 8 }), undefined, text);
  }
  assert.equal(readValue('constructor', ['scores']), undefined);
});

test('a figure beside another one has its letter', () => {
  assert.deepEqual(parsePlace(placeHash('26b', { seeds: 2 })), { figure: '26b', state: { seeds: '2' } });
});

test('what is nothing is left out', () => {
  assert.equal(placeHash(2, { guess: null, prompt: undefined, edits: '', veiled: false, row: 0 }), '#f2&row=0');
});

/** Every kind: a value, its word, words that are none. @type {[any, any, any, string[]][]} */
const KINDS = [
  [{ least: -1, most: 1 }, 0.25, '0.25', ['', '1.01', '-2', 'NaN', 'Infinity', '0x1', '1e9', '.5', '1,0']],
  [{ least: 0, most: 1 }, 5e-7, '5e-7', ['5e7', '5e-']],
  [{ shape: [2], least: -4, most: 4 }, [0, -4], '0,-4', ['', '0', '0,-5', '0,-4,1', 'a,b', '0,', ',', '1;2']],
  [{ shape: [3, 2], least: 0, most: 9 }, [[1, 2], [3, 4], [5, 6.5]], '1,2,3,4,5,6.5', ['1,2,3,4,5', '1,2,3,4,5,6,7']],
  [{ text: 5 }, '\u4eca & =', '\u4eca & =', ['', '123456']],
  [{ flags: 3 }, [true, false, true], '101', ['', '10', '1010', '102', '1,0']],
  [{ of: ['a', 'b', 'c'] }, ['c', 'a'], 'c,a', ['', 'd', 'a,a', 'a,', 'constructor']],
  [{ min: 1, max: 8 }, 8, '8', ['9', '1.5']],
];

test('every kind of value is read back as it was, and nothing else is', () => {
  for (const [allowed, value, word, wrong] of KINDS) {
    const { state = {} } = parsePlace(placeHash(1, { x: wordOf(value, allowed) })) ?? {};
    assert.equal(state.x, word);
    assert.deepEqual(readValue(state.x, allowed), value);
    for (const text of wrong) assert.equal(readValue(text, allowed), undefined, `${JSON.stringify(allowed)}: ${text}`);
  }
});

test('“no” is said where “yes” is the usual', () => {
  assert.equal(placeHash(3, { divide: wordOf(false, [true, 0]) }), '#f3&divide=0');
  assert.equal(placeHash(3, { gate: wordOf(false, [true]) }), '#f3');
});

test('what could not be read back is not written', () => {
  assert.equal(wordOf('123456', { text: 5 }), undefined);
  assert.equal(wordOf(Number.NaN, { least: 0, most: 1 }), undefined);
  assert.equal(wordOf(Infinity, { least: 0, most: 1 }), undefined);
  assert.equal(wordOf([false, false], { flags: 2 }), undefined);
  assert.equal(wordOf(null, { shape: [2], least: 0, most: 1 }), undefined);
});
