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

/** All that a figure says: its text, its labels and its table. @param {any} element */
async function allWords(element) {
  const read = () => [element.shadowRoot.textContent,
    ...[...element.shadowRoot.querySelectorAll('[aria-label]')].map((e) => e.getAttribute('aria-label'))].join(' ');
  const plate = read();
  element.showTable = true;
  await element.updateComplete;
  const table = read();
  element.showTable = false;
  await element.updateComplete;
  return `${plate} ${table}`.replace(/\{[^}]*\}/g, '');
}

test('Fig 11 of another folder says that folder’s bytes and layers only', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-load' });
  const load = await bring(page, 'attn-load');
  await reads(load, 'layer 3 before layer 23');
  await load.getByLabel('or from a folder of your own').fill('models/small/');
  await load.getByRole('button', { name: 'Ask its size' }).click();
  await reads(load.locator('h3'), 'small: how far up?');
  const rightWords = async () => {
    const words = await load.evaluate(allWords);
    assert.match(words, /845\.8 kB/);
    assert.match(words, /all 8 layers/);
    assert.match(words, /layer 3 before layer 7 /);
    assert.doesNotMatch(words, /\d\s?GB|24 layers|layer 23|over 10 MB/);
  };
  await rightWords();
  await load.getByRole('button', { name: /^Fetch 8/ }).last().click();
  await reads(load.locator('.state'), 'small is here: 8 layers');
  await rightWords();
  await close();
});

for (const [tag, press] of /** @type {[string, (figure: import('playwright-core').Locator) => Promise<void>][]} */ ([
  ['attn-load', (load) => load.getByRole('button', { name: /^Fetch/ }).first().click()],
  ['attn-layer', (layer) => layer.locator('.book button').click()],
])) {
  test(`${tag}: a mirror that failed is no remedy, until the reader asks afresh`, { skip: waits }, async () => {
    const { page, close } = await open({ path: `embed.html?widget=${tag}`, before: (p) => (
      p.route((url) => url.hostname !== '127.0.0.1', (route) => route.fulfill({
        status: 404, body: 'none', headers: { 'access-control-allow-origin': '*' },
      }))) });
    const figure = await bring(page, tag);
    const mirror = figure.getByRole('button', { name: 'Use the mirror' });
    for (const time of ['at first', 'afresh']) {
      await press(figure);
      await mirror.waitFor();
      await mirror.click();
      await mirror.waitFor({ state: 'detached' });
      await figure.locator('.error').waitFor();
      assert.equal(await mirror.count(), 0, time);
    }
    await close();
  });
}
