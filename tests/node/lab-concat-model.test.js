/** Fig 6 on a model: runs with one head speaking add up to the run of all, and each head's part is what the engine says it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { foldedStrip, foldOf, soloPicture } from '../../web/draw/concat-model.js';
import { toHex, valueScale } from '../../web/draw/colour.js';
import { contributions, soloEdits } from '../../web/lab/concat-model.js';
import { fullLayers } from '../../web/lab/selection.js';
import { onEngine } from '../helpers/variants.js';

const TOKENS = [5, 17, 3, 44];

/** The runs of one layer, as the figure makes them. */
async function runsOf(model, layer) {
  const mixerOut = async (interventions) => (
    (await model.forward(TOKENS, { capture: ['mixerOut'], logits: 'none', interventions })).layers[layer].mixerOut);
  const { heads } = model.config;
  const solos = [];
  for (let h = 0; h < heads; h += 1) solos.push(await mixerOut(soloEdits(layer, h, heads)));
  return { whole: await mixerOut([]), solos };
}

for (const name of ['small', 'small-ungated', 'example']) {
  onEngine(`one run a head, added up, is the run of all heads: ${name}`, async (engine) => {
    const model = await engine.openModel(fileURLToPath(new URL(`../../web/models/${name}/`, import.meta.url)));
    const { heads } = model.config;
    const { layers } = await model.forward(TOKENS, { capture: ['mixerOut', 'headContribution'] });
    for (const layer of fullLayers(model.config)) {
      const runs = await runsOf(model, layer);
      assert.deepEqual(runs.whole, layers[layer].mixerOut);
      TOKENS.forEach((_, token) => {
        const found = contributions(runs, token, heads);
        assert.ok(found.largest > 1e-4, 'there is something to compare');
        assert.ok(found.difference < 2e-6 * found.max, `layer ${layer}, token ${token}: ${found.difference} of ${found.max}`);
        found.lengths.forEach((length, h) => {
          const wanted = layers[layer].headContribution.data[token * heads + h];
          assert.ok(Math.abs(length - wanted) < 1e-5 * (1 + wanted), `Q${h}: ${length} for ${wanted}`);
        });
      });
    }
    await model.close();
  });
}

test('a head alone: every other one of its layer is set to zero', () => {
  assert.deepEqual(soloEdits(7, 1, 3), [{ layer: 7, head: 0, zero: true }, { layer: 7, head: 2, zero: true }]);
  assert.deepEqual(soloEdits(0, 0, 1), []);
});

/** T = 2, N = 3, H = 2. */
const lines = (/** @type {number[]} */ ...data) => ({ shape: [2, 3], data: Float32Array.from(data) });
const runs = { whole: lines(0, 0, 0, 4, -1, 2), solos: [lines(0, 0, 0, 3, 0, 4), lines(0, 0, 0, 1, -1, -2.5)] };

test('contributions are those of the token, lengths and differences too', () => {
  const { parts, sum, lengths, length, difference, largest, max } = contributions(runs, 1, 2);
  assert.deepEqual(parts.map((p) => [...p]), [[3, 0, 4], [1, -1, -2.5]]);
  assert.deepEqual([[...(sum ?? [])], lengths[0], difference, largest, max], [[4, -1, 1.5], 5, 0.5, 4, 4]);
  assert.ok(Math.abs(length - Math.sqrt(21)) < 1e-6);
  assert.equal(contributions(runs, 0, 2).max, 1, 'a line of zeros still has a scale');
});

test('while heads are missing there is neither sum nor difference', () => {
  const { sum, difference, lengths } = contributions({ ...runs, solos: runs.solos.slice(0, 1) }, 1, 2);
  assert.deepEqual([sum, difference, lengths], [null, null, [5]]);
});

test('a strip is folded into full lines where numbers would be thinner than two pixels', () => {
  assert.deepEqual([foldOf(64, 600), foldOf(1024, 600), foldOf(1024, 150)],
    [{ lines: 1, columns: 64 }, { lines: 4, columns: 256 }, { lines: 16, columns: 64 }]);
  const shapes = foldedStrip('light', [2, -1, 0, 2], { width: 5, height: 6, max: 2 });
  const at = (/** @type {number} */ v) => shapes.find((s) => s.fill === toHex(valueScale('signed', 'light', 2)(v)));
  assert.equal(/** @type {any} */ (at(2)).d, 'M0 0L3 0L3 3L0 3ZM3 3L5 3L5 6L3 6Z', 'both 2s in one path: first of line 0, last of line 1');
  assert.equal(shapes.length, 4, 'three shades and the frame');
});

test('the picture keeps the sum back until there is a guess', () => {
  const words = { parts: 'p', length: 'l', sum: 's', whole: 'w', waiting: '?' };
  const texts = (/** @type {boolean} */ revealed) => soloPicture('dark', contributions(runs, 1, 2), {
    width: 300, config: { heads: 2, kvHeads: 1 }, picked: 0, revealed, format: (n) => n.toFixed(2), words,
  }).shapes.flatMap((s) => (s.kind === 'text' ? [s.text] : []));
  assert.deepEqual(texts(false).filter((w) => /\d\.|\?/.test(w)), ['5.00', '2.87', '?', '4.58']);
  assert.deepEqual(texts(true).filter((w) => /\d\.|\?/.test(w)), ['5.00', '2.87', '4.39', '4.58']);
});
