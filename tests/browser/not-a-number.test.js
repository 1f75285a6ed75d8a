/** One weight that is no number: every figure of a model says so, and goes on. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, drawn, openBrowser, waits } from '../helpers/browser.js';
import { serveSpoilt, spoilt } from '../helpers/spoilt-model.js';

const open = openBrowser(after);

/** Elements by number on the page. */
const FIGURES = ['6', '8', '12', '17', '20', '21', '22', '23', '28', '29'];

/** Everything a reader can read of a figure: words, names for readers, numbers of shapes. */
const readAll = (/** @type {import('playwright-core').Locator} */ figure) => figure.evaluate((/** @type {any} */ e) => {
  const roots = [e.shadowRoot, ...[...e.shadowRoot.querySelectorAll('attn-heatmap')].map((m) => m.shadowRoot)];
  return roots.map((root) => {
    const attributes = [...root.querySelectorAll('*')].flatMap((n) => [...n.attributes].map((a) => `${n.localName} ${a.name}="${a.value}"`));
    return [...[...root.children].filter((n) => n.localName !== 'style').map((n) => n.textContent), ...attributes].join('\n');
  }).join('\n');
});

/** @param {string} name @param {import('playwright-core').Locator} figure @param {string} when */
async function sound(name, figure, when) {
  assert.equal(await figure.locator('.error').count(), 0, `${name} ${when}: ${await figure.locator('.error').allInnerTexts()}`);
  const all = await readAll(figure);
  const bad = all.split('\n').filter((line) => /NaN|Infinity|undefined|(非数|not a number|∞)\s*%|not a number apart/.test(line));
  assert.deepEqual(bad, [], `${name} ${when}`);
  return all;
}

for (const [what, name, value, words, silent] of /** @type {[string, string, 'NaN' | 'Infinity', RegExp, string[]]} */ ([
  ['a query weight of a middle layer', 'layers.3.self_attn.q_proj.weight', 'NaN', /not a number|not all numbers/, []],
  ['a value weight of a middle layer', 'layers.3.self_attn.v_proj.weight', 'Infinity', /not a number|not all numbers|∞/, ['29']],
  ['the last norm', 'model.norm.weight', 'NaN', /not all numbers/, ['6', '17', '20', '21', '22', '29']],
])) {
  test(`${what} is ${value}: a word in every figure, none stops`, { skip: waits }, async () => {
    const { page, noise, close } = await open({ before: (p) => serveSpoilt(p, spoilt(name, value)) });
    for (const n of FIGURES) {
      const figure = await bring(page, `[figure="${n}"]`, n !== '6');
      if (n === '6') {
        await figure.getByRole('radio', { name: 'the model at hand' }).check({ force: true });
        await figure.locator('.strips').waitFor();
        await page.waitForFunction(() => {
          const concat = /** @type {any} */ (document.querySelector('attn-concat'));
          return concat.shadowRoot.querySelector('.strips') && !/running|running …/.test(concat.shadowRoot.querySelector('.largest')?.textContent ?? '');
        });
      }
      if (n === '29') await figure.locator('.shown').waitFor();
      await figure.evaluate((/** @type {any} */ e) => {
        for (const b of e.shadowRoot.querySelectorAll('button')) if (b.textContent.trim() === 'show me') b.click();
      });
      await drawn(page);
      const all = await sound(n, figure, 'at first');
      if (!['8', '28', ...silent].includes(n)) assert.match(all, words, `Fig ${n} says it`);
      // every choice there is, one after the other: the figure is drawn anew each time
      const choices = figure.locator('input[type=radio]:not([name=lang]), input[type=checkbox], .jump button, .kinds button');
      for (let i = 0; i < Math.min(await choices.count(), 40); i += 1) {
        await choices.nth(i).evaluate((e) => /** @type {HTMLElement} */ (e).click());
        await drawn(page);
        await sound(n, figure, `choice ${i}`);
      }
      const table = figure.getByRole('button', { name: 'table', exact: true });
      if (await table.count()) {
        await table.click();
        await sound(n, figure, 'table');
      }
      await figure.evaluate(async (/** @type {any} */ e) => {
        const t = e.environment.text;
        e.picture(t);
        e.csv(t);
        e.pictureCaption(t);
      });
    }
    assert.deepEqual(noise.filter((line) => !/status of 404/.test(line)), []);
    await close();
  });
}
