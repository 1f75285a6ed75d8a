/** The page in Firefox, driven over WebDriver BiDi: it loads, computes, speaks both languages, and is quiet. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { createSiteServer } from '../../tools/serve.mjs';

const SITE = fileURLToPath(new URL('../../build/site', import.meta.url));
const executablePath = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));
const waits = !executablePath ? 'waits for firefox-esr (install it or set FIREFOX=path)'
  : !existsSync(`${SITE}/index.html`) ? 'waits for the built page (make site)' : false;

/** A limit, not a wait: the machine may be busy with other things. */
const PATIENCE = 120_000;

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {import('node:http').Server} */
let server;
/** Scripts that the server does not give just now. @type {string[]} */
let lost = [];

before(async () => {
  if (waits) return;
  const site = createSiteServer({ site: SITE });
  server = createServer((request, response) => {
    if (!lost.some((name) => request.url?.includes(`/assets/${name}-`))) return void site.emit('request', request, response);
    response.writeHead(503, { 'Cache-Control': 'no-store' }).end('busy');
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
  const extraPrefsFirefox = { 'intl.accept_languages': 'en', 'dom.w3c_touch_events.enabled': 1 };
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: PATIENCE, extraPrefsFirefox });
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** @param {string} [path] */
async function open(path = '') {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 1280, height: 900 });
  /** @type {string[]} */
  const noise = [];
  page.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => noise.push(`pageerror: ${/** @type {Error} */ (error).message}`));
  await page.goto(`http://127.0.0.1:${/** @type {any} */ (server.address()).port}/${path}`);
  return { page, noise };
}

/** Waits for words inside a figure. */
const shows = (page, selector, words) => page.waitForFunction((s, w) => {
  const host = document.querySelector(s);
  return (host?.shadowRoot ?? host)?.textContent.includes(w);
}, {}, selector, words);

test('the page loads and the toy has the chapter’s numbers', { skip: waits }, async () => {
  const { page, noise } = await open();
  for (const number of ['0.045', '0.768', '0.187', '0.277, 1.723']) await shows(page, 'attn-toy', number);
  assert.deepEqual(noise, []);
  await page.close();
});

test('the language switch changes page and figures', { skip: waits }, async () => {
  const { page, noise } = await open('?lang=en');
  await shows(page, 'attn-toy', 'Score, share, mix');
  await page.click('[data-lang="zh-CN"]');
  await shows(page, 'h1', '一个词怎样回头看');
  await shows(page, 'attn-toy', '打分、分配、混合');
  assert.equal(await page.$eval('html', (e) => e.lang), 'zh-CN');
  await page.click('[data-lang="en"]');
  await shows(page, 'attn-toy', 'Score, share, mix');
  assert.deepEqual(noise, []);
  await page.close();
});

test('every figure can be seen without an error, and nothing scrolls sideways', { skip: waits }, async () => {
  const { page, noise } = await open('?lang=en');
  await shows(page, 'attn-toy', '0.768');
  for (const figure of await page.$$('[figure]')) {
    await figure.evaluate((e) => e.scrollIntoView());
    await page.waitForFunction((e) => e.seen && e.updateComplete.then(() => true), {}, figure);
  }
  assert.deepEqual(await page.$$eval('[figure]', (all) => all.filter((e) => e.error).map((e) => `${e.tagName}: ${e.error.message}`)), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  assert.deepEqual(noise, []);
  await page.close();
});

test('an address opens a figure as it was', { skip: waits }, async () => {
  const { page, noise } = await open('?lang=en#f9&g=1&q=3&shown=1');
  await shows(page, 'attn-gqa', '2 × 1 × 256 = 512');
  await shows(page, 'attn-gqa', 'Q3 reads notebook');
  assert.deepEqual(noise, []);
  await page.close();
});

test('a script that failed is asked for again: this browser keeps the failure of a name', { skip: waits }, async () => {
  lost = ['attn-mask', 'engine', 'zh-CN'];
  const { page } = await open();
  const press = (/** @type {string} */ selector, /** @type {string} */ inside) => page.waitForFunction((s, i) => {
    const host = document.querySelector(s);
    const button = (host?.shadowRoot ?? host)?.querySelector(i);
    button?.click();
    return Boolean(button);
  }, {}, selector, inside);
  await shows(page, 'attn-toy', 'A part of this page did not arrive');
  await page.evaluate(() => document.querySelector('attn-mask')?.scrollIntoView());
  await shows(page, 'attn-mask', 'This figure did not arrive');
  await press('header', 'button[data-lang="zh-CN"]');
  await shows(page, 'main', '本页的中文文字没有加载出来');
  lost = [];
  await press('attn-mask', '.late button');
  await page.waitForFunction(() => document.querySelector('attn-mask:defined')?.shadowRoot?.querySelector('figure'));
  await press('.late-words', 'button');
  await page.waitForFunction(() => document.documentElement.lang === 'zh-CN');
  await press('attn-toy', '.error button');
  await shows(page, 'attn-toy', '0.768');
  await page.close();
});

/** What a finger may do over a handle: what each box that it stands in allows, as far as pictures heed it. */
const allowed = (/** @type {Element} */ handle) => {
  const all = new Set();
  for (let e = /** @type {any} */ (handle); e; e = e.assignedSlot ?? e.parentElement ?? e.parentNode?.host) {
    if (!e.ownerSVGElement) all.add(getComputedStyle(e).touchAction);
  }
  return [...all].sort();
};

/** @type {[string, string, string[], (figure: any) => unknown][]} */
const HANDLES = [
  ['attn-toy[figure="1"]', '.looking .handle .target', ['auto'], (f) => f.toy.queries[f.toy.picked]],
  ['attn-gate-sgd[figure="24"]', '.handle .target', ['auto'], (f) => f.kept.z],
  ['[figure="26"]', '.draw', ['auto', 'pan-y pinch-zoom'],
    (f) => [...f.renderRoot.querySelectorAll('.chart.share path')].map((p) => p.getAttribute('d'))],
  ['attn-toy[figure="1"]', '.scrub', ['auto', 'pan-y pinch-zoom'], (f) => f.renderRoot.querySelector('.scrub').value],
];

for (const [selector, part, actions, value] of HANDLES) {
  test(`a finger drags ${selector} ${part} sideways`, { skip: waits }, async () => {
    const { page } = await open('?lang=en');
    await page.evaluate(() => dispatchEvent(new Event('hashchange')));
    await page.waitForFunction(() => ![...document.querySelectorAll(':not(:defined)')].some((e) => e.localName.startsWith('attn-')));
    // figures above still grow: the handle is brought back until it stays where it is for some frames
    const still = await page.evaluateHandle(() => ({ frames: 0, top: NaN }));
    await page.waitForFunction((s, p, o) => {
      const figure = /** @type {any} */ (document.querySelector(s));
      const handle = figure?.seen && !figure.isUpdatePending && figure.renderRoot.querySelector(p);
      (handle || figure)?.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { top } = (handle || document.body).getBoundingClientRect();
      o.frames = handle && top === o.top ? o.frames + 1 : 0;
      o.top = top;
      return o.frames > 20;
    }, {}, selector, part, still);
    const figure = await page.$(selector);
    const handle = /** @type {import('puppeteer-core').ElementHandle<Element>} */ (
      (await figure?.evaluateHandle((f, p) => f.shadowRoot?.querySelector(p), part))?.asElement());
    assert.deepEqual(await handle.evaluate(allowed), actions);
    const { x, y } = await handle.evaluate((e) => {
      const { left, top, width, height } = e.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
    const read = await page.evaluateHandle(`(${value})`);
    const now = () => page.evaluate((f, look) => JSON.stringify(/** @type {any} */ (look)(f)), figure, read);
    const was = await now();
    await page.touchscreen.touchStart(x, y);
    for (let n = 1; n <= 12; n += 1) await page.touchscreen.touchMove(x + 4 * n, y);
    await page.waitForFunction((f, look, before) => JSON.stringify(/** @type {any} */ (look)(f)) !== before, {}, figure, read, was);
    await page.touchscreen.touchEnd();
    await page.close();
  });
}
