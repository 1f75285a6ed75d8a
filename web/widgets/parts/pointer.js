/**
 * Where a pointer is and where a held one goes: the only file that reads a pointer's coordinates.
 * A page may scale or zoom what stands in it (slides do), so a place is told in parts of a box, never in its pixels.
 */

/** @typedef {{ x: number, y: number }} Place */

/**
 * Place of a pointer in a box, in parts of its width and height: 0 to 1 inside.
 * @param {MouseEvent} event @param {Element} box @returns {Place}
 */
export function partsOf({ clientX, clientY }, box) {
  const { left, top, width, height } = box.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}

/**
 * Place of a pointer in a picture, in the picture's own units.
 * @param {MouseEvent} event @param {SVGSVGElement} picture @returns {Place}
 */
export function inPicture(event, picture) {
  const { width, height } = picture.viewBox.baseVal;
  const { x, y } = partsOf(event, picture);
  return { x: x * width, y: y * height };
}

/**
 * Row and column under a pointer; beyond the box there are none, they are told all the same.
 * @param {MouseEvent} event @param {Element} box @param {{ rows: number, cols: number }} grid
 */
export function cellUnder(event, box, { rows, cols }) {
  const { x, y } = partsOf(event, box);
  return { row: Math.floor(y * rows), col: Math.floor(x * cols) };
}

/**
 * Pixels of the screen that a pointer went sideways: what the hand feels, however the page is scaled.
 * @param {PointerEvent} from @param {PointerEvent} to
 */
export const sideways = (from, to) => to.clientX - from.clientX;

/**
 * Follows the pointer that came down until it goes up.
 * @param {PointerEvent} down @param {(move: PointerEvent) => void} onMove @param {(up: PointerEvent) => void} [onUp]
 */
export function follow(down, onMove, onUp = () => {}) {
  const held = /** @type {Element} */ (down.currentTarget);
  const over = new AbortController();
  const { signal } = over;
  const listen = (/** @type {string} */ type, /** @type {(e: PointerEvent) => void} */ run) => {
    held.addEventListener(type, (event) => {
      const mine = /** @type {PointerEvent} */ (event);
      if (mine.pointerId === down.pointerId) run(mine);
    }, { signal });
  };
  // it may have gone up where nothing here hears of it
  listen('pointermove', (move) => (move.buttons === 0 ? over.abort() : onMove(move)));
  listen('pointercancel', () => over.abort());
  listen('pointerup', (up) => {
    over.abort();
    onUp(up);
  });
  // told by what stands inside a field, too, when the field takes the pointer over from it
  listen('lostpointercapture', () => held.hasPointerCapture(down.pointerId) || over.abort());
}

/** Pixels of the screen: a finger that went no further has not gone anywhere. */
const TREMBLE = 8;

/**
 * As follow, for what the page scrolls over (`touch-action: pan-y`): of a finger nothing is told before it goes
 * sideways, or goes up again where it came down.
 * @param {PointerEvent} down @param {(move: PointerEvent) => void} onMove hears of the coming down of all others, too
 */
export function followSideways(down, onMove) {
  let begun = down.pointerType !== 'touch';
  if (begun) onMove(down);
  const way = (/** @type {PointerEvent} */ to) => [sideways(down, to), to.clientY - down.clientY].map(Math.abs);
  follow(down, (move) => {
    const [across, along] = way(move);
    begun ||= across > TREMBLE / 2 && across > along;
    if (begun) onMove(move);
  }, (up) => {
    if (!begun && Math.max(...way(up)) <= TREMBLE) onMove(up);
  });
}

/**
 * As a touchstart listener: one finger on this moves it and never the page; two still zoom.
 * `touch-action` would say so too, but what stands in a picture does not heed it.
 */
export const holdsTouch = {
  passive: false,
  /** @param {TouchEvent} event */
  handleEvent(event) {
    if (event.touches.length === 1 && event.cancelable) event.preventDefault();
  },
};
