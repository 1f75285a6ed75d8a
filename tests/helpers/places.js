/** Watches the places of figures frame by frame: one that is in sight shows a picture, an error or a word, always. */

/** Runs in the page. `emptyPlaces`: what was ever found empty; `watchedFrames`: how often it was looked. */
function watch() {
  const w = /** @type {any} */ (window);
  Object.assign(w, { emptyPlaces: new Map(), watchedFrames: 0 });
  const shows = (/** @type {any} */ place) => {
    const root = place.shadowRoot ?? place;
    const inside = root.querySelector('.error, .plate, .equivalent, .waiting') ?? root;
    const part = inside.querySelector('slot')?.assignedElements().length ? place : inside;
    return part.querySelector('svg, canvas, table, input, attn-heatmap') || /\p{L}/u.test(part.textContent);
  };
  const look = () => {
    w.watchedFrames += 1;
    for (const place of document.querySelectorAll('[figure], attn-quiz, attn-sink-lab')) {
      const { top, bottom } = place.getBoundingClientRect();
      if (bottom < 0 || top > innerHeight || shows(place)) continue;
      w.emptyPlaces.set(`${place.localName} ${place.getAttribute('figure') ?? ''}`, (place.shadowRoot ?? place).innerHTML.slice(0, 300));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** From the next document on. @param {import('playwright-core').Page} page */
export const watchPlaces = (page) => page.addInitScript(watch);

/** Places that were empty in any frame so far. @param {import('playwright-core').Page} page @returns {Promise<Record<string, string>>} */
export async function emptyPlaces(page) {
  const { frames, empty } = await page.evaluate(() => {
    const { watchedFrames, emptyPlaces: found } = /** @type {any} */ (window);
    return { frames: watchedFrames, empty: Object.fromEntries(found) };
  });
  if (!(frames > 0)) throw new Error('expected frames that were watched, found none');
  return empty;
}
