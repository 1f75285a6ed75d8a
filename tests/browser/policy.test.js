/** A site that allows only what the README asks for: nothing is refused, and the figures look as they do elsewhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { bring, openBrowser, seeAll, waits } from '../helpers/browser.js';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const POLICY = /```\n(default-src [^`]+)```/.exec(README)?.[1].replaceAll('\n', ' ').trim() ?? '';
const ASKED = ['default-src', 'script-src', 'style-src', 'img-src', 'connect-src', 'worker-src'];

const open = openBrowser(after);
const openStrict = openBrowser(after, undefined, { 'Content-Security-Policy': POLICY });

/** What the policy refuses, from the first moment on. @param {import('playwright-core').Page} page */
const watch = (page) => page.addInitScript(() => {
  globalThis.refused = [];
  document.addEventListener('securitypolicyviolation', (e) => {
    globalThis.refused.push(`${e.effectiveDirective} ${e.blockedURI} ${e.target?.localName ?? ''} ${e.sample}`);
  });
});
const refused = (page) => page.evaluate(() => globalThis.refused);

test('the README asks for no inline code and no inline styles', () => {
  assert.match(POLICY, /^default-src 'none';/);
  assert.doesNotMatch(POLICY, /unsafe-inline|unsafe-eval'(?<!'wasm-unsafe-eval')|\*(?!\.hf\.co)|data:|blob:/);
  assert.deepEqual(POLICY.split(';').map((rule) => rule.trim().split(' ')[0]), ASKED);
});

test('the policy holds: what it does not name is refused', { skip: waits }, async () => {
  const { page, close } = await openStrict({ before: watch, whole: false });
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'));
  await page.waitForFunction(() => globalThis.refused.length > 0);
  assert.match((await refused(page))[0], /^style-src-attr inline body/);
  await close();
});

test('all figures, their tables and their saved pictures: nothing is refused', { skip: waits }, async () => {
  const { page, noise, close } = await openStrict({ before: watch });
  await seeAll(page);
  await page.evaluate(async () => {
    for (const figure of document.querySelectorAll('[figure]')) {
      const f = /** @type {any} */ (figure);
      const { text } = f.environment;
      if (f.offers(text).picture) for (const type of ['png', 'svg']) await f.save(text, type);
      f.showTable = f.offers(text).table;
      await f.updateComplete;
    }
  });
  assert.deepEqual(await refused(page), []);
  assert.deepEqual(noise, []);
  await close();
});

test('an embedded figure: nothing is refused', { skip: waits }, async () => {
  const { page, noise, close } = await openStrict({ path: 'embed.html?widget=attn-gate-map', before: watch });
  await bring(page, 'attn-gate-map');
  assert.deepEqual(await refused(page), []);
  assert.deepEqual(noise, []);
  await close();
});

/** By number: an overlay, a heatmap, bars, a legend, a grid of gates, sliders. */
const LOOKED_AT = [1, 2, 7, 9, 10, 12, 21, 26].map((n) => `[figure="${n}"]`);

test('figures look the same with and without the policy', { skip: waits }, async () => {
  const pictures = [];
  for (const look of [open, openStrict]) {
    // tall enough for a whole figure below the page's bar, which names whatever ran last
    const { page, close } = await look({ height: 1600, context: { reducedMotion: 'reduce' } });
    await seeAll(page);
    const list = [];
    for (const selector of LOOKED_AT) {
      const figure = await bring(page, selector);
      await page.mouse.move(0, 0);
      list.push(await figure.screenshot({ animations: 'disabled' }));
    }
    pictures.push(list);
    await close();
  }
  const [free, strict] = pictures;
  LOOKED_AT.forEach((selector, i) => {
    assert.ok(free[i].length > 5000, `${selector}: ${free[i].length} bytes`);
    assert.ok(free[i].equals(strict[i]), `${selector} looks different`);
  });
});
