/** What throws while a figure is drawn ends no figure: the error box says it, and starting over draws it as ever. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';
import { FIGURES, nameOf } from '../helpers/driving.js';

const open = openBrowser(after);

/** All that is the figure's own and is called while it is drawn or saved. */
const OWN = ['willUpdate', 'renderControls', 'renderPlate', 'renderCaption', 'renderAside', 'renderRun', 'renderWaiting', 'therefore',
  'bearsOut', 'offers', 'table', 'picture', 'heading', 'markWords', 'updated', 'reset', 'onSeen', 'restore'];

test('every figure, thrown at in everything it draws: error box, start over, whole again', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=attn-quiz' });
  for (const figure of FIGURES) {
    const said = await page.evaluate(async ([tag, attributes, methods]) => {
      const frame = () => new Promise(requestAnimationFrame);
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries({ ...attributes, figure: '99' })) element.setAttribute(name, value);
      document.querySelector('main').replaceChildren(element);
      await customElements.whenDefined(tag);
      const root = () => element.shadowRoot;
      const box = () => root().querySelector('.error');
      const whole = () => !box() && root().querySelector('.plate, .main')?.getBoundingClientRect().height > 60;
      const until = async (f) => {
        for (let n = 0; !f(); n += 1) {
          if (n > 3000) throw new Error(`${tag}: ${f} did not come, ${box()?.innerText}`);
          await frame();
        }
      };
      await until(() => element.seen && whole() && !element.context?.busy);
      const wrong = [];
      for (const method of methods) {
        if (!(method in element)) continue;
        let thrown = 0;
        element[method] = function broken() {
          thrown += 1;
          throw new TypeError(`${method} was thrown at`);
        };
        const act = { reset: () => element.startOver(), onSeen: () => null, restore: () => element.visit({}),
          table: () => { element.showTable = true; },
          picture: () => { element.saving = true; } }[method] ?? (() => element.requestUpdate());
        await act();
        await element.updateComplete;
        if (method === 'picture' && !thrown) [...root().querySelectorAll('.tool')].find((b) => b.textContent === 'SVG')?.click();
        if (method === 'onSeen') {
          element.style.display = 'none';
          await until(() => !element.seen);
          element.style.display = '';
        }
        // not every figure has a table, a wait or a run to draw
        if (!thrown && ['renderRun', 'renderWaiting', 'bearsOut', 'table', 'picture', 'markWords'].includes(method)) {
          if (['table', 'picture'].includes(method) && element.offers(element.environment.text)[method]) wrong.push(`${method}: not asked`);
          delete element[method];
          element.startOver();
          await until(whole);
          continue;
        }
        await frame();
        await until(() => box() || (thrown && !element.isUpdatePending));
        if (!box()?.innerText.includes(`${method} was thrown at`)) wrong.push(`${method}: ${box()?.innerText ?? 'no error box'}`);
        delete element[method];
        [...root().querySelectorAll('.error button')].at(-1)?.click();
        await until(whole);
      }
      return wrong;
    }, /** @type {[string, Record<string, string>, string[]]} */ ([figure.tag, figure.attributes, OWN]));
    assert.deepEqual(said, [], nameOf(figure));
  }
  const others = noise.filter((line) => !/was thrown at/.test(line));
  assert.deepEqual(others, []);
  await close();
});

test('a throw in what a map inside asks its figure for is the figure’s to show', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-mask' });
  const figure = page.locator('attn-mask');
  await figure.locator('attn-heatmap').evaluate((map) => {
    // whatever the figure, drawn once more, gives it
    const broken = () => { throw new TypeError('no words'); };
    Object.defineProperty(map, 'describe', { get: () => broken, set() {} });
    map.cell = { row: 0, col: 0 };
  });
  await reads(figure.locator('.error'), 'no words');
  await figure.getByRole('button', { name: 'Start over' }).click();
  await figure.locator('attn-heatmap canvas').waitFor();
  assert.equal(await figure.locator('.error').count(), 0);
  await close();
});

test('a browser without a dictionary of words names words all the same', { skip: waits }, async () => {
  const { page, noise, close } = await open({ before: (p) => p.addInitScript(() => { delete Intl.Segmenter; }) });
  const heads = await bring(page, 'attn-heads');
  await heads.locator('attn-heatmap').first().waitFor();
  await heads.getByText('words', { exact: true }).click();
  await reads(heads.locator('attn-heatmap').first().locator('.rows'), 'catsaton');
  assert.deepEqual(noise, []);
  await close();
});
