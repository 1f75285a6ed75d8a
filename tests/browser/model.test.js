/** <attn-model> and the context its figures share: one worker, one run, other weights, errors, leaving and coming back. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listen, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);
const ready = (page, tag = 'attn-heads') => page.waitForFunction((name) => document.querySelector(name)?.context?.phase === 'ready', tag);

/** A bare page with what is wanted on it. @param {string} html @param {(page: import('playwright-core').Page) => Promise<unknown>} [before] */
async function bare(html, before) {
  const opened = await open({ path: 'embed.html?widget=attn-mask', before });
  await opened.page.evaluate((inside) => {
    document.querySelector('main').innerHTML = inside;
  }, html);
  return opened;
}

const probs = (page) => page.locator('attn-heads').evaluate((e) => {
  const { layers, fullLayers } = e.context;
  return [...layers[fullLayers[0]].probs.data];
});

test('the page’s figures share one run in one worker; nothing runs before one is seen', { skip: waits }, async () => {
  const { page, close } = await open();
  assert.equal(page.workers().length, 0);
  const runs = page.evaluate(() => new Promise((done) => {
    document.querySelector('attn-model').addEventListener('attn-run', (e) => done(e.detail), { once: true });
  }));
  await page.locator('attn-heads').scrollIntoViewIfNeeded();
  await ready(page);
  const { source, model, tokens, ms } = await runs;
  assert.equal(source, 'live');
  assert.match(model, /models\/(small|example)\/$/);
  assert.equal(tokens, await page.locator('attn-heads').evaluate((e) => e.context.tokens.length));
  assert.ok(ms > 0);
  assert.equal(page.workers().length, 1);
  assert.ok(await page.evaluate(() => document.querySelector('attn-heads').context === document.querySelector('attn-load').context
    && document.querySelector('attn-heads').context === document.querySelector('attn-model').context));
  await reads(page.locator('.bar .status'), 'Live');
  await close();
});

test('a figure alone has the model that ships; other weights give other numbers', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-heads></attn-heads>');
  await ready(page);
  const shipped = await probs(page);
  await page.evaluate(() => {
    document.querySelector('main').innerHTML = '<attn-model src="models/example/" prompt="The cat sat on the" layer="3" head="2"><attn-heads></attn-heads></attn-model>';
  });
  await ready(page);
  const example = await probs(page);
  assert.equal(example.length, shipped.length);
  assert.notDeepEqual(example, shipped);
  assert.deepEqual(await page.locator('attn-heads').evaluate((e) => e.context.selection), { layer: 3, heads: [2], token: 4 });
  await page.evaluate(() => document.querySelector('attn-model').setAttribute('prompt', '今天天气不错'));
  await page.waitForFunction(() => document.querySelector('attn-heads').context.shown?.prompt === '今天天气不错');
  await page.evaluate(() => Object.assign(document.querySelector('attn-model'), { src: [] , prompt: 'The cat sat on the' }));
  await page.waitForFunction(() => {
    const { shown, phase } = document.querySelector('attn-heads').context;
    return phase === 'ready' && shown.kind === 'shipped' && shown.prompt === 'The cat sat on the';
  });
  assert.deepEqual(await probs(page), shipped);
  await close();
});

test('figures in two places have two contexts; a figure that moves asks anew', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-model id="a"><attn-heads></attn-heads></attn-model><attn-model id="b" src="models/example/"></attn-model>');
  await ready(page);
  await page.evaluate(() => document.querySelector('#b').append(document.querySelector('attn-heads')));
  await page.waitForFunction(() => document.querySelector('attn-heads').context === document.querySelector('#b').context);
  await ready(page);
  assert.match(await page.locator('attn-heads').evaluate((e) => e.context.shown.name), /example/);
  await close();
});

test('a folder that is not there: named, announced, and the shipped model is one press away', { skip: waits }, async () => {
  const { page, close } = await bare('');
  const failed = page.evaluate(() => new Promise((done) => {
    document.addEventListener('attn-error', (e) => done({ code: e.detail.code, from: e.target.localName }), { once: true });
    document.querySelector('main').innerHTML = '<attn-model src="nowhere/"><attn-heads></attn-heads></attn-model>';
  }));
  assert.deepEqual(await failed, { code: 'HTTP', from: 'attn-model' });
  const heads = page.locator('attn-heads');
  await reads(heads.locator('.error'), 'The server did not give the file');
  await heads.getByRole('button', { name: 'Use the model that ships' }).click();
  await heads.locator('attn-heatmap').first().waitFor();
  assert.equal(await heads.locator('.error').count(), 0);
  await close();
});

test('a folder that does not come leaves the run before it as it was: undimmed, and asked anew', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-model><attn-heads></attn-heads><attn-load></attn-load></attn-model>');
  await ready(page);
  const before = await probs(page);
  const heads = page.locator('attn-heads');
  const start = (/** @type {string} */ url) => heads.evaluate((e, to) => e.context.start({ kind: 'folder', url: to, bases: [to] }), new URL(url, page.url()).href);
  await start('nowhere/');
  await reads(heads.locator('.error'), 'The server did not give the file');
  assert.equal(await heads.locator('.stale, .past').count(), 0);
  assert.deepEqual(await probs(page), before);
  assert.deepEqual(await heads.evaluate(({ context: c }) => [c.phase, c.canRun, c.isShipped, c.missed?.url.split('/').at(-2)]), ['ready', true, true, 'nowhere']);
  await page.locator('attn-load').scrollIntoViewIfNeeded();
  await reads(page.locator('attn-load .state'), 'It did not arrive');

  await page.route('**/nowhere/**', async (route) => route.fulfill({ response: await route.fetch({ url: route.request().url().replace('/nowhere/', '/models/example/') }) }));
  await heads.getByRole('button', { name: 'Try again' }).click();
  await heads.locator('.error').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.querySelector('attn-heads').context.shown.url.includes('nowhere'));
  await ready(page);
  assert.notDeepEqual(await probs(page), before);

  await start('gone/');
  await reads(heads.locator('.error'), 'The server did not give the file');
  await heads.evaluate((e) => e.context.ask('The cat'));
  await heads.locator('.error').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.querySelector('attn-heads').context.shown.prompt === 'The cat');
  assert.match(await heads.evaluate((e) => e.context.shown.url), /nowhere/, 'the model that was there answers');
  await close();
});

test('what failed is told in the page’s language; the engine’s own words are one press away', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-model lang="zh-CN" src="nowhere/"><attn-heads></attn-heads></attn-model>');
  const error = page.locator('attn-heads .error');
  await reads(error, '服务器返回状态码 404');
  assert.doesNotMatch(await error.innerText(), /expected|found|status/);
  assert.match(await error.innerText(), /文件：config\.json/);
  await error.getByText('引擎的原话').click();
  assert.match(await error.innerText(), /expected the file, found HTTP status 404/);
  await close();
});

test('a mirror steps in for a folder that is not there', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-model src="nowhere/ models/example/"><attn-heads></attn-heads></attn-model>');
  await ready(page);
  assert.equal((await probs(page)).length > 0, true);
  await close();
});

test('a prompt is limited by tokens, and says by how many', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-heads></attn-heads>');
  await ready(page);
  const before = await probs(page);
  await page.locator('attn-heads').evaluate((e) => e.context.ask('很'.repeat(1100)));
  await reads(page.locator('attn-heads .error'), /expected 1 to 1024 tokens, found \d{4}/);
  assert.deepEqual(await probs(page), before);
  await page.locator('attn-heads').evaluate((e) => e.context.ask('The cat'));
  await page.locator('attn-heads .error').waitFor({ state: 'detached' });
  await close();
});

test('an intervention changes a second run and leaves the shown one alone', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-heads></attn-heads>');
  await ready(page);
  const found = await page.locator('attn-heads').evaluate(async ({ context }) => {
    const before = [...context.logits.data];
    await context.intervene([{ layer: context.fullLayers[0], head: 'all', zero: true }]);
    const edited = [...context.edited.logits.data];
    const same = [...context.logits.data].every((x, i) => x === before[i]);
    await context.intervene([]);
    return { same, changed: edited.some((x, i) => x !== before[i]), none: context.edited };
  });
  assert.deepEqual(found, { same: true, changed: true, none: null });
  await close();
});

test('the last of two prompts wins', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-heads></attn-heads>');
  await ready(page);
  const shown = await page.locator('attn-heads').evaluate(async ({ context }) => {
    await Promise.all([context.ask('The cat sat on the mat and'), context.ask('The dog')]);
    return context.shown.prompt;
  });
  assert.equal(shown, 'The dog');
  await close();
});

test('taken away and put back twenty times: it runs again, and no worker stays', { skip: waits }, async () => {
  const { page, noise, close } = await bare('<attn-model><attn-heads></attn-heads></attn-model>');
  await ready(page);
  await page.evaluate(() => {
    globalThis.kept = document.querySelector('attn-model');
  });
  for (let n = 0; n < 20; n += 1) {
    const ended = page.workers()[0].waitForEvent('close');
    await page.evaluate(() => globalThis.kept.remove());
    await ended;
    assert.equal(page.workers().length, 0);
    await page.evaluate(() => document.querySelector('main').append(globalThis.kept));
    await ready(page);
  }
  assert.equal(page.workers().length, 1);
  const runs = page.evaluate(() => new Promise((done) => {
    let count = 0;
    globalThis.kept.addEventListener('attn-run', () => { count += 1; });
    document.querySelector('main').prepend(globalThis.kept);
    requestAnimationFrame(() => requestAnimationFrame(() => done(count)));
  }));
  assert.equal(await runs, 0, 'moving a node is not leaving');
  assert.equal(page.workers().length, 1);
  assert.deepEqual(noise, []);
  await close();
});

test('properties set before the element is defined are taken over', { skip: waits }, async () => {
  const { page, close } = await bare('');
  const found = await page.evaluate(async () => {
    const { AttnModel } = await Promise.resolve({ AttnModel: customElements.get('attn-model') });
    const early = document.createElement('attn-early');
    Object.assign(early, { prompt: 'hello', src: ['a/', 'b/'] });
    document.querySelector('main').append(early);
    customElements.define('attn-early', class extends AttnModel {});
    return { prompt: early.context.prompt, src: early.context.src };
  });
  assert.deepEqual(found, { prompt: 'hello', src: ['a/', 'b/'] });
  await close();
});

/** The shipped example under another name. @param {import('playwright-core').Page} page @param {() => any} fault instead of its layers */
const serveFlaky = (page, fault) => page.route('**/flaky/**', async (route) => {
  const url = route.request().url();
  const [, begin, end] = /(\d+)-(\d+)/.exec(route.request().headers().range ?? '') ?? [];
  const instead = url.endsWith('model.safetensors') && Number(end) - Number(begin) > 30_000 ? await fault() : undefined;
  if (instead) return route.fulfill(instead);
  return route.fulfill({ response: await route.fetch({ url: url.replace('/flaky/', '/models/example/') }) }).catch(() => {});
});

test('a figure that waits counts down to the next try', { skip: waits }, async () => {
  let busy = 3;
  let answer = () => {};
  const heard = new Promise((done) => { answer = () => done(undefined); });
  const { page, close } = await bare('<attn-model src="flaky/"><attn-heads></attn-heads></attn-model>', (p) => serveFlaky(p, async () => {
    await heard;
    busy -= 1;
    return busy >= 0 ? { status: 503, headers: { 'retry-after': '2' } } : undefined;
  }));
  const told = await listen(page.locator('attn-heads'), '.progress strong');
  answer();
  await ready(page);
  assert.ok((await told()).some((words) => /^Trying again in [12] s/.test(words)), (await told()).join('; '));
  await close();
});

test('stopped before anything was there: the place says so, and goes on from there', { skip: waits }, async () => {
  let release = () => {};
  const held = new Promise((done) => { release = () => done(undefined); });
  const { page, close } = await bare('<attn-model src="flaky/"><attn-heads></attn-heads></attn-model>', (p) => serveFlaky(p, () => held));
  const heads = page.locator('attn-heads');
  await heads.getByRole('button', { name: 'Stop' }).click();
  await reads(heads.locator('.awaited'), 'Stopped. What has arrived is kept.');
  release();
  await heads.getByRole('button', { name: 'Go on' }).click();
  await ready(page);
  await close();
});

test('a worker that died: named, the last picture stays, dimmed and dated; started again with the prompt kept', { skip: waits }, async () => {
  const { page, close } = await bare('<attn-heads></attn-heads>');
  await ready(page);
  const heads = page.locator('attn-heads');
  assert.equal(await heads.locator('.past').count(), 0);
  await page.workers()[0].evaluate(() => { setTimeout(() => { throw new Error('asleep'); }); });
  await heads.evaluate((e) => e.context.ask('The dog'));
  await reads(heads.locator('.error'), 'The tab slept and the computation ended');
  await reads(heads.locator('.past'), new RegExp(`The last good run, of .*${new Date().getFullYear()}.*\\d:\\d\\d`));
  assert.deepEqual(await heads.locator('.plate').evaluate((plate) => [plate, plate.querySelector('.past'), plate.querySelector('.past ~ *')]
    .map((part) => getComputedStyle(part).opacity)), ['1', '1', '0.45']);
  assert.ok(await heads.locator('attn-heatmap').first().isVisible());
  await heads.getByRole('button', { name: 'Try again' }).click();
  await ready(page);
  assert.equal(await heads.evaluate((e) => e.context.shown.prompt), 'The dog');
  assert.equal(await heads.locator('.past').count(), 0);
  await close();
});

const PROMPT = 'The cat sat on the';

/** A run of the shipped model, kept by the command line. @returns {{ body: Buffer, next: number[] }} */
function record() {
  const dir = mkdtempSync(join(tmpdir(), 'attn-'));
  const web = (/** @type {string} */ path) => fileURLToPath(new URL(`../../web/${path}`, import.meta.url));
  const out = join(dir, 'run.safetensors');
  const told = execFileSync('node', [web('cli.js'), 'record', web('models/small'), PROMPT, '--out', out, '--json'], { encoding: 'utf8' });
  const body = readFileSync(out);
  rmSync(dir, { recursive: true });
  return { body, next: JSON.parse(told).next };
}

test('a recording plays with the names of its next tokens; what it cannot answer is said, and run live on request', { skip: waits }, async () => {
  const { body, next } = record();
  const { page, close } = await bare(`<attn-model recordings="run.safetensors" prompt="${PROMPT}"><attn-heads></attn-heads><attn-edit></attn-edit></attn-model>`,
    (p) => p.route('**/run.safetensors', (route) => route.fulfill({ body })));
  await ready(page);
  const heads = page.locator('attn-heads');
  const edit = page.locator('attn-edit');
  assert.match((await heads.locator('.mark').innerText()).replaceAll('\n', ''), new RegExp(`^Recorded · small · ${new Date().getFullYear()}-\\d\\d-\\d\\d$`));
  assert.equal(await heads.locator('.mark.is-recorded').count(), 1);
  await edit.scrollIntoViewIfNeeded();
  const names = { heads: () => heads.locator('.next .token').allInnerTexts(), edit: () => edit.locator('.guess .token').allInnerTexts() };
  await reads(edit.locator('.guess .token'), /^[^#]+$/);
  await heads.locator('.next .token').first().waitFor();
  const recorded = { heads: await names.heads(), edit: await names.edit() };
  assert.ok(recorded.heads.length > 0 && [...recorded.heads, ...recorded.edit].every((name) => !/^#\d/.test(name)), JSON.stringify(recorded));
  assert.equal(await heads.evaluate(({ context: { logits } }) => logits.data.indexOf(Math.max(...logits.data))), next[0]);

  await reads(edit.locator('.note'), 'A recording cannot be reached into');
  await edit.evaluate((e) => e.context.intervene([{ layer: 3, head: 0, zero: true }]));
  await reads(edit.locator('.error'), 'This was not recorded');
  await edit.evaluate((e) => e.context.ask('The dog'));
  await reads(heads.locator('.error p'), 'found "The dog"');
  assert.equal(await heads.locator('.stale, .past').count(), 0, 'the recording is as good as before');
  assert.equal(await heads.evaluate((e) => e.context.shown.prompt), PROMPT);
  await heads.getByRole('button', { name: `Play the recording of “${PROMPT}”` }).click();
  await heads.locator('.error').waitFor({ state: 'detached' });
  assert.equal(await heads.evaluate((e) => e.context.source), 'recorded');

  await heads.locator('.prompt').getByRole('button', { name: 'Run live' }).click();
  await reads(heads.locator('.mark'), 'Live');
  await edit.scrollIntoViewIfNeeded();
  await edit.locator('.kinds').waitFor();
  // the tokenizer answers from a worker
  await reads(edit.locator('.guess .token'), /^[^#]+$/);
  await heads.locator('.next .token').first().waitFor();
  assert.deepEqual({ heads: await names.heads(), edit: await names.edit() }, recorded, 'the same names, live');
  await close();
});
