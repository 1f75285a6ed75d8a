// What ships with the page as a model: the tokenizer, the corpus and the folders in web/models.
import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEngine, loadTokenizer } from '../../web/engine/index.js';
import { corpusIds, documents, kindCounts, wordCounts } from '../../tools/small-model/corpus.mjs';
import { exampleFiles } from '../../tools/small-model/example.mjs';
import { createChoices, mix, stream } from '../../tools/small-model/random.mjs';
import { TRAINING, TWINS } from '../../tools/small-model/recipe.mjs';
import { KINDS } from '../../tools/small-model/sentences.mjs';

const folder = (name) => fileURLToPath(new URL(`../../web/models/${name}/`, import.meta.url));
const EXAMPLE = folder('example');
const tokenizer = await loadTokenizer(EXAMPLE);
const split = async (text) => (await tokenizer.encode(text)).pieces.map((piece) => piece.text);

test('the generator gives the documented numbers', () => {
  assert.equal(mix(1), 0x688990c0);
  const u = stream('layers.3.self_attn.q_proj.weight', 42);
  assert.deepEqual([0, 1, 2, 3].map(u), [0x30c53f8d, 0x8a0eae49, 0x31ab76c7, 0x37e5a2b4]);
});

test('choices cover a list evenly and repeat by seed', () => {
  const draw = (seed) => {
    const r = createChoices('test', seed);
    return Array.from({ length: 6000 }, () => r.below(6));
  };
  const counts = Array(6).fill(0);
  for (const i of draw(1)) counts[i]++;
  for (const n of counts) assert.ok(n > 850 && n < 1150, `${counts}`);
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2));
});

test('the words of the page are single tokens', async () => {
  assert.deepEqual(await split('今天天气不错，我们去公园'), ['今天', '天气', '不错', '，', '我们去', '公园']);
  assert.deepEqual(await split('The cat sat on the mat'), ['The', ' cat', ' sat', ' on', ' the', ' mat']);
});

test('every word of the corpus is one token, sentence by sentence', async () => {
  for (const { text, words } of documents(3000, 7)) assert.deepEqual(await split(text), words, text);
});

test('decode after encode gives any text back, in NFC as the normalizer asks', async () => {
  const u = stream('texts', 3);
  const texts = ['', ' ', '\r\n\t x  \n', 'é e\u0301', '𠮷野家', '👩‍👩‍👧 คุณ Zürich בנ', 'don\'t DON\'T',
    '\0\x7f\u00ad',
    ...Array.from({ length: 300 }, (_, k) => String.fromCodePoint(...Array.from({ length: 12 }, (_, i) => {
      const code = u(12 * k + i) % [0x80, 0x800, 0x10000, 0x110000][k % 4];
      return code >= 0xd800 && code < 0xe000 ? 0x4e00 : code;
    })))];
  for (const text of texts) {
    const { ids } = await tokenizer.encode(text);
    assert.equal(await tokenizer.decode(ids), text.normalize('NFC'), JSON.stringify(text));
  }
});

test('no token joins the end of one character with the beginning of the next', async () => {
  const continues = (byte) => (byte & 0xc0) === 0x80;
  const width = (byte) => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
  let longer = 0;
  for (const { bytes } of await tokenizer.pieces(Array.from({ length: tokenizer.vocab - 1 }, (_, id) => id))) {
    if (bytes.length === 1) continue;
    longer++;
    assert.ok(!continues(bytes[0]), `${bytes}`);
    const wholes = [...bytes].filter((byte) => !continues(byte)).reduce((n, byte) => n + width(byte), 0);
    assert.ok(wholes === bytes.length || (wholes > bytes.length && wholes === width(bytes[0])), `${bytes}`);
  }
  assert.ok(longer > 300);
});

test('the corpus has all kinds of document, by seed', async () => {
  const docs = documents(2000, 1);
  assert.deepEqual(Object.keys(kindCounts(docs)).sort(), Object.keys(KINDS).sort());
  assert.deepEqual(documents(2000, 1), docs);
  assert.notDeepEqual(documents(2000, 2), docs);
  const end = tokenizer.vocab - 1;
  const ids = await corpusIds(docs, tokenizer, end);
  assert.equal(ids.filter((id) => id === end).length, docs.length);
  assert.equal(ids.length, docs.length + [...wordCounts(docs).values()].reduce((a, b) => a + b, 0));
});

test('sentences keep their promises: agreement, pairs of brackets, copies, pronouns', () => {
  const counts = { agreementEn: 0, brackets: 0, copyEn: 0, copyZh: 0, peopleZh: 0 };
  const partner = { '(': ')', '[': ']', '{': '}' };
  const object = { 书: '看书', 球: '踢球', 笔: '写字', 茶: '喝茶', 歌: '唱歌' };
  const check = {
    agreementEn(text) {
      const [, noun, verb] = /^The (\w+) .* (is|are) \w+\.$/.exec(text);
      assert.equal(verb, noun.endsWith('s') ? 'are' : 'is', text);
    },
    brackets(text) {
      const open = [];
      for (const mark of text.split(' ').slice(1)) {
        if (partner[mark]) open.push(partner[mark]);
        else assert.equal(open.pop(), mark, text);
      }
      assert.equal(open.length, 0, text);
    },
    copyEn: (text) => assert.match(text, /^Copy (.+): \1\.$/),
    copyZh: (text) => assert.match(text, /^跟我念：(.+)，\1。$/),
    peopleZh(text) {
      const does = Object.fromEntries(Array.from(text.matchAll(/小(.)有一.(.)/g), ([, name, thing]) =>
        ['红丽兰'.includes(name) ? '她' : '他', object[thing]]));
      for (const [, pronoun, doing] of text.matchAll(/(她|他)在(..)/g)) assert.equal(doing, does[pronoun], text);
    },
  };
  for (const { kind, text } of documents(3000, 5)) {
    if (!check[kind]) continue;
    check[kind](text);
    counts[kind]++;
  }
  for (const [kind, n] of Object.entries(counts)) assert.ok(n > 100, kind);
});

test('the untrained example is what its generator writes, and says what it is', async () => {
  const files = exampleFiles();
  let total = 0;
  for (const [name, content] of Object.entries(files)) {
    const found = await readFile(EXAMPLE + name);
    total += found.length;
    const wanted = content instanceof Uint8Array ? Buffer.from(content)
      : Buffer.from(typeof content === 'string' ? content : `${JSON.stringify(content, null, 1)}\n`);
    assert.ok(found.equals(wanted), `${name} is not what example.mjs writes`);
  }
  assert.ok(total <= 2 ** 20, `${total} bytes`);
  assert.equal(files['config.json'].note, 'untrained example');
  const head = (await readFile(`${EXAMPLE}model.safetensors`)).subarray(0, 100).toString('latin1');
  assert.match(head, /"note":"untrained example"/);
});

test('the example opens as a layer and attends with finite numbers', async () => {
  const engine = await createEngine({ variant: 'scalar' });
  try {
    const layer = await engine.openLayer({ baseURL: EXAMPLE, layer: 3 });
    const { ids } = await tokenizer.encode('今天天气不错，我们去公园');
    const { probs, gate, out } = await layer.forward(await layer.embed(ids), { capture: ['probs', 'gate'] });
    assert.deepEqual([probs.shape, gate.shape, out.shape], [[8, 6, 6], [6, 8, 32], [6, 64]]);
    for (const { data } of [probs, gate, out]) assert.ok(data.every(Number.isFinite));
    const spread = [...out.data].reduce((a, b) => a + Math.abs(b), 0) / out.data.length;
    assert.ok(spread > 0.01, `${spread}`);
  } finally {
    await engine.close();
  }
});

for (const { folder: name, gated } of TWINS) {
  test(`${name} goes on as it should, and its folder is small`, async () => {
    const engine = await createEngine({ variant: 'scalar' });
    try {
      const model = await engine.openModel(folder(name), {});
      assert.deepEqual([model.config.layerTypes.length, model.config.heads, model.config.kvHeads, model.config.gated],
        [8, 8, 2, gated]);
      for (const [prompt, next] of [['The cat sat on the', ' mat'], ['今天天气不错，我们去', '公园'], ['Copy two white:', ' two'],
        ['Anna has a book and Tom has a ball. She', ' reads'], ['Brackets: ( [', ' ]'], ['The keys near the door', ' are']]) {
        const { ids } = await tokenizer.encode(prompt);
        assert.equal(await tokenizer.decode(await model.generate(ids, { maxTokens: 1 })), next, prompt);
      }
    } finally {
      await engine.close();
    }
    const files = await readdir(folder(name));
    const sizes = await Promise.all(files.map(async (file) => (await stat(folder(name) + file)).size));
    assert.ok(sizes.reduce((a, b) => a + b, 0) <= 3 * 2 ** 20, `${sizes}`);
    for (const file of ['tokenizer.json', 'tokenizer_config.json']) {
      assert.deepEqual(await readFile(folder(name) + file), await readFile(EXAMPLE + file), file);
    }
    const card = await readFile(`${folder(name)}MODEL.md`, 'utf8');
    assert.ok(card.includes(`${TRAINING.steps} steps`), 'the card is of another training');
    assert.doesNotMatch(card, /undefined|NaN/);
  });
}
