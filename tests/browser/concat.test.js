/** Fig 6: glued and added, both computed, the difference veiled until there is a guess. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** The figure alone, computed. */
async function figure(options = {}) {
  const opened = await open({ path: 'embed.html?widget=attn-concat', ...options });
  const concat = opened.page.locator('attn-concat');
  await reads(concat.locator('.results'), '1.395');
  return { ...opened, concat };
}

/** Numbers in the glued result row. */
const results = (concat) => concat.locator('.results code').first().innerText();

test('the sum and the difference appear with a guess, and the difference is rounding', { skip: waits }, async () => {
  const { concat, noise, close } = await figure();
  assert.equal(await results(concat), '1.395 1.971 −1.269 −0.751 −0.299');
  assert.equal(await concat.locator('.largest strong').innerText(), '?');
  assert.equal(await concat.locator('.added svg text').filter({ hasText: '?' }).count(), 1);
  await concat.getByText('No, up to rounding').click();
  await reads(concat.locator('.predict'), 'Your guess: No, up to rounding.');
  assert.match(await concat.locator('.largest strong').innerText(), /^(0|\d\.\de−[78])$/);
  assert.equal(await concat.locator('.results code').nth(1).innerText(), await results(concat));
  assert.deepEqual(noise, []);
  await close();
});

test('a muted head changes both sides alike, and speaks again', { skip: waits }, async () => {
  const { page, concat, close } = await figure();
  await concat.getByRole('button', { name: 'show me' }).click();
  await concat.getByRole('radio', { name: 'Q5' }).check({ force: true });
  await concat.getByRole('button', { name: 'Mute Q5' }).click();
  await concat.locator('.results code').first().filter({ hasNotText: '1.971' }).waitFor();
  assert.equal(await concat.locator('.results code').nth(1).innerText(), await results(concat));
  const row = () => concat.locator('.added svg text').allTextContents();
  assert.ok((await row()).filter((w) => w === '0').length >= 5, 'its five contributions are 0');
  await concat.getByRole('button', { name: 'Let Q5 speak' }).click();
  await reads(concat.locator('.results'), '1.971');
  const scale = concat.getByRole('spinbutton', { name: 'Output of Q5, times' });
  await scale.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await concat.locator('.results code').first().filter({ hasNotText: '1.971' }).waitFor();
  assert.equal(await scale.inputValue(), '2');
  await close();
});

test('new weights, the table and reset', { skip: waits }, async () => {
  const { concat, close } = await figure();
  await concat.getByRole('button', { name: 'New weights' }).click();
  await concat.locator('.results code').first().filter({ hasNotText: '1.395' }).waitFor();
  await concat.getByRole('button', { name: 'table' }).click();
  assert.equal(await concat.locator('.equivalent tbody tr').count(), 11);
  await concat.getByRole('button', { name: 'reset' }).click();
  await reads(concat.locator('.results'), '1.395');
  await close();
});

test('on a phone the two sides are tabs', { skip: waits }, async () => {
  const { page, concat, close } = await figure({ width: 320, lang: 'zh-CN', path: 'embed.html?widget=attn-concat&lang=zh-CN' });
  assert.deepEqual([await concat.locator('.glued').isVisible(), await concat.locator('.added').isVisible()], [true, false]);
  await concat.getByRole('radio', { name: '求和' }).check({ force: true });
  await concat.locator('.added').waitFor();
  assert.equal(await concat.locator('.glued').isVisible(), false);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await close();
});
