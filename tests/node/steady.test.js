/** The same call again and again keeps nothing: heap, arrays, WebAssembly memory and handles, on both sides of the door. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const helper = (name) => fileURLToPath(new URL(`../helpers/${name}`, import.meta.url));
// optimised code comes and goes and is as large as a small leak
const FLAGS = ['--no-opt', '--expose-gc', '--import', helper('measure.mjs')];
const MANY = 500;
const FEW = process.env.ATTN_FULL ? MANY : 25;
/** Kinds that open files or wait for a stop: so many calls of them take minutes, so all of them in the full test only. */
const SLOW = ['stopped calls', 'a layer from tensors', 'a layer from a folder', 'a model with progress', 'a model with fetch',
  'a tokenizer with progress', 'a recording', 'a trainer'];
/** What may be more after all of the calls than after a fifth of them; 0.7 % was the most seen. */
const MORE = process.env.ATTN_FULL ? 1.05 : 1.02;

/** @param {number} workers @returns {AsyncGenerator<any>} */
async function* kinds(workers) {
  const child = spawn(process.execPath, [...FLAGS, helper('steady.mjs'), workers, MANY, FEW].map(String),
    { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  assert.equal(await ended, 0);
}

for (const workers of [0, 1]) {
  test(`${workers} workers: every kind of call holds what it held before`, async () => {
    let seen = 0;
    for await (const { kind, times, early, late } of kinds(workers)) {
      seen += 1;
      assert.equal(times, SLOW.includes(kind) ? FEW : MANY, `${kind}: calls`);
      assert.equal(late.memory, early.memory, `${kind}: WebAssembly memory`);
      assert.equal(late.threads.length, 1 + workers);
      late.threads.forEach((now, i) => {
        const before = early.threads[i];
        for (const what of ['heap', 'arrays']) {
          assert.ok(now[what] <= MORE * before[what], `${kind}, thread ${i}: ${what} ${before[what]} -> ${now[what]}`);
        }
        assert.deepEqual(now.handles, before.handles, `${kind}, thread ${i}`);
      });
    }
    assert.ok(seen >= 23, `${seen} kinds of calls`);
  });
}
