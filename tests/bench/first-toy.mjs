/** The page in a browser started anew: from the request to the first figure's computed numbers. */
import { openBrowser, waits } from '../helpers/browser.js';

const LOADS = 9;

/** Looks once a frame for the first figure's result. */
function watch() {
  const look = () => {
    const sums = document.querySelector('attn-toy')?.shadowRoot?.querySelector('.out')?.textContent ?? '';
    if (sums.includes('0.277')) globalThis.firstToy = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** @param {string} lang @returns {Promise<number[] | string>} ms of each load, or why it cannot run here */
export async function benchFirstToy(lang) {
  if (waits) return waits;
  const times = [];
  for (let i = 0; i < LOADS; i++) {
    const closing = [];
    const open = openBrowser((f) => closing.push(f));
    const { page } = await open({ lang, whole: false, before: (p) => p.addInitScript(watch) });
    await page.waitForFunction(() => globalThis.firstToy);
    times.push(await page.evaluate(() => globalThis.firstToy));
    for (const f of closing) await f();
  }
  return times;
}
