/** The two ways to register elements know the same ones, each from its own file, and the pages use no other. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ELEMENTS } from '../../web/widgets/define.js';
import { SOURCES } from '../../web/widgets/lazy.js';

const WEB = new URL('../../web/', import.meta.url);
const tags = Object.keys(ELEMENTS).sort();

/** 'attn-gate-map' -> 'AttnGateMap' */
const className = (tag) => tag.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

test('define and lazy know the same elements, and these are the files of web/widgets', () => {
  assert.ok(tags.length >= 26, `${tags.length}`);
  assert.deepEqual(Object.keys(SOURCES).sort(), tags);
  const files = readdirSync(new URL('widgets/', WEB)).filter((name) => name.startsWith('attn-')).map((name) => name.replace(/\.js$/, ''));
  assert.deepEqual(files.sort(), tags);
});

for (const tag of tags) {
  test(`${tag}: one file, one class, the same by both ways`, async () => {
    const file = new URL(`widgets/${tag}.js`, WEB);
    assert.ok(existsSync(file));
    const found = (await import(file.href))[className(tag)];
    assert.equal(typeof found, 'function', `${tag}.js exports ${className(tag)}`);
    assert.equal(ELEMENTS[tag], found);
    assert.equal(await SOURCES[tag](), found);
  });
}

test('every attn- tag of the pages is one of them', () => {
  const pages = readdirSync(new URL('pages/', WEB)).filter((name) => name.endsWith('.html'));
  const used = pages.flatMap((name) => [...readFileSync(new URL(`pages/${name}`, WEB), 'utf8').matchAll(/<\/?(attn-[a-z-]+)/g)].map((m) => m[1]));
  assert.ok(used.length > 30);
  assert.deepEqual([...new Set(used)].filter((tag) => !tags.includes(tag)), []);
});
