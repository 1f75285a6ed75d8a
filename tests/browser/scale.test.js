/** Figure 3: the spread of dot products, the switch, the width, the guess. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** @param {object} [o] */
async function scale(o) {
  const opened = await open({ path: 'embed.html?widget=attn-scale', ...o });
  const figure = opened.page.locator('attn-scale');
  await reads(figure.locator('.caption'), /\d\.\d{3}/);
  return { ...opened, figure };
}

/** Largest share as the caption says it. @param {import('playwright-core').Locator} figure */
const top = async (figure) => Number((await figure.locator('.caption').innerText()).match(/largest share is (\d+\.\d+)/)?.[1]);

test('dividing keeps the scores together, switching it off leaves one winner', { skip: waits }, async () => {
  const { figure, noise, close } = await scale();
  await reads(figure.locator('.caption'), 'd = 256, divide by √d: scores lie about 1.1 from 0');
  assert.ok(await top(figure) < 0.2);
  await figure.getByRole('radio', { name: 'don’t divide' }).check({ force: true });
  await reads(figure.locator('.caption'), 'don’t divide: scores lie about 17.');
  assert.ok(await top(figure) > 0.9);
  await reads(figure.locator('.predict'), 'Near 1: 0.99');
  await reads(figure.locator('.live'), 'the largest share is 0.99');
  assert.deepEqual(noise, []);
  await close();
});

test('width and seed change the numbers, by slider, arrows and typing', { skip: waits }, async () => {
  const { page, figure, close } = await scale();
  const width = figure.getByRole('spinbutton', { name: 'Width d' });
  await width.fill('2');
  await width.press('Enter');
  await reads(figure.locator('.caption'), 'd = 2, divide');
  await figure.getByRole('slider', { name: 'Width d' }).focus();
  await page.keyboard.press('End');
  await reads(figure.locator('.caption'), 'd = 256, divide');
  const before = await top(figure);
  await figure.getByRole('spinbutton', { name: 'seed' }).focus();
  await page.keyboard.press('ArrowUp');
  await figure.locator('.caption').filter({ hasNotText: `is ${before.toFixed(3)}.` }).waitFor();
  await figure.getByRole('button', { name: 'reset' }).click();
  await reads(figure.locator('.caption'), `is ${before.toFixed(3)}.`);
  await close();
});

test('the guess stays beside the answer; the table is veiled until then', { skip: waits }, async () => {
  const { figure, close } = await scale();
  const undivided = figure.locator('.equivalent tbody tr td:nth-child(3)');
  await figure.getByRole('button', { name: 'table' }).click();
  assert.deepEqual(await undivided.allTextContents(), Array(8).fill('?'));
  await figure.locator('.predict').getByText('near 1/2').click();
  await figure.getByRole('button', { name: 'show me' }).click();
  await reads(figure.locator('.predict'), 'Your guess: near 1/2.');
  const shares = (await undivided.allTextContents()).map(Number);
  assert.ok(shares[0] < 0.3 && shares[7] > 0.8, shares.join());
  await close();
});

test('a piece of the formula lights its panel', { skip: waits }, async () => {
  const { figure, close } = await scale({ lang: 'zh-CN', path: 'embed.html?widget=attn-scale&lang=zh-CN' });
  await figure.getByRole('button', { name: 'softmax' }).click();
  await reads(figure.locator('.panel.lit .heading'), '过了 softmax');
  await reads(figure.locator('.part'), '加起来等于 1');
  await close();
});
