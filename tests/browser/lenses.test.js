/** Figure 4: three lenses drawn by rule, and a real run asked for heads like them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

test('the word before is picked; another lens spells out its rule and says it', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=attn-lenses' });
  const figure = page.locator('attn-lenses');
  await reads(figure.locator('[aria-pressed="true"]'), 'the word before');
  await reads(figure.locator('.mark'), 'Illustration');
  await figure.getByRole('button', { name: 'back to the article' }).click();
  await reads(figure.locator('.rule'), 'Grammar.');
  await reads(figure.locator('.live'), 'back to the article. Grammar');
  assert.equal(await figure.locator('.maps svg text').filter({ hasText: /\d/ }).count(), 0, 'no numbers');
  await figure.getByRole('button', { name: 'table' }).click();
  const last = await figure.locator('.equivalent tbody tr').last().locator('th, td').allTextContents();
  assert.deepEqual(last, ['down', 'down', 'sat', 'The']);
  await figure.getByRole('button', { name: 'reset' }).click();
  await reads(figure.locator('[aria-pressed="true"]').first(), 'the word before');
  assert.deepEqual(noise, []);
  await close();
});

test('a real run is asked for the closest heads, ranked, marked live', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=attn-lenses' });
  const figure = page.locator('attn-lenses');
  await figure.getByRole('button', { name: 'Find one in a real run' }).click();
  await reads(figure.locator('.run .mark'), 'Live');
  const shares = async () => (await figure.locator('.run li a').allTextContents()).map((s) => Number(s.match(/: ([\d.]+)$/)?.[1]));
  const list = await shares();
  assert.equal(list.length, 3);
  assert.deepEqual(list, [...list].sort((a, b) => b - a));
  const href = await figure.locator('.run li a').first().getAttribute('href');
  assert.match(href ?? '', /^#f12&layer=\d+&heads=\d+&prompt=Anna%20has%20a%20book/);
  await figure.getByRole('button', { name: 'itself' }).click();
  assert.notDeepEqual(await shares(), list);
  assert.deepEqual(noise, []);
  await close();
});

test('on a phone one map stands at a time and the lens buttons bring the others', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-lenses&lang=zh-CN', width: 320, height: 800 });
  const figure = page.locator('attn-lenses');
  await figure.getByRole('radio', { name: '回看“那”' }).check({ force: true });
  await reads(figure.locator('.rule'), '看语法');
  await page.waitForFunction(() => {
    const maps = document.querySelector('attn-lenses')?.shadowRoot?.querySelector('.maps');
    return maps && Math.round(maps.scrollLeft / (maps.clientWidth + 12)) === 2;
  });
  await close();
});
