/** Saved pictures of all figures: every word is readable, whatever the language, the screen and the words typed. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** What a figure saves is kept in place of a download. @param {import('playwright-core').Page} page */
const keepFiles = (page) => page.addInitScript(() => {
  URL.createObjectURL = (blob) => {
    globalThis.saved = blob;
    return '#';
  };
  HTMLAnchorElement.prototype.click = () => {};
});

/**
 * The SVG file of a figure in sight, null where it saves none.
 * @param {import('playwright-core').Page} page @param {string} selector @returns {Promise<string | null>}
 */
async function savedBy(page, selector) {
  const figure = await bring(page, selector);
  return figure.evaluate(async (/** @type {any} */ f) => {
    const { text } = f.environment;
    if (!f.offers(text).picture) return null;
    globalThis.saved = null;
    await f.save(text, 'svg');
    return globalThis.saved.text();
  });
}

/**
 * How often the words of an SVG file leave it or lie over each other, and whether it can be read as XML at all.
 * @param {import('playwright-core').Page} page @param {string} svg
 */
const look = (page, svg) => page.evaluate((source) => {
  const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
  const broken = parsed.querySelector('parsererror')?.textContent ?? '';
  const box = document.body.appendChild(document.createElement('div'));
  box.append(document.importNode(parsed.documentElement, true));
  const frame = box.firstElementChild.getBoundingClientRect();
  const texts = [...box.querySelectorAll('text')].filter((e) => e.textContent.trim())
    .map((e) => ({ words: e.textContent, at: e.getBoundingClientRect() }));
  box.remove();
  const outside = texts.filter(({ at }) => (
    at.left < frame.left - 1 || at.right > frame.right + 1 || at.top < frame.top - 1 || at.bottom > frame.bottom + 1));
  // line boxes are taller than letters: three pixels of two may be shared
  const crossed = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => (
    Math.min(a.at.right, b.at.right) - Math.max(a.at.left, b.at.left) > 0.5
    && Math.min(a.at.bottom, b.at.bottom) - Math.max(a.at.top, b.at.top) > 3)).map((b) => `${a.words} | ${b.words}`));
  return { broken, count: texts.length, outside: outside.map(({ words }) => words), crossed };
}, svg);

for (const lang of ['en', 'zh-CN']) {
  for (const width of [1280, 390]) {
    test(`${lang}, ${width} px: no words of a saved picture lie over others or leave it`, { skip: waits }, async () => {
      const { page, close } = await open({ lang, width, before: keepFiles });
      await seeAll(page);
      const figures = await page.evaluate(() => [...document.querySelectorAll('[figure]')].map((f) => f.getAttribute('figure')));
      let saved = 0;
      for (const figure of figures) {
        const svg = await savedBy(page, `[figure="${figure}"]`);
        if (!svg) continue;
        saved += 1;
        const { broken, count, outside, crossed } = await look(page, svg);
        assert.deepEqual({ broken, outside, crossed }, { broken: '', outside: [], crossed: [] }, `figure ${figure}`);
        assert.ok(count > 4, `figure ${figure}: ${count} texts`);
      }
      assert.ok(saved >= 30, `${saved} pictures`);
      await close();
    });
  }
}

test('a table of numbers set by hand, as long as they come', { skip: waits }, async () => {
  const { page, close } = await open({ before: keepFiles });
  await bring(page, '[figure="1"]');
  for (const figure of ['1', '14', '16']) {
    const toy = await bring(page, `[figure="${figure}"]`);
    await toy.evaluate(async (/** @type {any} */ f) => {
      f.toy = { ...f.toy, keys: [[-123.456, 99.875], [0.125, -0.375], [0, 1]], values: [[12345.678, -9876.543], [0.001, 1], [2, 2]] };
      await f.compute();
      await f.updateComplete;
    });
    const svg = await savedBy(page, `[figure="${figure}"]`);
    const cells = await page.evaluate((source) => {
      const box = document.body.appendChild(document.createElement('div'));
      box.append(document.importNode(new DOMParser().parseFromString(source, 'image/svg+xml').documentElement, true));
      const texts = [...box.querySelectorAll('text')].map((e) => ({ words: e.textContent, at: e.getBoundingClientRect() }));
      box.remove();
      const [first, last] = ['token', 'value'].map((name) => texts.find(({ words }) => words === name).at);
      return texts.filter(({ words, at }) => words && at.top >= first.top - 1 && at.left >= first.left - 1 && at.right <= last.right + 1)
        .map(({ words, at }) => ({ words, left: at.left, right: at.right, top: at.top }));
    }, svg);
    assert.ok(cells.length >= 27, `figure ${figure}: ${cells.length} cells`);
    assert.ok(cells.some(({ words }) => words.includes('9,876')), JSON.stringify(cells));
    for (const a of cells) {
      for (const b of cells) {
        const clear = a === b || Math.abs(a.top - b.top) > 4 || a.right + 8 < b.left || b.right + 8 < a.left;
        assert.ok(clear, `figure ${figure}: ${a.words} | ${b.words}`);
      }
    }
  }
  await close();
});

test('the bars of a word stand in the rows whose numbers they draw', { skip: waits }, async () => {
  const { page, close } = await open({ before: keepFiles });
  for (const word of [0, 1]) {
    const toy = await bring(page, '[figure="19"]');
    await toy.evaluate(async (/** @type {any} */ f, to) => {
      f.word = to;
      await f.updateComplete;
      await f.compute();
      await f.updateComplete;
    }, word);
    const svg = await savedBy(page, '[figure="19"]');
    const { rows, bars } = await page.evaluate((source) => {
      const box = document.body.appendChild(document.createElement('div'));
      box.append(document.importNode(new DOMParser().parseFromString(source, 'image/svg+xml').documentElement, true));
      const middle = (/** @type {Element} */ e) => (e.getBoundingClientRect().top + e.getBoundingClientRect().bottom) / 2;
      const texts = [...box.querySelectorAll('text')];
      const found = {
        rows: texts.filter((e) => /^\D+ \D*[01]$/.test(e.textContent)).map(middle),
        bars: [...box.querySelectorAll('rect[stroke-dasharray]')].map(middle),
      };
      box.remove();
      return found;
    }, svg);
    assert.equal(rows.length, 4);
    assert.equal(bars.length, 4);
    bars.forEach((at, i) => assert.ok(Math.abs(at - rows[i]) < 9, `bar ${i} at ${at}, its row at ${rows[i]}`));
  }
  await close();
});

test('what a figure offers can be had at once, in sight or not, before and after a change', { skip: waits }, async () => {
  const { page, close } = await open({ before: keepFiles });
  await seeAll(page);
  await page.evaluate(() => scrollTo(0, 0));
  const wrong = await page.evaluate(async () => {
    const figures = /** @type {any[]} */ ([...document.querySelectorAll('[figure]')]);
    const found = [];
    const look = (/** @type {string} */ when) => {
      for (const f of figures) {
        const t = f.environment.text;
        const { table, picture } = f.offers(t);
        if (table !== (f.table(t) !== null)) found.push(`${when}: table of ${f.getAttribute('figure')}`);
        if (picture !== (f.picture(t) !== null)) found.push(`${when}: picture of ${f.getAttribute('figure')}`);
      }
    };
    look('as it is');
    const { context } = /** @type {any} */ (document.querySelector('attn-heads'));
    context.ask('The dog sat');
    while (context.busy || !context.answers) await new Promise(requestAnimationFrame);
    look('after a new sentence');
    return found;
  });
  assert.deepEqual(wrong, []);
  await close();
});

/** Spaces, a joiner, a line break, a bell, a non-character and half a pair, which no XML may hold. */
const ODD = 'a \u200d\nb\u0007\ufffe\ud800';

test('tokens that cannot be seen have the same signs in the row, in the picture and in its caption', { skip: waits }, async () => {
  const { page, noise, close } = await open({ before: keepFiles });
  const heads = await bring(page, 'attn-heads');
  await heads.evaluate((/** @type {any} */ f, odd) => f.context.ask(odd), ODD);
  const whole = heads.locator('.prompt .whole');
  await whole.filter({ hasText: '‹U+FFFE›' }).waitFor();
  assert.deepEqual(await whole.allTextContents(), ['‹ZWJ›', '‹U+FFFE›', '\ufffd']);
  const row = await heads.locator('.prompt .tokens button.token').allTextContents();
  for (const sign of ['␣', '⏎', '␇']) assert.ok(row.includes(sign), `${sign} in ${row}`);
  for (const selector of ['attn-heads', 'attn-gate-map', 'attn-follow', '[figure="17"]', 'attn-edit']) {
    const svg = await savedBy(page, selector);
    const { broken } = await look(page, svg);
    assert.equal(broken, '', selector);
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words]) => words);
    assert.doesNotMatch(texts.join(''), /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u, selector);
    if (selector === 'attn-heads') {
      for (const name of row) assert.ok(texts.includes(name), `${name} in ${texts}`);
      assert.match(texts.join(' '), /“a ‹ZWJ›⏎b␇‹U\+FFFE›‹U\+D800›”/);
    }
  }
  assert.deepEqual(noise, []);
  await close();
});
