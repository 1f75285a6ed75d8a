/** Fig 6 on a model: nothing is fetched before it is picked; then the sum of the heads' runs is the engine's own mixer output. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../web/engine/index.js';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);
const engine = await createEngine({ variant: 'simd' });
after(() => engine.close());

/** Builds of the engine differ in the last digits. */
const NEAR = 2e-3;

/** The figure alone, the model picked and run head by head. @param {object} [options] @param {string} [label] of the choice */
async function figure(options = {}, label = 'the model at hand') {
  const opened = await open({ path: 'embed.html?widget=attn-concat', ...options });
  const concat = opened.page.locator('attn-concat');
  await reads(concat.locator('.results'), '1.395');
  assert.equal(await concat.evaluate((e) => /** @type {any} */ (e).context.phase), 'idle', 'no model is fetched for the toy');
  await concat.getByRole('radio', { name: label }).check({ force: true });
  return { ...opened, concat };
}

/** Printed as the page prints. @param {string} text */
const number = (text) => Number(text.replace('\u2212', '-').replace(/[<>]/g, ''));

/** @param {import('playwright-core').Locator} concat */
const cells = (concat) => concat.locator('.equivalent tbody tr').evaluateAll((trs) => trs.map((tr) => [...tr.children].map((c) => c.textContent)));

test('the model is fetched when it is picked, and its sum is the mixer output the engine gives', { skip: waits }, async () => {
  const { page, concat, noise, close } = await figure();
  await reads(concat.locator('.largest'), 'Largest difference among the 64 numbers');
  await reads(concat.locator('.mark'), 'small model');
  assert.equal(await concat.locator('.largest strong').innerText(), '?');
  assert.equal(await concat.locator('.strips text').filter({ hasText: '?' }).count(), 1);
  await concat.getByText('No, up to rounding').click();
  await reads(concat.locator('.predict'), /By (0|\d\.\de−[678]), which is rounding/);

  const { tokens, url, layer } = await page.evaluate(() => {
    const { shown, selection } = /** @type {any} */ (document.querySelector('attn-concat')).context;
    return { ...shown, layer: selection.layer };
  });
  const model = await engine.openModel(fileURLToPath(new URL(`../../web/models/${new URL(url).pathname.split('/').filter(Boolean).pop()}/`, import.meta.url)));
  const { layers } = await model.forward(tokens, { capture: ['mixerOut', 'headContribution'] });
  await model.close();
  const { mixerOut, headContribution } = layers[layer];
  const [N, H] = [mixerOut.shape[1], headContribution.shape[1]];
  for (const token of [tokens.length - 1, 1]) {
    await concat.locator('.tokens button').nth(token).click();
    await concat.getByRole('button', { name: 'table' }).click();
    const [lengths, ...rows] = await cells(concat);
    assert.equal(rows.length, N);
    lengths.slice(1, 1 + H).forEach((text, h) => assert.ok(Math.abs(number(text) - headContribution.data[token * H + h]) < NEAR, `Q${h} ${text}`));
    rows.forEach((row, i) => {
      const wanted = mixerOut.data[token * N + i];
      const added = row.slice(1, 1 + H).reduce((sum, text) => sum + number(text), 0);
      assert.ok(Math.abs(added - wanted) < H * NEAR, `number ${i}: heads ${added} for ${wanted}`);
      for (const text of row.slice(1 + H, 3 + H)) assert.ok(Math.abs(number(text) - wanted) < NEAR, `number ${i}: ${text} for ${wanted}`);
      assert.match(row[3 + H], /^(0|\d\.\de−(0?[6-9]|1\d))$/);
    });
    await concat.getByRole('button', { name: 'table' }).click();
  }
  assert.match(await concat.locator('.model > .live').innerText(), /cat, layer 7: Q0 alone .* differ from it by at most/);
  await concat.getByRole('button', { name: 'image' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), concat.getByRole('button', { name: 'SVG' }).click()]);
  assert.equal(download.suggestedFilename(), 'attn-f6-layer7.svg');
  const svg = readFileSync(await download.path(), 'utf8');
  for (const words of ['Q7', 'Sum of the 8 runs', 'One run, every head speaking', 'small model']) assert.ok(svg.includes(words), words);
  assert.deepEqual(noise, []);
  await close();
});

test('head, layer and way back: what is picked is shared, the toy is as it was', { skip: waits }, async () => {
  const { page, concat, close } = await figure();
  await reads(concat.locator('.largest'), 'Largest difference');
  await concat.getByRole('radio', { name: 'Q4' }).check({ force: true });
  await reads(concat.locator('.caption'), 'Layer 7');
  await concat.getByRole('radio', { name: 'layer 3' }).check({ force: true });
  await reads(concat.locator('.caption'), 'Layer 3');
  await page.waitForFunction(() => /layer 3: Q4 alone/.test(document.querySelector('attn-concat')?.shadowRoot?.querySelector('.strips')?.getAttribute('aria-label') ?? ''));
  assert.deepEqual(await page.evaluate(() => {
    const { layer, heads } = /** @type {any} */ (document.querySelector('attn-concat')).context.selection;
    return [layer, heads[0]];
  }), [3, 4]);
  await concat.getByRole('radio', { name: 'a toy' }).check({ force: true });
  await reads(concat.locator('.results'), '1.395');
  assert.equal(await concat.locator('.model').count(), 0);
  await concat.getByRole('radio', { name: 'the model at hand' }).check({ force: true });
  await reads(concat.locator('.caption'), 'Layer 3');
  await concat.getByRole('button', { name: 'reset' }).click();
  await reads(concat.locator('.results'), '1.395');
  await close();
});

test('while heads are missing the picture says so; a run that fails can be tried again', { skip: waits }, async () => {
  const { page, concat, close } = await figure();
  await reads(concat.locator('.largest'), 'Largest difference');
  // The fourth run of layer 3 waits until it is let go, then fails.
  await page.evaluate(() => {
    const { context } = /** @type {any} */ (document.querySelector('attn-concat'));
    const forward = context.forward;
    let left = 4;
    context.forward = async (/** @type {any} */ options) => {
      left -= 1;
      if (left > 0) return forward.call(context, options);
      await new Promise((go) => { /** @type {any} */ (window).letGo = go; });
      throw Object.assign(new Error('no memory left'), { code: 'OUT_OF_MEMORY' });
    };
    context.again = () => { context.forward = forward; };
  });
  await concat.getByRole('radio', { name: 'layer 3' }).check({ force: true });
  await reads(concat.locator('.largest'), 'Run 3 of 8: only Q2 speaks');
  await page.evaluate(() => /** @type {any} */ (window).letGo());
  await reads(concat.locator('.error'), 'no memory left');
  await page.evaluate(() => /** @type {any} */ (document.querySelector('attn-concat')).context.again());
  await concat.getByRole('button', { name: 'Try again' }).click();
  await reads(concat.locator('.largest'), 'Largest difference');
  assert.equal(await concat.locator('.error').count(), 0);
  await close();
});

test('a recording cannot be run head by head: the model that ships can', { skip: waits }, async () => {
  const { page, concat, close } = await figure();
  await reads(concat.locator('.largest'), 'Largest difference');
  await page.evaluate(() => {
    const element = /** @type {any} */ (document.querySelector('attn-concat'));
    element.context.shown = { ...element.context.shown, source: 'recorded' };
    element.requestUpdate();
  });
  await reads(concat.locator('.model'), 'A recording cannot be run again');
  await concat.getByRole('button', { name: 'Use the model that ships' }).click();
  await reads(concat.locator('.largest'), 'Largest difference');
  await close();
});

test('a prompt asked while the heads run: no error, and the heads of the new prompt', { skip: waits }, async () => {
  const { page, concat, close } = await figure();
  await concat.locator('.strips').waitFor();
  await concat.evaluate((e) => /** @type {any} */ (e).context.ask('Copy two white:'));
  await reads(concat.locator('.tokens'), 'white');
  await reads(concat.locator('.largest'), 'Largest difference');
  assert.equal(await concat.locator('.error').count(), 0);
  assert.deepEqual(await page.evaluate(() => /NaN/.test(document.querySelector('attn-concat')?.shadowRoot?.textContent ?? '')), false);
  await close();
});

test('an address names the pane, its layer, head and token', { skip: waits }, async () => {
  const { page, close } = await open({ path: '#f6&from=model&layer=3&heads=2,1&token=1' });
  const concat = page.locator('attn-concat');
  await reads(concat.locator('.model .largest'), 'Largest difference');
  await page.waitForFunction(() => /cat, layer 3: Q2 alone/.test(document.querySelector('attn-concat')?.shadowRoot?.querySelector('.strips')?.getAttribute('aria-label') ?? ''));
  assert.match(await concat.evaluate((e) => /** @type {any} */ (e).place.hash), /^#f6&from=model&layer=3&heads=2,1&token=1$/);
  await page.evaluate(() => { location.hash = '#f6&seed=3&head=2'; });
  await reads(concat.locator('.heading'), 'Glued: one product');
  assert.equal(await concat.evaluate((e) => /** @type {any} */ (e).seed), 3, 'a link to the toy brings the toy back');
  await close();
});

test('on a phone, in Chinese, the strips fit', { skip: waits }, async () => {
  const { page, concat, close } = await figure({ width: 320, lang: 'zh-CN', path: 'embed.html?widget=attn-concat&lang=zh-CN' }, '手边的模型');
  await reads(concat.locator('.largest'), '64 个数里最大的差');
  const [strips, plate] = await Promise.all(['.strips', '.plate'].map((s) => concat.locator(s).evaluate((e) => e.getBoundingClientRect().width)));
  assert.ok(strips <= plate - 24 + 0.5, `${strips} in ${plate}`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await close();
});
