/** Memory to the last byte of 4 GiB: a block is there, whole and nobody else's, or it is refused. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { Block } from '../../web/engine/wasm.js';
import { onWasm } from '../helpers/variants.js';

const MIB = 2 ** 20;
const refuses = (f) => assert.throws(f, { name: 'EngineError', code: 'OUT_OF_MEMORY' });

/** Where a block lies: [begin, end). @param {Block} block */
const place = (block) => [Block.address(block), Block.address(block) + block.bytes];

/** Inside the memory, on a multiple of 16, and beside all others. */
function areWhole(wasm, blocks) {
  const places = blocks.map(place).sort(([a], [b]) => a - b);
  places.forEach(([begin, end], i) => {
    assert.equal(begin % 16, 0);
    assert.ok(begin > 0 && end <= wasm.bytes, `${begin} to ${end} of ${wasm.bytes}`);
    if (i > 0) assert.ok(begin >= places[i - 1][1], `${begin} lies in the block before it`);
  });
}

onWasm('large blocks: two of 1500 MiB are there, the third is refused, smaller ones still come', (wasm) => {
  const blocks = [wasm.alloc(1500 * MIB), wasm.alloc(1500 * MIB)];
  const marks = blocks.map((block) => [0, 1000, block.bytes / 4 - 1].map((at) => [block, at]));
  for (const [block, at] of marks.flat()) block.setInt(at, at ^ 0x5555);
  for (let i = 0; i < 3; i++) refuses(() => wasm.alloc(1500 * MIB));
  blocks.push(wasm.alloc(64 * MIB));
  blocks[2].fill(255);
  areWhole(wasm, blocks);
  for (const [block, at] of marks.flat()) assert.equal(block.int(at), at ^ 0x5555);
  for (let n = 0; n < 100; n++) {
    try {
      blocks.push(wasm.alloc(64 * MIB));
    } catch {
      break;
    }
  }
  areWhole(wasm, blocks);
  assert.ok(wasm.bytes > 4032 * MIB, 'all of it can be had');
  blocks.forEach((block) => block.free());
  wasm.alloc(3900 * MIB).free();
  assert.ok(wasm.bytes <= 4096 * MIB, 'what was given back is one piece again');
});

onWasm('sizes that no memory has', (wasm) => {
  for (const bytes of [2 ** 32 - 1, 2 ** 32 - 15, 2 ** 32 - 32, 2 ** 32, 2 ** 40, -1, -(2 ** 31), NaN, Infinity]) {
    refuses(() => wasm.alloc(bytes));
  }
  areWhole(wasm, [0, 1, 16, 17].map((bytes) => wasm.alloc(bytes)));
});

test('scratch of more than 4 GiB is refused, not cut to what is left over', async () => {
  const engine = await createEngine({ variant: 'scalar' });
  await assert.rejects(engine.gqaSweep({ heads: 65536, headDim: 1, kvHeads: [1], seqLen: 2 ** 26, measure: true }),
    { name: 'EngineError', code: 'OUT_OF_MEMORY' });
  const [{ decodeMs }] = await engine.gqaSweep({ heads: 8, headDim: 4, kvHeads: [2], seqLen: 64, measure: true });
  assert.ok(decodeMs >= 0);
  await engine.close();
});
