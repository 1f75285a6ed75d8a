/** The whole page by keys alone: every control is reached, named and seen; no press loses the focus; no key is stolen. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, seeAll, stopClock, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** What the tests ask of a page, set up in it. */
function tools() {
  const controls = 'button, input, textarea, select, summary, a[href], [tabindex="0"]';
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches(':disabled');
  const deep = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? deep(e.shadowRoot) : [])]);
  const kb = {
    controls: (host) => deep(host.shadowRoot).filter((e) => e.matches(controls) && shown(e)),
    active() {
      let e = document.activeElement;
      while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
      return e;
    },
    holds(host) {
      for (let e = kb.active(); e; e = e.parentNode ?? e.host) if (e === host) return shown(kb.active());
      return false;
    },
    name: (e) => (e.getAttribute('aria-label') ?? ([...e.labels ?? []].map((l) => l.innerText).join(' ') || e.innerText || '')).trim(),
    async drawn(host) {
      await host.updateComplete;
      await new Promise((done) => { setTimeout(done); });
      await host.updateComplete;
    },
    key: (e, key, more = {}) => e.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more })),
  };
  globalThis.kb = kb;
}

async function prepared(options = {}) {
  const opened = await open(options);
  await seeAll(opened.page);
  await opened.page.evaluate(tools);
  return opened;
}

/** One page for the tests that change little; the last of them presses everything. @type {ReturnType<typeof prepared> | undefined} */
let one;
const shared = () => (one ??= prepared({ context: { permissions: ['clipboard-read', 'clipboard-write'] } }));

test('no key is taken from the page or the browser', { skip: waits }, async () => {
  const { page } = await shared();
  const taken = await page.evaluate(() => {
    const { kb } = globalThis;
    const used = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', ' ', 'Enter', 'Escape'];
    const found = used.filter((key) => !kb.key(document.body, key)).map((key) => `page: ${key}`);
    for (const host of document.querySelectorAll('[figure]')) {
      for (const e of kb.controls(host)) {
        const theirs = [['Tab'], ['PageDown'], ['F5'], ['a'], ...['ArrowLeft', 'ArrowUp', 'End'].flatMap((key) => [[key, { altKey: true }], [key, { metaKey: true }]])];
        for (const [key, more] of theirs) if (!kb.key(e, key, more)) found.push(`Fig ${host.getAttribute('figure')}: ${kb.name(e)} takes ${key}`);
      }
    }
    return found;
  });
  assert.deepEqual(taken, []);
});

test('Tab reaches every figure in order; each stop has a name, a ring and a place in sight', { skip: waits }, async () => {
  const { page } = await shared();
  const faults = [];
  const order = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(async () => {
      const e = globalThis.kb.active();
      if (!e || e === document.body) return null;
      const inSight = () => {
        const { bottom, top } = (e.closest('label') ?? e).getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      };
      // the browser scrolls to it a frame or two later where figures above are being drawn
      for (let frame = 0; frame < 60 && !inSight(); frame += 1) await new Promise(requestAnimationFrame);
      const host = document.activeElement.closest('[figure]');
      const rings = [e, e.closest('label'), e.querySelector?.('.target')].filter(Boolean).map((x) => getComputedStyle(x));
      const ring = rings.some((s) => (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2) || (s.stroke !== 'none' && parseFloat(s.strokeWidth) >= 3));
      const box = (e.closest('label') ?? e).getBoundingClientRect();
      // a ring of 3 px begins 3 px away: a part of it at least must not be cut off by what scrolls
      const cut = [];
      for (let p = e.parentElement ?? e.getRootNode().host; p && p !== document.body; p = p.parentElement ?? p.getRootNode().host) {
        if (!/auto|scroll|hidden/.test(getComputedStyle(p).overflowX) || e.matches('[type=radio], [type=checkbox]')) continue;
        const frame = p.getBoundingClientRect();
        if (box.left - 6 < frame.left || box.top - 6 < frame.top) cut.push(p.className);
      }
      return {
        figure: Number(host?.getAttribute('figure') ?? 0), what: `${e.localName}.${e.className?.baseVal ?? e.className} ${globalThis.kb.name(e)}`,
        faults: [globalThis.kb.name(e) ? '' : 'no name', ring ? '' : 'no ring', inSight() ? '' : 'out of sight',
          cut.length ? `ring cut by ${cut}` : ''].filter(Boolean),
      };
    });
    if (!stop) break;
    if (stop.faults.length) faults.push(`Fig ${stop.figure}: ${stop.what}: ${stop.faults}`);
    if (stop.figure && stop.figure !== order.at(-1)) order.push(stop.figure);
    assert.ok(order.length <= 33, 'no way back to a figure that was left');
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(order, Array.from({ length: 33 }, (_, i) => i + 1));
});

test('maps: one stop each, ends by Home and End, Enter pins, Escape lets go, the cell is said', { skip: waits }, async () => {
  const { page, noise } = await shared();
  for (const map of await page.locator('[figure] attn-heatmap').all()) {
    assert.equal(await map.locator('[tabindex="0"]').count(), 1);
    await map.locator('.field').focus();
    const { rows, cols } = await map.evaluate((e) => e.matrix);
    const said = new Set();
    for (const [key, row, col] of [['Control+Home', 0, 0], ['End', 0, cols - 1], ['ArrowDown', 1, cols - 1], ['Control+End', rows - 1, cols - 1], ['Home', rows - 1, 0]]) {
      await page.keyboard.press(key);
      assert.deepEqual(await map.evaluate((e) => e.updateComplete.then(() => ({ ...e.cell }))), { row, col }, key);
      said.add(await map.getByRole('status').innerText());
    }
    assert.ok(said.size === 5 && !said.has(''), 'each cell has its own sentence');
    for (const [key, pinned] of [['Enter', true], ['Escape', false]]) {
      await page.keyboard.press(key);
      assert.equal(await map.evaluate((e) => e.updateComplete.then(() => e.pinned)), pinned, key);
    }
  }
  assert.deepEqual(noise, []);
});

test('numbers: arrows step, Escape takes back what was typed, Enter keeps it', { skip: waits }, async () => {
  const { page, noise } = await shared();
  const faults = await page.evaluate(async () => {
    const { kb } = globalThis;
    const found = [];
    const type = (e, text) => {
      e.value = text;
      e.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    };
    for (const host of document.querySelectorAll('[figure]')) {
      // before a training there is no step to go to
      const labels = kb.controls(host).filter((e) => e.matches('.scrub')).map((e) => e.ariaLabel).filter((label) => label !== 'Step on display');
      for (const label of labels) {
        const field = () => kb.controls(host).find((e) => e.matches('.scrub') && e.ariaLabel === label);
        const now = () => field()?.getAttribute('aria-valuenow');
        const from = now();
        const say = (what) => found.push(`Fig ${host.getAttribute('figure')}, ${label}: ${what}`);
        field().focus();
        for (const key of ['ArrowDown', 'ArrowUp']) {
          kb.key(field(), key);
          await kb.drawn(host);
          if (!field()) break;
        }
        if (!field()) continue;
        if (now() === from) {
          kb.key(field(), 'ArrowDown');
          await kb.drawn(host);
          if (now() === from) say(`arrows leave ${from}`);
        }
        const [before, shown] = [now(), field().value];
        type(field(), '1x');
        kb.key(field(), 'Escape');
        if (field().value !== shown || now() !== before) say(`Escape gives ${field().value}, not ${shown}`);
        type(field(), field().getAttribute('aria-valuemin') ?? '1');
        kb.key(field(), 'Enter');
        await kb.drawn(host);
        if (field() && now() !== (field().getAttribute('aria-valuemin') ?? '1')) say(`Enter keeps ${now()}`);
      }
    }
    return found;
  });
  assert.deepEqual(faults, []);
  assert.deepEqual(noise, []);
});

test('every press of every figure leaves the focus in it', { skip: waits }, async () => {
  const { page, noise, close } = await shared();
  // what saves a file, fetches from another origin or trains for a minute has its own tests
  const lost = await page.evaluate(async (left) => {
    const { kb } = globalThis;
    const found = [];
    for (const host of document.querySelectorAll('[figure]')) {
      const done = new Set();
      const kind = (e) => `${e.localName}${e.type ?? ''} ${e.matches('.ghost') ? 'ghost' : kb.name(e)}`;
      const next = () => kb.controls(host).find((e) => e.matches('button, summary, [type=radio], [type=checkbox]')
        && !done.has(kind(e)) && !new RegExp(left).test(kb.name(e)));
      for (let e = next(); e; e = next()) {
        const what = kind(e);
        done.add(what);
        e.focus();
        e.click();
        await kb.drawn(host);
        if (!kb.holds(host)) found.push(`Fig ${host.getAttribute('figure')}: ${what}`);
      }
    }
    return found;
  }, '^(PNG|SVG|CSV)|[Dd]ownload|[Ff]etch|Ask its size|Train|Start over|One step');
  assert.deepEqual(lost, []);
  assert.deepEqual(noise, []);
  await close();
});

test('steps: arrows and ends, Space plays on by itself and stops again', { skip: waits }, async () => {
  const { page, noise, close } = await prepared({ before: (p) => p.clock.install() });
  const groups = page.locator('[figure] .steps');
  assert.equal(await groups.count(), 5, 'Fig 1, 8, 15, 18, 28');
  for (const group of await groups.all()) {
    const at = async () => Number((await group.locator('> span').innerText()).match(/Step (\d+) of/)[1]);
    const last = Number((await group.locator('> span').innerText()).match(/of (\d+)/)[1]);
    const press = async (key, step) => {
      await page.keyboard.press(key);
      await group.locator('> span', { hasText: `Step ${step} of` }).waitFor();
    };
    await group.locator('.next').focus();
    for (const [key, step] of [['Home', 1], ['ArrowRight', 2], ['End', last], ['ArrowLeft', last - 1], ['Home', 1]]) await press(key, step);
    await page.waitForFunction((e) => e.getRootNode().host.seen, await group.elementHandle());
    await stopClock(page);
    await press(' ', 2);
    await page.clock.fastForward(2600);
    await group.locator('> span', { hasText: 'Step 3 of' }).waitFor();
    if (last > 3) await page.keyboard.press(' ');
    await group.getByRole('button', { name: 'Play' }).waitFor();
    await page.clock.fastForward(6000);
    assert.equal(await at(), 3, 'stopped');
    await page.keyboard.press('Enter');
    await group.locator('> span', { hasText: `Step ${(3 % last) + 1} of` }).waitFor();
    await page.clock.resume();
  }
  assert.deepEqual(noise, []);
  await close();
});

test('less motion: no step goes on by itself', { skip: waits }, async () => {
  const { page, close } = await prepared({ context: { reducedMotion: 'reduce' }, before: (p) => p.clock.install() });
  const group = page.locator('attn-pipeline[scene=block] .steps');
  assert.equal(await page.locator('[figure] .steps .play').count(), 0);
  await group.locator('.next').focus();
  await page.keyboard.press(' ');
  await group.getByText('Step 2 of').waitFor();
  await page.clock.fastForward(9000);
  assert.match(await group.innerText(), /Step 2 of/);
  await close();
});
