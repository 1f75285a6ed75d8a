/**
 * A picture as a flat list of shapes: the same list becomes SVG on the page, an SVG file or pixels of a PNG.
 * Colours are resolved when the list is made; positions are in CSS pixels.
 *
 * @typedef {{ fill?: string, stroke?: string, width?: number, dash?: string, opacity?: number }} Style
 * @typedef {Style & { kind: 'rect', x: number, y: number, w: number, h: number }} Rect
 * @typedef {Style & { kind: 'circle', x: number, y: number, r: number }} Circle
 * @typedef {Style & { kind: 'path', d: string }} Path
 * @typedef {Style & { kind: 'text', x: number, y: number, text: string, size?: number, weight?: number,
 *   anchor?: 'start' | 'middle' | 'end', font?: 'sans' | 'serif' | 'mono', halo?: string, turn?: number }} Text
 * @typedef {{ kind: 'image', x: number, y: number, w: number, h: number, canvas: HTMLCanvasElement }} Image
 * @typedef {Rect | Circle | Path | Text | Image} Shape
 */

/** @param {number} x @param {number} y @param {number} w @param {number} h @param {Style} style @returns {Rect} */
export const rect = (x, y, w, h, style) => ({ kind: 'rect', x, y, w, h, ...style });

/** @param {number} x @param {number} y @param {number} r @param {Style} style @returns {Circle} */
export const circle = (x, y, r, style) => ({ kind: 'circle', x, y, r, ...style });

/** @param {string} d @param {Style} style @returns {Path} */
export const path = (d, style) => ({ kind: 'path', d, ...style });

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Style} style @returns {Path} */
export const line = (x1, y1, x2, y2, style) => path(`M${x1} ${y1}L${x2} ${y2}`, style);

/** @param {number} x @param {number} y @param {string} text @param {Partial<Text>} style @returns {Text} */
export const text = (x, y, text, style) => ({ kind: 'text', x, y, text, ...style });

/**
 * A line with a filled head; nothing when it has no length to point along.
 * @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
 * @param {{ stroke: string, width?: number, head?: number }} style
 * @returns {Shape[]}
 */
export function arrow(x1, y1, x2, y2, { stroke, width = 2, head = 8 }) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return [];
  const size = Math.min(head, length);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - ux * size, y2 - uy * size];
  const half = size * 0.42;
  const tip = `M${x2} ${y2}L${bx - uy * half} ${by + ux * half}L${bx + uy * half} ${by - ux * half}Z`;
  return [line(x1, y1, bx, by, { stroke, width }), path(tip, { fill: stroke })];
}

/**
 * Can it be drawn? A shape whose place or size is no finite number cannot; what it stands for is said beside it.
 * @param {any} s a shape
 */
export const drawable = (s) => (s.kind === 'path' ? !/NaN|Infinity|undefined/.test(s.d)
  : ['x', 'y', 'w', 'h', 'r'].every((name) => !(name in s) || Number.isFinite(s[name])));

/** @param {Shape[]} shapes @param {number} dx @param {number} dy shapes moved; paths by a translated wrapper */
export function moved(shapes, dx, dy) {
  return shapes.map((s) => (s.kind === 'path'
    ? { ...s, d: shiftPath(s.d, dx, dy) }
    : { ...s, x: s.x + dx, y: s.y + dy }));
}

/** Shifts a path made of absolute M, L, C and Z commands. @param {string} d @param {number} dx @param {number} dy */
function shiftPath(d, dx, dy) {
  let odd = true;
  return d.replace(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g, (n) => {
    const value = Number(n) + (odd ? dx : dy);
    odd = !odd;
    return ` ${value}`;
  });
}
