/** The page as a whole: quiet, light, from one place, in two languages, on paper and on the board. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openBrowser, reads, seeAll, waits } from '../helpers/browser.js';

const FIRST_LOAD = 220 * 1024;
const open = openBrowser(after);

for (const lang of ['en', 'zh-CN']) {
  test(`the page is quiet and asks no other server (${lang})`, { skip: waits }, async () => {
    const { page, noise, foreign, close } = await open({ lang });
    await seeAll(page);
    assert.deepEqual(noise, []);
    assert.deepEqual(foreign, []);
    await close();
  });
}

test('the first load is light: scripts, styles, one catalogue, one module', { skip: waits }, async () => {
  const sizes = new Map();
  const { page, close } = await open({
    whole: false,
    before: (p) => p.route('**/*', async (route) => {
      const response = await route.fetch();
      const { pathname } = new URL(route.request().url());
      if (!pathname.includes('/models/')) sizes.set(pathname, gzipSync(await response.body()).length);
      await route.fulfill({ response });
    }),
  });
  await reads(page.locator('attn-toy output'), '0.768');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const total = [...sizes.values()].reduce((a, b) => a + b, 0);
  const names = [...sizes.keys()];
  assert.ok(total > 20_000 && total <= FIRST_LOAD, `${total} bytes gzipped: ${names.join(' ')}`);
  assert.equal(names.filter((n) => n.endsWith('.wasm')).length, 1);
  assert.equal(names.filter((n) => /\/(en|zh-CN)-/.test(n)).length, 1);
  await close();
});

test('figures further down come when the first one has failed, or the reader moves on', { skip: waits }, async () => {
  const failed = await open({ whole: false, before: (p) => p.route('**/wasm/**', (route) => route.abort()) });
  await failed.page.locator('attn-mask:defined').waitFor();
  await failed.page.locator('main.whole').waitFor();
  await failed.close();

  const slow = await open({ whole: false, before: (p) => p.route('**/wasm/**', () => {}) });
  await reads(slow.page.locator('attn-toy').first().locator('.title'), 'Score, share, mix');
  assert.equal(await slow.page.locator('attn-mask:not(:defined)').count(), 1);
  await slow.page.mouse.wheel(0, 200);
  await slow.page.locator('attn-mask:defined').waitFor();
  await slow.page.unrouteAll({ behavior: 'ignoreErrors' });
  await slow.close();
});

test('a jump before the words are here brings every figure once', { skip: waits }, async () => {
  let arrive = () => {};
  const words = new Promise((done) => { arrive = () => done(undefined); });
  const { page, noise, close } = await open({
    before: (p) => p.route('**/assets/en-*.js', (route) => words.then(() => route.continue())),
  });
  arrive();
  await reads(page.locator('attn-toy').first().locator('.title'), 'Score, share, mix');
  await page.locator('main.whole').waitFor();
  assert.deepEqual(noise, []);
  await close();
});

test('the language switch changes the page and every figure, and is remembered', { skip: waits }, async () => {
  const { page, close } = await open({ lang: 'en' });
  await reads(page.locator('attn-toy .title'), 'Score, share, mix');
  await page.getByRole('button', { name: '中文' }).click();
  await reads(page.locator('attn-toy .title'), '打分、分配、混合');
  await reads(page.locator('h1'), '一个词怎样回头看');
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  assert.equal(await page.locator('attn-toy[figure="1"] figure').getAttribute('lang'), 'zh-CN');
  await page.reload();
  await reads(page.locator('h1'), '一个词怎样回头看');
  await close();
});

test('a figure speaks the language of the nearest [lang]', { skip: waits }, async () => {
  const { page, close } = await open({ lang: 'en' });
  await page.locator('attn-mask').evaluate((e) => e.setAttribute('lang', 'zh-Hans'));
  await reads(page.locator('attn-mask .title'), '因果掩码');
  await reads(page.locator('attn-toy .title'), 'Score, share, mix');
  await close();
});

test('paper and board: the palette follows the system and the button', { skip: waits }, async () => {
  const { page, close } = await open({ theme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.equal(await ground(), 'rgb(23, 32, 29)');
  await page.locator('.theme').click();
  await page.locator('html[data-theme=light]').waitFor();
  assert.equal(await ground(), 'rgb(251, 252, 250)');
  await close();
});

for (const [width, lang] of [[320, 'en'], [320, 'zh-CN'], [390, 'en'], [390, 'zh-CN'], [768, 'en'], [1280, 'zh-CN']]) {
  test(`nothing scrolls sideways at ${width} px (${lang})`, { skip: waits }, async () => {
    const { page, close } = await open({ width: Number(width), lang: String(lang), height: 844 });
    await seeAll(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await close();
  });
}

test('an embedded figure tells its height', { skip: waits }, async () => {
  const { page, base, noise, close } = await open({});
  const message = await page.evaluate((url) => new Promise((done) => {
    addEventListener('message', ({ data }) => data.height > 200 && done(data));
    document.body.append(Object.assign(document.createElement('iframe'), { src: url, width: 900 }));
  }), `${base}embed.html?widget=attn-gate-toy&lang=zh-CN&theme=dark`);
  assert.equal(message.type, 'attn-height');
  assert.equal(message.widget, 'attn-gate-toy');
  await reads(page.frameLocator('iframe').locator('.title'), '“书”和“她”');
  assert.deepEqual(noise, []);
  await close();
});
