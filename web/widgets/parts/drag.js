/** A handle on a picture: dragged by the pointer, or moved by the arrows, 0.1 and with Shift 1. */
import { foreign } from './keys.js';
import { follow, inPicture } from './pointer.js';

/** @param {PointerEvent} event @param {(px: number, py: number) => void} onMove  in units of the picture */
export function grab(event, onMove) {
  if (event.button !== 0) return;
  const handle = /** @type {SVGGElement} */ (event.currentTarget);
  const svg = /** @type {SVGSVGElement} */ (handle.ownerSVGElement);
  handle.setPointerCapture(event.pointerId);
  handle.focus({ preventScroll: true });
  event.preventDefault();
  follow(event, (move) => {
    const { x, y } = inPicture(move, svg);
    onMove(x, y);
  });
}

/** @param {KeyboardEvent} event @param {[number, number]} at @param {(to: [number, number]) => void} onMove */
export function nudge(event, [x, y], onMove) {
  const way = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (!way || foreign(event)) return;
  event.preventDefault();
  const by = event.shiftKey ? 1 : 0.1;
  onMove([x + way[0] * by, y + way[1] * by]);
}
