/** Maps in the hand: a pinned cell says so and is let go in every way, a chosen head shows, canvases stay sharp. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, drawn, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** Figure, map in it. */
const MAPS = [['attn-mask[figure="2"]', 'attn-heatmap'], ['attn-heads[figure="12"]', 'attn-heatmap'],
  ['attn-layer', '.shown attn-heatmap']];

/** Middle of the cell 2,1 on the screen. @param {import('playwright-core').Locator} map */
const cellAt = (map) => map.evaluate((/** @type {any} */ e) => {
  const canvas = e.shadowRoot.querySelector('canvas');
  canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const { rows, cols } = e.matrix;
  return { x: left + (width * 1.5) / cols, y: top + (height * 2.5) / rows };
});

/** @param {import('playwright-core').Locator} map @param {boolean} pinned */
async function isPinned(map, pinned) {
  const page = map.page();
  await page.waitForFunction(([e, wanted]) => e.pinned === wanted && !e.isUpdatePending,
    /** @type {const} */ ([/** @type {any} */ (await map.elementHandle()), pinned]));
  assert.equal(await map.locator('.cell.pinned').count(), Number(pinned));
  if (pinned) assert.ok(await map.getByText(/Pinned\.|已钉住/).isVisible(), 'the hint is visible');
}

for (const lang of ['en', 'zh-CN']) {
  for (const [selector, part] of MAPS) {
    test(`${lang} ${selector}: a pinned cell is let go in every way`, { skip: waits }, async () => {
      const { page, close } = await open({ lang });
      const figure = await bring(page, selector);
      const map = figure.locator(part).first();
      await map.locator('canvas').waitFor();
      await drawn(page);
      const pin = async () => {
        const { x, y } = await cellAt(map);
        await page.mouse.click(x, y);
        await isPinned(map, true);
        return { x, y };
      };
      const { x, y } = await pin();
      await page.mouse.click(x, y);
      await isPinned(map, false);
      assert.equal(await map.locator('.cell').count(), 0);
      await pin();
      await page.mouse.click(3, 300);
      await isPinned(map, false);
      await pin();
      await page.keyboard.press('Tab');
      await isPinned(map, false);
      await pin();
      await page.keyboard.press('Escape');
      await isPinned(map, false);
      await page.keyboard.press('Enter');
      await isPinned(map, true);
      await page.keyboard.press('Enter');
      await isPinned(map, false);
      // what works the figure leaves the pin, to compare
      await pin();
      await figure.locator('.segments label, .picker label').last().click();
      await isPinned(map, true);
      await close();
    });
  }
}

/** Middle of the square of a token and a head on the screen. @param {import('playwright-core').Locator} figure */
const squareAt = (figure) => figure.evaluate((/** @type {any} */ e) => {
  const canvas = e.shadowRoot.querySelector('.field canvas');
  canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const { cols, rows } = e.squares;
  return { x: left + (width * 1.5) / cols, y: top + (height * 1.5) / rows };
});

/** @param {import('playwright-core').Locator} figure */
async function gatesPinned(figure) {
  const handle = /** @type {any} */ (await figure.elementHandle());
  return {
    at: () => figure.locator('.field .at').evaluate((e) => e.getAttribute('style')),
    is: async (/** @type {boolean} */ pinned) => {
      await figure.page().waitForFunction(([e, wanted]) => e.held === wanted && !e.isUpdatePending,
        /** @type {const} */ ([handle, pinned]));
      const words = pinned ? /Pinned\.|已钉住/ : /A click or a tap pins|点一下就钉住/;
      assert.ok(await figure.getByText(words).first().isVisible(), 'the hint is visible');
    },
  };
}

for (const lang of ['en', 'zh-CN']) {
  test(`${lang}: a pinned square of the gates is let go in every way`, { skip: waits }, async () => {
    const { page, close } = await open({ lang });
    const figure = await bring(page, 'attn-gate-map[figure="20"]');
    await drawn(page);
    const { at, is } = await gatesPinned(figure);
    const first = await at();
    const pin = async () => {
      const { x, y } = await squareAt(figure);
      await page.mouse.click(x, y);
      await is(true);
      assert.notEqual(await at(), first);
      return { x, y };
    };
    const free = async () => {
      await is(false);
      assert.equal(await at(), first, 'the most open one shows again');
    };
    const { x, y } = await pin();
    await page.mouse.click(x, y);
    await free();
    await pin();
    await page.mouse.click(3, 300);
    await free();
    for (const key of ['Tab', 'Escape', 'Enter']) {
      await pin();
      await page.keyboard.press(key);
      await free();
    }
    // what works the figure leaves the pin, to compare
    await pin();
    await figure.locator('label .scrub, label [role=spinbutton]').first().click();
    await is(true);
    await close();
  });
}

test('on a phone a tap pins a square of the gates, a tap on it or elsewhere lets go', { skip: waits }, async () => {
  const { page, close } = await open({ width: 390, height: 844, context: { hasTouch: true, isMobile: true } });
  const figure = await bring(page, 'attn-gate-map[figure="20"]');
  await drawn(page);
  const { is } = await gatesPinned(figure);
  const tap = async () => {
    const { x, y } = await figure.locator('.field canvas').evaluate((canvas) => {
      canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = canvas.getBoundingClientRect();
      return { x: left + width / 8, y: top + height / 4 };
    });
    await page.touchscreen.tap(x, y);
  };
  await tap();
  await is(true);
  await tap();
  await is(false);
  await tap();
  await is(true);
  await page.touchscreen.tap(385, 60);
  await is(false);
  await close();
});

test('on a phone a tap pins, a tap on the cell or elsewhere lets go, a scroll does not', { skip: waits }, async () => {
  const { page, close } = await open({ width: 390, height: 844, context: { hasTouch: true, isMobile: true } });
  const figure = await bring(page, 'attn-mask[figure="2"]');
  await drawn(page);
  const map = figure.locator('attn-heatmap');
  const tap = async () => {
    const { x, y } = await cellAt(map);
    await page.touchscreen.tap(x, y);
    return { x, y };
  };
  await tap();
  await isPinned(map, true);
  const { x, y } = await tap();
  await isPinned(map, false);
  await tap();
  await isPinned(map, true);
  const cdp = await page.context().newCDPSession(page);
  const at = await page.evaluate(() => scrollY);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 380, y }] });
  for (let n = 1; n <= 20; n += 1) {
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 380, y: y - 4 * n }] });
  }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForFunction((was) => scrollY !== was, at);
  await isPinned(map, true);
  await cellAt(map);
  await page.touchscreen.tap(385, y);
  await isPinned(map, false);
  assert.ok(x < 380);
  await close();
});

test('at another pixel density and the same width the canvases are drawn anew', { skip: waits }, async () => {
  const { page, close } = await open();
  const cdp = await page.context().newCDPSession(page);
  let told = false;
  const canvases = [['attn-mask[figure="2"]', 'attn-heatmap canvas'], ['attn-gate-map[figure="20"]', '.field canvas']];
  for (const [selector, canvas] of canvases) {
    const figure = await bring(page, selector);
    await drawn(page);
    const handle = await figure.locator(canvas).elementHandle();
    for (const ratio of [2, 3, 1]) {
      const screen = { width: 1280, height: 900, deviceScaleFactor: ratio, mobile: false };
      await cdp.send('Emulation.setDeviceMetricsOverride', screen);
      // this emulation changes the number and tells no query; screens do
      await cdp.send('Emulation.setEmulatedMedia', { media: told ? '' : 'screen' });
      told = !told;
      await page.waitForFunction(([c, times]) => c.width === Math.round(c.clientWidth * times) && c.height > 0,
        /** @type {const} */ ([/** @type {any} */ (handle), ratio]));
      await page.waitForFunction((c) => {
        const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        return data.some((byte) => byte > 0);
      }, /** @type {any} */ (handle));
    }
  }
  await close();
});

test('on a phone a chosen head shows itself, whatever tab and veil were there', { skip: waits }, async () => {
  const { page, close } = await open({ width: 390, height: 844, context: { hasTouch: true, isMobile: true } });
  const heads = await bring(page, 'attn-heads[figure="12"]');
  await heads.getByRole('radio', { name: 'the word before' }).evaluate((e) => e.closest('label').click());
  for (const n of [4, 2]) {
    const button = heads.locator('.found button').nth(n);
    const name = (await button.innerText()).match(/Q\d+$/)?.[0] ?? '';
    await button.tap();
    await reads(heads.locator('.grid .who b'), new RegExp(`^${name}$`));
    await reads(heads.locator('.finder .shown'), name);
    assert.equal(await heads.locator('.grid attn-heatmap').count(), 1);
    assert.ok(await heads.locator('.finder .shown').isVisible());
  }
  const chip = heads.locator('.picker input:not(:checked)').first();
  const name = await chip.evaluate((e) => e.closest('label').textContent.trim());
  await chip.evaluate((e) => e.closest('label').click());
  await reads(heads.locator('.grid .who b'), new RegExp(`^${name}$`));
  assert.equal(await heads.locator('.grid attn-heatmap').count(), 1);
  await close();
});
