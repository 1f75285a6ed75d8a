/** A handle on a picture: dragged by the pointer, or moved by the arrows, 0.1 and with Shift 1. */
import { foreign } from './keys.js';

/**
 * @param {PointerEvent} event @param {number} size side of the picture in its own units
 * @param {(px: number, py: number) => void} onMove
 */
export function grab(event, size, onMove) {
  if (event.button !== 0) return;
  const handle = /** @type {SVGGElement} */ (event.currentTarget);
  const svg = /** @type {SVGSVGElement} */ (handle.ownerSVGElement);
  handle.setPointerCapture(event.pointerId);
  handle.focus({ preventScroll: true });
  event.preventDefault();
  const dropped = new AbortController();
  const { signal } = dropped;
  handle.addEventListener('pointermove', (move) => {
    const box = svg.getBoundingClientRect();
    const zoom = size / box.width;
    onMove((move.clientX - box.left) * zoom, (move.clientY - box.top) * zoom);
  }, { signal });
  handle.addEventListener('lostpointercapture', () => dropped.abort(), { signal });
}

/** @param {KeyboardEvent} event @param {[number, number]} at @param {(to: [number, number]) => void} onMove */
export function nudge(event, [x, y], onMove) {
  const way = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (!way || foreign(event)) return;
  event.preventDefault();
  const by = event.shiftKey ? 1 : 0.1;
  onMove([x + way[0] * by, y + way[1] * by]);
}
