/** Fig 13: the table of four, the louder query, the clocks. Fig 24: the slope of a gate. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

async function figure(query, tag, options = {}) {
  const opened = await open({ path: `embed.html?widget=${query}`, ...options });
  return { ...opened, it: opened.page.locator(tag) };
}

const row = (it, column) => it.locator(`.rows td:nth-child(${column}) output`).allInnerTexts();

test('Fig 13: ten times as loud, the row with the norm stays, the other gives all to one key', { skip: waits }, async () => {
  const { page, it, noise, close } = await figure('attn-additions', 'attn-additions');
  await reads(it.locator('.rows'), '0.768');
  assert.equal(await it.locator('.four tbody tr').count(), 4);
  assert.deepEqual([await row(it, 3), await row(it, 5)], [['0.045', '0.768', '0.187'], ['?', '?', '?']]);
  await it.getByText('It gets sharper').click();
  assert.deepEqual(await row(it, 5), ['?', '?', '?'], 'the drag answers, not the guess');
  const times = it.getByRole('spinbutton', { name: 'Length of q, times' });
  await times.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await reads(it.locator('.rows'), '1.000');
  assert.deepEqual([await row(it, 3), await row(it, 5)], [['<0.001', '1.000', '<0.001'], ['0.128', '0.525', '0.347']]);
  await reads(it.locator('.predict'), 'Your guess: It gets sharper. Nothing: the norm divides');
  await times.fill('30');
  await times.press('Enter');
  await reads(it.getByRole('status'), 'q times 30');
  assert.deepEqual(await row(it, 5), ['0.128', '0.525', '0.347']);
  assert.deepEqual(noise, []);
  await close();
});

test('Fig 13: the turning part follows the distance, the still part does not', { skip: waits }, async () => {
  const { it, close } = await figure('attn-additions&lang=zh-CN', 'attn-additions', { lang: 'zh-CN' });
  await reads(it.locator('.numbers').last(), '4.07');
  const parts = () => it.locator('.numbers strong').allInnerTexts();
  const [turning, still, all] = await parts();
  assert.deepEqual([turning, still, all], ['4.07', '8.83', '12.90']);
  assert.equal(await it.locator('.turn circle').count(), 32 + 2, '32 clocks and two points of the chart');
  await it.getByRole('slider', { name: '距离' }).fill('17');
  await reads(it.getByRole('status'), '距离 17');
  const after17 = await parts();
  assert.notEqual(after17[0], turning);
  assert.equal(after17[1], still);
  await close();
});

test('Fig 24: the point is moved by keys, by the pointer and by the marks', { skip: waits }, async () => {
  const { page, it, noise, close } = await figure('attn-gate-sgd&scene=slope', 'attn-gate-sgd');
  await reads(it.locator('.now-at'), '0.5000');
  await reads(it.locator('.now-at'), '0.2500');
  const handle = it.getByRole('slider', { name: 'Score z of the gate' });
  await handle.focus();
  await page.keyboard.press('End');
  await reads(it.locator('.now-at'), '0.9975');
  await page.keyboard.press('Shift+ArrowLeft');
  await reads(it.getByRole('status'), 'z = 5.0: gate 0.9933, slope 0.0066.');
  await it.getByRole('button', { name: 'z = −2' }).click();
  await reads(it.locator('.now-at'), '0.1050');
  const box = await it.locator('.target').boundingBox();
  await page.mouse.move(box.x + 22, box.y + 22);
  await page.mouse.down();
  await page.mouse.move(box.x + 22 + 2000, box.y, { steps: 3 });
  await page.mouse.up();
  await reads(it.locator('.now-at'), '0.0025');
  await it.getByRole('button', { name: 'reset' }).click();
  await reads(it.locator('.now-at'), '0.2500');
  assert.deepEqual(noise, []);
  await close();
});
