/** Figure 10: bytes of the cache, the crossings, the reader's own tick. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** @param {object} [o] */
async function kv(o = {}) {
  const opened = await open({ path: 'embed.html?widget=attn-kv', ...o });
  return { ...opened, figure: opened.page.locator('attn-kv') };
}

/** @param {import('playwright-core').Locator} figure */
const amounts = async (figure) => (await figure.locator('.plate > svg text').allTextContents()).filter((s) => /^[\d.,]+ [KMG]iB$/.test(s) && s.includes('.'));

test('the bill at 8,192 tokens, and the widths of its bars', { skip: waits }, async () => {
  const { figure, noise, close } = await kv();
  await reads(figure.locator('.plate > svg'), '384.0 MiB');
  assert.deepEqual(await amounts(figure), ['384.0 MiB', '96.0 MiB', '48.0 MiB', '19.3 MiB']);
  const widths = await figure.locator('.plate > svg rect').evaluateAll((list) => list.map((r) => Number(r.getAttribute('width'))));
  assert.equal(widths.length, 7);
  assert.ok(Math.abs(widths[0] / widths[2] - 4) < 1e-6, 'MHA is four times GQA');
  assert.ok(Math.abs(widths[0] + widths[1] - (384 / 19.2656) * widths[6]) < 0.5, 'the state is to scale');
  assert.deepEqual(noise, []);
  await close();
});

test('the context moves by typing, arrows and slider; f32 costs twice as much', { skip: waits }, async () => {
  const { page, figure, close } = await kv();
  const tokens = figure.getByRole('spinbutton', { name: 'Context' });
  await tokens.fill('1,644');
  await tokens.press('Enter');
  await tokens.blur();
  await reads(figure.locator('.plate > svg'), '77.1 MiB');
  assert.equal((await amounts(figure))[1], '19.3 MiB', 'equal to the linear state');
  await figure.getByRole('radio', { name: 'f32' }).check({ force: true });
  assert.equal((await amounts(figure))[1], '38.5 MiB');
  await figure.getByRole('slider', { name: 'Context', exact: true }).focus();
  await page.keyboard.press('End');
  await reads(figure.locator('.live'), '262,144 tokens in f32: 6.00 GiB with two notebooks, 24.00 GiB with eight');
  await page.keyboard.press('Home');
  await reads(figure.locator('.live'), '1 token in f32');
  await figure.getByRole('button', { name: 'reset' }).click();
  await reads(figure.locator('.plate > svg'), '384.0 MiB');
  await close();
});

test('the crossing of the weights is veiled until a tick is placed, which then stays', { skip: waits }, async () => {
  const { page, figure, close } = await kv();
  await reads(figure.locator('.axis svg'), '1,644 = linear state');
  assert.doesNotMatch(await figure.innerText(), /122,461/);
  await figure.getByRole('slider', { name: 'Your tick' }).focus();
  for (let i = 0; i < 16; i++) await page.keyboard.press('ArrowRight');
  await reads(figure.locator('.axis svg'), 'your guess 8,192');
  await figure.getByRole('button', { name: 'That is my guess' }).click();
  await reads(figure.locator('.predict'), 'Your guess: 8,192 tokens. From 122,461 tokens on.');
  await reads(figure.locator('.caption'), 'from 122,461 tokens it is larger than the weights (1.40 GiB). With MHA that second point would be 30,616.');
  await reads(figure.locator('.axis svg'), 'your guess 8,192');
  await reads(figure.locator('.plate > svg'), 'weights 1.40 GiB');
  await close();
});

test('table and frames, in Chinese, on a phone', { skip: waits }, async () => {
  const { page, figure, close } = await kv({ path: 'embed.html?widget=attn-kv&lang=zh-CN', lang: 'zh-CN', width: 320, height: 800 });
  await reads(figure.locator('.why'), '整份缓存又读一遍，这里是 96.0 MiB');
  assert.equal(await figure.locator('.why li').count(), 3);
  const dashed = await figure.locator('.why li').evaluateAll((list) => list.map((li) => [...li.querySelectorAll('path[stroke-dasharray="5 4"]')].length));
  assert.deepEqual(dashed, [0, 8, 0], 'in the middle frame q meets four keys and four values flow into the output');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await figure.getByRole('button', { name: '表格' }).click();
  const rows = await figure.locator('.equivalent tbody tr').evaluateAll((list) => list.map((tr) => [...tr.children].map((c) => c.textContent)));
  assert.deepEqual(rows[1], ['GQA（G = 2）', '12,288', '100,663,296', '96.0 MiB']);
  assert.deepEqual(rows[4].slice(1), ['0', '1,504,791,232', '1.40 GiB']);
  await close();
});
