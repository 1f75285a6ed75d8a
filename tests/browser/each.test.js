/** Every element, whichever it is: alone with no attributes, in the other language, taken away and put back, without its engine. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SOURCES } from '../../web/widgets/lazy.js';
import { openBrowser, waits } from '../helpers/browser.js';
import { emptyPlaces, watchPlaces } from '../helpers/places.js';

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
    before: async (p) => { await p.addInitScript(until); await watchPlaces(p); await p.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' })); },
  });
  for (const figure of await page.locator('[figure]').all()) {
    await figure.evaluate((/** @type {any} */ element) => window.until(() => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      return element.seen;
    }));
  }
  await page.waitForFunction((n) => [...document.querySelectorAll('[figure]')]
    .filter((/** @type {any} */ f) => f.error || f.context?.error).length >= n, NEED_ENGINE);
  // each in its turn, for one that has gone out of sight before it failed is not drawn again until it is back
  const broken = [];
  for (const figure of await page.locator('[figure]').all()) {
    const words = await figure.evaluate((/** @type {any} */ element) => window.until(() => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const root = element.shadowRoot;
      const waits = !element.seen || element.isUpdatePending || element.context?.busy || root.querySelector('.progress, .waiting');
      const error = root.querySelector('.error')?.innerText;
      return waits ? '' : error || (root.querySelector('.plate, .main').innerText.length > 40 && 'no engine needed');
    }));
    const name = `${await figure.getAttribute('figure')} ${await figure.evaluate((e) => e.localName)}`;
    if (words !== 'no engine needed') broken.push([name, words]);
  }
  for (const [name, words] of broken) assert.match(words, /HTTP|NO_WASM/, name);
  assert.ok(broken.length >= NEED_ENGINE, `${broken.length} figures say that they failed`);
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
  assert.deepEqual(await emptyPlaces(page), {}, 'places that were empty in some frame');
  await close();
});
