/** Figures 14, 15, 16, 18 and 30: the string that misses the origin, and every way home. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** @param {import('playwright-core').Page} page @param {string} n number of the figure */
const figure = (page, n) => bring(page, `[figure="${n}"]`);

/** @param {import('playwright-core').Locator} scope @param {string} name @param {string} value */
async function type(scope, name, value) {
  const field = scope.getByRole('spinbutton', { name, exact: true }).last();
  await field.fill(value);
  await field.press('Enter');
}

test('Fig 14 counts tries, keeps the nearest, and answers after a guess', { skip: waits }, async () => {
  const { page, close } = await open();
  const blank = await figure(page, '14');
  await reads(blank.locator('.out'), '1.000, 1.000');
  assert.equal(await blank.locator('.therefore').count(), 0);
  assert.deepEqual(await blank.locator('dd').allTextContents(), ['1.414', '1.414', '0 of 10']);
  await type(blank.locator('.caption'), 'query of 不错 x', '4');
  await reads(blank.locator('.out'), '1.723, 0.277');
  await reads(blank.locator('dd'), '1 of 10');
  assert.deepEqual(await blank.locator('dd').allTextContents(), ['1.745', '1.414', '1 of 10']);
  await reads(blank.locator('.live'), 'Output (1.723, 0.277), 1.745 from the origin. Nearest so far 1.414.');
  await blank.getByRole('radio', { name: 'Yes, a long one' }).check();
  await reads(blank.locator('.predict'), 'Your guess: Yes, a long one. No. Shares are positive');
  await reads(blank.locator('.therefore'), 'Softmax cannot say nothing.');
  await close();
});

test('Fig 14 answers after ten tries, by keys', { skip: waits }, async () => {
  const { page, close } = await open();
  const blank = await figure(page, '14');
  await reads(blank.locator('.out'), '1.000, 1.000');
  for (let i = 1; i <= 10; i += 1) {
    await blank.locator('.handle').press('ArrowRight');
    await reads(blank.locator('dd'), `${i} of 10`);
  }
  await reads(blank.locator('.predict'), 'No. Shares are positive');
  await close();
});

test('Fig 16: v dragged home and q aimed at it is silence, and Fig 14 hears of it', { skip: waits }, async () => {
  const { page, close } = await open();
  const dig = await figure(page, '16');
  await reads(dig.locator('.out'), '1.723, 0.277');
  const svg = dig.locator('.mixing svg');
  await svg.scrollIntoViewIfNeeded();
  const box = await svg.boundingBox();
  const at = (x, y) => [box.x + ((x + 0.4) / 3) * box.width, box.y + ((2.6 - y) / 3) * box.height];
  await page.mouse.move(...at(2, 0));
  await page.mouse.down();
  await page.mouse.move(...at(0.02, 0.01), { steps: 5 });
  await page.mouse.up();
  await dig.locator('.mixing .handle[aria-valuetext="(0, 0)"]').waitFor();
  await reads(dig.locator('.out'), '0.187, 0.277');
  await reads(dig.locator('.verdict'), 'Home. Now turn q');
  await type(dig.locator('.caption'), 'query of 不错 y', '−4');
  await reads(dig.locator('.out'), '0.056, 0.062');
  assert.deepEqual(await dig.locator('dd').allTextContents(), ['0', '0.941', '0.083']);
  await reads(dig.locator('.verdict'), 'Silent');
  await reads((await figure(page, '14')).locator('.ways li').first(), '✓ found');
  await close();
});

test('Fig 16 checks who sees whom, and shows it on demand', { skip: waits }, async () => {
  const { page, close } = await open({ lang: 'zh-CN' });
  const dig = await figure(page, '16');
  await reads(dig.locator('.out'), '1.723, 0.277');
  await dig.getByRole('checkbox', { name: '“今天”看得见“今天”' }).check();
  await dig.getByRole('button', { name: '对一对' }).click();
  await reads(dig.locator('.sight'), '9 格里有 4 格与掩码一致');
  assert.equal(await dig.locator('.therefore').count(), 0);
  await dig.getByRole('button', { name: '直接看' }).click();
  assert.equal(await dig.getByRole('checkbox', { checked: true }).count(), 6);
  await reads(dig.locator('.sight'), '今天 3 个，天气 2 个，不错 1 个');
  await reads(dig.locator('.therefore'), '水槽只能放在那里');
  await close();
});

test('Fig 18 has the chapter’s three gates, and one z per axis', { skip: waits }, async () => {
  const { page, close } = await open();
  const tap = await figure(page, '18');
  await reads(tap.locator('.out'), '(0.5000, 0.5000)');
  assert.deepEqual((await tap.locator('.sigmoid text').allTextContents()).filter((s) => s.includes('.')), ['0.0025', '0.5', '0.9975']);
  await tap.getByRole('button', { name: 'z = −6' }).click();
  await reads(tap.locator('.out'), '(0.0025, 0.0025)');
  await tap.locator('.slide').press('End');
  await reads(tap.locator('.out'), '(0.9975, 0.9975)');
  await tap.getByRole('radio', { name: 'one z per axis' }).check({ force: true });
  await type(tap, 'score z of axis y', '0');
  await reads(tap.locator('.out'), '(0.9975, 0.5000)');
  await reads(tap.locator('.live'), 'x: z 6.0, gate 0.9975, y: z 0, gate 0.5000. Output (0.9975, 0.5000).');
  await tap.locator('.next').click();
  await reads(tap.locator('.steps'), 'Step 1 of 3: the score');
  assert.ok(await tap.locator('.product').isHidden());
  await page.keyboard.press('End');
  assert.ok(await tap.locator('.product').isVisible());
  await close();
});

test('a scene keeps its place in the address', { skip: waits }, async () => {
  const { page, close } = await open({ path: '#f18&z=-6,2' });
  await reads(page.locator('[figure="18"] .out'), '(0.0025, 0.8808)');
  await close();
});

test('Fig 15: a tapped cook, a gate, the ladle followed to the pot', { skip: waits }, async () => {
  const { page, close } = await open();
  const kitchen = await figure(page, '15');
  await reads(kitchen.locator('.told'), 'a tank of clear water');
  await kitchen.locator('.cook').nth(1).click();
  await reads(kitchen.locator('.told'), 'It dips into 不错.');
  await kitchen.getByRole('radio', { name: 'Q4' }).check({ force: true });
  await kitchen.getByRole('radio', { name: 'gate', exact: true }).check({ force: true });
  await reads(kitchen.locator('.steps'), 'Step 2 of 4: the scoop');
  await kitchen.locator('.next').press('End');
  await reads(kitchen.locator('[aria-current=step]'), 'nobody had to pretend');
  await reads(kitchen.locator('.live'), 'nobody had to pretend');
  await kitchen.getByRole('button', { name: 'reset' }).click();
  await reads(kitchen.locator('.steps'), 'Step 2 of 3');
  await close();
});

test('Fig 30: closed at first; each remedy replayed from the same scores', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const line = await figure(page, '30');
  await reads(line, '1997');
  assert.equal(await line.locator('details[open]').count(), 0);
  const wanted = {
    'Helping heads': ['0', '0, 0'], 'Off by one': ['0.750', '0.750, 0.750'],
    'Thirty gates': ['1.000', '0.0025, 0.0025'], 'gpt-oss': ['0.052', '0.052, 0.052'],
  };
  for (const [name, [sum, out]] of Object.entries(wanted)) {
    const entry = line.locator('li', { hasText: name });
    await entry.locator('summary').click();
    await entry.getByRole('button', { name: 'Replay on the toy' }).click();
    await reads(entry.locator('.out'), out);
    assert.equal(await entry.locator('tfoot tr').first().locator('td').last().textContent(), sum);
    assert.match(String(await entry.locator('.source a').getAttribute('href')), /^https:/);
  }
  assert.equal(await line.locator('.replay').count(), 1);
  await type(line, 'sink score', '0');
  await reads(line.locator('.replay .out'), '0.750, 0.750');
  await type(line, 'q x', '4');
  await reads(line.locator('.replay tbody tr').first(), '0.768');
  assert.deepEqual(noise, []);
  await close();
});

test('removed and added again, a scene goes on; the saved image has its plane', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=attn-toy&scene=gate' });
  await reads(page.locator('.out'), '(0.5000, 0.5000)');
  await page.evaluate(() => {
    const toy = document.querySelector('attn-toy');
    toy.remove();
    document.querySelector('main').append(toy);
  });
  await page.getByRole('button', { name: 'z = 6' }).click();
  await reads(page.locator('.out'), '(0.9975, 0.9975)');
  await page.getByRole('button', { name: 'image' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).click()]);
  assert.equal(download.suggestedFilename(), 'attn-f18-gate.svg');
  assert.deepEqual(noise, []);
  await close();
});
