/** Small screens, zoom and forced colours, over all figures at once: nothing wider than the page, nothing too small to press, nothing unseen. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { drawn, openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** What the tests ask of a page, set up in it. */
function tools() {
  const deep = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? deep(e.shadowRoot) : [])]);
  const up = (e) => e.parentElement ?? e.getRootNode().host;
  const chain = (e) => (e ? [e, ...chain(up(e))] : []);
  const hosts = () => [...document.querySelectorAll('[figure], attn-quiz')];
  const name = (host, e) => `${host.localName} ${host.getAttribute('figure') ?? ''} ${e.localName}.${e.className?.baseVal ?? e.className} “${
    (e.getAttribute('aria-label') ?? e.textContent).trim().slice(0, 40)}”`;
  const each = (want) => hosts().flatMap((host) => deep(host.shadowRoot)
    .filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && want(e)).map((e) => name(host, e)));
  const speaks = (e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
  const scrolls = (e) => e !== document.documentElement && e !== document.body
    && (/auto|scroll/.test(getComputedStyle(e).overflowX) || getComputedStyle(e).clipPath !== 'none');
  globalThis.narrow = {
    /** Text past the edge of the page, where nothing scrolls or is clipped for readers by ear. */
    outside: () => each((e) => {
      if (!speaks(e) || e.getBoundingClientRect().width < 3) return false;
      const range = document.createRange();
      range.selectNodeContents(e);
      const { left, right } = (e.ownerSVGElement ? e : range).getBoundingClientRect();
      return (left < -0.5 || right > innerWidth + 0.5) && !chain(e).some(scrolls);
    }),
    /** Less than 44 px high, or narrow as well. Links stand in sentences; the heads of a picture are as large as the picture lets them. */
    small: () => each((e) => {
      if (!e.matches('button, input, summary, textarea, [role=slider]') || e.closest('.heads, .caption, p label')) return false;
      const { width, height } = (e.querySelector('.target') ?? e.closest('label') ?? e).getBoundingClientRect();
      return height < 43.5 || (width < 43.5 && !e.matches('.scrub') && !e.closest('.formula'));
    }),
    /** Text in the colour of the ground. */
    unseen() {
      const ground = getComputedStyle(document.body.appendChild(Object.assign(document.createElement('i'), { style: 'color: Canvas' }))).color;
      return each((e) => speaks(e) && !e.ownerSVGElement && getComputedStyle(e).color === ground && getComputedStyle(e).forcedColorAdjust === 'auto');
    },
    /** Grounds drawn by a gradient, which forced colours take away. */
    unpainted: () => each((e) => e.matches('.hatch, .scale, .slide') && getComputedStyle(e).forcedColorAdjust === 'auto'),
  };
}

for (const lang of ['en', 'zh-CN']) {
  test(`${lang}: no text and no page wider than the screen, from a small phone to a desktop at 200 %`, { skip: waits }, async () => {
    const { page, noise, close } = await open({ lang, width: 1280 });
    await seeAll(page);
    await page.evaluate(tools);
    for (const width of [1280, 1000, 899, 768, 640, 600, 480, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForFunction(() => [...document.querySelectorAll('[figure]')].every((e) => e.width === Math.round(e.clientWidth)));
      await drawn(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, `the page at ${width}`);
      assert.deepEqual(await page.evaluate(() => globalThis.narrow.outside()), [], `at ${width}`);
    }
    assert.deepEqual(noise, []);
    await close();
  });
}

test('on a phone a finger finds 44 px to press', { skip: waits }, async () => {
  const { page, close } = await open({ width: 390, height: 844, context: { hasTouch: true, isMobile: true } });
  await seeAll(page);
  await page.evaluate(tools);
  assert.deepEqual(await page.evaluate(() => globalThis.narrow.small()), []);
  await close();
});

test('forced colours: no text in the colour of its ground, hatch and scales kept', { skip: waits }, async () => {
  const { page, close } = await open({ context: { forcedColors: 'active' } });
  await seeAll(page);
  await page.evaluate(tools);
  assert.deepEqual(await page.evaluate(() => globalThis.narrow.unseen()), []);
  assert.deepEqual(await page.evaluate(() => globalThis.narrow.unpainted()), []);
  await close();
});
