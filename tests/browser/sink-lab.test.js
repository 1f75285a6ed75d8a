/** Figure 26 and its scene kv: trained by the reader's hand in workers of their own, counted in updates. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listen, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);
const PATH = 'embed.html?widget=sink-lab&figure=26';

/** The figure with step 0 on display. */
async function lab(o = {}) {
  const opened = await open({ path: PATH, ...o });
  const figure = opened.page.locator('attn-sink-lab');
  await figure.locator('attn-heatmap').first().waitFor();
  return { ...opened, figure, button: (/** @type {string} */ name) => figure.getByRole('button', { name }) };
}

/** Sets a number as a reader types it. */
async function type(figure, name, value) {
  const field = figure.getByRole('spinbutton', { name, exact: true });
  await field.fill(value);
  await field.press('Enter');
}

const workersGone = (page) => page.workers().length === 0 ? undefined
  : Promise.all(page.workers().map((worker) => worker.waitForEvent('close').catch(() => {})));

test('step 0 stands there before any training, on empty axes and without a worker', { skip: waits }, async () => {
  const { page, figure, noise, foreign, close } = await lab();
  await reads(figure.locator('.maps'), 'Step 0, the same line in both');
  assert.equal(page.workers().length, 0);
  assert.equal(await figure.locator('attn-heatmap').count(), 2);
  assert.equal(await figure.locator('svg.chart').count(), 4);
  assert.equal(await figure.locator('.therefore').count(), 0, 'nothing is concluded yet');
  assert.deepEqual([noise, foreign], [[], []]);
  await close();
});

test('one step trains both models by one update; off the page the workers are gone', { skip: waits }, async () => {
  const { page, figure, button, noise, close } = await lab();
  await button('One step').click();
  await reads(figure.locator('.maps'), 'Step 1, the same line');
  assert.equal(page.workers().length, 2);
  await reads(figure.locator('p.live'), /Step 1: no gate, \d+% on the first symbol, its value \d\.\d\d of the average/);
  await reads(button('Go on'), 'Go on');
  const gone = workersGone(page);
  await figure.evaluate((element) => element.remove());
  await gone;
  assert.equal(page.workers().length, 0);
  await page.evaluate(() => document.querySelector('main').append(Object.assign(document.createElement('attn-sink-lab'), { lang: 'en' })));
  await reads(page.locator('attn-sink-lab').locator('.maps'), 'Step 0, the same line in both');
  assert.deepEqual(noise, []);
  await close();
});

test('plays, pauses, replays by keyboard, shows its table and starts over; the page answers meanwhile', { skip: waits }, async () => {
  const { page, figure, button, close } = await lab();
  await button('Train both').click();
  await reads(figure.locator('.maps'), /Step [1-9][\d,]*, /);
  assert.equal(await page.evaluate(() => 6 * 7), 42);
  await button('Pause').click();
  await button('One step').and(figure.locator('[aria-disabled=false]')).waitFor();
  await button('Go on').focus();
  await page.keyboard.press('Home');
  await reads(figure.locator('.maps'), 'Step 0,');
  await page.keyboard.press('ArrowRight');
  await reads(figure.locator('.maps'), 'Step 25,');
  await button('table').click();
  const head = await figure.locator('.equivalent thead th').allTextContents();
  assert.deepEqual([head.length, head[1], head[9]], [11, 'no gate: share of the first symbol', 'let through at triggers']);
  assert.match(await figure.locator('.equivalent tbody tr').first().innerText(), /^0\s0\.\d{3}/);
  await button('table').click();
  await button('reset').click();
  await reads(figure.locator('.maps'), 'Step 0,');
  await reads(button('Train both'), 'Train both');
  await close();
});

test('a guess is drawn by hand or typed before the run, and stays beside it', { skip: waits }, async () => {
  const { page, figure, button, close } = await lab();
  await type(figure, 'Your guess after 1,000 steps, in percent', '40');
  await reads(figure.locator('svg.share'), 'your guess');
  const box = await figure.locator('.draw').boundingBox();
  await page.mouse.move(box.x + 2, box.y + box.height * 0.9);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height * 0.4, { steps: 8 });
  await page.mouse.up();
  assert.equal(await figure.getByRole('spinbutton', { name: 'Your guess after 1,500' }).inputValue(), '60');
  await button('One step').click();
  await reads(figure.locator('.predict'), /Your guess: \d+% by now\. At step 1 the run gives it \d+%/);
  assert.equal(await figure.locator('.draw').count(), 0, 'too late to guess');
  await reads(figure.locator('svg.share'), 'your guess');
  await close();
});

test('absurd settings are refused in words, and nothing starts', { skip: waits }, async () => {
  const { page, figure, button, close } = await lab();
  for (const [typed, found] of [['0', '0'], ['-1', '−1'], ['1000000000', '1,000,000,000']]) {
    await type(figure, 'learning rate', typed);
    await reads(figure.getByRole('alert'), `above 0 and at most 10; yours is ${found}`);
    await button('Train both').click({ force: true });
    assert.equal(page.workers().length, 0);
  }
  await button('take 0.003').click();
  await figure.getByRole('alert').waitFor({ state: 'detached' });
  await figure.locator('.knobs summary').click();
  await type(figure, 'sequences a step', '0');
  await reads(figure.getByRole('alert'), '1 to 4096 whole sequences; yours is 0');
  await close();
});

test('a run that blows up says why and starts over at a calmer rate', { skip: waits }, async () => {
  const { page, figure, button, noise, close } = await lab({ lang: 'zh-CN' });
  await type(figure, '学习率', '10');
  await button('一起训练').click();
  await reads(figure.getByRole('alert'), /这次训练炸了.*第 1 次更新.*学习率 10 太大/s);
  await workersGone(page);
  await button('用 0.003 重新开始').click();
  await reads(figure.locator('.maps'), /第 [1-9][\d,]* 步/);
  assert.equal(await figure.getByRole('alert').count(), 0);
  assert.deepEqual(noise, []);
  await close();
});

test('another second model: settings that differ from the curves are told, a cure has rows that sum to less', { skip: waits }, async () => {
  const { figure, button, close } = await lab();
  await button('One step').click();
  await reads(figure.locator('.maps'), 'Step 1,');
  await figure.getByRole('radio', { name: 'softmax off by one' }).check({ force: true });
  await reads(figure.locator('.controls'), 'made with other settings');
  assert.equal(await figure.getByText('Sum of a row of shares').count(), 0, 'the curves are still those of the gate');
  await button('reset').click();
  await figure.getByRole('radio', { name: 'softmax off by one' }).check({ force: true });
  await reads(figure.locator('.lab'), 'Sum of a row of shares');
  await figure.getByRole('radio', { name: 'gate off' }).check({ force: true });
  await reads(figure.locator('.lab'), 'Neither model can hold anything back');
  await close();
});

test('on a phone one chart at a time, nothing wider than the page', { skip: waits }, async () => {
  const { page, figure, close } = await lab({ width: 320 });
  assert.equal(await figure.locator('svg.chart').count(), 1);
  await figure.getByRole('radio', { name: 'loss' }).check({ force: true });
  await figure.locator('svg.loss').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await close();
});

test('shared K/V: models train two at a time, and stopping gives the workers back', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=sink-lab&scene=kv' });
  const figure = page.locator('attn-sink-lab');
  await reads(figure.locator('.readout'), 'Nothing trained yet');
  assert.equal(page.workers().length, 0);
  const said = await listen(figure, '.readout');
  await figure.getByRole('button', { name: 'Train 9 models' }).click();
  await reads(figure.locator('.readout'), /After [\d,]+ updates: K = 4 \(64 numbers a token\) \d\.\d+/);
  assert.equal(page.workers().length, 2);
  await reads(figure.locator('.therefore'), 'too few to tell a price from chance');
  const gone = workersGone(page);
  await figure.getByRole('button', { name: 'Stop' }).click();
  await gone;
  assert.ok((await said()).some((text) => /^After 0 updates: K = 4 /.test(text)), 'measured before the first update');
  // models that were on their way begin anew; one that was done stays
  await reads(figure.locator('.readout'), /^(Nothing trained yet|After 600 updates)/);
  assert.deepEqual(noise, []);
  await close();
});
