/** Every number that can be typed on the page: what is taken, and the words for what is not. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);
/** Figures with numbers to type, and more numbers than the page has fewer of. */
const FEWEST = { figures: 8, numbers: 20 };
const wide = (/** @type {string} */ text) => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));

test('every number of every figure takes full width and k, and answers in words to what it cannot take', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const count = { figures: 0, numbers: 0 };
  for (const n of await page.locator('[figure]').evaluateAll((all) => all.map((e) => e.getAttribute('figure') ?? ''))) {
    const figure = await bring(page, `[figure="${n}"]`, false);
    const numbers = figure.locator('input.scrub:not([type=range])');
    const all = await numbers.count();
    if (all > 0) count.figures += 1;
    for (let i = 0; i < all; i += 1) {
      const input = numbers.nth(i);
      if (!await input.isVisible()) continue;
      const where = `Fig ${n}, ${await input.getAttribute('aria-label')}`;
      const note = input.locator('xpath=following-sibling::*[1]');
      const state = async () => ({ shown: await input.inputValue(), value: Number(await input.getAttribute('aria-valuenow')) });
      const type = async (/** @type {string} */ text) => {
        await input.fill(text);
        await input.press('Enter');
      };
      const before = await state();
      await type('about a few');
      assert.match(await note.innerText(), /“about a few” is no number/, where);
      const box = await note.boundingBox();
      assert.ok(box && box.width > 80 && box.x >= 0 && box.x + box.width <= 1280, `${where}: ${JSON.stringify(box)}`);
      assert.deepEqual(await state(), before, where);
      await type(wide(before.shown.replace('−', '-')));
      assert.equal(await note.isVisible(), false, `${where}: ${await note.innerText()}`);
      assert.deepEqual(await state(), before, where);
      const [min, max] = await Promise.all(['aria-valuemin', 'aria-valuemax'].map((name) => input.getAttribute(name)));
      if (max !== null) {
        await type(`${2 * Math.abs(Number(max)) + 1}k`);
        assert.match(await note.innerText(), /out of range/, where);
        await figure.evaluate((/** @type {any} */ e) => e.updateComplete);
        assert.equal((await state()).value, Number(max), where);
      }
      if (Number(min ?? -Infinity) <= 1 && Number(max ?? Infinity) >= 1) {
        await type('0.001k');
        await figure.evaluate((/** @type {any} */ e) => e.updateComplete);
        assert.equal((await state()).value, 1, where);
      }
      await type(before.shown);
      await figure.evaluate((/** @type {any} */ e) => e.updateComplete);
      assert.deepEqual(await state(), before, where);
      count.numbers += 1;
    }
  }
  assert.ok(count.figures >= FEWEST.figures && count.numbers >= FEWEST.numbers, JSON.stringify(count));
  assert.deepEqual(noise, []);
  await close();
});

test('on a Chinese phone too, inside the page; typing on takes the words away', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-kv&lang=zh-CN', width: 390 });
  const input = page.locator('attn-kv input.scrub');
  const note = page.locator('attn-kv .refused');
  await input.fill('很多');
  await input.press('Enter');
  await reads(note, '“很多”不是这里能用的数');
  const box = await note.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  await input.press('ArrowRight');
  await input.fill('３２ｋ');
  assert.equal(await note.isVisible(), false);
  await input.press('Enter');
  await reads(page.locator('attn-kv'), '32,000 个');
  assert.equal(await input.inputValue(), '32,000');
  await close();
});

test('the bill of a long conversation is in one kind of unit, and says which', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-kv' });
  const figure = page.locator('attn-kv');
  await figure.getByRole('button', { name: 'show me' }).click();
  await reads(figure, '1 GiB is 1,024 MiB');
  const everything = await figure.evaluate((/** @type {any} */ e) => {
    e.showTable = true;
    const plate = e.shadowRoot.textContent;
    return e.updateComplete.then(() => plate + e.shadowRoot.textContent);
  });
  assert.match(everything, /1\.40 GiB/);
  assert.doesNotMatch(everything.replace(/\{[^}]*\}/g, ''), /\d\s?(GB|MB|kB)\b/);
  await close();
});
