/** A callback is a listener: what it throws is reported where it was given, and touches no call, here and with workers. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../helpers/throwing-callbacks.mjs', import.meta.url));

for (const workers of [0, 1]) {
  test(`${workers} workers: a throw in any callback is an uncaught error of the caller, and nothing else`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, String(workers)], { timeout: 120000 });
    const found = stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.equal(found.length, 6);
    for (const { what, ...rest } of found) {
      assert.deepEqual(rest, { own: true, reported: [what], later: [true, true, true], reportedLater: [] }, what);
    }
  });
}
