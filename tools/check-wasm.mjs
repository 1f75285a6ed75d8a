// Fails when a module has an import or is larger than the budget: `node tools/check-wasm.mjs FILE...`
import { readFileSync, statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const MAX_BYTES = 65 * 1024;

// node 20 knows relaxed SIMD only behind this flag; later ones have it on
if (parseInt(process.versions.node) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');

/**
 * @param {string} file
 * @returns {string[]} what is wrong with it
 */
function problems(file) {
  const found = [];
  const { size } = statSync(file);
  if (size > MAX_BYTES) found.push(`${size} bytes, allowed are ${MAX_BYTES}`);
  try {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file)));
    const names = imports.map(({ module, name }) => `${module}.${name}`);
    if (names.length) found.push(`imports ${names.join(', ')}, allowed are none`);
  } catch (error) {
    found.push(`not a valid module: ${error.message}`);
  }
  if (!found.length) console.log(`${file}: ${size} bytes, no imports`);
  return found;
}

for (const file of process.argv.slice(2)) {
  for (const problem of problems(file)) {
    console.error(`${file}: ${problem}`);
    process.exitCode = 1;
  }
}
