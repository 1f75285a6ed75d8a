/** Layers that cannot be had, and calls that make no sense: the contract's code, and an engine that goes on. */
import assert from 'node:assert/strict';
import { EngineError } from '../../web/engine/errors.js';
import { folderPath, goldenFolder } from '../helpers/golden.js';
import { onEngine } from '../helpers/variants.js';

const TINY = goldenFolder('tiny4');

/** The tensors of layer 3, the full-attention one, under the name of layer 0. */
function tensorsOfLayer3() {
  return Object.fromEntries(Object.entries(TINY.tensors).filter(([name]) => name.startsWith('layers.3.'))
    .map(([name, { dtype, shape, data }]) => [name.replace('layers.3.', 'layers.0.'), { dtype, shape, data }]));
}
const given = (change) => ({ config: TINY.config, kind: 'full_attention', tensors: tensorsOfLayer3(), ...change });

async function refused(promise, code, what) {
  const error = await Promise.resolve(promise).then(() => undefined, (e) => e);
  assert.ok(error instanceof EngineError, `${what}: expected an EngineError, found ${error}`);
  assert.equal(error.code, code, `${what}: ${error.message}`);
  return error;
}

/** The message and details say what was expected and what was found. */
async function refusedWithDetails(promise, code, what) {
  const error = await refused(promise, code, what);
  assert.match(error.message, /expected .+ found /, what);
  assert.ok('expected' in error.details && 'found' in error.details, `${what}: details ${Object.keys(error.details)}`);
}

const change = (name, f) => {
  const tensors = tensorsOfLayer3();
  tensors[`layers.0.${name}`] = f(tensors[`layers.0.${name}`]);
  if (!tensors[`layers.0.${name}`]) delete tensors[`layers.0.${name}`];
  return { tensors };
};
const Q = 'self_attn.q_proj.weight';

onEngine('openLayer from tensors: what it refuses', async (engine) => {
  const config = (more) => ({ config: { ...TINY.config, ...more } });
  const cases = [
    ['a missing tensor', change(Q, () => undefined), 'MISSING_TENSOR'],
    ['no tensors at all', { tensors: {} }, 'MISSING_TENSOR'],
    ['a wrong shape', change(Q, (t) => ({ ...t, shape: [t.shape[1], t.shape[0]] })), 'BAD_SHAPE'],
    ['one row less', change(Q, (t) => ({ ...t, shape: [t.shape[0] - 1, t.shape[1]],
      data: t.data.slice(0, -2 * t.shape[1]) })), 'BAD_SHAPE'],
    ['bytes not matching the shape', change(Q, (t) => ({ ...t, data: t.data.slice(0, -2) })), 'BAD_FILE'],
    ['an unknown dtype', change(Q, (t) => ({ ...t, dtype: 'I8' })), 'BAD_FILE'],
    ['heads that do not divide', config({ num_key_value_heads: 3 }), 'BAD_CONFIG'],
    ['a size that is NaN', config({ hidden_size: NaN }), 'BAD_CONFIG'],
    ['a negative size', config({ head_dim: -32 }), 'BAD_CONFIG'],
    ['an unknown architecture', config({ model_type: 'llama' }), 'UNSUPPORTED_MODEL'],
    ['yarn', config({ rope_parameters: { rope_type: 'yarn', factor: 4, rope_theta: 1e7 } }), 'UNSUPPORTED_MODEL'],
    ['another activation', config({ hidden_act: 'gelu' }), 'UNSUPPORTED_MODEL'],
    ['an unknown kind', { kind: 'sliding_attention' }, 'BAD_OPTION'],
    ['no kind', { kind: undefined }, 'BAD_OPTION'],
    ['an unknown option', { kinds: 'full_attention' }, 'BAD_OPTION'],
  ];
  for (const [what, more, code] of cases) await refusedWithDetails(engine.openLayer(given(more)), code, what);
  const layer = await engine.openLayer(given({}));
  assert.deepEqual((await layer.forward(Array(64).fill(1))).out.shape, [1, 64], 'the engine still works');
});

onEngine('forward and embed: what they refuse', async (engine) => {
  const layer = await engine.openLayer(given({}));
  const x = { shape: [2, 64], data: new Float32Array(128) };
  const wrong = {
    nothing: undefined, null: null, 'a plain x that does not divide': Array(65).fill(0),
    'no tokens': { shape: [0, 64], data: [] }, 'a narrower x': { shape: [2, 63], data: new Float32Array(126) },
    'data shorter than its shape': { shape: [3, 64], data: x.data },
    'no numbers': { shape: [1, 64], data: Array(64).fill('1') },
    'a size that is NaN': { shape: [NaN, 64], data: x.data },
    'three dims': { shape: [1, 2, 64], data: x.data },
    'more tokens than positions': { shape: [4097, 64], data: new Float32Array(4097 * 64) },
  };
  for (const [what, bad] of Object.entries(wrong)) await refusedWithDetails(layer.forward(bad), 'BAD_SHAPE', what);
  await refusedWithDetails(layer.forward(x, { capture: ['probs', 'prob'] }), 'BAD_OPTION', 'an unknown capture');
  await refusedWithDetails(layer.forward(x, { capture: 'some' }), 'BAD_OPTION', 'an unknown word');
  await refusedWithDetails(layer.forward(x, { captures: 'all' }), 'BAD_OPTION', 'an unknown option');
  await refusedWithDetails(layer.embed([1]), 'BAD_OPTION', 'embed without a folder');

  const folder = await engine.openLayer({ baseURL: folderPath('tiny4'), layer: 0 });
  for (const ids of [[], [1.5], [-1], [97], [NaN], 'text', undefined, Array(4097).fill(0), ['1']]) {
    await refusedWithDetails(folder.embed(ids), 'BAD_SHAPE', `ids ${String(ids).slice(0, 20)}`);
  }
  assert.deepEqual((await folder.embed([96])).shape, [1, 64]);
  for (const index of [-1, 4, 1.5, NaN, undefined, '0']) {
    const opened = engine.openLayer({ baseURL: folderPath('tiny4'), layer: index });
    await refusedWithDetails(opened, 'BAD_OPTION', `layer ${index}`);
  }
  await layer.close();
  await layer.close();
  await refusedWithDetails(layer.forward(x), 'BAD_OPTION', 'forward after close');
  await folder.close();
  await refusedWithDetails(folder.embed([1]), 'BAD_OPTION', 'embed after close');
  const last = await engine.openLayer(given({}));
  await engine.close();
  await refused(last.forward(x), 'BAD_OPTION', 'forward after the engine\'s close');
});
