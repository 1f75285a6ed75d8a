/** Pixels of the screen for one of the page: canvases are drawn anew when the window changes screens or zooms. */

/** @type {Set<() => void>} */
const watchers = new Set();
/** What was told last. */
let told = 0;
/** Is so as long as the ratio is the one told last. @type {MediaQueryList | undefined} */
let same;

/** Hears of the next change: a query is about one ratio, so each has its own. */
function arm() {
  told = devicePixelRatio;
  same?.removeEventListener('change', look);
  same = matchMedia(`(resolution: ${told}dppx)`);
  same.addEventListener('change', look);
}

function look() {
  if (told === devicePixelRatio) return;
  arm();
  for (const watcher of watchers) watcher();
}

/** Whole pixels of a canvas for one of the page. */
export const pixelRatio = () => Math.max(1, Math.ceil(devicePixelRatio));

/**
 * Paints a canvas anew; what throws on the way leaves the picture that is there.
 * @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} size its own pixels
 * @param {(ctx: CanvasRenderingContext2D) => void} paint
 */
export function paintWhole(canvas, { width, height }, paint) {
  const sheet = document.createElement('canvas');
  Object.assign(sheet, { width, height });
  paint(/** @type {CanvasRenderingContext2D} */ (sheet.getContext('2d')));
  Object.assign(canvas, { width, height });
  if (width > 0 && height > 0) canvas.getContext('2d')?.drawImage(sheet, 0, 0);
}

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
      arm();
      addEventListener('resize', look);
    }
    watchers.add(this.#tell);
    this.#tell();
  }

  hostDisconnected() {
    watchers.delete(this.#tell);
    if (watchers.size > 0) return;
    removeEventListener('resize', look);
    same?.removeEventListener('change', look);
  }
}
