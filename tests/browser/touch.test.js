/**
 * What the hand drags, dragged by a finger on a phone: it follows, the browser does not take it away, the page stays;
 * beside it the page scrolls. A new handle joins by a row; numbers with dots and sliders are found by themselves.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, drawn, openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);
const PHONE = { width: 390, height: 844, context: { hasTouch: true, isMobile: true } };

/**
 * A handle in a figure. axis: along which it moves; along the other the page scrolls, unless the handle `holds` it; what
 * `keeps` its value is left as it was then
 * · way: where there is room to move · value: what the hand changes · show: brings the handle into sight
 * @typedef {{ figure: string, handle: string, axis: string, way: { x: number, y: number }, holds?: boolean, keeps?: boolean,
 *   value: (figure: any) => unknown, show?: (figure: any) => void }} Row
 */
const query = (f) => f.toy.queries[f.toy.picked];
const guess = (f) => [...f.renderRoot.querySelectorAll('.chart.share path')].map((p) => p.getAttribute('d'));
/** @type {Row[]} */
const HANDLES = [
  { figure: 'attn-toy[figure="1"]', handle: '.looking .handle', axis: 'xy', way: { x: -1, y: 1 }, value: query },
  { figure: 'attn-toy[figure="14"]', handle: '.looking .handle', axis: 'xy', way: { x: 1, y: -1 }, value: query,
    show: (f) => { f.tab = 'looking'; } },
  { figure: 'attn-toy[figure="16"]', handle: '.mixing .handle', axis: 'xy', way: { x: -1, y: -1 },
    value: (f) => f.toy.values[0] },
  { figure: 'attn-gate-sgd[figure="24"]', handle: '.handle', axis: 'x', way: { x: 1, y: 1 }, holds: true,
    value: (f) => f.kept.z },
  { figure: '[figure="26"]', handle: '.draw', axis: 'x', way: { x: -1, y: -1 }, keeps: true, value: guess },
  { figure: 'attn-mask[figure="2"]', handle: 'attn-heatmap .field', axis: 'x', way: { x: 1, y: 1 },
    value: (f) => f.cell },
];

/** A finger: down, moved in steps of a few pixels, up when told. @param {import('playwright-core').Page} page */
async function fingerOn(page) {
  const cdp = await page.context().newCDPSession(page);
  const touch = (/** @type {string} */ type, /** @type {{ x: number, y: number }[]} */ touchPoints) => (
    cdp.send('Input.dispatchTouchEvent', /** @type {any} */ ({ type, touchPoints })));
  return {
    async down(at) { await touch('touchStart', [at]); },
    /** @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to */
    async move(from, to) {
      const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 4);
      for (let n = 1; n <= steps; n += 1) {
        const [x, y] = [from.x + ((to.x - from.x) * n) / steps, from.y + ((to.y - from.y) * n) / steps];
        await touch('touchMove', [{ x, y }]);
      }
    },
    async up() { await touch('touchEnd', []); },
  };
}

/** Counts what the browser took away since it was last asked. @param {import('playwright-core').Page} page */
async function countTaken(page) {
  await page.evaluate(() => {
    /** @type {any} */ (globalThis).taken = 0;
    addEventListener('pointercancel', () => { /** @type {any} */ (globalThis).taken += 1; }, { capture: true });
  });
  return () => page.evaluate(() => {
    const { taken } = /** @type {any} */ (globalThis);
    /** @type {any} */ (globalThis).taken = 0;
    return taken;
  });
}

/** Middle of a handle on the screen, brought into sight. @param {import('playwright-core').Locator} handle */
const middle = (handle) => handle.evaluate((e) => {
  e.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = (e.querySelector('.target') ?? e).getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
});

/** Where a figure's plate stands on the screen. @param {any} figure */
const place = (figure) => figure.renderRoot.querySelector('.plate').getBoundingClientRect().top;

/**
 * Waits until a row's value is another one.
 * @param {import('playwright-core').Locator} figure @param {Row['value']} value @param {unknown} was
 */
async function changed(figure, value, was) {
  const page = figure.page();
  const read = await page.evaluateHandle(`(${value})`);
  await page.waitForFunction(([f, look, before]) => JSON.stringify(look(f)) !== before,
    /** @type {const} */ ([await figure.elementHandle(), read, JSON.stringify(was)]));
}

for (const { figure: selector, handle: part, axis, way, holds, keeps, value, show = () => {} } of HANDLES) {
  test(`a finger drags ${selector} ${part} along ${axis}`, { skip: waits }, async (t) => {
    const { page, close } = await open(PHONE);
    
    const figure = await bring(page, selector);
    await figure.evaluate(show);
    const handle = figure.locator(part).first();
    await handle.waitFor();
    await drawn(page);
    const finger = await fingerOn(page);
    const taken = await countTaken(page);
    for (const [along, far] of [['x', 24], ['x', 72], ['y', 24], ['y', 72]]) {
      t.diagnostic(`${far} px along ${along}`);
      const from = await middle(handle);
      const top = await figure.evaluate(place);
      await finger.down(from);
      const before = await figure.evaluate(value);
      await finger.move(from, { ...from, [along]: from[along] + far * way[along] });
      if (axis.includes(along)) {
        await changed(figure, value, before);
        assert.equal(await taken(), 0, 'taken away');
      }
      await finger.up();
      if (axis.includes(along) || holds) assert.ok(Math.abs(await figure.evaluate(place) - top) < 2, 'the page stays');
      else await changed(figure, place, top);
      if (!axis.includes(along) && (holds || keeps)) assert.deepEqual(await figure.evaluate(value), before);
    }
    await close();
  });
}

test('a guess is drawn by a finger that goes sideways first, or set by a tap', { skip: waits }, async () => {
  const { page, close } = await open(PHONE);
  const figure = await bring(page, '[figure="26"]');
  await drawn(page);
  const finger = await fingerOn(page);
  const taken = await countTaken(page);
  const at = await middle(figure.locator('.draw'));
  const top = await figure.evaluate(place);
  const turns = [at, { ...at, x: at.x + 40 }, { x: at.x + 40, y: at.y - 60 }, { x: at.x + 80, y: at.y + 40 }];
  await finger.down(at);
  for (let n = 1; n < turns.length; n += 1) {
    const before = await figure.evaluate(guess);
    await finger.move(turns[n - 1], turns[n]);
    await changed(figure, guess, before);
  }
  await finger.up();
  assert.equal(await taken(), 0, 'taken away');
  const before = await figure.evaluate(guess);
  await finger.down({ x: at.x - 60, y: at.y - 50 });
  await finger.up();
  await changed(figure, guess, before);
  assert.ok(Math.abs(await figure.evaluate(place) - top) < 2, 'the page stays');
  await close();
});

test('beside a handle the page scrolls', { skip: waits }, async () => {
  const { page, close } = await open(PHONE);
  const figure = await bring(page, 'attn-toy[figure="1"]');
  await drawn(page);
  const finger = await fingerOn(page);
  const { x, y } = await middle(figure.locator('.looking svg'));
  const { width, height } = await figure.locator('.looking svg').evaluate((e) => e.getBoundingClientRect());
  for (const [across, down] of [[-0.4, 0.2], [0.4, 0.3], [-0.3, 0.45]]) {
    const top = await figure.evaluate(place);
    const from = { x: x + across * width, y: y + down * height };
    await finger.down(from);
    await finger.move(from, { x: from.x, y: from.y - 60 });
    await finger.up();
    await changed(figure, place, top);
    await middle(figure.locator('.looking svg'));
  }
  await close();
});

test('every number with dots and every slider that keys move follows a finger', { skip: waits }, async (t) => {
  const { page, close } = await open(PHONE);
  await seeAll(page);
  const finger = await fingerOn(page);
  const taken = await countTaken(page);
  let count = 0;
  for (const figure of await page.locator('[figure]').all()) {
    const name = await figure.evaluate((f) => `${f.localName} ${f.getAttribute('figure')}`);
    for (const handle of await figure.locator('.scrub, .slide').all()) {
      if (!await handle.isVisible()) continue;
      const label = await handle.getAttribute('aria-label');
      const down = await handle.evaluate((e) => {
        const [max, now] = e.type === 'range' ? [e.max, e.value] : [e.ariaValueMax, e.ariaValueNow];
        return max !== null && Number(now) >= Number(max);
      });
      // a run that was not made has no steps to go to
      const still = await handle.inputValue();
      await handle.press(down ? 'ArrowDown' : 'ArrowUp');
      await figure.evaluate((f) => f.updateComplete);
      const before = await handle.inputValue();
      if (before === still) continue;
      count += 1;
      const at = await middle(handle);
      await finger.down(at);
      await finger.move(at, { x: at.x + (down ? -48 : 48), y: at.y });
      const given = /** @type {const} */ ([await handle.elementHandle(), before]);
      await page.waitForFunction(([e, was]) => e.value !== was, given)
        .catch((error) => { throw new Error(`${name} “${label}” stays ${before}: ${error.message}`); });
      await finger.up();
      assert.equal(await taken(), 0, `${name} “${label}”: taken away`);
    }
  }
  t.diagnostic(`${count} of them`);
  assert.ok(count >= 30, `${count} of them`);
  await close();
});
