/** Every element, whichever it is: alone with no attributes, in the other language, taken away and put back, without its engine. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SOURCES } from '../../web/widgets/lazy.js';
import { drawn, openBrowser, waits } from '../helpers/browser.js';

const open = openBrowser(after);
/** Figures that compute when they are seen. */
const NEED_ENGINE = 20;
const FIGURES = Object.keys(SOURCES).filter((name) => name !== 'attn-model');

/** Runs in the page: until f gives something. */
const until = `window.until = async (f) => {
  for (;;) {
    const found = f();
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
}`;

test('alone it shows something, speaks both languages, and goes on after having been away', { skip: waits }, async () => {
  const { page, noise, foreign, close } = await open({ path: 'embed.html?widget=attn-quiz', before: (p) => p.addInitScript(until) });
  for (const name of FIGURES) {
    const said = await page.evaluate(async (tag) => {
      document.querySelector('main').replaceChildren(document.createElement(tag));
      const element = document.querySelector(tag);
      await customElements.whenDefined(tag);
      const title = () => element.shadowRoot.querySelector('#title')?.textContent.trim();
      const shown = () => {
        const plate = element.shadowRoot.querySelector('.plate, .main');
        return plate && plate.getBoundingClientRect().height > 60 && (plate.querySelector('svg, canvas, table, input, attn-heatmap') || plate.innerText.length > 40);
      };
      const said = [];
      for (const lang of ['en', 'zh-CN']) {
        document.documentElement.lang = lang;
        await window.until(() => element.shadowRoot.querySelector('figure')?.lang === lang && shown());
        said.push(title());
      }
      element.remove();
      document.querySelector('main').append(element);
      await window.until(() => shown() && title() === said[1]);
      return said;
    }, name);
    assert.ok(said[0] && said[1] && said[0] !== said[1], `${name}: ${said}`);
  }
  assert.deepEqual(noise, []);
  assert.deepEqual(foreign, []);
  await close();
});

test('without its engine a figure says so and is tried again; none is an empty box', { skip: waits }, async () => {
  const { page, close } = await open({
    before: async (p) => { await p.addInitScript(until); await p.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' })); },
  });
  const states = () => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('[figure]')].map((figure) => {
    const root = figure.shadowRoot;
    return [`${figure.getAttribute('figure')} ${figure.localName}`, root.querySelector('.error')?.innerText ?? root.querySelector('.plate, .main')?.innerText.length ?? 0];
  })));
  for (const figure of await page.locator('[figure]').all()) await figure.scrollIntoViewIfNeeded();
  await page.waitForFunction((n) => [...document.querySelectorAll('[figure]')].filter((f) => f.shadowRoot.querySelector('.error')).length >= n, NEED_ENGINE);
  await drawn(page);
  const broken = await states();
  for (const [name, words] of Object.entries(broken)) {
    if (typeof words === 'string') assert.match(words, /HTTP|NO_WASM/, name);
    else assert.ok(words > 40, `${name} is an empty box`);
  }
  await page.unroute('**/*.wasm');
  for (const figure of await page.locator('[figure]').all()) {
    await figure.scrollIntoViewIfNeeded();
    // several figures share one model: it may be back already
    await figure.evaluate((element) => {
      const buttons = [...element.shadowRoot.querySelectorAll('.error button')];
      /** @type {HTMLElement | undefined} */ (buttons.find((b) => /Try again|Start over/.test(b.textContent)))?.click();
    });
    await figure.locator('.error').waitFor({ state: 'detached' });
  }
  await close();
});
