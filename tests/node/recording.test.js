/** A run kept in a file gives the same numbers, answers for its own prompt only, and a broken file is refused. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEngine, loadTokenizer } from '../../web/engine/index.js';
import { writeSafetensors } from '../../web/engine/recording.js';
import { parseFile } from '../../web/engine/safetensors.js';
import { startFaultServer } from '../helpers/fault-server.js';
import { folderPath, golden } from '../helpers/golden.js';

const engine = await createEngine({ variant: 'simd' });
const { tokens } = golden('tiny4');
const model = await engine.openModel(folderPath('tiny4'));
const live = await model.forward(tokens, { capture: 'all', logits: 'all' });
const pieces = tokens.map((id) => ({ id, text: `t${id}`, bytes: Uint8Array.of(id), joins: [] }));
const bytes = live.save({ prompt: '十二 tokens', pieces });
const dir = await mkdtemp(join(tmpdir(), 'attn-'));
const path = join(dir, 'run.safetensors');
await writeFile(path, bytes);
test.after(async () => {
  await engine.close();
  await rm(dir, { recursive: true });
});

test('the same numbers come back', async () => {
  const recording = await engine.openRecording(path);
  assert.deepEqual(recording.config, JSON.parse(JSON.stringify(model.config)));
  assert.deepEqual(recording.prompts, [{ prompt: '十二 tokens', tokens, pieces }]);
  const seen = [];
  const run = await recording.forward(tokens, { capture: 'all', logits: 'all', onLayer: (i) => seen.push(i) });
  assert.equal(run.source, 'recorded');
  assert.equal(live.source, 'live');
  assert.deepEqual(run.layers, live.layers);
  assert.deepEqual(run.logits, live.logits);
  assert.deepEqual(run.finalHidden, live.finalHidden);
  assert.deepEqual(seen, [0, 1, 2, 3]);
  const last = await recording.forward(tokens);
  assert.deepEqual(last.logits.data, live.logits.data.slice(-97));
  assert.deepEqual(last.layers, [{}, {}, {}, {}], 'captures only when asked for');
});

test('the names of its next tokens and its day come along; a file from before has neither', async (t) => {
  const next = [17, 4].map((id) => ({ id, text: `n${id}`, bytes: Uint8Array.of(id, 255), joins: [] }));
  const named = join(dir, 'named.safetensors');
  await writeFile(named, live.save({ prompt: 'named', pieces, next, date: '2026-11-30' }));
  const remote = await createEngine({ workers: 1, variant: 'simd' });
  t.after(() => remote.close());
  for (const each of [engine, remote]) {
    const recording = await each.openRecording(named);
    assert.deepEqual(recording.prompts, [{ prompt: 'named', tokens, pieces, next, date: '2026-11-30' }]);
    assert.deepEqual((await recording.forward(tokens, { capture: ['probs'] })).layers[3].probs, live.layers[3].probs);
  }
  assert.ok(!('next' in (await engine.openRecording(path)).prompts[0]));
  const other = Buffer.from(live.save({ prompt: 'x', next })).toString('latin1');
  await writeFile(named, Buffer.from(other.replace('"next":"[{', '"next":"[7,'), 'latin1'));
  await assert.rejects(engine.openRecording(named), { code: 'BAD_FILE' });
});

test('the command line records the names of the next tokens', async () => {
  const { run } = await import('../../web/cli/record.js');
  const small = fileURLToPath(new URL('../../web/models/small', import.meta.url));
  const out = join(dir, 'small.safetensors');
  const { data } = await run(engine, { base: small, text: 'The cat sat on the', out });
  const [{ next, date }] = (await engine.openRecording(out)).prompts;
  assert.match(date, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(next.map(({ id }) => id), data.next);
  const tokenizer = await loadTokenizer(small);
  for (const piece of next) assert.deepEqual(piece, (await tokenizer.pieces([piece.id]))[0]);
  assert.ok(next.length >= 10);
  await run(engine, { base: folderPath('tiny4'), ids: tokens, out });
  assert.ok(!('next' in (await engine.openRecording(out)).prompts[0]), 'no tokenizer, no names');
});

test('it comes over HTTP, and through a worker', async () => {
  const server = await startFaultServer(dir);
  const remote = await createEngine({ workers: 1, variant: 'simd' });
  for (const each of [engine, remote]) {
    const recording = await each.openRecording(`${server.url}run.safetensors?v=1`);
    const run = await recording.forward(tokens, { capture: ['probs'] });
    assert.deepEqual(run.layers[3].probs, live.layers[3].probs);
  }
  await remote.close();
  await server.close();
});

for (const [what, call] of Object.entries({
  'another prompt': (r) => r.forward([1, 2, 3]),
  'interventions': (r) => r.forward(tokens, { interventions: [{ layer: 3, head: 0, zero: true }] }),
})) {
  test(`NOT_RECORDED: ${what}`, async () => {
    await assert.rejects(call(await engine.openRecording(path)), { code: 'NOT_RECORDED' });
  });
}

test('NOT_RECORDED: a capture or logits that were not kept', async () => {
  const small = join(dir, 'small.safetensors');
  await writeFile(small, (await model.forward(tokens, { capture: ['probs'] })).save());
  const recording = await engine.openRecording(small);
  await assert.rejects(recording.forward(tokens, { capture: ['gate'] }), { code: 'NOT_RECORDED' });
  await assert.rejects(recording.forward(tokens, { logits: 'all' }), { code: 'NOT_RECORDED' });
  assert.equal((await recording.forward(tokens, { capture: 'all' })).layers[3].probs.data.length, 4 * 144);
});

for (const [what, [content, code]] of Object.entries({
  'nothing': [new Uint8Array(0), /BAD_FILE|TRUNCATED/],
  'a page': ['<!DOCTYPE html><html></html>', /NOT_WEIGHTS/],
  'half of it': [bytes.slice(0, bytes.length >> 1), /TRUNCATED/],
  'a header length of 2^60': [Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 16, 123]), /BAD_FILE/],
  'weights in place of a recording': [Uint8Array.from([2, 0, 0, 0, 0, 0, 0, 0, 123, 125]), /BAD_FILE/],
})) {
  test(`refused: ${what}`, async () => {
    const broken = join(dir, 'broken.safetensors');
    await writeFile(broken, content);
    await assert.rejects(engine.openRecording(broken), (error) => error.name === 'EngineError' && code.test(error.code));
  });
}

/** The recording again, its arrays and metadata changed. */
function changed(change) {
  const { tensors, metadata } = parseFile(bytes);
  const arrays = Object.fromEntries([...tensors].map(([name, { shape, begin, end }]) =>
    [name, { shape, data: new Float32Array(bytes.slice(begin, end).buffer) }]));
  change(arrays, metadata);
  return writeSafetensors(arrays, metadata);
}

const rename = (from, to) => (arrays) => {
  arrays[to] = arrays[from];
  delete arrays[from];
};
for (const [what, [change, code]] of Object.entries({
  'a map of one head fewer': [(a) => { a['layers.3.probs'] = { shape: [3, 12, 12], data: new Float32Array(432) }; }, 'BAD_SHAPE'],
  'logits of another vocabulary': [(a) => { a.logits = { shape: [96], data: new Float32Array(96) }; }, 'BAD_SHAPE'],
  'a final state of other tokens': [(a) => { a.finalHidden.shape = [a.finalHidden.data.length, 1]; }, 'BAD_SHAPE'],
  'another prompt than its arrays are of': [(_, m) => { m.tokens = '[1,2,3]'; }, 'BAD_SHAPE'],
  'a layer that is none of its own': [rename('layers.3.probs', 'layers.9.probs'), 'BAD_FILE'],
  'a capture that there is not': [rename('layers.3.probs', 'layers.3.colour'), 'BAD_FILE'],
  'linear layers without sizes': [(_, m) => { m.config = JSON.stringify({ ...JSON.parse(m.config), linear: 1 }); }, 'BAD_FILE'],
})) {
  test(`refused: ${what}`, async () => {
    const broken = join(dir, 'other.safetensors');
    await writeFile(broken, changed(change));
    await assert.rejects(engine.openRecording(broken), { name: 'EngineError', code });
  });
}

for (const workers of [0, 1]) {
  test(`${workers} workers: it answers its own prompt, known options, while it is open, with copies`, async () => {
    const own = await createEngine({ workers, variant: 'simd' });
    const recording = await own.openRecording(path);
    const other = [...tokens.slice(0, -1), (tokens.at(-1) + 1) % 97];
    await assert.rejects(recording.forward(other), (error) => {
      assert.equal(error.code, 'NOT_RECORDED');
      assert.ok(error.message.includes('十二 tokens'), error.message);
      return true;
    });
    for (const wrong of [{ colour: 1 }, { logits: 'some' }, { interventions: {} }, { interventions: [{ layer: 9, zero: true }] },
      { capture: ['colour'] }]) {
      await assert.rejects(recording.forward(tokens, wrong), { code: 'BAD_OPTION' }, JSON.stringify(wrong));
    }
    await assert.rejects(recording.forward(tokens, { signal: AbortSignal.abort() }), { code: 'ABORTED' });
    const stop = new AbortController();
    const seen = [];
    await assert.rejects(recording.forward(tokens, { signal: stop.signal, onLayer: (i) => {
      seen.push(i);
      stop.abort();
    } }), { code: 'ABORTED' });
    assert.deepEqual(seen, [0]);
    const run = await recording.forward(tokens, { capture: 'all', logits: 'all' });
    for (const value of [run.logits, run.finalHidden, ...run.layers.flatMap((captures) => Object.values(captures))]) {
      value.data?.fill(7);
      if (value.shape) value.shape[0] = 7;
    }
    const again = await recording.forward(tokens, { capture: 'all', logits: 'all' });
    assert.deepEqual(again.layers, live.layers);
    assert.deepEqual(again.logits, live.logits);
    await recording.close();
    await assert.rejects(recording.forward(tokens), { code: 'BAD_OPTION' });
    const last = await own.openRecording(path);
    await own.close();
    await assert.rejects(last.forward(tokens), { code: 'BAD_OPTION' });
  });
}
