/** A trained model is an ordinary folder: openModel reads it and gives the trainer's numbers. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFile } from '../../web/engine/safetensors.js';
import { CORPUS, MODELS } from '../helpers/lab-model.js';
import { Numbers } from '../helpers/numbers.js';
import { onEngine } from '../helpers/variants.js';

async function inFolder(files, f) {
  const folder = await mkdtemp(join(tmpdir(), 'trained-'));
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
    return await f(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const NAMES = {
  qwen3_5_text: ['model.layers.0.linear_attn.in_proj_qkv.weight', 'model.layers.1.self_attn.q_norm.weight'],
  qwen3: ['lm_head.weight', 'model.layers.1.self_attn.k_norm.weight'],
  attn_lab: ['model.embed_positions.weight', 'model.layers.0.self_attn.sinks'],
};

onEngine('an exported folder gives the trainer\'s logits and captures', async (engine) => {
  const numbers = new Numbers();
  for (const [type, config] of Object.entries(MODELS)) {
    const trainer = await engine.createTrainer({ config, task: CORPUS, seed: 2, batch: 3, seqLen: 10,
      learningRate: 0.02 });
    await trainer.step(15);
    const ids = CORPUS.ids.slice(40, 50);
    const probe = await trainer.probe(ids);
    for (const dtype of /** @type {const} */ (['F32', 'BF16'])) {
      const files = await trainer.export({ dtype });
      const json = JSON.parse(new TextDecoder().decode(files['config.json']));
      assert.equal(json.model_type, type);
      const { tensors } = parseFile(files['model.safetensors']);
      for (const name of NAMES[type]) assert.equal(tensors.get(name)?.dtype, dtype, name);
      if (type === 'qwen3_5_text') assert.equal(tensors.get('model.layers.0.linear_attn.A_log').dtype, 'F32');
      await inFolder(files, async (folder) => {
        const model = await engine.openModel(folder);
        const run = await model.forward(ids, { capture: 'all', logits: 'all' });
        const tolerance = dtype === 'F32' ? 1e-6 : 0.15;
        assert.deepEqual(run.logits.shape, probe.logits.shape);
        numbers.near(run.logits.data, probe.logits.data, tolerance, `${type} ${dtype}, logits`);
        if (dtype === 'F32') {
          run.layers.forEach((layer, i) => {
            assert.deepEqual(Object.keys(layer), Object.keys(probe.layers[i]));
            numbers.near(layer.hOut.data, probe.layers[i].hOut.data, 1e-6, `${type}, layer ${i}`);
          });
        } else {
          assert.notDeepEqual(run.logits.data, probe.logits.data, 'bf16 rounds');
        }
        await model.close();
      });
    }
    await trainer.close();
  }
  numbers.exactly(6 * 10 * 19 + 7 * 10 * 14);
});
