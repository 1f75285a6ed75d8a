/** Fig 11: the ladder with its prices, a big folder that waits, layers as they come, stop, go on, mirror, delete. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseConfig } from '../../web/engine/config.js';
import { layerBytes } from '../../web/lab/ladder.js';
import { CONFIG_0P8B, syntheticModel } from '../helpers/synthetic-model.js';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** 29 MB in eight layers: too much to come unasked. */
const CONFIG = {
  ...CONFIG_0P8B, hidden_size: 256, num_hidden_layers: 8, head_dim: 64, intermediate_size: 1024, vocab_size: 20000,
  linear_num_key_heads: 4, linear_num_value_heads: 4, linear_key_head_dim: 64, linear_value_head_dim: 64,
};

/** Where a layer's bytes begin, less the header: the embedding comes first. @param {number} layer */
function beginOf(layer) {
  const config = parseConfig(CONFIG);
  return 2 * config.vocab * config.hidden + layerBytes(config).slice(0, layer).reduce((a, b) => a + b, 0);
}

/**
 * Answers for **\/big/** from memory; the tokenizer is the shipped example's.
 * @param {import('playwright-core').Page} page @param {(begin: number, end: number) => Promise<unknown> | undefined} [hold] before an answer
 * @returns {Promise<{ begin: number, end: number }[]>} ranges of weights that were asked for
 */
async function serveBig(page, hold = () => undefined) {
  const files = syntheticModel(CONFIG);
  const asked = [];
  await page.route('**/big/**', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/big/')[1];
    const file = files.get(name);
    if (!file && name.startsWith('tokenizer')) {
      return route.fulfill({ response: await route.fetch({ url: route.request().url().replace('/big/', '/models/example/') }) });
    }
    if (!file) return route.fulfill({ status: 404, body: 'none' });
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers().range ?? '') ?? [];
    const begin = Number(first ?? 0);
    const end = last ? Math.min(Number(last) + 1, file.size) : file.size;
    if (name.endsWith('.safetensors')) asked.push({ begin, end });
    await hold(begin, end);
    const headers = first ? { 'content-range': `bytes ${begin}-${end - 1}/${file.size}` } : {};
    return route.fulfill({ status: first ? 206 : 200, headers, body: Buffer.concat([...file.read(begin, end)]) }).catch(() => {});
  });
  return asked;
}

/** @param {import('playwright-core').Page} page */
async function loadOf(page) {
  const load = page.locator('attn-load');
  await load.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector('attn-load').context?.phase === 'ready');
  return load;
}

test('four rungs with their prices, counted; nothing of them is fetched', { skip: waits }, async () => {
  const { page, foreign, noise, close } = await open();
  const load = await loadOf(page);
  assert.deepEqual(await load.locator('.ladder strong').allInnerTexts(), ['14.7 MB', '166.0 MB', '996.2 MB', '1.50 GB']);
  await reads(load.locator('.state'), 'The model that ships with this page is here');
  await load.getByRole('button', { name: 'table', exact: true }).click();
  assert.equal(await load.locator('.equivalent tbody tr').count(), 4 + 24);
  assert.deepEqual(foreign, []);
  assert.deepEqual(noise, []);
  await close();
});

test('a big folder names its size and waits; its layers come in order; stop keeps them; go on fetches the rest', { skip: waits }, async () => {
  let release = () => {};
  const held = new Promise((done) => { release = () => done(undefined); });
  let asked = [];
  const { page, close } = await open({
    path: '?src=big/',
    before: async (p) => { asked = await serveBig(p, (begin) => (begin > beginOf(5) ? held : undefined)); },
  });
  const load = await loadOf(page);
  await reads(load.locator('h3'), 'big: how far up?');
  await reads(load.locator('.note'), 'Read from the folder’s own header');
  assert.ok(asked.reduce((n, { begin, end }) => n + end - begin, 0) < 100e3, 'header only');
  assert.equal(await page.locator('attn-load').evaluate((e) => e.context.shown.kind), 'shipped');

  await load.getByRole('button', { name: /^Fetch/ }).nth(1).click();
  await reads(load.locator('.state'), 'Layer 3 is ready: look at it now');
  await reads(load.locator('.amount'), /of \d+\.\d MB/);
  const partial = await page.locator('attn-heads').evaluate((e) => ({ n: e.context.layers.filter(Boolean).length, kind: e.context.shown.kind }));
  assert.ok(partial.n >= 4 && partial.n < 8 && partial.kind === 'folder', JSON.stringify(partial));
  await load.getByRole('button', { name: 'Stop' }).click();
  await reads(load.locator('.state'), /Stopped after [4-7] layers/);
  const before = asked.length;
  release();
  await load.getByRole('button', { name: 'Go on' }).click();
  await reads(load.locator('.state'), 'big is here: 8 layers');
  assert.ok(asked.slice(before).every(({ begin, end }) => begin > beginOf(4) || end < beginOf(0)), 'whole layers are not fetched again');
  assert.equal(await page.locator('attn-heads').evaluate((e) => e.context.logits), undefined);
  await close();
});

test('a server that stops answering is named; try again goes on', { skip: waits }, async () => {
  const { page, close } = await open({ before: (p) => serveBig(p) });
  const load = await loadOf(page);
  await load.getByLabel('or from a folder of your own').fill('big/');
  await load.getByRole('button', { name: 'Ask its size' }).click();
  await reads(load.locator('h3'), 'big: how far up?');
  await page.unroute('**/big/**');
  await load.getByRole('button', { name: /^Fetch/ }).first().click();
  await reads(load.locator('.error'), 'The server did not give the file');
  await serveBig(page);
  await load.getByRole('button', { name: 'Try again' }).click();
  await reads(load.locator('.state'), 'big is here: 4 layers');
  await close();
});

test('a folder that is not there is named; the ladder stays', { skip: waits }, async () => {
  const { page, close } = await open();
  const load = await loadOf(page);
  await load.getByLabel('or from a folder of your own').fill('nowhere/');
  await load.getByRole('button', { name: 'Ask its size' }).click();
  await reads(load.locator('.error code'), 'HTTP');
  assert.equal(await load.locator('.ladder li').count(), 4);
  await close();
});

test('what this device keeps is named with its size, and deleted on request', { skip: waits }, async () => {
  const { page, close } = await open();
  const load = await loadOf(page);
  await reads(load.locator('.note'), 'On this device');
  await load.getByRole('button', { name: /^Delete .* from this device/ }).click();
  await load.getByText('On this device').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const names = [];
    for await (const name of (await root.getDirectoryHandle('attention-by-hand')).keys()) names.push(name);
    return names.length;
  }), 0);
  await close();
});
