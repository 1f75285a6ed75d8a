/** Catalogues: the same keys and placeholders everywhere, nothing left untranslated, nothing used that is not there. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import en from '../../web/locales/en.js';
import zh from '../../web/locales/zh-CN.js';
import { makeText, placeholders } from '../../web/lab/text.js';

const WEB = new URL('../../web/', import.meta.url);
/** Names and symbols that are the same in every language. */
const SAME = new Set(['tool.png', 'tool.svg', 'mask.mode.softmax']);
/** Glosses that Chinese readers need none of. */
const EMPTY_IN_ZH = /\.gloss\.\d$/;

test('both have the same keys with the same placeholders', () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    assert.deepEqual([...new Set(placeholders(zh[key]))], EMPTY_IN_ZH.test(key) ? [] : [...new Set(placeholders(en[key]))], key);
  }
});

test('nothing is left untranslated or empty', () => {
  for (const [key, value] of Object.entries(zh)) {
    if (EMPTY_IN_ZH.test(key)) continue;
    assert.notEqual(value, '', key);
    if (!SAME.has(key) && !/^\{\w+\}( [^\p{L}]+ \{\w+\})*$/u.test(value)) assert.notEqual(value, en[key], key);
  }
});

test('Chinese has full-width punctuation beside Han text, and no straight quotes', () => {
  for (const [key, value] of Object.entries(zh)) {
    assert.doesNotMatch(value, /\p{Script=Han}[,;:?!]/u, key);
    assert.doesNotMatch(value, /"/, key);
  }
});

test('every key that widgets and pages name exists, and every key is named', () => {
  const folders = ['widgets/', 'widgets/parts/', 'pages/'];
  const text = folders.flatMap((f) => readdirSync(new URL(f, WEB)).filter((n) => /\.(js|html)$/.test(n))
    .map((n) => readFileSync(new URL(f + n, WEB), 'utf8'))).join('\n');
  const literal = [...text.matchAll(/\b(?:t|text)\('([\w.]+)'|rich\(t, '([\w.]+)'|data-t(?:-\w+)?="([\w.]+)"/g)].map((m) => m[1] ?? m[2] ?? m[3]);
  assert.ok(literal.length > 60);
  for (const key of literal) assert.ok(key in en, key);
  const patterns = [...text.matchAll(/`((?:[\w.]|\$\{[^}]*\})+)`/g)].map((m) => m[1]).filter((p) => p.includes('${') && p.includes('.'))
    .map((p) => new RegExp(`^${p.replace(/\./g, '\\.').replace(/\$\{[^}]*\}/g, '[\\w.]+')}$`));
  for (const key of Object.keys(en)) {
    assert.ok(literal.includes(key) || text.includes(`'${key}'`) || patterns.some((p) => p.test(key)), `${key} is not used`);
  }
});

/** What stands behind a number and is no noun that is counted. */
const NO_COUNT = new Set(['is', 'as', 'asks', 'its', 'has', 'was', 'this', 'times', 'ones', 'minus', 'nats', 'becomes', 'reads', 'takes',
  'gives', 'looks', 'opens', 'sees', 'speaks', 'writes']);

test('one of a thing is not “1 things”, two are not “2 thing”', () => {
  const t = makeText('en', en);
  for (const [key, message] of Object.entries(en)) {
    const names = placeholders(message);
    const said = (/** @type {string} */ n) => {
      const args = Object.fromEntries(names.map((name) => [name, n]));
      const rich = t.segments(key).map((s) => ('arg' in s ? s.forms ? t.wordFor(n, ...s.forms) : n : '')).join(' ');
      return `${t(key, args)} ${rich}`;
    };
    const counted = [...said('1').matchAll(/(?<![\d.,])1 (?:cached |older |free |linear |query )?([a-z]+s)\b/g)].map(([, noun]) => noun);
    assert.deepEqual(counted.filter((noun) => !NO_COUNT.has(noun)), [], `${key}: ${said('1')}`);
    assert.doesNotMatch(said('2'), /(?<![\d.,])2 (?:layer|token|head|step|model|seed|row|score)\b/, key);
  }
  assert.equal(t('load.failed.part', { layers: '1' }).split(' ').slice(0, 3).join(' '), 'After 1 layer');
  assert.match(t('load.failed.part', { layers: t.count(1000) }), /^After 1,000 layers/);
});
