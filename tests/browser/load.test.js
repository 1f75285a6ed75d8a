/** Fig 11: the ladder with its prices, a big folder that waits, layers as they come, stop, go on, mirror, delete. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseConfig } from '../../web/engine/config.js';
import { layerBytes } from '../../web/lab/ladder.js';
import { CONFIG_0P8B, syntheticModel } from '../helpers/synthetic-model.js';
import { bring, listen, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** 18 MB in eight layers, 29 with the words: too much to come unasked. */
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
 * Answers for a folder from memory; the tokenizer is the shipped example's.
 * @param {import('playwright-core').Page} page
 * @param {(begin: number, end: number) => unknown} [fault] before an answer; gives what to answer instead, 'cut' for nothing at all
 * @param {{ name?: string, config?: typeof CONFIG }} [o]
 * @returns {Promise<{ begin: number, end: number }[]>} ranges of weights that were asked for
 */
async function serveBig(page, fault = () => undefined, { name: folder = 'big', config = CONFIG } = {}) {
  const files = syntheticModel(config);
  const asked = [];
  await page.route(`**/${folder}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.split(`/${folder}/`)[1];
    const file = files.get(name);
    if (!file && name.startsWith('tokenizer')) {
      return route.fulfill({ response: await route.fetch({ url: route.request().url().replace(`/${folder}/`, '/models/example/') }) });
    }
    if (!file) return route.fulfill({ status: 404, body: 'none' });
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers().range ?? '') ?? [];
    const begin = Number(first ?? 0);
    const end = last ? Math.min(Number(last) + 1, file.size) : file.size;
    if (name.endsWith('.safetensors')) asked.push({ begin, end });
    const instead = await fault(begin, end);
    if (instead === 'cut') return route.abort('internetdisconnected').catch(() => {});
    const headers = first ? { 'content-range': `bytes ${begin}-${end - 1}/${file.size}` } : {};
    return route.fulfill(instead || { status: first ? 206 : 200, headers, body: Buffer.concat([...file.read(begin, end)]) }).catch(() => {});
  });
  return asked;
}

/** @param {import('playwright-core').Page} page */
async function loadOf(page) {
  return bring(page, 'attn-load');
}

/** The reader's own folders, asked for their size. @param {import('playwright-core').Locator} load @param {string} folders */
async function askSize(load, folders) {
  await load.getByLabel('or from a folder of your own').fill(folders);
  await load.getByRole('button', { name: 'Ask its size' }).click();
  await reads(load.locator('.note'), 'Read from the folder’s own header');
}

const fetchAll = (load) => load.getByRole('button', { name: /^Fetch/ }).nth(1).click();

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
    before: async (p) => { asked = await serveBig(p, (begin) => (begin > beginOf(5) && begin < beginOf(6) ? held : undefined)); },
  });
  const load = await loadOf(page);
  await reads(load.locator('h3'), 'big: how far up?');
  await reads(load.locator('.note'), 'Read from the folder’s own header');
  assert.ok(asked.reduce((n, { begin, end }) => n + end - begin, 0) < 100e3, 'header only');
  assert.equal(await page.locator('attn-load').evaluate((e) => e.context.shown.kind), 'shipped');

  await fetchAll(load);
  await reads(load.locator('.state'), 'Layer 3 is ready: look at it now');
  await reads(load.locator('.amount'), /of \d+\.\d MB/);
  const partial = await page.locator('attn-heads').evaluate((e) => ({ n: e.context.layers.filter(Boolean).length, kind: e.context.shown.kind }));
  assert.ok(partial.n >= 4 && partial.n < 8 && partial.kind === 'folder', JSON.stringify(partial));
  await load.getByRole('button', { name: 'Stop' }).click();
  await reads(load.locator('.state'), /Stopped after [4-7] layers/);
  const kept = Number((await load.locator('.state').innerText()).match(/after (\d)/)[1]);
  assert.ok(await page.locator('attn-heads').evaluate((e) => e.context.layers[3].probs.data.length > 0), 'what has come can be read');
  const before = asked.length;
  release();
  await load.getByRole('button', { name: 'Go on' }).click();
  await reads(load.locator('.state'), 'big is here: 8 layers');
  const again = asked.slice(before).filter(({ begin, end }) => begin < beginOf(kept) && end > beginOf(0));
  assert.deepEqual(again, [], `the ${kept} whole layers are not fetched again`);
  const { loaded, total, without } = await page.locator('attn-heads').evaluate(({ context: c }) => ({ ...c.download, without: c.logits }));
  assert.ok(total > 0 && loaded === total, `bytes that came twice are counted once: ${loaded} of ${total}`);
  assert.equal(without, undefined);
  await close();
});

test('a server that stops answering is named; try again goes on', { skip: waits }, async () => {
  const { page, close } = await open({ before: (p) => serveBig(p) });
  const load = await loadOf(page);
  await askSize(load, 'big/');
  await page.unroute('**/big/**');
  await load.getByRole('button', { name: /^Fetch/ }).first().click();
  await reads(load.locator('.error'), 'The server did not give the file');
  await serveBig(page);
  await load.getByRole('button', { name: 'Try again' }).click();
  await reads(load.locator('.state'), 'big is here: 4 layers');
  await close();
});

test('while it tries again it counts down to the next try and names the byte', { skip: waits }, async () => {
  const tries = new Map();
  const busy = (begin) => {
    tries.set(begin, (tries.get(begin) ?? 0) + 1);
    return begin > beginOf(2) && tries.get(begin) < 3 ? { status: 503, headers: { 'retry-after': '2' } } : undefined;
  };
  const { page, close } = await open({ path: '?src=big/', before: (p) => serveBig(p, busy) });
  const load = await loadOf(page);
  const states = await listen(load, '.state strong');
  await fetchAll(load);
  await reads(load.locator('.state'), 'big is here: 8 layers');
  const told = (await states()).filter((state) => state.startsWith('Trying again'));
  assert.ok(told.every((state) => /^Trying again( in [12] s)?(, from \d+\.\d MB)?$/.test(state)), told.join('; '));
  for (const seconds of [2, 1]) assert.ok(told.some((state) => state.includes(`in ${seconds} s, from `)), told.join('; '));
  await close();
});

test('offline: what arrived stays in sight; it goes on by itself when the connection is back', { skip: waits }, async () => {
  let online = true;
  let cut = () => {};
  const layer3 = new Promise((done) => { cut = () => done('cut'); });
  const { page, close } = await open({
    path: '?src=big/', before: (p) => serveBig(p, (begin) => (online || begin < beginOf(5) ? undefined : layer3)),
  });
  const load = await loadOf(page);
  online = false;
  await page.context().setOffline(true);
  await fetchAll(load);
  await reads(load.locator('.state'), 'Layer 3 is ready: look at it now');
  cut();
  await reads(load.locator('.error strong'), 'You are offline');
  await reads(load.locator('.state'), 'You are offline; what has arrived stays');
  assert.ok(await page.locator('attn-heads').evaluate((e) => e.context.layers[3].probs.data.length > 0));
  online = true;
  await page.context().setOffline(false);
  await reads(load.locator('.state'), 'big is here: 8 layers');
  assert.equal(await load.locator('.error').count(), 0);
  await close();
});

test('a mirror steps in by itself; where both fail, the other is offered to be asked first', { skip: waits }, async () => {
  const broken = { near: true, far: true };
  const asked = { near: [], far: [] };
  const { page, close } = await open({ before: async (p) => {
    for (const name of ['near', 'far']) {
      asked[name] = await serveBig(p, (begin) => (broken[name] && begin > beginOf(2) ? { status: 404, body: 'none' } : undefined), { name });
    }
  } });
  const load = await loadOf(page);
  await askSize(load, 'near/ far/');
  await fetchAll(load);
  await reads(load.locator('.error'), 'The server did not give the file');
  await reads(load.locator('.state'), /After [23] layers it broke off/);
  broken.far = false;
  const before = asked.near.length;
  await load.getByRole('button', { name: 'Use the mirror' }).click();
  await reads(load.locator('.state'), 'far is here: 8 layers');
  assert.equal(asked.near.length, before, 'the broken one is not asked again');
  await load.getByRole('group', { name: 'Fetch from' }).getByRole('radio').last().press('ArrowLeft');
  await load.getByRole('button', { name: /^Fetch/ }).first().click();
  await reads(load.locator('.state'), 'near is here: 4 layers');
  assert.equal(await load.locator('.error').count(), 0);
  await close();
});

test('more than fits in memory: refused before anything comes, and what would fit is offered', { skip: waits }, async () => {
  const config = { ...CONFIG, hidden_size: 2048, intermediate_size: 65536 };
  let asked = [];
  const { page, close } = await open({ before: async (p) => { asked = await serveBig(p, undefined, { config }); } });
  const load = await loadOf(page);
  await askSize(load, 'big/');
  await fetchAll(load);
  await reads(load.locator('.error'), 'Not enough memory for this');
  assert.deepEqual(await load.locator('.error button').allInnerTexts(), ['Try again', 'Use the model that ships', 'Fetch 3.24 GB']);
  assert.ok(asked.reduce((n, { begin, end }) => n + end - begin, 0) < 100e3, 'header only');
  await close();
});

test('a device that is full: said in words, and the run goes on from memory', { skip: waits }, async () => {
  const { page, base, close } = await open({ path: '?src=big/', before: (p) => serveBig(p) });
  const load = await loadOf(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(base).origin, quotaSize: 1e6 });
  await fetchAll(load);
  await reads(load.locator('.state'), 'big is here: 8 layers');
  await reads(load.locator('.bars .note'), 'This device keeps no more');
  await close();
});

test('a folder that is not there is named; the ladder stays', { skip: waits }, async () => {
  const { page, close } = await open();
  const load = await loadOf(page);
  await load.getByLabel('or from a folder of your own').fill('nowhere/');
  await load.getByRole('button', { name: 'Ask its size' }).click();
  await reads(load.locator('.error code'), 'HTTP');
  assert.equal(await load.locator('.ladder li').count(), 4);
  await serveBig(page, undefined, { name: 'nowhere' });
  await load.getByRole('button', { name: 'Try again' }).click();
  await reads(load.locator('h3'), 'nowhere: how far up?');
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
