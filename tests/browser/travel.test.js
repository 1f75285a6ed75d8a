/** Back and forward: the reader is where they were, with the focus they had, and figures stand as they stood. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, drawn, openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** What the reader sees: the place of a figure in the window, and what has the focus, inside figures too. */
const where = (page, selector) => page.evaluate((s) => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  return { top: Math.round(document.querySelector(s).getBoundingClientRect().top), focus: `${e.localName} ${e.textContent.trim().slice(0, 30)}` };
}, selector);

/** Waits until a figure stands at a height again, and stays there for some frames. */
const standsAt = (page, selector, top) => page.waitForFunction(([s, y, seen]) => {
  const off = Math.abs(document.querySelector(s).getBoundingClientRect().top - y);
  seen.frames = off <= 1 ? (seen.frames ?? 0) + 1 : 0;
  return seen.frames > 10;
}, [selector, top, {}]);

/** Counts every frame in which nothing has the focus, from now on. */
const sample = (page) => page.evaluate(() => {
  globalThis.unfocused = 0;
  const look = () => {
    if (document.activeElement === document.body) globalThis.unfocused += 1;
    requestAnimationFrame(look);
  };
  look();
});

test('back over links from figure to figure: each in its place, with its link in focus', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  await seeAll(page);
  const way = [];
  for (const [from, to] of [['attn-gqa', '23'], ['attn-quiz[figure]', '9'], ['[figure="33"]', '']]) {
    const figure = await bring(page, from);
    if (from === 'attn-quiz[figure]') {
      await figure.locator('label').nth(1).click();
      // the address follows the hand a little later
      await page.waitForURL((url) => url.hash.startsWith('#f32&'));
    }
    const link = figure.locator(`a[href^="#f${to}"]`).first();
    await link.scrollIntoViewIfNeeded();
    const href = await link.getAttribute('href');
    await link.focus();
    await drawn(page);
    way.push({ from, url: page.url(), ...await where(page, from) });
    const length = await page.evaluate(() => history.length);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash.startsWith(href.split('&')[0]));
    assert.equal(await page.evaluate(() => history.length), length + 1, 'a link pushes an entry');
    const target = `[figure="${/\d+/.exec(href)[0]}"]`;
    await page.waitForFunction((s) => {
      const { top } = document.querySelector(s).getBoundingClientRect();
      return document.activeElement === document.querySelector(s) && top >= 0 && top < innerHeight;
    }, target);
  }
  await sample(page);
  for (const stop of way.reverse()) {
    await page.goBack();
    await page.waitForURL(stop.url);
    await standsAt(page, stop.from, stop.top);
    assert.deepEqual(await where(page, stop.from), { top: stop.top, focus: stop.focus });
  }
  for (let i = 0; i < way.length; i += 1) await page.goForward();
  await page.waitForURL((url) => url.hash.startsWith('#f'));
  await page.goBack();
  await standsAt(page, way[0].from, way[0].top);
  assert.equal(await page.evaluate(() => globalThis.unfocused), 0, 'the focus never falls to the body');
  assert.deepEqual(noise, []);
  await close();
});

test('back to a place in the text, and to the section that a link of the contents named', { skip: waits }, async () => {
  const { page, close } = await open();
  await seeAll(page);
  await bring(page, 'attn-mask');
  await page.mouse.wheel(0, 240);
  await drawn(page);
  const link = page.locator('.rail a[data-n="4"]');
  await link.focus();
  const before = await where(page, 'attn-mask');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.matches('#s4 h2'));
  await page.evaluate(() => { location.hash = '#s2'; });
  await page.waitForFunction(() => document.activeElement?.matches('#s2 h2'));
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.matches('#s4 h2'));
  assert.ok(Math.abs(await page.evaluate(() => document.querySelector('#s4').getBoundingClientRect().top)) < 120);
  await page.goBack();
  await standsAt(page, 'attn-mask', before.top);
  assert.deepEqual(await where(page, 'attn-mask'), before);
  await close();
});

test('back from another page, and after a reload: the same place, the figure that had the focus', { skip: waits }, async () => {
  const { page, base, noise, close } = await open();
  const quiz = await bring(page, 'attn-quiz[figure]');
  await quiz.locator('label').nth(1).click();
  await quiz.locator('a[href^="#f9"]').first().click();
  await page.waitForFunction(() => document.activeElement?.localName === 'attn-gqa');
  await page.locator('attn-gqa').getByRole('radio', { name: '8 MHA' }).check({ force: true });
  await page.waitForURL(/&g=8/);
  await page.mouse.wheel(0, 130);
  await drawn(page);
  const { top } = await where(page, 'attn-gqa');
  for (const leave of [() => page.goto(`${base}embed.html?widget=attn-kv`).then(() => page.goBack()), () => page.reload()]) {
    await leave();
    await page.waitForFunction(() => document.activeElement?.localName === 'attn-gqa');
    await standsAt(page, 'attn-gqa', top);
    assert.equal(await page.locator('attn-gqa').evaluate((/** @type {any} */ e) => e.groups ?? e.kvHeads), 8);
  }
  assert.deepEqual(noise.filter((line) => !line.includes('attn-kv')), []);
  await close();
});

test('back to where no figure had the focus: those who go on by key go on from there', { skip: waits }, async () => {
  const { page, base, close } = await open();
  await seeAll(page);
  await bring(page, 'attn-kv');
  await page.mouse.click(4, 300);
  await drawn(page);
  const { top } = await where(page, 'attn-kv');
  await page.goto(`${base}embed.html?widget=attn-toy`);
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.matches('#s3 h2'));
  await standsAt(page, 'attn-kv', top);
  await close();
});

test('who comes back and moves on is not held', { skip: waits }, async () => {
  const { page, close } = await open({ path: '#f12' });
  await bring(page, 'attn-heads');
  await page.evaluate(() => { location.hash = '#f9'; });
  await page.waitForFunction(() => document.activeElement?.localName === 'attn-gqa');
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.localName === 'attn-heads');
  const held = (await where(page, 'attn-heads')).top;
  await page.mouse.wheel(0, 500);
  const rest = await page.waitForFunction(([from, seen]) => {
    const { top } = document.querySelector('attn-heads').getBoundingClientRect();
    seen.frames = top === seen.top && top < from - 50 ? seen.frames + 1 : 0;
    seen.top = top;
    return seen.frames > 10 && { top };
  }, /** @type {[number, any]} */ ([held, { frames: 0, top: 0 }]));
  const { top } = await rest.jsonValue();
  await page.evaluate(() => document.body.style.setProperty('padding-bottom', '400px'));
  await standsAt(page, 'attn-heads', top);
  await close();
});

test('back from a figure to where nothing had the focus: it goes along', { skip: waits }, async () => {
  const { page, close } = await open();
  await seeAll(page);
  await bring(page, 'attn-kv');
  await page.mouse.click(4, 300);
  await drawn(page);
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  await page.evaluate(() => { location.hash = '#f2'; });
  await page.waitForFunction(() => document.activeElement?.getAttribute('figure') === '2');
  await page.goBack();
  await page.waitForFunction(() => document.activeElement?.matches('#s3 h2'));
  await close();
});
