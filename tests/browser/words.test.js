/** Words that are of what is picked, of what happened and of what was guessed, not of the page's first example. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

test('Fig 12 asks about the pair that is picked', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-heads' });
  const heads = await bring(page, 'attn-heads');
  const pick = (/** @type {number[]} */ list) => heads.evaluate((/** @type {any} */ e, picked) => e.context.select({ heads: picked }), list);
  await reads(heads.locator('.predict legend'), 'Q0 and Q1 share K0 and V0');
  const { heads: H, kvHeads: K } = await heads.evaluate((/** @type {any} */ e) => e.context.config);
  const [a, b] = [H - 1, 0];
  await pick([a, b]);
  await reads(heads.locator('.predict legend'), K > 1 ? `Q${a} reads K${K - 1} and V${K - 1}, Q0 reads K0 and V0` : `Q${a} and Q0 share K0 and V0`);
  await pick([0]);
  await reads(heads.locator('.predict legend'), 'Two heads over one sentence');
  await close();
});

test('Fig 3 says “divided” only where it is', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-scale' });
  const part = page.locator('attn-scale .part');
  await reads(part, 'every score is divided by 16');
  await page.locator('attn-scale').getByRole('radio', { name: 'don’t divide' }).check({ force: true });
  await reads(part, 'no score is divided by it');
  assert.doesNotMatch(await part.innerText(), /every score/);
  await close();
});

test('Fig 17 speaks of no guess to who made none', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-profile&scene=sink' });
  const profile = await bring(page, 'attn-profile');
  await profile.locator('.predict').getByRole('button', { name: 'show me' }).click();
  await reads(profile.locator('.predict'), 'In Qwen3-0.6B it gets');
  assert.equal(await profile.locator('.predict .yours').count(), 0);
  assert.doesNotMatch((await profile.locator('svg').allTextContents()).join(' '), /your guess/);
  await close();
});

test('a model that did not come is not live', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-load', before: (p) => (
    p.route((url) => url.hostname !== '127.0.0.1', (route) => route.abort())) });
  const load = await bring(page, 'attn-load');
  await load.getByRole('button', { name: /^Fetch/ }).first().click();
  await load.locator('.error').waitFor();
  await reads(load.locator('.state'), 'It did not arrive');
  await reads(load.locator('.mark').first(), /^(?!.*Live)/);
  await close();
});
