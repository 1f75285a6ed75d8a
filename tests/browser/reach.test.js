/** Every control of the page can be reached by a pointer, wherever on the screen a reader has scrolled it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { drawn, openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** Controls that something else lies over, at some height of the screen; and how many there are. */
function covered() {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const deep = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? deep(e.shadowRoot) : [])]);
  const up = (e) => e.parentElement ?? e.getRootNode().host;
  const inside = (e, box) => Boolean(e) && (e === box || inside(up(e), box));
  const at = (x, y, root = document) => {
    const found = root.elementFromPoint(x, y);
    return found?.shadowRoot && found.shadowRoot !== root ? at(x, y, found.shadowRoot) ?? found : found;
  };
  const name = (e) => `${e.localName}.${e.className?.baseVal ?? e.className} “${
    (e.getAttribute('aria-label') ?? e.textContent).trim().slice(0, 40)}”`;
  const found = new Set();
  let count = 0;
  for (const e of deep(document)) {
    const { host } = e.getRootNode();
    // the way past the bar shows itself to the keyboard only
    if (!e.matches(CONTROLS) || e.disabled || e.matches('.skip')) continue;
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    count += 1;
    const shown = e.querySelector('.target') ?? e.closest('label') ?? e;
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    for (const height of [120, 230, 340, 600]) {
      const [box] = shown.getClientRects();
      scrollBy({ top: box.top + box.height / 2 - height, behavior: 'instant' });
      const [{ left, top, width, height: tall }] = shown.getClientRects();
      if (top < 56 || top + tall > innerHeight) continue;
      for (const x of [left + Math.min(12, width / 2), left + width / 2, left + width - Math.min(12, width / 2)]) {
        const hit = at(x, top + tall / 2);
        if (inside(hit, e) || inside(hit, shown)) continue;
        found.add(`${host?.localName ?? ''} ${host?.getAttribute('figure') ?? ''} ${name(e)} under ${hit && name(hit)}`);
      }
    }
  }
  return { count, found: [...found] };
}

test('every control is where the pointer finds it, from 320 to 1440 px', { skip: waits }, async (t) => {
  const { page, close } = await open({ width: 1440 });
  await seeAll(page);
  for (const width of [1440, 1280, 1200, 1000, 640, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForFunction(() => [...document.querySelectorAll('[figure]')].every((e) => (
      /** @type {any} */ (e).width === Math.round(e.clientWidth))));
    await drawn(page);
    const { count, found } = await page.evaluate(covered);
    t.diagnostic(`${width}: ${count} controls`);
    assert.ok(count > 400, `${count} at ${width}`);
    assert.deepEqual(found, [], `at ${width}`);
  }
  await close();
});
