/**
 * One pass of tokens through layers that are here or still arriving: layer by layer, in blocks of tokens.
 */
import { captureFloats, CaptureSheet, checkCaptureFloats, LAYER_RESIDUAL } from './captures.js';
import { BLOCK_TOKENS } from './decoder-layer.js';
import { matrix } from './options.js';
import { nextTask } from './tasks.js';
import { within } from './wait.js';

/**
 * Refuses captures that would not fit, before anything runs.
 * @param {import('./config.js').Config} config @param {number} layers @param {Set<string>} wanted
 * @param {number} T @param {number} S
 */
export function checkCaptures(config, layers, wanted, T, S) {
  let floats = 0;
  for (let i = 0; i < layers; i++) floats += captureFloats(config, config.layerTypes[i], wanted, LAYER_RESIDUAL, T, S);
  checkCaptureFloats(floats);
}

/**
 * @param {import('./wasm.js').Wasm} wasm
 * @param {import('./config.js').Config} config
 * @param {Float32Array} embedded (T, N) residual stream at the start
 * @param {object} o
 * @param {number} o.layers how many
 * @param {number} o.past tokens before these
 * @param {(i: number) => Promise<import('./decoder-layer.js').DecoderLayer>} o.layer
 * @param {(i: number, layer: import('./decoder-layer.js').DecoderLayer) => any} o.state of layer i before these tokens
 * @param {(i: number) => void | Promise<void>} o.done layer i has run
 * @param {Set<string>} o.wanted captures
 * @param {Map<number, any>} o.edits by layer
 * @param {(i: number, captures: object) => void} [o.onLayer]
 * @param {AbortSignal} [o.signal]
 * @returns {Promise<{ layers: Record<string, any>[], h: Float32Array }>} captures by layer; (T, N) after the last layer
 */
export async function runLayers(wasm, config, embedded, o) {
  const N = config.hidden;
  const T = embedded.length / N;
  const S = o.past + T;
  const h = wasm.alloc(4 * T * N);
  const layers = [];
  try {
    h.writeFloats(embedded);
    for (let i = 0; i < o.layers; i++) {
      const layer = await within(o.layer(i), { signal: o.signal });
      const sheet = new CaptureSheet(config, layer.type, o.wanted, LAYER_RESIDUAL, T, S);
      const state = o.state(i, layer);
      for (let t0 = 0; t0 < T; t0 += BLOCK_TOKENS) {
        await nextTask(o.signal);
        const tokens = Math.min(BLOCK_TOKENS, T - t0);
        wasm.scope((s) => {
          const block = s.space(tokens * N);
          block.writeFloats(h.floats(tokens * N, t0 * N));
          layer.forward(s, block, tokens, state, o.edits.get(i), sheet, t0);
          h.writeFloats(block.floats(tokens * N), t0 * N);
        });
      }
      await o.done(i);
      layers.push(sheet.result());
      o.onLayer?.(i, layers[i]);
    }
    return { layers, h: h.floats(T * N) };
  } finally {
    h.free();
  }
}

/**
 * The final norm, row by row.
 * @param {import('./wasm.js').Wasm} wasm @param {import('./config.js').Config} config
 * @param {import('./weights.js').Weights} norm holds 'norm.weight' @param {Float32Array} h (T, N)
 */
export function finalNorm(wasm, config, norm, h) {
  const N = config.hidden;
  const T = h.length / N;
  return wasm.scope((s) => {
    const x = s.put(h);
    wasm.run('norm_forward', s.struct([norm.mat('norm.weight')]), config.zeroCentred ? 1 : 0, config.eps, x, T, N, x,
      s.arena(4 * N + 64));
    return matrix([T, N], x.floats(T * N));
  });
}
