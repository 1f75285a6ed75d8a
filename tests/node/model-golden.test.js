/**
 * Whole models against float64 expectations, through the public door, on every variant: prefill, token by token, greedy
 * continuation, ablations. mha4_f32 and odd5 are models that no other test uses.
 */
import assert from 'node:assert/strict';
import { createComparer, expectRun } from '../helpers/expect-model.js';
import { folderPath, golden } from '../helpers/golden.js';
import { onEngine } from '../helpers/variants.js';

const MODELS = ['tiny4', 'mqa8', 'shard2_f16', 'qwen3_3', 'mha4_f32', 'odd5'];

for (const name of MODELS) {
  onEngine(`${name}: every capture of a prefill`, async (engine) => {
    const file = golden(name);
    for (const keep of ['resident', 'stream']) {
      const compare = createComparer(file.tolerance);
      const model = await engine.openModel(folderPath(name), { keep });
      const run = await model.forward(file.tokens, { capture: 'all' });
      expectRun(run, file, model.config.hidden, compare);
      assert.ok(compare.count > 1000, `${compare.count} numbers compared`);
      assert.equal(run.source, 'live');
      const again = await model.forward(file.tokens, { logits: 'all' });
      compare.near('logits_last', again.logits.data.slice(-model.config.vocab), file.expect.logits_last, `${name} again`);
      const best = Array.from({ length: file.tokens.length }, (_, t) => {
        const row = again.logits.data.subarray(t * model.config.vocab, (t + 1) * model.config.vocab);
        return row.indexOf(Math.max(...row));
      });
      assert.deepEqual(best, file.argmax_each);
      await model.close();
    }
  });

  onEngine(`${name}: token by token and in pieces equals the prefill`, async (engine) => {
    const file = golden(name);
    const compare = createComparer(file.tolerance);
    const model = await engine.openModel(folderPath(name));
    for (const cuts of [file.tokens.map((_, i) => i + 1), [4, 5, 6, 12], [11, 12]]) {
      const session = await model.session();
      let begin = 0;
      let step;
      for (const end of cuts) {
        step = await session.append(file.tokens.slice(begin, end), { capture: ['probs', 'state'] });
        begin = end;
      }
      compare.near('logits_last', step.logits.data, file.expect.logits_last, `${name} cut at ${cuts}`);
      step.layers.forEach((captures, i) => {
        const wanted = file.expect.layers[i];
        if (wanted.state_h0_k0) compare.near('state_h0_k0', captures.state.data.slice(0, captures.state.shape[2]), wanted.state_h0_k0, name);
        else {
          const [H, T, S] = captures.probs.shape;
          for (let h = 0; h < H; h++) {
            compare.near('probs', captures.probs.data.slice((h * T + T - 1) * S, (h * T + T) * S), wanted.probs[h][11], name);
          }
        }
      });
      assert.deepEqual(session.tokens, file.tokens);
      await session.close();
    }
    assert.ok(compare.count > 300);
    await model.close();
  });

  onEngine(`${name}: greedy continuation`, async (engine) => {
    const file = golden(name);
    const model = await engine.openModel(folderPath(name));
    const seen = [];
    const ids = await model.generate(file.tokens, { maxTokens: 6, onToken: (id) => seen.push(id) });
    assert.deepEqual(ids, file.greedy.tokens);
    assert.deepEqual(seen, ids);
    const stopped = await model.generate(file.tokens, { maxTokens: 6, stopIds: [file.greedy.tokens[3]] });
    assert.deepEqual(stopped, file.greedy.tokens.slice(0, file.greedy.tokens.indexOf(file.greedy.tokens[3])));
    const session = await model.session();
    await session.append(file.tokens);
    let logits;
    for (const id of file.greedy.tokens) ({ logits } = await session.append([id]));
    createComparer(file.tolerance).near('logits_last', logits.data, file.greedy.logits_after, name);
    await model.close();
  });

  onEngine(`${name}: ablations`, async (engine) => {
    const file = golden(name);
    const model = await engine.openModel(folderPath(name));
    const compare = createComparer(file.tolerance);
    for (const { what, layer, logits_last: expected } of file.ablate) {
      const change = what.startsWith('gate') ? { layer, head: 'all', gate: 1 } : { layer, head: 1, zero: true };
      const { logits } = await model.forward(file.tokens, { interventions: [change] });
      compare.near('logits_last', logits.data, expected, `${name}: ${what}`);
      const session = await model.session();
      const step = await session.append(file.tokens, { interventions: [change] });
      compare.near('logits_last', step.logits.data, expected, `${name}: ${what}, in a session`);
    }
    assert.ok(compare.count > 100);
    await model.close();
  });
}
