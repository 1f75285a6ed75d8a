/** Figures 9, 19 and 25: the chapter's numbers, editing, keys, measured time. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, stopClock, waits } from '../helpers/browser.js';

const open = openBrowser(after);

test('Fig 9 counts what is kept, and veils the last row until it was guessed', { skip: waits }, async () => {
  const { page, close } = await open();
  const gqa = await bring(page, 'attn-gqa');
  await reads(gqa.locator('tbody'), '2 × 8 × 256 = 4,096');
  const kept = () => gqa.locator('tbody tr td:nth-child(3)').allTextContents();
  assert.deepEqual(await kept(), ['2 × 8 × 256 = 4,096', '2 × 4 × 256 = 2,048', '2 × 2 × 256 = 1,024', '2 × 1 × 256 = ?']);
  await gqa.getByText('1,024', { exact: true }).click();
  await reads(gqa.locator('.predict'), 'Your guess: 1,024.');
  assert.equal((await kept())[3], '2 × 1 × 256 = 512');
  await close();
});

test('Fig 9 spells out the notebook of a picked head and follows G', { skip: waits }, async () => {
  const { page, close } = await open({ lang: 'zh-CN' });
  const gqa = await bring(page, 'attn-gqa');
  await gqa.getByRole('radio', { name: 'Q5' }).check({ force: true });
  await reads(gqa.locator('.spelled'), 'Q5 读第 ⌊5 / 4⌋ = 1 本：K1 和 V1。');
  await page.keyboard.press('ArrowDown');
  await reads(gqa.locator('.spelled'), 'Q6 读第');
  await gqa.getByRole('radio', { name: '8 MHA' }).check({ force: true });
  await reads(gqa.locator('.spelled'), '⌊6 / 1⌋ = 6');
  await close();
});

test('Fig 9 leads to a running model with its K/V merged', { skip: waits }, async () => {
  const { page, close } = await open();
  await page.locator('attn-gqa .note a').click();
  await reads(page.locator('attn-edit .plate'), /One K\/V for all/);
  await page.waitForFunction(() => document.querySelector('attn-edit')?.context?.interventions.some((i) => 'kv' in i));
  await close();
});

test('Fig 9 takes other models and draws only divisors', { skip: waits }, async () => {
  const { page, close } = await open();
  const gqa = await bring(page, 'attn-gqa');
  await reads(gqa.locator('tbody'), '4,096');
  const heads = gqa.getByRole('spinbutton', { name: 'query heads H' });
  await heads.fill('6');
  await heads.press('Enter');
  await reads(gqa.locator('.controls'), '4, 5 do not divide 6');
  await reads(gqa.locator('tbody'), '2 × 3 × 256 = 1,536');
  assert.equal(await gqa.locator('tbody tr').count(), 4);
  await close();
});

test('Fig 9 times one decode step when asked', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const gqa = await bring(page, 'attn-gqa');
  await gqa.getByRole('button', { name: 'Time one decode step' }).click();
  await reads(gqa.locator('.sheet'), 'Measured in this tab');
  const times = await gqa.locator('tbody tr td:nth-child(5)').allTextContents();
  assert.equal(times.length, 4);
  for (const time of times) assert.match(time, /^\d[\d.,]* m?s$/);
  assert.deepEqual(noise, []);
  await close();
});

test('Fig 19 has the chapter’s gates for both words', { skip: waits }, async () => {
  const { page, close } = await open();
  const toy = await bring(page, 'attn-gate-toy');
  const gates = () => toy.locator('tr.gate td').allTextContents();
  await reads(toy.locator('tr.gate'), '0.881');
  assert.deepEqual(await gates(), ['0.011', '0.011', '0.881', '0.731']);
  await reads(toy.locator('.numbers').nth(0), '(0.8, −0.3) → (0.009, −0.003)');
  await reads(toy.locator('.numbers').nth(1), '(0.4, 0.9) → (0.352, 0.658)');
  await toy.getByRole('button', { name: 'show me' }).click();
  await reads(toy.locator('.numbers').nth(0), '(1.2, 0.5) → (1.198, 0.498)');
  assert.deepEqual(await gates(), ['0.998', '0.996', '0.269', '0.269']);
  await reads(toy.locator('.numbers').nth(1), '(0.3, −0.2) → (0.081, −0.054)');
  await close();
});

test('Fig 19 follows features and weights', { skip: waits }, async () => {
  const { page, close } = await open();
  const toy = await bring(page, 'attn-gate-toy');
  await reads(toy.locator('tr.gate'), '0.881');
  await toy.getByRole('checkbox', { name: 'is a noun' }).uncheck();
  await reads(toy.locator('tr.gate td').nth(2), '0.500');
  const weight = toy.getByRole('spinbutton', { name: 'Weight from “a person was named” to grammar head, dim 0' });
  await weight.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await reads(toy.locator('tr.gate td').nth(2), '0.731');
  await toy.getByRole('button', { name: 'reset' }).click();
  await reads(toy.locator('tr.gate td').nth(2), '0.881');
  await close();
});

test('Fig 25 has the chapter’s seven rows', { skip: waits }, async () => {
  const { page, close } = await open();
  const sgd = await bring(page, 'attn-gate-sgd[scene=steps]');
  await reads(sgd.locator('.book'), '0.2022');
  const rows = await sgd.locator('.book tbody tr').evaluateAll((trs) => trs.map((tr) => (
    [...tr.querySelectorAll('th, td')].map((c) => c.textContent.trim()).join(' '))));
  assert.deepEqual(rows, [
    '0 +0.010 −0.020 0.502 0.495 0.2022 −0.1244 +0.0792',
    '1 +0.134 −0.099 0.534 0.475 0.1811 −0.1161 +0.0758',
    '2 +0.250 −0.175 0.562 0.456 0.1624 −0.1077 +0.0725',
    '5 +0.550 −0.382 0.634 0.406 0.1196 −0.0849 +0.0626',
    '20 +1.365 −1.065 0.797 0.256 0.0417 −0.0330 +0.0313',
    '50 +1.980 −1.678 0.879 0.157 0.0153 −0.0129 +0.0134',
    '200 +2.835 −2.568 0.945 0.071 0.0032 −0.0029 +0.0030',
  ]);
  await close();
});

test('Fig 25 steps, plays to the end and follows the learning rate', { skip: waits }, async () => {
  const { page, close } = await open({ context: { reducedMotion: 'no-preference' }, before: (p) => p.clock.install() });
  const sgd = await bring(page, 'attn-gate-sgd[scene=steps]');
  await reads(sgd.locator('.book'), '0.2022');
  await sgd.getByRole('button', { name: 'One step' }).click();
  await page.keyboard.press('ArrowRight');
  await reads(sgd.locator('.factors'), 'At step 2');
  await page.keyboard.press('End');
  await reads(sgd.locator('.factors'), 'At step 200');
  await page.keyboard.press('Home');
  await reads(sgd.locator('.factors'), 'At step 0');
  const rate = sgd.getByRole('spinbutton', { name: 'learning rate' });
  await rate.fill('0');
  await rate.press('Enter');
  await reads(sgd.locator('.book tbody tr').last(), '0.502');
  await stopClock(page);
  await sgd.getByRole('button', { name: 'Play' }).click();
  await page.clock.runFor(500);
  await reads(sgd.locator('.factors'), /At step [1-9]/);
  await sgd.getByRole('button', { name: 'Pause' }).click();
  await reads(sgd.locator('.controls'), 'Play');
  await close();
});
