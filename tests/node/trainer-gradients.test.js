/**
 * The gradients of the WebAssembly builds: along each tensor's gradient the loss must rise as steeply as its length
 * says. (Every number is checked in double by tests/native/train_gradients.c.)
 */
import assert from 'node:assert/strict';
import { configFields, initialPieces, layerKinds, layout, trainingConfig } from '../../web/engine/train-layout.js';
import { CORPUS, MODELS } from '../helpers/lab-model.js';
import { norm, Numbers } from '../helpers/numbers.js';
import { onWasm } from '../helpers/variants.js';

const [B, T] = [2, 11];
/** The loss is moved by so much: far above the rounding of a float, far below where it curves. */
const RISE = 2e-3;

onWasm('the loss rises along every tensor\'s gradient as that says', (wasm) => {
  const numbers = new Numbers();
  let tensors = 0;
  for (const [kind, given] of Object.entries(MODELS)) {
    const { config } = trainingConfig(given, T);
    const places = layout(config);
    const n = places.reduce((sum, place) => sum + place.size, 0);
    const params = new Float32Array(n);
    for (const place of places) params.set([...initialPieces(place, config, 4)].flatMap((piece) => [...piece]), place.offset);
    wasm.scope((s) => {
      const kinds = s.space(config.layers);
      kinds.write(new Uint8Array(layerKinds(config).buffer));
      const struct = s.struct(configFields(config, kinds));
      assert.equal(wasm.call('train_parameters', struct), n, `${kind}: layout and C core count alike`);
      const tokens = s.space(B * (T + 1));
      tokens.write(new Uint8Array(Int32Array.from(CORPUS.ids.slice(0, B * (T + 1))).buffer));
      const [state, grads, loss] = [s.space(n), s.space(n), s.space(1)];
      const bytes = wasm.call('train_scratch', struct, T) >>> 0;
      const run = (values) => {
        state.writeFloats(values);
        assert.equal(wasm.call('train_batch', struct, state, grads, tokens, B, T, loss, s.arena(bytes)), 0);
        return loss.floats(1)[0];
      };
      run(params);
      const gradient = grads.floats(n);
      for (const { name, offset, size } of places) {
        const length = norm(gradient, offset, size);
        const moved = (step) => {
          const values = params.slice();
          for (let i = offset; i < offset + size; i++) values[i] += step * gradient[i] / length;
          return run(values);
        };
        const step = Math.min(0.02, RISE / length);
        const slope = (moved(step) - moved(-step)) / (2 * step);
        numbers.near(slope, length, 1e-2 * length + 1e-5, `${kind}, ${name}`);
        tensors += 1;
      }
    });
  }
  numbers.exactly(tensors);
  assert.equal(tensors, 41 + 25 + 28, 'every tensor of every model');
});
