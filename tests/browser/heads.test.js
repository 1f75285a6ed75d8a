/** Fig 12: two heads' maps from one run, the guess taken up, scales, long prompts, files. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { valueScale } from '../../web/draw/colour.js';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** @param {import('playwright-core').Page} page the figure once its run is there */
async function headsOf(page) {
  const heads = await bring(page, 'attn-heads');
  await heads.locator('attn-heatmap').first().waitFor();
  return heads;
}

const both = (heads) => heads.locator('attn-heatmap').evaluateAll((maps) => maps.map(({ matrix }) => [...matrix.data]));

test('the second map waits for a guess; then both are the run’s own, and their distance is computed', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const heads = await headsOf(page);
  assert.equal(await heads.locator('attn-heatmap').count(), 1);
  assert.equal(await heads.locator('.therefore').count(), 0);
  await heads.getByText('They can differ').click();
  await reads(heads.locator('.predict'), 'Your guess: They can differ.');
  const [a, b] = await both(heads);
  const { probs, T } = await heads.evaluate((e) => {
    const found = e.context.layers[e.context.selection.layer].probs;
    return { probs: [...found.data], T: found.shape[1] };
  });
  assert.deepEqual(a, probs.slice(0, T * T));
  assert.deepEqual(b, probs.slice(T * T, 2 * T * T));
  const last = a.slice(-T).reduce((sum, x, j) => sum + Math.abs(x - b[b.length - T + j]), 0) / 2;
  await reads(heads.locator('.cellwords'), `Distance between the two rows of ␣the: ${last.toFixed(3)}`);
  await heads.locator('.therefore').waitFor();
  assert.deepEqual(noise, []);
  await close();
});

test('keys walk one map, the other marks the same cell; Enter picks the row for all figures', { skip: waits }, async () => {
  const { page, close } = await open();
  const heads = await headsOf(page);
  await heads.getByRole('button', { name: 'show me' }).first().click();
  const [first, second] = [heads.locator('attn-heatmap').nth(0), heads.locator('attn-heatmap').nth(1)];
  await second.waitFor();
  const picked = page.evaluate(() => new Promise((done) => {
    document.addEventListener('attn-select', (e) => done(e.detail), { once: true });
  }));
  await first.getByRole('application').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await second.evaluate((map) => map.cell), await first.evaluate((map) => map.cell));
  await reads(heads.locator('.cellwords'), /Q0: ␣on on ␣cat: .*Q1: ␣on on ␣cat: /);
  await page.keyboard.press('Enter');
  assert.equal((await picked).token, 3);
  assert.equal(await heads.locator('.tokens .token[aria-pressed=true]').innerText(), '␣on');
  await close();
});

test('a third head takes the place of the first; heads of two notebooks bring no conclusion', { skip: waits }, async () => {
  const { page, close } = await open();
  const heads = await headsOf(page);
  await heads.getByRole('button', { name: 'show me' }).first().click();
  await heads.getByRole('checkbox', { name: 'Q4' }).check({ force: true });
  await reads(heads.locator('.who').nth(1), 'Q4');
  assert.deepEqual(await heads.evaluate((e) => e.context.selection.heads), [1, 4]);
  assert.equal(await heads.locator('.therefore').count(), 0);
  await heads.getByRole('radio', { name: 'layer 3' }).check({ force: true });
  await page.waitForFunction(() => document.querySelector('attn-heads').context.selection.layer === 3);
  const data = await both(heads);
  assert.deepEqual(data[0], await heads.evaluate((e) => {
    const { data: all, shape: [, T] } = e.context.layers[3].probs;
    return [...all.slice(T * T, 2 * T * T)];
  }));
  await close();
});

test('the ghost, accepted, is computed by a session: one more row, real bytes, the same numbers as a whole run', { skip: waits }, async () => {
  const { page, close } = await open();
  const heads = await headsOf(page);
  await reads(heads.locator('.kv'), 'The 4 older queries are gone');
  const ghost = heads.locator('.prompt .ghost');
  const word = (await ghost.innerText()).trim();
  await ghost.click();
  await reads(heads.locator('.kv'), 'The session holds');
  assert.equal((await heads.locator('.tokens .token').last().innerText()).trim(), word);
  const found = await heads.evaluate(async (e) => {
    const { context } = e;
    const run = await context.forward({ capture: ['probs'] });
    const off = Math.max(...context.fullLayers.map((l) => {
      const [x, y] = [context.layers[l].probs, run.layers[l].probs];
      return Math.max(...x.data.map((v, n) => Math.abs(v - y.data[n])));
    }));
    const { kvHeads, headDim } = context.config;
    return { off, kv: context.cache.kvBytes, wanted: context.fullLayers.length * context.tokens.length * 2 * kvHeads * headDim * 4 };
  });
  assert.ok(found.off < 1e-5, `${found.off}`);
  assert.equal(found.kv, found.wanted);
  await heads.getByRole('button', { name: 'Take back' }).click();
  await reads(heads.locator('.kv'), 'The 4 older queries are gone');
  await close();
});

test('scales change colours, never numbers; the first token can be hidden; words rename only', { skip: waits }, async () => {
  const { page, close } = await open();
  const heads = await headsOf(page);
  const corner = () => heads.locator('attn-heatmap').first().evaluate((map) => {
    const canvas = map.shadowRoot.querySelector('canvas');
    const { rows, cols, data } = map.matrix;
    const cell = canvas.width / cols;
    const at = (i, j) => [...canvas.getContext('2d').getImageData(j * cell + 3, i * cell + 3, 1, 1).data].slice(0, 3);
    return { last: at(rows - 1, 1), first: at(rows - 1, 0), value: data[(rows - 1) * cols + 1], top: Math.max(...data.slice(-cols)), data: [...data] };
  });
  const colour = valueScale('probability', 'light');
  const linear = await corner();
  assert.deepEqual(linear.last, colour(linear.value));
  await heads.getByText('per row', { exact: true }).click();
  await reads(heads.locator('.legend'), 'each row by its own largest');
  const row = await corner();
  assert.deepEqual(row.last, colour(row.value / row.top));
  assert.deepEqual(row.data, linear.data);
  await heads.getByText('linear', { exact: true }).click();
  await heads.getByText('hide first token').click();
  await reads(heads.locator('.legend'), 'first token hidden');
  assert.notDeepEqual((await corner()).first, linear.first);
  await heads.getByText('words', { exact: true }).click();
  await reads(heads.locator('attn-heatmap').first().locator('.rows'), 'cat');
  assert.deepEqual((await corner()).data, linear.data);
  await close();
});

test('512 tokens: pixels, a window with names, and every step within 100 ms', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const heads = await headsOf(page);
  await heads.getByRole('button', { name: 'show me' }).first().click();
  const T = await heads.evaluate(async (e) => {
    await e.context.ask(`The${' cat sat on the mat.'.repeat(85)}`);
    await e.updateComplete;
    return e.context.tokens.length;
  });
  assert.ok(T >= 500 && T <= 700, `${T} tokens`);
  assert.equal(await heads.locator('attn-heatmap').count(), 4);
  await reads(heads.locator('.zoom p').first(), /Rows [\d,]+ to [\d,]+/);
  const times = await heads.evaluate(async (e) => {
    const map = e.shadowRoot.querySelector('attn-heatmap');
    const field = map.shadowRoot.querySelector('.field');
    const settled = async () => {
      await e.updateComplete;
      await Promise.all([...e.shadowRoot.querySelectorAll('attn-heatmap')].map((m) => m.updateComplete));
    };
    const press = async (key) => {
      const start = performance.now();
      field.dispatchEvent(new KeyboardEvent('keydown', { key }));
      await settled();
      return performance.now() - start;
    };
    field.focus();
    await settled();
    const found = [];
    const keys = { ArrowUp: 'ArrowDown', ArrowLeft: 'ArrowRight', ArrowDown: 'ArrowUp', Home: 'End', Enter: 'Escape' };
    for (const [key, back] of Object.entries(keys)) {
      // the quickest of several: the machine may be busy with other things
      let ms = Infinity;
      for (let n = 0; n < 10; n += 1) {
        await press(back);
        ms = Math.min(ms, await press(key));
      }
      found.push(ms);
    }
    return found;
  });
  for (const ms of times) assert.ok(ms < 100, `${times.map((n) => n.toFixed(0))} ms`);
  assert.deepEqual(noise, []);
  await close();
});

test('table, CSV and images are saved under the layer and the heads', { skip: waits }, async () => {
  const { page, close } = await open();
  const heads = await headsOf(page);
  await heads.getByRole('button', { name: 'show me' }).first().click();
  const layer = await heads.evaluate((e) => e.context.selection.layer);
  await heads.getByRole('button', { name: 'table', exact: true }).click();
  assert.equal(await heads.locator('.equivalent tbody tr').count(), 10);
  const save = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), heads.getByRole('button', { name, exact: true }).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const csv = await save('save as CSV');
  assert.equal(csv.name, `attn-f12-layer${layer}-q0-q1.csv`);
  const [first] = await both(await (async () => {
    await heads.getByRole('button', { name: 'table', exact: true }).click();
    await heads.locator('attn-heatmap').first().waitFor();
    return heads;
  })());
  assert.match(csv.bytes.toString(), new RegExp(`"Q0","␣cat","${first[5]}","${first[6]}","","",""`));
  await heads.getByRole('button', { name: 'image' }).click();
  const svg = await save('SVG');
  assert.equal(svg.name, `attn-f12-layer${layer}-q0-q1.svg`);
  assert.match(svg.bytes.toString(), /<svg[^>]*>.*Q0.*Q1/s);
  await heads.getByRole('button', { name: 'image' }).click();
  assert.equal((await save('PNG')).bytes.subarray(1, 4).toString(), 'PNG');
  await close();
});

test('on a phone one map at a time, and their difference', { skip: waits }, async () => {
  const { page, close } = await open({ width: 390, lang: 'zh-CN' });
  const heads = await headsOf(page);
  await heads.getByRole('button', { name: '直接看' }).first().click();
  assert.equal(await heads.locator('attn-heatmap').count(), 1);
  await heads.getByText('相差', { exact: true }).click();
  await reads(heads.locator('.legend'), '占比之差');
  const { scale, data } = await heads.locator('attn-heatmap').evaluate((map) => ({ scale: map.scale, data: [...map.matrix.data] }));
  assert.equal(scale, 'signed');
  const wanted = await heads.evaluate((e) => {
    const { data: all, shape: [, T] } = e.context.layers[e.context.selection.layer].probs;
    return [...all.slice(0, T * T)].map((x, n) => Math.fround(x - all[T * T + n]));
  });
  assert.deepEqual(data, wanted);
  await close();
});

test('other heads are found by distance, and by the lenses of Fig 4', { skip: waits }, async () => {
  const { page, close } = await open();
  const heads = await headsOf(page);
  const finder = heads.locator('.finder');
  await finder.getByRole('radio', { name: 'Q0' }).check({ force: true });
  assert.equal(await finder.locator('.found li').count(), 5);
  await finder.getByRole('radio', { name: 'the word before' }).check({ force: true });
  await reads(finder, /Closest first|Unclear/);
  await finder.locator('.found button').first().click();
  const name = await finder.locator('.found button').first().innerText();
  const { layer, heads: picked } = await heads.evaluate((e) => e.context.selection);
  assert.ok(picked.some((h) => name === `layer ${layer} Q${h}`), `${name}: layer ${layer}, ${picked}`);
  await close();
});
