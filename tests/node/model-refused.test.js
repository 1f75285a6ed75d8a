/** What a model's public door refuses, with the contract's code, what was expected and what was found. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile, cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { folderPath } from '../helpers/golden.js';

const engine = await createEngine({ variant: 'simd' });
const model = await engine.openModel(folderPath('tiny4')); // vocab 97, 4 layers, 4096 positions
test.after(() => engine.close());

for (const [what, [call, code]] of Object.entries({
  'no ids': [() => model.forward([]), 'BAD_SHAPE'],
  'ids not a list': [() => model.forward('1,2'), 'BAD_SHAPE'],
  'id = vocab': [() => model.forward([97]), 'BAD_SHAPE'],
  'id negative': [() => model.forward([1, -1]), 'BAD_SHAPE'],
  'id fractional': [() => model.forward([1.5]), 'BAD_SHAPE'],
  'id NaN': [() => model.forward([NaN]), 'BAD_SHAPE'],
  'too many ids': [() => model.forward(new Array(4097).fill(1)), 'BAD_SHAPE'],
  'unknown option': [() => model.forward([1], { captures: [] }), 'BAD_OPTION'],
  'unknown capture': [() => model.forward([1], { capture: ['attention'] }), 'BAD_OPTION'],
  'unknown logits': [() => model.forward([1], { logits: 'some' }), 'BAD_OPTION'],
  'signal of another kind': [() => model.forward([1], { signal: 5 }), 'BAD_OPTION'],
  'maxTokens 0': [() => model.generate([1], { maxTokens: 0 }), 'BAD_SHAPE'],
  'no maxTokens': [() => model.generate([1]), 'BAD_SHAPE'],
  'openModel: unknown option': [() => engine.openModel(folderPath('tiny4'), { layer: 3 }), 'BAD_OPTION'],
  'openModel: layers 5 of 4': [() => engine.openModel(folderPath('tiny4'), { layers: 5 }), 'BAD_OPTION'],
  'openModel: layers 0': [() => engine.openModel(folderPath('tiny4'), { layers: 0 }), 'BAD_OPTION'],
  'openModel: keep': [() => engine.openModel(folderPath('tiny4'), { keep: 'some' }), 'BAD_OPTION'],
  'openModel: network': [() => engine.openModel(folderPath('tiny4'), { network: { speed: 1 } }), 'BAD_OPTION'],
  'openModel: no address': [() => engine.openModel(), 'BAD_OPTION'],
  'openModel: no folder': [() => engine.openModel(folderPath('nowhere')), 'HTTP'],
  'a run of no layers saved with an unknown option': [async () => (await model.forward([1])).save({ name: 'x' }), 'BAD_OPTION'],
})) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(async () => call(), (error) => {
      assert.equal(error.name, 'EngineError');
      assert.equal(error.code, code, error.message);
      assert.match(error.message, /expected .*found/s);
      return true;
    });
    assert.equal((await model.forward([1, 2])).logits.data.length, 97, 'the model goes on');
  });
}

/** A copy of tiny4 with a changed config. */
async function withConfig(change, f) {
  const folder = await mkdtemp(join(tmpdir(), 'attn-'));
  try {
    await cp(folderPath('tiny4'), folder, { recursive: true });
    const path = join(folder, 'config.json');
    const config = JSON.parse(await readFile(path, 'utf8'));
    change(config);
    await writeFile(path, JSON.stringify(config));
    await f(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [what, [change, code]] of Object.entries({
  'hidden size of another model': [(c) => { c.hidden_size = 32; }, 'BAD_SHAPE'],
  'heads that do not divide': [(c) => { c.num_attention_heads = 5; }, 'BAD_CONFIG'],
  'a layer more than the file': [(c) => { c.num_hidden_layers = 5; c.layer_types.push('full_attention'); }, 'MISSING_TENSOR'],
  'untied without lm_head': [(c) => { c.tie_word_embeddings = false; }, 'MISSING_TENSOR'],
  'no vocab': [(c) => { delete c.vocab_size; }, 'BAD_CONFIG'],
  'absurd eps': [(c) => { c.rms_norm_eps = -1; }, 'BAD_CONFIG'],
  'yarn': [(c) => { c.rope_parameters.rope_type = 'yarn'; }, 'UNSUPPORTED_MODEL'],
  'another architecture': [(c) => { c.model_type = 'llama'; c.architectures = ['LlamaForCausalLM']; }, 'UNSUPPORTED_MODEL'],
  'another activation': [(c) => { c.hidden_act = 'gelu'; }, 'UNSUPPORTED_MODEL'],
})) {
  test(`refused config: ${what}`, () => withConfig(change, async (folder) => {
    await assert.rejects(engine.openModel(folder), (error) => {
      assert.equal(error.code, code, error.message);
      assert.ok('expected' in error.details && 'found' in error.details);
      return true;
    });
  }));
}

test('close is final, and closing twice is not an error', async () => {
  const own = await engine.openModel(folderPath('tiny4'));
  const session = await own.session();
  await session.append([1, 2]);
  await own.close();
  await own.close();
  await assert.rejects(own.forward([1]), { code: 'BAD_OPTION' });
  await assert.rejects(own.session(), { code: 'BAD_OPTION' });
  await assert.rejects(session.append([3]), { code: 'BAD_OPTION' });
});

test('captures stay valid after close', async () => {
  const own = await engine.openModel(folderPath('tiny4'));
  const { layers } = await own.forward([1, 2, 3], { capture: ['probs'] });
  const before = Array.from(layers[3].probs.data);
  await own.close();
  await engine.openModel(folderPath('mqa8')).then((other) => other.forward([4, 5]));
  assert.deepEqual(Array.from(layers[3].probs.data), before);
});
