/**
 * Where a pointer is and where a held one goes: the only file that reads a pointer's coordinates.
 * A page may scale, zoom or turn what stands in it (slides do), so a place is told in parts of a box, never in its pixels.
 */

/** @typedef {{ x: number, y: number }} Place */

/** What an element is drawn in: its slot, its parent, or the host of the tree that it is the top of. @param {Element} e */
const holder = (e) => e.assignedSlot ?? e.parentElement ?? /** @type {ShadowRoot | null} */ (e.parentNode)?.host;

/** `rotate` of a computed style, as a transform. @param {string} rotate an angle, with an axis before it or none */
function turnOf(rotate) {
  const axis = rotate.split(' ');
  const angle = axis.pop();
  if (axis.length === 0) return `rotate(${angle})`;
  return `rotate3d(${{ x: '1,0,0', y: '0,1,0', z: '0,0,1' }[axis[0]] ?? axis.join()},${angle})`;
}

/** `scale` of a computed style, as a transform. @param {string} scale one to three numbers */
const sizeOf = (scale) => `scale${scale.split(' ').length > 2 ? '3d' : ''}(${scale.split(' ').join()})`;

/**
 * How all that a box stands in turns, scales and slants it; where it comes to stand its rectangle tells. Without
 * perspective: under that no box is told by four numbers.
 * @param {Element} box
 */
function bent(box) {
  let whole = new DOMMatrix();
  for (let e = /** @type {Element | null | undefined} */ (box); e; e = holder(e)) {
    const { transform, rotate = 'none', scale = 'none' } = getComputedStyle(e);
    for (const own of [transform, scale !== 'none' && sizeOf(scale), rotate !== 'none' && turnOf(rotate)]) {
      if (!own || own === 'none') continue;
      const { a, b, c, d } = new DOMMatrix(own);
      whole = new DOMMatrix([a, b, c, d, 0, 0]).multiply(whole);
    }
  }
  return whole;
}

/**
 * Place of a pointer in a box, in parts of its width and height: 0 to 1 inside, however it is turned.
 * @param {MouseEvent} event @param {Element} box its content fills it @returns {Place}
 */
export function partsOf({ clientX, clientY }, box) {
  const { left, top, width, height } = box.getBoundingClientRect();
  const { a, b, c, d } = bent(box);
  const style = getComputedStyle(box);
  const [wide, high] = [style.width, style.height].map(Number.parseFloat);
  // zoom, which no matrix holds, is what is still missing from the rectangle
  const zoom = width / (Math.abs(a) * wide + Math.abs(c) * high);
  const whole = (a * d - b * c) * zoom;
  // the middle of a box stays the middle of its rectangle
  const [x, y] = [clientX - left - width / 2, clientY - top - height / 2];
  return { x: 0.5 + (d * x - c * y) / (whole * wide), y: 0.5 + (a * y - b * x) / (whole * high) };
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

/** What a figure is worked by; a press on one leaves the pin where it is. */
const CONTROLS = 'a, button, input, select, label, summary, [role=slider]';

/**
 * Is a press neither on what holds a pin nor on a control of its figure? Then the pin is let go.
 * @param {Event} event @param {Element} figure @param {Element | null | undefined} held
 */
export function isElsewhere(event, figure, held) {
  const path = /** @type {Element[]} */ (event.composedPath());
  const own = path.includes(figure) ? path.slice(0, path.indexOf(figure)) : [];
  return !own.some((e) => e === held || e.matches?.(CONTROLS));
}
