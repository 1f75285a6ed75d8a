/** Every number that can be typed on the page: what is taken, and the words for what is not. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);
/** Fewer than the page has. */
const FEWEST = { figures: 8, numbers: 20 };

/** In the page: what goes wrong with the numbers of one figure, and how many there are. @param {any} element */
async function tryNumbers(element) {
  const wrong = [];
  const inputs = [...element.shadowRoot.querySelectorAll('input.scrub')].filter((e) => e.checkVisibility());
  for (const input of inputs) {
    const note = input.nextElementSibling;
    const state = () => `${input.value} ${input.getAttribute('aria-valuenow')}`;
    const check = (/** @type {boolean} */ good, /** @type {string} */ what) => {
      if (!good) wrong.push(`${input.getAttribute('aria-label')}, ${what}: ${state()} ${note.textContent}`);
    };
    const type = async (/** @type {string} */ text) => {
      input.focus();
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      await element.updateComplete;
    };
    const [before, value] = [state(), input.value];
    await type('about a few');
    check(note.checkVisibility() && /“about a few” is no number/.test(note.textContent), 'refused');
    const box = note.getBoundingClientRect();
    check(box.width > 160 && box.left >= 0 && box.right <= document.documentElement.clientWidth, `in sight ${box.left} ${box.right}`);
    check(state() === before, 'as it was');
    await type(value.replace('−', '-').replace(/[!-~]/g, (/** @type {string} */ c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)));
    check(note.hidden && state() === before, 'full width');
    const [min, max] = ['aria-valuemin', 'aria-valuemax'].map((name) => input.getAttribute(name));
    if (max !== null) {
      await type(`${2 * Math.abs(Number(max)) + 1}k`);
      check(note.checkVisibility() && /out of range/.test(note.textContent) && input.getAttribute('aria-valuenow') === max, 'out of range');
    }
    if (Number(min ?? -Infinity) <= 1 && Number(max ?? Infinity) >= 1) {
      await type('0.001k');
      check(input.getAttribute('aria-valuenow') === '1', 'k');
    }
    await type(value);
    check(state() === before, 'back');
  }
  return { wrong, count: inputs.length };
}

test('every number of every figure takes full width and k, and answers in words to what it cannot take', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const found = { figures: 0, numbers: 0 };
  for (const n of await page.locator('[figure]').evaluateAll((all) => all.map((e) => e.getAttribute('figure') ?? ''))) {
    const { wrong, count } = await (await bring(page, `[figure="${n}"]`, false)).evaluate(tryNumbers);
    assert.deepEqual(wrong, [], `Fig ${n}`);
    found.figures += Number(count > 0);
    found.numbers += count;
  }
  assert.ok(found.figures >= FEWEST.figures && found.numbers >= FEWEST.numbers, JSON.stringify(found));
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

/** In the page: sends every field of words of one figure empty. @param {any} element */
async function sendEmpty(element) {
  const wrong = [];
  let count = 0;
  const fields = () => [...element.shadowRoot.querySelectorAll('form input.field:not([placeholder])')];
  // a sentence may be folded away behind a button
  if (!fields().length) [...element.shadowRoot.querySelectorAll('.actions button')].at(-1)?.click();
  await element.updateComplete;
  for (const field of fields()) {
    count += 1;
    const [before, shown, run] = [field.value, element.shown, element.context?.phase];
    for (const nothing of ['', '  ']) {
      field.value = nothing;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      field.form.requestSubmit();
      await element.updateComplete;
      const note = field.nextElementSibling;
      const words = note?.matches('.refused') && note.checkVisibility() ? note.textContent : '';
      const box = note?.getBoundingClientRect();
      const inSight = box && box.width > 80 && box.left >= 0 && box.right <= document.documentElement.clientWidth;
      if (!words || !words.includes(before) || !inSight) wrong.push(`${field.name}: “${words}” ${box?.left} ${box?.right}`);
      if (field.value.trim() !== before || element.shown !== shown || element.context?.phase !== run) wrong.push(`${field.name}: not as it was`);
    }
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    if (field.nextElementSibling?.checkVisibility()) wrong.push(`${field.name}: the words stay`);
  }
  return { wrong, count };
}

for (const [lang, width] of /** @type {[string, number][]} */ ([['en', 1280], ['zh-CN', 390]])) {
  test(`every field of words answers in words when it is sent empty (${lang}, ${width})`, { skip: waits }, async () => {
    const { page, noise, close } = await open({ path: `?lang=${lang}`, width });
    let count = 0;
    for (const n of await page.locator('[figure]').evaluateAll((all) => all.map((e) => e.getAttribute('figure') ?? ''))) {
      const figure = await bring(page, `[figure="${n}"]`, false);
      const has = await figure.evaluate((e) => e.matches('attn-heads, attn-layer, attn-load') || e.shadowRoot.querySelector('form .field') !== null);
      if (!has) continue;
      if (await figure.evaluate((e) => e.matches('attn-heads'))) await figure.locator('.actions button').first().waitFor();
      const { wrong, count: fields } = await figure.evaluate(sendEmpty);
      assert.deepEqual(wrong, [], `Fig ${n}`);
      count += fields;
    }
    assert.ok(count >= 3, `${count} fields`);
    assert.deepEqual(noise, []);
    await close();
  });
}
