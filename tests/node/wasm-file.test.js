/** A module's file that is none: the error names the file and what the server sent, with and without worker. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createEngine } from '../../web/engine/index.js';
import { startFaultServer } from '../helpers/fault-server.js';

const FILES = Object.fromEntries(['scalar', 'simd', 'relaxed'].map((variant) => {
  const name = `attn.${variant}.wasm`;
  return [name, readFileSync(new URL(`../../build/wasm/${name}`, import.meta.url))];
}));

/** What comes in the file's place. @type {Record<string, [import('../helpers/fault-server.js').Fault, RegExp]>} */
const SENT = {
  'a web page': [{ file: /./, html: true }, /found a web page beginning "<!DOCTYPE html>/],
  'a pointer': [{ file: /./, body: 'version https://git-lfs.github.com/spec/v1\noid sha256:0' }, /found a pointer file/],
  'other bytes': [{ file: /./, body: 'PK\u0003\u0004 an archive' }, /found 15 bytes beginning 50 4b 03 04/],
  nothing: [{ file: /./, body: '' }, /found an empty file/],
  'half of it': [{ file: /./, truncate: 20_000 }, /found a damaged one of 20000 bytes/],
};

for (const workers of [0, 1]) {
  for (const [what, [fault, found]] of Object.entries(SENT)) {
    test(`${what} in place of the module (workers: ${workers})`, async () => {
      const server = await startFaultServer(FILES);
      server.fault({ ...fault, times: Infinity });
      const error = await createEngine({ wasmURL: server.url, workers }).then(() => assert.fail('it started'), (e) => e);
      assert.equal(error.code, 'NO_WASM');
      assert.match(error.message, /attn\.(relaxed|simd|scalar)\.wasm: expected a WebAssembly module, found /);
      assert.match(error.message, found);
      assert.doesNotMatch(error.message, /browser/);
      assert.match(error.details.url, /\.wasm$/);
      await server.close();
    });
  }
}

test('where one build is damaged the next serves', async () => {
  const server = await startFaultServer(FILES);
  server.fault({ file: /relaxed/, html: true, times: Infinity });
  const engine = await createEngine({ wasmURL: server.url });
  assert.match(engine.variant, /simd|scalar/);
  await engine.close();
  await server.close();
});

test('a module is looked through once: it is compiled, not validated before', async () => {
  const { validate, compile } = WebAssembly;
  const seen = { validate: 0, compile: 0 };
  const counted = (name, f) => (bytes) => {
    if (bytes.byteLength > 1000) seen[name]++; // the probes are smaller
    return f(bytes);
  };
  WebAssembly.validate = counted('validate', validate);
  WebAssembly.compile = counted('compile', compile);
  try {
    await (await createEngine()).close();
  } finally {
    Object.assign(WebAssembly, { validate, compile });
  }
  assert.deepEqual(seen, { validate: 0, compile: 1 });
});
