/** Every script of the page, lost once or for good: each place says so, the others go on, and all is healed by a retry. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '../../web/widgets/lazy.js';
import { openBrowser, waits } from '../helpers/browser.js';
import { emptyPlaces, watchPlaces } from '../helpers/places.js';

const open = openBrowser(after);
const ASSETS = fileURLToPath(new URL('../../build/site/assets', import.meta.url));
const SCRIPTS = waits ? [] : readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
/** A script's name without its hash. @param {string} file */
const named = (file) => file.replace(/-[\w-]{8}\.js$/, '');
const FIGURES = SCRIPTS.filter((file) => Object.hasOwn(SOURCES, named(file)));
const OTHERS = SCRIPTS.filter((file) => !FIGURES.includes(file)).map(named);

/** How a script is lost. @type {Record<string, (route: any) => Promise<void>>} */
const LOST = {
  503: (route) => route.fulfill({ status: 503, body: 'busy' }),
  404: (route) => route.fulfill({ status: 404, body: 'gone' }),
  'a web page': (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>Sign in' }),
  dropped: (route) => route.abort(),
};

/** Answers of these scripts are lost until heal(). @param {string[]} names @param {(route: any) => Promise<void>} lost @param {number} [times] */
function losing(names, lost, times = Infinity) {
  const left = new Map(names.map((name) => [name, times]));
  const answer = (/** @type {any} */ route) => {
    const name = named(new URL(route.request().url()).pathname.split('/').pop() ?? '');
    const n = left.get(name) ?? 0;
    left.set(name, n - 1);
    return n > 0 ? lost(route) : route.fallback();
  };
  return {
    async before(/** @type {import('playwright-core').Page} */ p) {
      await watchPlaces(p);
      await p.route('**/assets/*.js*', answer);
    },
    heal: () => left.clear(),
  };
}

/** Places of figures with neither a word nor a picture, now. @param {import('playwright-core').Page} page */
const wordless = (page) => page.evaluate(() => {
  const shows = (/** @type {any} */ e) => {
    const word = e.querySelector('slot')?.assignedElements().length ? e.host : e;
    return [...word.querySelectorAll('p, strong, svg, canvas, attn-heatmap, button, .title')].some((part) => part.checkVisibility());
  };
  return [...document.querySelectorAll('[figure], attn-quiz')].filter((e) => !shows(e.shadowRoot ?? e)).map((e) => e.outerHTML.slice(0, 80));
});

const online = (/** @type {import('playwright-core').Page} */ page) => page.evaluate(() => dispatchEvent(new Event('online')));
const jump = (/** @type {import('playwright-core').Page} */ page) => page.evaluate(() => dispatchEvent(new Event('hashchange')));
/** @param {import('playwright-core').Page} page */
const allThere = (page) => page.waitForFunction(() => !document.querySelector('[figure]:not(:defined), attn-quiz:not(:defined), .late:not([hidden])'));

for (const [how, lost] of Object.entries(LOST)) {
  for (const half of [0, 1]) {
    test(`figures whose script is lost (${how}, ${half + 1}/2) say so, the others go on`, { skip: waits }, async () => {
      const gone = FIGURES.filter((_, i) => i % 2 === half).map(named);
      const { before, heal } = losing(gone, lost);
      const { page, close } = await open({ before, whole: false });
      assert.deepEqual(await wordless(page), [], 'before anything is lost');
      await jump(page);
      await page.waitForFunction((names) => [...document.querySelectorAll('[figure], attn-quiz')].every((e) =>
        (names.includes(e.localName) ? e.querySelector('.late button') : e.matches(':defined'))), gone);
      assert.deepEqual(await wordless(page), []);
      assert.match(await page.locator(':not(body) > .late').first().innerText(), /did not arrive[^]*Try again[^]*Load the page again/);
      heal();
      if (how === 'dropped') await online(page);
      else {
        for (const name of gone) {
          await page.locator(`${name} .late button`).first().evaluate((/** @type {any} */ button) => button.click());
          await page.waitForFunction((tag) => customElements.get(tag), name);
        }
      }
      await allThere(page);
      assert.deepEqual(await wordless(page), []);
      assert.deepEqual(await emptyPlaces(page), {}, 'places in sight that were empty in some frame');
      await close();
    });
  }
}

test('a figure that is come near is tried again by hand, and says the same while the language changes', { skip: waits }, async () => {
  const { before, heal } = losing(['attn-mask'], LOST[503]);
  const { page, close } = await open({ before, whole: false });
  const box = page.locator('attn-mask .late');
  await page.locator('attn-mask').scrollIntoViewIfNeeded();
  await box.waitFor();
  await page.getByRole('button', { name: '中文' }).click();
  await box.filter({ hasText: '这幅图没有加载出来' }).waitFor();
  await box.getByRole('button', { name: '重试' }).click();
  await box.waitFor();
  heal();
  await box.getByRole('button', { name: '重试' }).click();
  await page.locator('attn-mask:defined figure').waitFor();
  await close();
});

/** What each other script's loss leaves, and how it heals. @type {Record<string, (page: import('playwright-core').Page, heal: () => void) => Promise<void>>} */
const WITHOUT = {
  index: noScript,
  shared: noScript,
  async engine(page, heal) {
    const error = page.locator('attn-toy[figure="1"] .error');
    await error.filter({ hasText: 'A part of this page did not arrive' }).waitFor();
    await jump(page);
    await page.waitForFunction(() => !document.querySelector('[figure]:not(:defined)'));
    assert.deepEqual(await wordless(page), []);
    heal();
    await online(page);
    await error.waitFor({ state: 'detached' });
    await page.locator('attn-toy[figure="1"] output').first().waitFor();
  },
  async en(page, heal) {
    const notice = page.locator('.late-words');
    await notice.filter({ hasText: 'The English words of this page did not arrive' }).waitFor();
    await page.locator('attn-toy[figure="1"] .waiting').filter({ hasText: 'words of this page did not arrive' }).waitFor();
    await jump(page);
    await page.waitForFunction(() => !document.querySelector('[figure]:not(:defined)'));
    assert.deepEqual(await wordless(page), []);
    heal();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.locator('attn-toy[figure="1"] figure').waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll('[figure]')].every((e) => e.shadowRoot?.querySelector('figure')));
  },
  async 'zh-CN'(page, heal) {
    await page.locator('attn-toy[figure="1"] figure').waitFor();
    await page.getByRole('button', { name: '中文' }).click();
    const notice = page.locator('.late-words');
    await notice.filter({ hasText: '本页的中文文字没有加载出来' }).waitFor();
    assert.equal(await page.locator('h1').innerText(), 'How a word looks back, and how a head learns to keep quiet');
    heal();
    await notice.getByRole('button', { name: '重试' }).click();
    await page.locator('attn-toy[figure="1"] figure:lang(zh-CN)').waitFor();
  },
  worker: computes, remote: computes, tokenizers: computes,
  embed: async (page) => { await page.locator('attn-toy[figure="1"] figure').waitFor(); },
};

/** @param {import('playwright-core').Page} page @param {() => void} heal */
async function noScript(page, heal) {
  const box = page.locator('body > .late');
  await box.waitFor();
  assert.match(await box.innerText(), /script of this page did not arrive[^]*本页的脚本没有加载出来/);
  assert.deepEqual(await wordless(page), []);
  heal();
  await online(page);
  await page.locator('attn-toy[figure="1"] figure').waitFor();
  assert.equal(await box.isVisible(), false);
}

/** The work is done on the page's own thread then, or asked for again. @param {import('playwright-core').Page} page */
async function computes(page) {
  await jump(page);
  await page.locator('attn-heads').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attn-heads'))?.context?.phase === 'ready');
  assert.deepEqual(await wordless(page), []);
}

test('no script is left out', { skip: waits }, () => {
  assert.deepEqual(OTHERS.filter((name) => !Object.hasOwn(WITHOUT, name)), []);
});

for (const name of new Set(OTHERS)) {
  for (const how of ['503', 'dropped']) {
    test(`without ${name}.js (${how}) every place has its word, and a retry heals`, { skip: waits }, async () => {
      const { before, heal } = losing([name], LOST[how]);
      const { page, close } = await open({ before, whole: false });
      await WITHOUT[name](page, heal);
      assert.deepEqual(await emptyPlaces(page), {}, 'places in sight that were empty in some frame');
      await close();
    });
  }
}

test('an embedded figure says what did not come', { skip: waits }, async () => {
  for (const [name, words] of /** @type {const} */ ([['embed', /script of this page/], ['shared', /本页的脚本/], ['attn-gqa', /This figure did not arrive/]])) {
    const { before, heal } = losing([name], LOST[404]);
    const { page, close } = await open({ before, whole: false, path: 'embed.html?widget=attn-gqa' });
    await page.locator('.late:visible').filter({ hasText: words }).first().waitFor();
    heal();
    await page.locator('.late:visible').getByText('Load the page again').first().click();
    await page.locator('attn-gqa:defined figure').waitFor();
    await close();
  }
});

/** Nobody hears that a place is in sight before something is told to be missing. */
function hearLate() {
  const { IntersectionObserver: Prompt, requestAnimationFrame: frame } = globalThis;
  globalThis.IntersectionObserver = class extends Prompt {
    /** @param {IntersectionObserverCallback} run @param {IntersectionObserverInit} [o] */
    constructor(run, o) {
      super((entries, me) => {
        const tell = () => {
          /** @type {any} */ (globalThis).told = Boolean(document.querySelector('main .late'));
          if (/** @type {any} */ (globalThis).told) run(entries, me);
          else frame(tell);
        };
        tell();
      }, o);
    }
  };
}

test('an embedded figure is asked for once, and once more by each retry', { skip: waits }, async () => {
  const { before } = losing(['attn-gqa'], LOST.dropped);
  let asked = 0;
  const { page, close } = await open({
    async before(p) {
      p.on('request', (request) => { asked += Number(request.url().includes('/attn-gqa-')); });
      await p.addInitScript(hearLate);
      await before(p);
    },
    whole: false, path: 'embed.html?widget=attn-gqa',
  });
  for (const times of [1, 2, 3]) {
    await page.locator('main .late').waitFor();
    // what was told in this frame has been asked for in the next
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    assert.equal(asked, times);
    await page.locator('main .late button').click();
  }
  await close();
});

test('a figure needs nothing but its own script and what came with the page', { skip: waits }, async () => {
  const { readFileSync } = await import('node:fs');
  const came = new Set(['shared']);
  const needs = FIGURES.map((file) => [file, [...readFileSync(`${ASSETS}/${file}`, 'utf8').matchAll(/\bfrom\s*["'`]\.\/([^"'`]+)/g)].map((m) => named(m[1]))]);
  assert.ok(needs.length > 20);
  for (const [file, names] of needs) assert.deepEqual(/** @type {string[]} */ (names).filter((n) => !came.has(n)), [], String(file));
});
