/** What readers have set in their system: forced colours, less motion. Nothing is lost in either. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, seeAll, stopClock, waits } from '../helpers/browser.js';

const open = openBrowser(after);
const FORCED = { forcedColors: 'active' };
const STILL = { reducedMotion: 'reduce' };

for (const theme of ['light', 'dark']) {
  test(`forced colours (${theme}): the system’s colours, values printed, masked cells hatched`, { skip: waits }, async () => {
    const { page, noise, close } = await open({ theme, context: FORCED });
    await seeAll(page);
    const ground = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'CanvasText';
      return getComputedStyle(probe).color;
    });
    for (const host of await page.locator('[figure]').all()) {
      assert.equal(await host.evaluate((e) => getComputedStyle(e).color), ground, 'ink is the system’s text');
      assert.equal(await host.evaluate((e) => e.environment.theme), 'forced');
    }
    const mask = page.locator('attn-mask');
    await mask.getByText('softmax', { exact: true }).click();
    await reads(mask.locator('.side'), '0.768');
    const picked = await mask.locator('label:has(:checked)').first().evaluate((e) => getComputedStyle(e).backgroundColor);
    const paper = await mask.locator('label:not(:has(:checked))').first().evaluate((e) => getComputedStyle(e).backgroundColor);
    assert.notEqual(picked, paper, 'what is picked is seen');
    assert.deepEqual(noise, []);
    await close();
  });
}

test('forced colours: a picked term, quiz and card are told by shape and word', { skip: waits }, async () => {
  const { page, close } = await open({ context: FORCED });
  const quiz = page.locator('attn-quiz[figure]');
  await quiz.scrollIntoViewIfNeeded();
  await quiz.getByRole('radio', { name: 'a quarter' }).check();
  await reads(quiz.locator('.reason'), '✓ Yes.');
  const dot = quiz.getByRole('radio', { name: 'a quarter' });
  assert.notEqual(await dot.evaluate((e) => getComputedStyle(e).backgroundImage), 'none', 'the radio keeps its dot');
  await close();
});

test('less motion: nothing moves by itself, playing becomes stepping', { skip: waits }, async () => {
  const { page, noise, close } = await open({ context: STILL });
  await seeAll(page);
  const moving = await page.evaluate(() => [...document.querySelectorAll('[figure]')].flatMap((host) => (
    [...host.shadowRoot.querySelectorAll('*')].filter((e) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(e);
      return transitionDuration.split(', ').some((d) => d !== '0s') || (animationName !== 'none' && animationDuration !== '0s');
    }).map((e) => `${host.tagName} ${e.tagName}.${e.className}`))));
  assert.deepEqual(moving, []);
  const sgd = page.locator('attn-gate-sgd[scene=steps]');
  await reads(sgd.locator('.factors'), 'At step 0');
  await sgd.getByRole('button', { name: 'Play' }).click();
  await reads(sgd.locator('.factors'), 'At step 1');
  await sgd.getByRole('button', { name: 'Play' }).click();
  await reads(sgd.locator('.factors'), 'At step 2');
  assert.deepEqual(noise, []);
  await close();
});

test('with motion, playing plays', { skip: waits }, async () => {
  const { page, close } = await open({ context: { reducedMotion: 'no-preference' }, before: (p) => p.clock.install() });
  const sgd = await bring(page, 'attn-gate-sgd[scene=steps]');
  await reads(sgd.locator('.factors'), 'At step 0');
  await stopClock(page);
  await sgd.getByRole('button', { name: 'Play' }).click();
  await page.clock.runFor(500);
  await reads(sgd.locator('.factors'), /At step [1-9]/);
  await reads(sgd.locator('.controls'), 'Pause');
  await close();
});
