/** On a page from right to left: pictures, legends and numbers still run left to right, prose follows the page. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);
const deepText = `
  globalThis.deep = (root) => [...root.querySelectorAll('*')]
    .flatMap((e) => [e, ...(e.shadowRoot ? deep(e.shadowRoot) : [])]);
  globalThis.inFigures = () => [...document.querySelectorAll('[figure], attn-quiz')].flatMap((f) => deep(f.shadowRoot));
  globalThis.figureOf = (e) => e.getRootNode().host.getAttribute('figure') ?? e.getRootNode().host.localName;`;

/** @param {'en' | 'zh-CN'} lang */
async function openTurned(lang) {
  const opened = await open({ lang });
  await opened.page.evaluate(() => { document.documentElement.dir = 'rtl'; });
  await opened.page.evaluate(deepText);
  await seeAll(opened.page);
  return opened;
}

for (const lang of /** @type {const} */ (['en', 'zh-CN'])) {
  test(`${lang}: a sign stands before its number, names beside what they name`, { skip: waits }, async (t) => {
    const { page, close } = await openTurned(lang);
    const found = await page.evaluate(() => {
      const { inFigures, figureOf } = /** @type {any} */ (globalThis);
      const wrong = [];
      let count = 0;
      for (const e of inFigures()) {
        if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        for (const node of e.childNodes) {
          if (node.nodeType !== Node.TEXT_NODE) continue;
          for (const { 0: { length }, index } of node.data.matchAll(/[<>≤≥−+≈~(]\s?\d/g)) {
            const box = (/** @type {number} */ i) => {
              const range = document.createRange();
              range.setStart(node, i);
              range.setEnd(node, i + 1);
              return range.getBoundingClientRect();
            };
            const [sign, digit] = [box(index), box(index + length - 1)];
            if (!sign.width || Math.abs(sign.top - digit.top) > 4) continue;
            count += 1;
            if (sign.left < digit.left) continue;
            wrong.push(`Fig ${figureOf(e)} ${e.localName}.${e.className} “${node.data.trim().slice(0, 50)}”`);
          }
        }
      }
      return { wrong: [...new Set(wrong)], count };
    });
    t.diagnostic(`${found.count} signs`);
    assert.ok(found.count > 60, `${found.count} signs`);
    assert.deepEqual(found.wrong, []);
    const names = await page.evaluate(() => {
      const { inFigures, figureOf } = /** @type {any} */ (globalThis);
      const wrong = [];
      let count = 0;
      const left = (/** @type {Element | undefined | null} */ e) => e?.getBoundingClientRect().left ?? NaN;
      for (const e of inFigures().filter((x) => x.checkVisibility())) {
        if (e.matches('.legend') && e.querySelector('.scale')) {
          const [min, scale, max] = e.children;
          count += 1;
          if (!(left(min) < left(scale) && left(scale) < left(max))) wrong.push(`legend of Fig ${figureOf(e)}`);
        }
        if (e.localName !== 'attn-heatmap' || !e.shadowRoot.querySelector('.cols')) continue;
        const [canvas, rows, first] = ['canvas', '.rows', '.cols > span'].map((s) => e.shadowRoot.querySelector(s));
        count += 1;
        const beside = left(rows) < left(canvas) && Math.abs(left(first) - left(canvas)) < 2;
        if (!beside) wrong.push(`map of Fig ${figureOf(e)}`);
      }
      return { wrong, count };
    });
    assert.ok(names.count > 8, `${names.count}`);
    assert.deepEqual(names.wrong, []);
    const prose = await page.evaluate(() => /** @type {any} */ (globalThis).inFigures()
      .filter((e) => e.matches('figcaption, .therefore') && getComputedStyle(e).direction !== 'rtl').length);
    assert.equal(prose, 0, 'prose follows the page');
    await close();
  });
}

for (const lang of /** @type {const} */ (['en', 'zh-CN'])) {
  test(`${lang}: what can be guessed stands beside its button, on the side the page begins`, { skip: waits }, async () => {
    const { page, close } = await openTurned(lang);
    const found = await page.evaluate(() => {
      const { inFigures, figureOf } = /** @type {any} */ (globalThis);
      const wrong = [];
      let count = 0;
      for (const label of inFigures().filter((/** @type {Element} */ e) => e.matches('.predict fieldset label') && e.checkVisibility())) {
        const [input, words] = ['input', 'span'].map((s) => label.querySelector(s));
        if (!input?.matches('[type=radio]')) continue;
        count += 1;
        const [button, text, card] = [input, words, label.closest('.predict')].map((e) => e.getBoundingClientRect());
        const inside = text.left >= card.left - 1 && button.right <= card.right + 1;
        const beside = button.left >= text.right - 1 && button.left - text.right < 24;
        if (!beside || !inside) wrong.push(`Fig ${figureOf(label)} “${words.textContent}”`);
      }
      return { wrong, count };
    });
    assert.ok(found.count > 12, `${found.count} options`);
    assert.deepEqual(found.wrong, []);
    await close();
  });
}
