/** Places in the address: written, read back, and not trusted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlace, placeHash, readValue } from '../../web/lab/place.js';

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
  for (const hash of ['', '#', '#s3', '#f', '#fx', '#f1234', '#f12x', '#f12?layer=1', '#s1#f12', 'f12']) assert.equal(parsePlace(hash), null, hash);
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
