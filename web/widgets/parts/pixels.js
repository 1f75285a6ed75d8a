/** Pixels of the screen for one of the page: canvases are drawn anew when the window changes screens or zooms. */

/** @type {Set<() => void>} */
const watchers = new Set();
/** What was told last. */
let told = 0;
let timer = 0;
/**
 * Chromium tells a resolution query nothing while the window keeps its size, and ResizeObserver knows device pixels in
 * some browsers only: the number is looked at, this often in ms, as long as anyone draws by it.
 */
const LOOK = 500;

function look() {
  if (told === devicePixelRatio) return;
  told = devicePixelRatio;
  for (const watcher of watchers) watcher();
}

/** Whole pixels of a canvas for one of the page. */
export const pixelRatio = () => Math.max(1, Math.ceil(devicePixelRatio));

/** A lit controller: tells its host the ratio is another one, and once when it is on the page. */
export class Pixels {
  #tell;

  /** @param {import('lit').ReactiveControllerHost} host @param {() => void} tell */
  constructor(host, tell) {
    this.#tell = tell;
    host.addController(this);
  }

  hostConnected() {
    if (watchers.size === 0) {
      told = devicePixelRatio;
      addEventListener('resize', look);
      timer = window.setInterval(look, LOOK);
    }
    watchers.add(this.#tell);
    this.#tell();
  }

  hostDisconnected() {
    watchers.delete(this.#tell);
    if (watchers.size > 0) return;
    removeEventListener('resize', look);
    clearInterval(timer);
  }
}
