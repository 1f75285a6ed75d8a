/** Who may know whom: the engine knows no picture, pictures and lab are pure, widgets do not know each other. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const WEB = new URL('../../web/', import.meta.url);

/** @param {string} folder @returns {{ file: string, imports: string[], source: string }[]} */
function modules(folder) {
  return readdirSync(new URL(folder, WEB), { recursive: true }).map(String).filter((name) => name.endsWith('.js')).map((name) => {
    const source = readFileSync(new URL(`${folder}${name}`, WEB), 'utf8');
    const code = source.replace(/\/\*[\s\S]*?\*\//g, '');
    // whole statements only: text in a catalogue may say "from" too
    const statement = /^(?:(?:import|export|\})(?:[^'\n]*\bfrom)?|\s+from) '([^']+)'|\bimport\(\s*'([^']+)'/gm;
    const imports = [...code.matchAll(statement)].map((m) => m[1] ?? m[2]);
    return { file: `${folder}${name}`, imports, source: code };
  });
}

/** Folder of web/ that a relative import leads to, or the package's name. */
function target(file, name) {
  if (!name.startsWith('.')) return name;
  return new URL(name, new URL(file, WEB)).href.slice(WEB.href.length);
}

function allow(folder, allowed) {
  const list = modules(folder);
  assert.ok(list.length > 0, `${folder} has modules`);
  for (const { file, imports } of list) {
    for (const name of imports) {
      const to = target(file, name);
      assert.ok(allowed.some((rule) => to.startsWith(rule)), `${file} imports ${name}`);
    }
  }
}

test('draw and lab are pure: each other’s and their own files, and the scale libraries', () => {
  allow('draw/', ['draw/', 'd3-scale', 'd3-shape']);
  allow('lab/', ['lab/']);
  for (const { file, source } of [...modules('draw/'), ...modules('lab/')]) {
    assert.doesNotMatch(source, /\b(customElements|fetch\(|localStorage|addEventListener)\b/, file);
  }
});

test('locales are data only, put together from parts', () => {
  allow('locales/', ['locales/']);
  for (const { file, source } of modules('locales/')) {
    assert.doesNotMatch(source, /=>|\bfunction\b/, file);
  }
});

test('the engine knows nothing of pictures, toys, widgets and pages', () => {
  for (const { file, imports } of modules('engine/')) {
    for (const name of imports) assert.doesNotMatch(target(file, name), /^(draw|lab|widgets|locales|pages)\//, file);
  }
});

test('widgets connect; none imports another, and none has a side effect', () => {
  const parts = modules('widgets/').filter(({ file }) => !['widgets/define.js', 'widgets/lazy.js'].includes(file));
  for (const { file, imports, source } of parts) {
    for (const name of imports) {
      assert.match(target(file, name), /^(draw|lab|engine\/index|locales|widgets\/parts)\b|^lit\b/, `${file} imports ${name}`);
    }
    assert.doesNotMatch(source, /^customElements\.define/m, file);
  }
});

test('one file reads where a pointer is: a page may scale what stands in it', () => {
  const reads = /\b(client|page|screen|offset|layer)[XY]\b|\bmovement[XY]\b|\b(getScreenCTM|elementsFromPoint)\b/;
  for (const folder of ['widgets/', 'pages/']) {
    for (const { file, source } of modules(folder)) {
      if (file !== 'widgets/parts/pointer.js') assert.doesNotMatch(source, reads, file);
    }
  }
});
