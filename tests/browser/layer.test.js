/** Fig 29: a layer streamed from a folder, run, drawn; and what happens when that fails. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { valueScale } from '../../web/draw/colour.js';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** @param {import('playwright-core').Page} page */
const layerOf = (page) => bring(page, 'attn-layer');

test('the small model’s layer runs unasked and says what it is', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const layer = await layerOf(page);
  await layer.locator('.shown attn-heatmap').waitFor();
  await reads(layer.locator('.caption'), 'the small trained model that ships with this page');
  const rows = await layer.locator('.shown attn-heatmap').evaluate((map) => {
    const { rows: T, data } = map.matrix;
    return Array.from({ length: T }, (_, i) => data.slice(i * T, (i + 1) * T).reduce((a, b) => a + b, 0));
  });
  assert.ok(rows.length > 1);
  for (const sum of rows) assert.ok(Math.abs(sum - 1) < 1e-5, `row sums to ${sum}`);
  assert.deepEqual(noise, []);
  await close();
});

test('every head has its matrix: pixels, table and picture agree', { skip: waits }, async () => {
  const { page, close } = await open();
  const layer = await layerOf(page);
  await layer.locator('.shown attn-heatmap').waitFor();
  const read = () => layer.locator('.shown attn-heatmap').evaluate((map) => {
    const canvas = map.shadowRoot.querySelector('canvas');
    const { rows, data } = map.matrix;
    const cell = canvas.width / rows;
    const at = (i, j) => [...canvas.getContext('2d').getImageData(j * cell + 3, i * cell + 3, 1, 1).data].slice(0, 3);
    return { T: rows, data: [...data], pixels: Array.from({ length: rows }, (_, i) => Array.from({ length: i + 1 }, (__, j) => at(i, j))) };
  });
  const first = await read();
  await layer.getByRole('radio', { name: 'Q5' }).check({ force: true });
  await reads(layer.locator('.readout'), 'Q5, row');
  const { T, data, pixels } = await read();
  assert.notDeepEqual(data, first.data);
  const colour = valueScale('probability', 'light');
  pixels.forEach((row, i) => row.forEach((rgb, j) => assert.deepEqual(rgb, colour(data[i * T + j]), `cell ${i}, ${j}`)));
  await layer.getByRole('button', { name: 'table' }).click();
  const table = await layer.locator('.equivalent tbody tr').evaluateAll((trs) => trs.map((tr) => (
    [...tr.querySelectorAll('td')].map((td) => td.textContent))));
  table.forEach((row, i) => row.forEach((text, j) => {
    if (j > i) assert.equal(text, 'masked');
    else assert.ok(Math.abs(Number(text.replace('<', '')) - data[i * T + j]) <= 0.00101, `${text} for ${data[i * T + j]}`);
  }));
  await close();
});

test('own sentences keep every character: spaces, breaks, bytes, right to left', { skip: waits }, async () => {
  const { page, close } = await open();
  const layer = await layerOf(page);
  await layer.locator('.shown attn-heatmap').waitFor();
  for (const [prompt, wanted] of [['a<b<c & <img>', /<img|<|img/], ['𠮷野家', /野/], ['👩‍👩‍👧 כן', /./]]) {
    await layer.getByLabel('Your sentence').fill(String(prompt));
    await layer.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForFunction((text) => {
      const { shown, phase } = document.querySelector('attn-layer');
      return phase === 'ready' && shown?.prompt === text;
    }, prompt);
    const text = await layer.locator('.tokens').innerText();
    assert.match(text, /** @type {RegExp} */ (wanted));
    assert.ok(!text.includes('\ufffd'), text);
    const pieces = await layer.evaluate((e) => e.shown.pieces.map((p) => p.text).join(''));
    assert.equal(pieces, prompt);
  }
  await close();
});

test('a folder that is not there: what happened, a way back, and the last good picture stays', { skip: waits }, async () => {
  const { page, close } = await open();
  const layer = await layerOf(page);
  await layer.locator('.shown attn-heatmap').waitFor();
  await layer.getByLabel('Model folder').fill('nowhere/');
  await layer.getByRole('button', { name: 'Fetch one layer' }).click();
  await reads(layer.locator('.error'), 'The server did not give the file');
  await reads(layer.locator('.error code'), 'HTTP');
  assert.equal(await layer.locator('.shown attn-heatmap').count(), 1);
  await layer.getByRole('button', { name: 'Use the model that ships' }).click();
  await layer.locator('.error').waitFor({ state: 'detached' });
  await layer.locator('.shown attn-heatmap').waitFor();
  await close();
});

test('a web page in place of the weights is named as such', { skip: waits }, async () => {
  const { page, close } = await open({
    before: (p) => p.route('**/wrong/**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>hello' })),
  });
  const layer = await layerOf(page);
  await layer.getByLabel('Model folder').fill('wrong/');
  await layer.getByRole('button', { name: 'Fetch one layer' }).click();
  await reads(layer.locator('.error'), 'These are not the weights');
  await close();
});

test('another folder waits for a click; a slow one shows words, bytes and a way to stop', { skip: waits }, async () => {
  let release = () => {};
  const held = new Promise((done) => { release = () => done(undefined); });
  const { page, base, close } = await open({
    path: '?src=slow/',
    before: (p) => p.route('**/slow/**', async (route) => {
      const url = route.request().url().replace('/slow/', '/models/small/');
      if (url.endsWith('.safetensors') && /bytes=\d{4,}-/.test(route.request().headers().range ?? '')) await held;
      await route.fulfill({ response: await route.fetch({ url }) }).catch(() => {});
    }),
  });
  const layer = await layerOf(page);
  await reads(layer.locator('.ask'), `${base}slow/`);
  assert.equal(await layer.locator('.shown attn-heatmap').count(), 0);
  await layer.getByRole('button', { name: 'Fetch one layer' }).click();
  await reads(layer.locator('.progress'), /Connecting|Fetching layer 3/);
  await reads(layer.locator('.progress'), /of [\d.]+ [kM]B/);
  await layer.getByRole('button', { name: 'Stop' }).click();
  await layer.locator('.progress').waitFor({ state: 'detached' });
  await reads(layer.locator('.ask'), 'Nothing is fetched yet');
  assert.equal(await layer.locator('.error').count(), 0);
  release();
  await layer.getByRole('button', { name: 'Fetch one layer' }).click();
  await layer.locator('.shown attn-heatmap').waitFor();
  await close();
});

test('src may list mirrors: where the first does not answer, the next one does', { skip: waits }, async () => {
  const asked = new Set();
  const { page, base, close } = await open({
    path: '?src=lost/%20also/',
    before: (p) => p.route(/\/(lost|also)\//, async (route) => {
      const url = new URL(route.request().url());
      const [, folder, file] = url.pathname.split('/');
      asked.add(`${folder}/${file}`);
      if (folder === 'lost') return route.fulfill({ status: 404, body: '' });
      await route.fulfill({ response: await route.fetch({ url: `${base}models/small/${file}` }) });
    }),
  });
  const layer = await layerOf(page);
  await reads(layer.locator('.ask'), `${base}lost/`);
  await layer.getByRole('button', { name: 'Fetch one layer' }).click();
  await layer.locator('.shown attn-heatmap').waitFor();
  for (const file of ['config.json', 'tokenizer.json', 'model.safetensors']) assert.ok(asked.has(`also/${file}`), file);
  assert.ok(asked.has('lost/config.json'));
  await close();
});

test('the real layer comes on request, from a mirror where the first does not answer, and is held against the printed one', { skip: waits }, async () => {
  const asked = [];
  const { page, base, close } = await open({
    before: async (p) => {
      await p.route('https://huggingface.co/**', (route) => { asked.push('hub'); return route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' } }); });
      await p.route('https://hf-mirror.com/**', async (route) => {
        asked.push('mirror');
        const file = new URL(route.request().url()).pathname.split('/').at(-1);
        const found = await route.fetch({ url: `${base}models/small/${file}` });
        await route.fulfill({ response: found, headers: { ...found.headers(), 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' } });
      });
    },
  });
  const layer = await layerOf(page);
  await layer.locator('.shown attn-heatmap').waitFor();
  assert.deepEqual(asked, [], 'nothing unasked');
  await layer.getByRole('button', { name: 'fetch this layer, 14.7 MB' }).click();
  await layer.getByRole('button', { name: 'Use the mirror' }).click();
  await reads(layer.locator('.book'), 'the largest difference from the printed numbers is');
  const [run, book] = await layer.evaluate((e) => (
    ['.shown', '.book'].map((at) => [...e.shadowRoot.querySelector(`${at} attn-heatmap`).matrix.data])));
  const difference = Math.max(...run.map((x, i) => Math.abs(x - book[i])));
  await reads(layer.locator('.book'), difference.toFixed(3));
  await close();
});
