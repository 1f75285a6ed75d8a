/** Every error of the engine in the page's words: a title of its own, facts without English sentences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorFacts, errorTitle } from '../../web/lab/error-words.js';
import { makeText } from '../../web/lab/text.js';
import en from '../../web/locales/en.js';
import zh from '../../web/locales/zh-CN.js';

const texts = [makeText('en', en), makeText('zh-CN', zh)];
const CODES = ['BAD_OPTION', 'BAD_SHAPE', 'NOT_RECORDED', 'BAD_CONFIG', 'UNSUPPORTED_MODEL', 'BAD_FILE', 'MISSING_TENSOR', 'HTTP', 'NETWORK',
  'CORS_OR_BLOCKED', 'NOT_WEIGHTS', 'TRUNCATED', 'HASH_MISMATCH', 'OUT_OF_MEMORY', 'QUOTA', 'ABORTED', 'NO_WASM', 'WORKER_LOST', 'SCRIPT', 'OFFLINE'];

test('every code has a title of its own in both languages', () => {
  for (const t of texts) {
    const titles = CODES.map((code) => t(errorTitle(t, { code, message: '' })));
    assert.equal(new Set(titles).size, CODES.length);
    assert.ok(!titles.includes(t('error.ERROR')));
    assert.equal(t(errorTitle(t, { message: 'x is undefined' })), t('error.ERROR'));
  }
});

test('a module’s file is the server’s affair, its absence the browser’s', () => {
  for (const t of texts) {
    const [file, browser] = [{ url: 'https://a.example/wasm/attn.simd.wasm' }, {}].map((details) => errorTitle(t, { code: 'NO_WASM', message: '', details }));
    assert.notEqual(t(file), t(browser));
    assert.notEqual(errorTitle(t, { code: 'NETWORK', message: '', details: { unknown: true } }), errorTitle(t, { code: 'NETWORK', message: '' }));
  }
});

test('facts come from details alone; a sentence of the engine is not passed off as the page’s', () => {
  const [, t] = texts;
  const facts = (/** @type {any} */ details) => errorFacts(t, { code: 'X', message: 'English words', details });
  assert.deepEqual(facts({ url: 'https://hub.example/m/config.json', status: 503, expected: 200, found: 503 }),
    ['文件：config.json · hub.example', '服务器返回状态码 503']);
  assert.deepEqual(facts({ url: 'https://hub.example/m/attn.simd.wasm', kind: 'page', expected: 'a WebAssembly module', found: 'a web page beginning' }),
    ['文件：attn.simd.wasm · hub.example', '实际：一个网页']);
  assert.deepEqual(facts({ tensor: 'layers.0.w', expected: [4, 5], found: [5, 4] }), ['文件：layers.0.w', '应为：4, 5', '实际：5, 4']);
  assert.deepEqual(facts({ field: 'variant', expected: 'right sums', found: 'simd' }), ['文件：variant', '实际：simd']);
  assert.deepEqual(facts(undefined), []);
  assert.deepEqual(facts({ found: NaN, expected: [] }), ['实际：NaN']);
});
