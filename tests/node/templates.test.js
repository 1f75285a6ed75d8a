/** What markup may hold: a site that allows no inline styles (style-src 'self') shows the figures all the same. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const WEB = new URL('../../web/', import.meta.url);
const sources = readdirSync(WEB, { recursive: true }).map(String).filter((name) => /\.(js|html)$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, WEB), 'utf8') }));

/** A style attribute as text; `style = ` of a script is none. */
const ATTRIBUTE = /(?<![.\w-])style=["'$]|setAttribute\(\s*['"`]style/;

test('no markup has a style attribute: classes, or the property, which no policy refuses', () => {
  assert.ok(sources.length > 100, `${sources.length} files`);
  for (const { name, text } of sources) assert.doesNotMatch(text, ATTRIBUTE, name);
});

test('the property is set by an expression: lit leaves a name with a dot alone where there is none', () => {
  let bound = 0;
  for (const { name, text } of sources) {
    for (const [, value] of text.matchAll(/\s\.style=("[^"]*"|\$\{)/g)) {
      assert.match(value, /\$\{/, `${name}: ${value}`);
      bound += 1;
    }
  }
  assert.ok(bound > 20, `${bound} bound`);
});
