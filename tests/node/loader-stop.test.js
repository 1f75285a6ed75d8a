/** Stopped while a layer is being written to the cache: nothing more is begun, and no byte counts twice. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { openFolder } from '../../web/engine/folder.js';
import { createProgress, LayerLoader } from '../../web/engine/loader.js';
import { CONFIG_0P8B, fetchOf, syntheticModel } from '../helpers/synthetic-model.js';
import { loadWasm } from '../helpers/variants.js';

const CONFIG = { ...CONFIG_0P8B, hidden_size: 64, num_hidden_layers: 8, head_dim: 32, intermediate_size: 128, vocab_size: 300,
  linear_num_key_heads: 2, linear_num_value_heads: 2, linear_key_head_dim: 32, linear_value_head_dim: 32 };

test('a layer that becomes whole after a stop starts no other', async () => {
  const folder = await openFolder('http://x/', { fetch: fetchOf(syntheticModel(CONFIG)), cache: 'none' });
  const asked = [];
  let written = () => {};
  const slow = new Promise((done) => { written = () => done(undefined); });
  let stopped = false;
  const read = async (ranges, sink, { onBytes, signal }) => {
    const layer = ranges[0].group;
    asked.push(layer);
    if (layer === 5 && !stopped) await new Promise((_, no) => signal.addEventListener('abort', () => no(new Error('stopped'))));
    await folder.read(ranges, sink, { onBytes });
    if (layer === 4 && !stopped) await slow;
  };
  let told;
  const progress = createProgress((now) => { told = now; });
  const loader = new LayerLoader(await loadWasm('simd'), { ...folder, config: folder.config, tensors: folder.tensors, read },
    { layers: 8, keep: true, progress });
  await loader.layer(3);
  const given = loader.dropPending();
  stopped = true;
  written();
  await given;
  assert.deepEqual(asked, [0, 1, 2, 3, 4, 5]);
  for (let i = 0; i < 8; i++) await loader.layer(i);
  assert.equal(told.loadedBytes, told.totalBytes);
  await loader.free();
});
