/** A language that needs 40 % more room: every word of the page made longer, at three widths. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import en from '../../web/locales/en.js';
import { openBrowser, reads, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** Accents and more letters in every word; placeholders, marks and code stay. */
const ACCENTS = { a: 'á', e: 'ë', i: 'î', o: 'ö', u: 'ü' };
const longer = (word) => word.replace(/[aeiou]/g, (c) => ACCENTS[c]) + 'ö'.repeat(Math.round(word.length * 0.4));
const words = (text) => text.replace(/\p{L}{2,}/gu, longer);
const pseudo = (message) => message.split(/(\{\w+(?::[^}]*)?\}|`[^`]*`)/)
  .map((part, i) => (i % 2 ? part.replace(/(?<=:).*(?=\})/, words) : words(part))).join('');
const catalogue = Object.fromEntries(Object.entries(en).map(([key, text]) => [key, key.endsWith('.forms') ? text : pseudo(text)]));

const speakPseudo = (page) => page.route(/\/assets\/en-[\w-]+\.js$/, (route) => route.fulfill({
  contentType: 'text/javascript', body: `export default ${JSON.stringify(catalogue)};`,
}));

/** Elements that stick out of their figure, or whose text does, where nothing scrolls. Runs in the page. */
function stickingOut() {
  const found = [];
  const shows = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  const clips = (e) => getComputedStyle(e).overflowX !== 'visible' || getComputedStyle(e).clipPath !== 'none';
  for (const host of document.querySelectorAll('[figure], attn-quiz')) {
    const frame = host.getBoundingClientRect();
    const walk = (e) => {
      if (e instanceof SVGElement || !shows(e) || clips(e)) return;
      const box = e.getBoundingClientRect();
      if (box.right > frame.right + 8 || box.left < frame.left - 8) found.push(`${host.tagName} ${host.getAttribute('scene') ?? ''}: ${e.tagName}.${e.className}`);
      else [...e.children, ...e.shadowRoot?.children ?? []].forEach(walk);
    };
    [...host.shadowRoot.children].forEach(walk);
  }
  return [...new Set(found)];
}

test('the pseudo language is 40 % longer and keeps its placeholders', () => {
  const length = (all) => Object.values(all).join('').length;
  assert.ok(length(catalogue) > 1.25 * length(en));
  assert.equal(pseudo('**Drag** the {n} of `q_proj`'), '**Drágöö** thëö {n} öfö `q_proj`');
  assert.equal(pseudo('{n} {n:try|tries}'), '{n} {n:tryö|trîësöö}');
});

for (const width of [320, 390, 1280]) {
  test(`longer words break nothing at ${width} px`, { skip: waits }, async () => {
    const { page, noise, close } = await open({ width, height: 900, before: speakPseudo });
    await reads(page.locator('h2').first(), /ö/);
    await seeAll(page);
    assert.deepEqual(await page.evaluate(stickingOut), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    assert.deepEqual(noise, []);
    await close();
  });
}
