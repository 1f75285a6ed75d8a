/** The address keeps what the reader set: restored when opened, changed by the hand, copied on request. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

test('an address opens a figure as it was, in sight', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: '#f9&h=6&g=3&q=5' });
  const gqa = page.locator('attn-gqa');
  await reads(gqa.locator('.spelled'), 'Q5 reads notebook ⌊5 / 2⌋ = 2');
  await page.waitForFunction(() => {
    const { top } = document.querySelector('attn-gqa').getBoundingClientRect();
    return top >= 0 && top < 200;
  });
  assert.deepEqual(noise, []);
  await close();
});

test('nonsense in an address changes nothing', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: '#f9&g=3&q=-1&h=1e9&d=abc&x=%ff' });
  await reads(page.locator('attn-gqa .spelled'), 'Q0 reads notebook ⌊0 / 4⌋ = 0');
  await page.evaluate(() => { location.hash = '#f2&mode=constructor&row=9'; });
  await reads(page.locator('attn-mask .side p'), 'Row 不错');
  assert.deepEqual(noise, []);
  await close();
});

test('a changed address sets the figure that is already there', { skip: waits }, async () => {
  const { page, close } = await open();
  await reads(page.locator('attn-mask .title'), 'The causal mask');
  await page.evaluate(() => { location.hash = '#f2&mode=softmax'; });
  await reads(page.locator('attn-mask .side'), 'shares 0.045');
  await close();
});

test('the address follows the hand, not what happens by itself', { skip: waits }, async () => {
  const { page, close } = await open({ path: '#s3' });
  await bring(page, 'attn-gqa');
  await reads(page.locator('attn-gqa tbody'), '4,096');
  assert.match(page.url(), /#s3$/);
  await page.locator('attn-gqa').getByRole('radio', { name: 'Q5' }).check({ force: true });
  await page.waitForURL(/#f9&h=8&d=256&g=2&q=5$/);
  const length = await page.evaluate(() => history.length);
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/&q=6$/);
  assert.equal(await page.evaluate(() => history.length), length, 'no entry for each step');
  await page.reload();
  await reads(page.locator('attn-gqa .spelled'), 'Q6 reads');
  await close();
});

test('a model figure keeps layer, heads and token', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: '#f12&layer=3&heads=4,2&token=1' });
  await page.waitForFunction(() => document.querySelector('attn-heads').context?.phase === 'ready');
  assert.deepEqual(await page.evaluate(() => document.querySelector('attn-heads').context.selection), { layer: 3, heads: [4, 2], token: 1 });
  assert.deepEqual(noise, []);
  await close();
});

test('“copy link” puts the figure as it stands into the clipboard', { skip: waits }, async () => {
  const { page, base, close } = await open({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const gqa = await bring(page, 'attn-gqa');
  await gqa.getByRole('radio', { name: '1 MQA' }).check({ force: true });
  await gqa.getByRole('button', { name: 'copy link' }).click();
  await reads(gqa.locator('.tools'), 'link copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${base}#f9&h=8&d=256&g=1&q=0`);
  await gqa.getByRole('radio', { name: 'Q1' }).check({ force: true });
  await reads(gqa.locator('.tools'), 'copy link');
  await close();
});

test('where copying is refused, the link is in the address', { skip: waits }, async () => {
  const { page, noise, close } = await open({
    before: (p) => p.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })),
  });
  const kv = await bring(page, 'attn-kv');
  await kv.getByRole('button', { name: 'copy link' }).click();
  await page.waitForURL(/#f10&tokens=8192&bytes=2$/);
  await reads(kv.locator('[role=status]'), 'address bar');
  assert.deepEqual(noise, []);
  await close();
});
