/** A page that is left alone does nothing: what it shows changes when something happens, never by the clock. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** Keeps a list of all that is to run by the clock; resting() resolves in the first frame in which nothing is. */
function keepClocks() {
  const world = /** @type {any} */ (globalThis);
  const { requestAnimationFrame: frame } = world;
  /** Of each kind its numbers, with what asked for it. @type {Record<string, Map<number, string>>} */
  const clocks = {};
  for (const [set, clear, again] of [['setInterval', 'clearInterval', true], ['setTimeout', 'clearTimeout', false],
    ['requestAnimationFrame', 'cancelAnimationFrame', false]]) {
    const [start, stop] = [world[set].bind(world), world[clear].bind(world)];
    const running = new Map();
    clocks[set] = running;
    world[set] = (run, ...rest) => {
      const id = start((...given) => {
        // what sets itself anew while it runs is never missing from the list
        try { run(...given); } finally { if (!again) running.delete(id); }
      }, ...rest);
      running.set(id, String(new Error(set).stack));
      return id;
    };
    world[clear] = (id) => {
      running.delete(id);
      stop(id);
    };
  }
  world.clocks = () => Object.values(clocks).flatMap((running) => [...running.values()]);
  world.intervals = () => [...clocks.setInterval.values()];
  world.resting = () => new Promise((rest) => {
    const look = () => (world.clocks().length === 0 ? rest(true) : frame.call(world, look));
    look();
  });
}

for (const [name, context] of /** @type {const} */ ([['a desktop', {}], ['a phone', { hasTouch: true, isMobile: true }]])) {
  test(`nothing runs by the clock on ${name} once all figures are drawn`, { skip: waits }, async () => {
    const width = name === 'a phone' ? 390 : 1280;
    const { page, close } = await open({ width, context, before: (p) => p.addInitScript(keepClocks) });
    await seeAll(page);
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).intervals()), []);
    assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).resting()), true);
    await close();
  });
}
