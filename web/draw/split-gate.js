/** The rows of q_proj as blocks, as stored and as a split reads them; outputs of a small layer as strips of cells. */
import { headColour, parseHex, textOn, toHex, valueScale } from './colour.js';
import { PALETTE } from './palette.js';
import { line, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {import('./shapes.js').Shape} Shape */
/** @typedef {{ head: number, gate: boolean }} Owner */

const NARROW = 560;
/** @type {('start' | 'middle' | 'end')[]} */
const EDGES = ['start', 'middle', 'end'];
const LANE = { wide: 44, narrow: 22 };

/**
 * @param {Theme} theme
 * @param {{ room: number, heads: number, groups: number, stored: Owner[], read: Owner[], picked: number, devices: boolean,
 *   names: { stored: string, read: string, short: string[], device: string[], rows: string[] } }} o  stored and read: chunk by chunk
 */
export function rowBlocks(theme, { room, heads, groups, stored, read, picked, devices, names }) {
  const ink = PALETTE[theme];
  const down = room < NARROW;
  const width = Math.max(232, room);
  const n = stored.length;
  const same = stored.every((o, i) => o.head === read[i].head && o.gate === read[i].gate);
  const split = devices ? (down ? 44 : 26) : 0;
  const unit = down ? LANE.narrow : (width - split) / n;
  const along = (/** @type {number} */ c) => c * unit + (c >= n / 2 ? split : 0);
  const lane = down ? (width - 12) / 2 : LANE.wide;
  const top = down ? 26 : 40;
  const box = (/** @type {number} */ c, /** @type {0 | 1} */ row) => (down
    ? { x: row * (lane + 12), y: top + along(c), w: lane, h: unit } : { x: along(c), y: top + row * (lane + 30), w: unit, h: lane });
  const name = (/** @type {Owner} */ o) => `${o.gate ? 'g' : 'Q'}${o.head}`;
  const words = { size: down ? 12 : 13, weight: 600, anchor: /** @type {const} */ ('middle') };
  /** @type {Shape[]} */
  const shapes = [text(0, 16, down ? names.short[0] : names.stored, { fill: ink.ink2, size: 13 }),
    ...(down ? [text(lane + 12, 16, names.short[1], { fill: ink.ink2, size: 13 })]
      : [text(0, top + lane + 22, names.read, { fill: ink.ink2, size: 13 })])];
  stored.forEach((o, c) => {
    const fill = o.gate ? ink.gate : headColour(o.head, heads, groups, theme);
    const [a, b] = [box(c, 0), box(c, 1)];
    shapes.push(
      rect(a.x + 0.5, a.y + 0.5, a.w - 1, a.h - 1, { fill }),
      ...(o.gate ? [rect(a.x + 0.5, a.y + 0.5, down ? 5 : a.w - 1, down ? a.h - 1 : 5, { fill: headColour(o.head, heads, groups, theme) })] : []),
      text(a.x + a.w / 2, a.y + a.h / 2 + 5, name(o), { ...words, fill: fill.startsWith('#') ? textOn(parseHex(fill)) : ink.paper }),
    );
    const wrong = read[c].head !== o.head || read[c].gate !== o.gate;
    shapes.push(
      rect(b.x + 1, b.y + 1, b.w - 2, b.h - 2, { fill: wrong ? ink.warnGround : ink.paper, stroke: wrong ? ink.warn : ink.axis, width: 1 }),
      text(b.x + b.w / 2, b.y + b.h / 2 + 5, `${name(read[c])}${wrong && (down || b.w > 44) ? ' ≠' : ''}`, { ...words, fill: wrong ? ink.warn : ink.ink }),
    );
    if (read[c].head === picked) {
      for (const r of [a, b]) shapes.push(rect(r.x + 0.5, r.y + 0.5, r.w - 1, r.h - 1, { stroke: ink.hand, width: 3 }));
    }
  });
  const end = down ? top + along(n) : top + 2 * lane + 30;
  if (devices) {
    const cut = along(n / 2) - split / 2;
    shapes.push(down ? line(0, top + cut, width, top + cut, { stroke: ink.ink, width: 2, dash: '6 4' })
      : line(cut, 26, cut, end + 4, { stroke: ink.ink, width: 2, dash: '6 4' }));
    names.device.forEach((device, i) => shapes.push(down
      ? text(width, top + cut + (i ? 15 : -6), device, { fill: ink.ink, size: 12, anchor: 'end', halo: ink.plate })
      : text(cut + (i ? 10 : -10), 16, device, { fill: ink.ink, size: 13, weight: 600, anchor: i ? 'start' : 'end', halo: ink.plate })));
  }
  if (!down) {
    names.rows.forEach((row, i) => {
      const x = [0, along(n / 2) - (devices ? split / 2 : 0), width][i];
      shapes.push(text(x, end + 18, row, { fill: ink.ink2, size: 12, anchor: EDGES[i], halo: ink.plate }));
    });
  }
  return { shapes, width, height: end + (down ? 4 : 24), same };
}

/**
 * @param {Theme} theme
 * @param {{ width: number, heads: number, groups: number, dim: number, max: number, rows: { name: string, data: ArrayLike<number> }[] }} o
 * @returns {{ shapes: Shape[], height: number }}
 */
export function outputStrips(theme, { width, heads, groups, dim, max, rows }) {
  const ink = PALETTE[theme];
  const colour = valueScale('signed', theme, max);
  const gap = width < 400 ? 3 : 6;
  const cell = (width - (heads - 1) * gap) / (heads * dim);
  const tall = 26;
  const shapes = /** @type {Shape[]} */ (Array.from({ length: heads }, (_, h) => {
    const x = h * (dim * cell + gap);
    return [rect(x, 18, dim * cell, 4, { fill: headColour(h, heads, groups, theme) }),
      text(x + (dim * cell) / 2, 12, String(h), { fill: ink.ink2, size: 12, anchor: /** @type {const} */ ('middle') })];
  }).flat());
  rows.forEach(({ name, data }, r) => {
    const y = 28 + r * (tall + 24);
    for (let i = 0; i < heads * dim; i += 1) {
      const x = i * cell + Math.floor(i / dim) * gap;
      shapes.push(rect(x, y, cell, tall, { fill: toHex(colour(data[i])), stroke: ink.plate, width: 0.5 }));
    }
    shapes.push(text(0, y + tall + 16, name, { fill: ink.ink2, size: 12 }));
  });
  return { shapes, height: 28 + rows.length * (tall + 24) };
}
