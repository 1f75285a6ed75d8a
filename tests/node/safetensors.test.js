import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { headerLength, MAX_HEADER, parseFile, parseHeader } from '../../web/engine/safetensors.js';

const golden = (path) => readFile(new URL(`../golden/${path}`, import.meta.url));
const encode = (text) => new TextEncoder().encode(text);

/** A file of the given header text and so many data bytes. */
function file(header, dataBytes = 0, length = undefined) {
  const text = encode(typeof header === 'string' ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + dataBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length ?? text.length), true);
  bytes.set(text, 8);
  return bytes;
}

const entry = (begin, end, extra = {}) => ({ dtype: 'U8', shape: [end - begin], data_offsets: [begin, end], ...extra });

function refused(bytes, code, field, pattern) {
  assert.throws(() => parseFile(bytes, { file: 'x.safetensors' }), (error) => {
    assert.equal(error.name, 'EngineError');
    assert.equal(error.code, code, error.message);
    if (field !== undefined) assert.equal(error.details.field, field);
    assert.match(error.message, /expected/);
    assert.match(error.message, /found/);
    if (pattern) assert.match(error.message, pattern);
    return true;
  });
}

test('reads the table of a real file: offsets count from the start of the file', async () => {
  const bytes = await golden('tiny4/model.safetensors');
  const { tensors, metadata, dataStart, size } = parseFile(bytes);
  assert.equal(tensors.size, 55);
  assert.deepEqual({ ...metadata }, { format: 'pt' });
  assert.equal(dataStart, 8 + 5704);
  assert.equal(size, bytes.length);
  assert.deepEqual(tensors.get('model.layers.0.linear_attn.conv1d.weight'),
    { dtype: 'BF16', shape: [192, 1, 4], begin: 5712 + 12560, end: 5712 + 14096 });
  assert.equal(tensors.get('model.layers.0.linear_attn.A_log').dtype, 'F32');
});

test('an unaligned view and an empty tensor are read as well', () => {
  const inner = file({ e: entry(0, 0, { shape: [0, 7] }), s: entry(0, 4, { dtype: 'F32', shape: [] }) }, 4);
  const outer = new Uint8Array(inner.length + 3);
  outer.set(inner, 3);
  const { tensors } = parseFile(outer.subarray(3));
  assert.deepEqual([...tensors.keys()], ['e', 's']);
  assert.deepEqual(tensors.get('s').shape, []);
});

test('header length: too short, 0, 1, 2^60, beyond the format and beyond the file', () => {
  refused(new Uint8Array(0), 'BAD_FILE', 'header length');
  refused(new Uint8Array(7), 'BAD_FILE', 'header length');
  for (const n of [0, 1, 2n ** 60n, 2n ** 64n - 1n, MAX_HEADER + 1]) {
    refused(file('{}', 0, n), 'BAD_FILE', 'header length', new RegExp(String(n)));
  }
  refused(file('{}', 0, 3), 'BAD_FILE', 'header length', /longer than the file/);
  assert.equal(headerLength(file('{}', 0, 3)), 3, 'without a file size the length stands');
});

test('a header that is no header', () => {
  refused(file(' {}'), 'BAD_FILE', 'header', /'\{' first/);
  refused(file('[1,2]'), 'BAD_FILE', 'header');
  refused(file('{"a":'), 'BAD_FILE');
  refused(file('{"a":1}'), 'BAD_FILE', 'a');
  refused(file('{"a":null}'), 'BAD_FILE', 'a');
  const broken = file('{"a":"??"}');
  broken.set([0xff, 0xfe], 14);
  refused(broken, 'BAD_FILE', 'header', /UTF-8/);
});

test('deep JSON, equal keys and __proto__ are refused before anything is built of them', () => {
  const deep = '['.repeat(200000);
  refused(file(`{"a":${deep}`), 'BAD_FILE', 'header', /nested/);
  refused(file(`{"a":${'{"a":'.repeat(50)}1${'}'.repeat(50)}}`), 'BAD_FILE', 'header', /nested/);
  const one = JSON.stringify(entry(0, 1));
  refused(file(`{"a":${one},"a":${one}}`, 1), 'BAD_FILE', 'a', /twice/);
  refused(file(`{"a":${one},"\\u0061"${' '.repeat(50)}:${one}}`, 1), 'BAD_FILE', 'a', /twice/);
  refused(file('{"a":{"dtype":"U8","dtype":"F32","shape":[1],"data_offsets":[0,1]}}', 1), 'BAD_FILE', 'dtype');
  refused(file(`{"__proto__":${one}}`, 1), 'BAD_FILE', '__proto__');
  const inner = '{"dtype":"U8","shape":[1],"data_offsets":[0,1],"__proto__":{"x":1}}';
  refused(file(`{"a":${inner}}`, 1), 'BAD_FILE', '__proto__');
  assert.equal({}.x, undefined);
  const names = { constructor: entry(0, 1), toString: entry(1, 2), 'a"b\\': entry(2, 3), 'x{[:': entry(3, 4) };
  assert.equal(parseFile(file(names, 4)).tensors.size, 4, 'odd names are names');
});

test('offsets: negative, fractional, huge, reversed, overlapping, with holes, out of the file', () => {
  for (const offsets of [[-1, 0], [0.5, 1.5], [1, 0], [0], [0, 1, 2], ['0', '1'], [0, 1e300], null, 7]) {
    refused(file({ a: entry(0, 1, { data_offsets: offsets }) }, 8), 'BAD_FILE', 'a');
  }
  refused(file({ a: entry(0, 4), b: entry(3, 7) }, 7), 'BAD_FILE', 'b', /overlap/);
  refused(file({ a: entry(0, 4), b: entry(0, 4) }, 4), 'BAD_FILE', 'b', /overlap/);
  refused(file({ a: entry(0, 4), b: entry(5, 7) }, 7), 'BAD_FILE', 'b', /hole/);
  refused(file({ a: entry(1, 4) }, 4), 'BAD_FILE', 'a', /hole/);
  refused(file({ a: entry(0, 4), b: entry(2 ** 40, 2 ** 40 + 4) }, 8), 'BAD_FILE', 'b');
  refused(file({ a: entry(0, 4) }, 5), 'BAD_FILE', 'file size');
});

test('shapes and dtypes: odd sizes, wrong products, unknown names', () => {
  for (const shape of [[-1], [1.5], ['1'], [NaN], [2 ** 53], null, 'x', {}]) {
    refused(file({ a: entry(0, 1, { shape }) }, 1), 'BAD_FILE', 'a');
  }
  refused(file({ a: entry(0, 3, { dtype: 'BF16', shape: [2] }) }, 3), 'BAD_FILE', 'a', /4 bytes for BF16 \[2\]/);
  refused(file({ a: entry(0, 4, { shape: [2 ** 30, 2 ** 30] }) }, 4), 'BAD_FILE', 'a');
  for (const dtype of ['BF17', '', null, 3, '__proto__', 'toString']) {
    refused(file({ a: entry(0, 1, { dtype }) }, 1), 'BAD_FILE', 'a');
  }
});

test('metadata must be an object of strings', () => {
  for (const metadata of [{ a: 1 }, [], 'x', null]) {
    refused(file({ __metadata__: metadata }), 'BAD_FILE', '__metadata__');
  }
});

test('a good header on a file that ends early is TRUNCATED, at every length', async () => {
  const bytes = await golden('tiny4/model.safetensors');
  for (const length of [5712, 5713, bytes.length - 1]) refused(bytes.subarray(0, length), 'TRUNCATED');
  for (const length of [0, 7, 8, 5711]) refused(bytes.subarray(0, length), 'BAD_FILE');
});

test('without a file size the size the file must have is told', () => {
  const text = JSON.stringify({ a: entry(0, 4) });
  assert.equal(parseHeader(encode(text)).size, 8 + text.length + 4);
});
