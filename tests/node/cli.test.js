/** The command line: the chapter's printed numbers, plain and as JSON; bad input is one line on stderr and exit 2. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile, readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../web/engine/index.js';
import { folderPath, golden } from '../helpers/golden.js';

const CLI = fileURLToPath(new URL('../../web/cli.js', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../../web/models/example/', import.meta.url));

/** @returns {Promise<{ code: number, out: string, err: string }>} */
const run = (...args) => new Promise((resolve) => {
  execFile(process.execPath, [CLI, ...args], (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }));
});
const json = async (...args) => JSON.parse((await run(...args, '--json')).out);

test('toy', async () => {
  const { code, out, err } = await run('toy');
  assert.equal(code, 0);
  assert.equal(err, '');
  for (const printed of ['[0.0, 2.83, 1.41]', '[0.045, 0.768, 0.187]', '[0.277, 1.723]', '[1.0, 0.0, 0.0]',
    '[0.893, 0.107, 0.0]', '[0.333, 0.333, 0.333]', '[1.0, 1.0]', '0.0025', '[0.0025, 0.0025]']) {
    assert.ok(out.includes(printed), printed);
  }
});

test('gate-toy', async () => {
  const { out } = await run('gate-toy');
  for (const printed of ['z = [-4.5, -4.5, 2.0, 1.0]', '[0.011, 0.011]', '[0.009, -0.003]', '[0.881, 0.731]', '[0.352, 0.658]',
    'z = [6.5, 5.5, -1.0, -1.0]', '[0.998, 0.996]', '[1.198, 0.498]', '[0.269, 0.269]', '[0.081, -0.054]']) {
    assert.ok(out.includes(printed), printed);
  }
});

test('gate-sgd', async () => {
  const { out } = await run('gate-sgd');
  for (const printed of ['step   0: w = [+0.010, -0.020], gate(?) 0.502, gate(digit) 0.495, loss 0.2022, gradient [-0.1244, +0.0792]',
    'step   5: w = [+0.550, -0.382], gate(?) 0.634, gate(digit) 0.406, loss 0.1196, gradient [-0.0849, +0.0626]',
    'step 200: w = [+2.835, -2.568], gate(?) 0.945, gate(digit) 0.071, loss 0.0032, gradient [-0.0029, +0.0030]']) {
    assert.ok(out.includes(printed), printed);
  }
  assert.equal(out.trim().split('\n').length, 7);
});

test('sweep', async () => {
  const { rows } = await json('sweep');
  assert.deepEqual(rows.map((r) => r.floatsPerToken), [4096, 2048, 1024, 512]);
  assert.deepEqual(rows.map((r) => r.bytes / 2 ** 20), [384, 192, 96, 48]);
  assert.ok(rows.every((r) => r.decodeMs > 0));
});

test('layer: the matrix is the golden one when the input is the embedding', async () => {
  const data = await json('layer', EXAMPLE, '今天天气不错，我们去公园', '--layer', '3');
  assert.deepEqual(data.names, ['今天', '天气', '不错', '，', '我们去', '公园']);
  data.probs.forEach((row, t) => assert.ok(Math.abs(row.reduce((a, b) => a + b, 0) - 1) < 1e-5, `row ${t}`));
  const { out } = await run('layer', EXAMPLE, '今天天气不错，我们去公园', '--layer', '3');
  assert.match(out, /今天 +1\.00 0\.00 0\.00 0\.00 0\.00 0\.00/);
});

test('model: next tokens by ids, and per-layer figures', async () => {
  const file = golden('tiny4');
  const data = await json('model', folderPath('tiny4'), '--ids', file.tokens.join(','));
  assert.equal(data.next[0].id, file.argmax_each.at(-1));
  const { probs } = file.expect.layers[3];
  let sum = 0;
  for (const head of probs) for (let t = 6; t < 12; t++) sum += head[t][0];
  assert.ok(Math.abs(data.layers[3].firstToken - sum / (4 * 6)) < 1e-5);
  assert.equal(data.layers.length, 4);
});

test('record, and the file answers', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'attn-'));
  const out = join(dir, 'cat.safetensors');
  const { code } = await run('record', EXAMPLE, 'The cat sat on the', '--out', out);
  assert.equal(code, 0);
  const engine = await createEngine();
  const recording = await engine.openRecording(out);
  const [{ prompt, tokens, pieces }] = recording.prompts;
  assert.equal(prompt, 'The cat sat on the');
  assert.equal(pieces.map((p) => p.text).join(''), prompt);
  const { layers } = await recording.forward(tokens, { capture: ['probs'] });
  assert.ok(layers[3].probs.data.length > 0);
  await engine.close();
  await rm(dir, { recursive: true });
});

test('pack: the same model in shards with sums', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'attn-'));
  const file = golden('mqa8');
  assert.equal((await run('pack', folderPath('mqa8'), '--out', dir)).code, 0);
  const sums = JSON.parse(await readFile(join(dir, 'sha256.json'), 'utf8'));
  for (const [name, { sha256 }] of Object.entries(sums)) {
    assert.equal(createHash('sha256').update(await readFile(join(dir, name))).digest('hex'), sha256);
  }
  assert.ok((await readdir(dir)).includes('model.safetensors.index.json'));
  const data = await json('model', dir, '--ids', file.tokens.join(','));
  assert.equal(data.next[0].id, file.argmax_each.at(-1));
  await rm(dir, { recursive: true });
});

test('verify: passes on its own expectations, fails with exit 1 on others', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'attn-'));
  const expect = join(dir, 'expect.json');
  const { probs, gateShape, kvPerToken, mhaPerToken, ids } = await json('layer', EXAMPLE, '今天天气', '--layer', '3');
  const good = { layer: 3, head: 0, ids, matrix: probs, tolerance: 1e-4, parameters: '0.1M', qProjParameters: '0.0M', gateShape,
    kvPerToken, mhaPerToken };
  await writeFile(expect, JSON.stringify(good));
  const passed = await run('verify', EXAMPLE, '--expect', expect);
  assert.equal(passed.code, 0, passed.out);
  await writeFile(expect, JSON.stringify({ ...good, kvPerToken: 1 }));
  const failed = await run('verify', EXAMPLE, '--expect', expect);
  assert.equal(failed.code, 1);
  assert.match(failed.out, /FAIL {2}numbers kept per token: expected 1, found 128/);
  assert.equal((await run('verify', EXAMPLE)).code, 1, 'the example is not Qwen3.5-0.8B');
  await rm(dir, { recursive: true });
});

for (const [what, args] of Object.entries({
  'unknown command': ['foo'],
  'unknown option': ['toy', '--colour'],
  'too few arguments': ['layer', EXAMPLE],
  'too many arguments': ['toy', 'x'],
  'no such folder': ['layer', '/nowhere/at/all', 'x'],
  'layer not a number': ['layer', EXAMPLE, 'x', '--layer', 'three'],
  'layer out of range': ['layer', EXAMPLE, 'x', '--layer', '99'],
  'a linear layer': ['layer', EXAMPLE, 'x', '--layer', '0'],
  'ids that are none': ['model', EXAMPLE, '--ids', '1,x'],
  'id out of range': ['model', EXAMPLE, '--ids', '99999999'],
  'empty text': ['model', EXAMPLE, ''],
  'variant': ['toy', '--variant', 'turbo'],
  'record without --out': ['record', EXAMPLE, 'x'],
  'pack without --out': ['pack', EXAMPLE],
  'pack with a quantisation that is not there': ['pack', EXAMPLE, '--out', '/tmp/x', '--quantize', 'q3'],
})) {
  test(`exit 2: ${what}`, async () => {
    const { code, out, err } = await run(...args);
    assert.equal(code, 2, err);
    assert.equal(out, '');
    assert.equal(err.trim().split('\n').length, 1, err);
    assert.match(err, /^attention-by-hand: .*expected/);
  });
}

test('help', async () => {
  const { code, out } = await run('--help');
  assert.equal(code, 0);
  assert.match(out, /usage: attention-by-hand/);
});
