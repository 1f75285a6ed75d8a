/** Quizzes and glossary: answers that are counted, proofs that exist, terms found where they stand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TermFinder, TERMS } from '../../web/lab/glossary.js';
import { asked, counted, OPTIONS, QUIZZES } from '../../web/lab/quiz.js';
import { placeHash } from '../../web/lab/place.js';
import en from '../../web/locales/en.js';
import zh from '../../web/locales/zh-CN.js';

const finder = (messages) => new TermFinder(TERMS.flatMap(({ key, forms }) => {
  const written = forms ?? messages[`term.${key}.forms`];
  return written ? [{ key, forms: written }] : [];
}));
const found = (messages, text, known = new Set()) => finder(messages).cut(text, known).filter(({ key }) => key).map(({ key, text: t }) => [key, t]);

test('six questions, each with a reason for every answer', () => {
  assert.equal(QUIZZES.length, 6);
  for (const { key, right } of QUIZZES) {
    assert.ok(right >= 0 && right < OPTIONS);
    for (let i = 0; i < OPTIONS; i += 1) for (const kind of ['option', 'reason']) assert.ok(en[`quiz.${key}.${kind}.${i}`], `${key} ${kind} ${i}`);
  }
  assert.ok(new Set(QUIZZES.map(({ right }) => right)).size === OPTIONS, 'the right one is not always in the same place');
});

test('every question: its answer, and the figure in the state that proves it', () => {
  const one = 'h=8&d=256&g=1&q=0&shown=1';
  const two = 'h=8&d=256&g=2&q=0';
  const table = {
    share: [1, `#f9&${two}`], cache: [1, `#f9&${two}`], why: [0, `#f9&${one}`],
    silence: [2, '#f18&z=-6,-6', '#f23&edits=shut.all.all'],
    first: [1, '#f2&mode=mask&row=2', '#f16&row=2&q=4,-4&v=0,0'], mqa: [2, `#f9&${one}`],
  };
  assert.deepEqual(Object.fromEntries(QUIZZES.map(({ key, right, proofs }) => (
    [key, [right, ...proofs.map(({ figure, state }) => placeHash(figure, state))]]))), table);
});

test('the numbers are those of the chapter', () => {
  const { mha, gqa, mqa, times } = counted();
  assert.deepEqual([mha, gqa, mqa, times], [4096, 1024, 512, 4]);
});

test('an attribute picks one question, anything else asks all', () => {
  assert.deepEqual(asked('3').map(({ key }) => key), ['why']);
  for (const only of ['', '0', '7', 'x', '12', null, undefined]) assert.equal(asked(only).length, 6, String(only));
});

test('all terms have a name and a meaning in both languages', () => {
  for (const { key, name } of TERMS) {
    for (const messages of [en, zh]) {
      assert.ok(messages[`term.${key}`]);
      assert.ok(name ?? messages[`term.${key}.name`]);
    }
  }
});

test('a term is cut out where it is first used, and nothing else is lost', () => {
  const text = 'A query head writes with W_O; heads read the KV cache.';
  const parts = finder(en).cut(text, new Set());
  assert.equal(parts.map((p) => p.text).join(''), text);
  assert.deepEqual(found(en, text), [['qkv', 'query'], ['head', 'head'], ['wo', 'W_O'], ['cache', 'KV cache']]);
  assert.deepEqual(found(en, text, new Set(['qkv', 'head', 'wo'])), [['cache', 'KV cache']]);
});

test('words that only look like a term are left alone', () => {
  assert.deepEqual(found(en, 'Ahead, headless, investigates, keyboard, the headline, gate_up_proj.'), []);
  assert.deepEqual(found(zh, '回头看箭头，从头到尾，专门的热门部门，窄门，里头。'), []);
  assert.deepEqual(found(zh, '八个头，每层的门'), [['head', '头'], ['gate', '门']]);
  assert.deepEqual(found(zh, '残差流经过softmax和GQA'), [['residual', '残差流'], ['softmax', 'softmax'], ['gqa', 'GQA']]);
});
