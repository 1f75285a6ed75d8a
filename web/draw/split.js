/** One vector into heads, widths to scale: every head reads all of it and writes its own strip. */
import { headColour, parseHex, textOn } from './colour.js';
import { PALETTE } from './palette.js';
import { path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {import('./shapes.js').Shape} Shape */
/** @typedef {{ heads: number, dim: number, groups: number, gated: boolean, hidden: number }} Split */
/** @typedef {{ from: number, size: number }} Span along the feature axis, in CSS pixels */

const PAIR_GAP = 16;
const TALL = 400;

/**
 * Where everything stands. Flow runs to the right, or down on a phone; features are counted across it.
 * @param {number} room CSS pixels @param {Split} split
 */
export function splitLayout(room, { heads, dim, groups, gated, hidden }) {
  const down = room < 440;
  const width = Math.max(232, Math.min(room, 640));
  const gap = heads > 8 ? 2 : 4;
  const query = heads * dim * (gated ? 2 : 1);
  const gaps = (heads - 1) * gap + 2 * (groups - 1) * gap + 2 * PAIR_GAP;
  const length = down ? width : TALL;
  const unit = Math.min(0.14, (length - gaps) / (query + 2 * groups * dim));
  const used = (query + 2 * groups * dim) * unit + gaps;
  const flow = down ? { from: 30, box: 26, to: 214, end: 34 } : { from: 64, box: 30, to: width - 168, end: 64 };
  const start = (length - used) / 2;
  let at = start;
  const take = (/** @type {number} */ features, /** @type {number} */ after) => {
    const span = { from: at, size: features * unit };
    at += span.size + after;
    return span;
  };
  const last = (/** @type {number} */ i, /** @type {number} */ n) => (i === n - 1 ? PAIR_GAP : gap);
  const q = Array.from({ length: heads }, (_, h) => take(dim * (gated ? 2 : 1), last(h, heads)));
  const k = Array.from({ length: groups }, (_, g) => take(dim, last(g, groups)));
  const v = Array.from({ length: groups }, (_, g) => take(dim, last(g, groups)));
  const input = { from: (length - hidden * unit) / 2, size: hidden * unit };
  return { down, width, height: down ? flow.to + flow.end + 26 : TALL, flow, unit, q, k, v, input };
}

/** @typedef {ReturnType<typeof splitLayout>} Layout */

/** A box of the picture: along the flow and across it. @param {Layout} layout @param {number} at @param {number} deep @param {Span} span */
function place({ down }, at, deep, { from, size }) {
  return down ? { x: from, y: at, w: size, h: deep } : { x: at, y: from, w: deep, h: size };
}

/** Where head h's box stands. @param {Layout} layout @param {number} h */
export const splitBox = (layout, h) => place(layout, layout.flow.to, layout.flow.end, layout.q[h]);

/** A ribbon from the whole input to one strip. @param {Layout} layout @param {Span} span */
function fan({ down, flow, input }, { from, size }) {
  const [a, b] = [flow.from + flow.box, flow.to];
  const m = (a + b) / 2;
  const p = (/** @type {number} */ f, /** @type {number} */ c) => (down ? `${c} ${f}` : `${f} ${c}`);
  return `M${p(a, input.from)}C${p(m, input.from)} ${p(m, from)} ${p(b, from)}L${p(b, from + size)}`
    + `C${p(m, from + size)} ${p(m, input.from + input.size)} ${p(a, input.from + input.size)}Z`;
}

/**
 * @param {Theme} theme @param {Layout} layout @param {Split} split
 * @param {{ picked: number, names: { input: string, query: string, key: string, value: string } }} o
 * @returns {Shape[]}
 */
export function splitPicture(theme, layout, { heads, groups, gated }, { picked, names }) {
  const ink = PALETTE[theme];
  const { flow, down } = layout;
  const strip = (/** @type {Span} */ span, /** @type {string} */ fill, /** @type {string} */ label) => {
    const b = place(layout, flow.to, flow.end, span);
    const on = fill.startsWith('#') ? textOn(parseHex(fill)) : ink.paper;
    /** Where the name has no room its numeral has. */
    const name = span.size >= (down ? 19 : 12) ? label : down && span.size >= 9 && label.length === 2 ? label[1] : '';
    return [rect(b.x, b.y, b.w, b.h, { fill }), ...(name ? [text(b.x + b.w / 2, b.y + b.h / 2 + 4, name, {
      fill: on, weight: 600, size: 12, anchor: /** @type {const} */ ('middle') })] : [])];
  };
  const colour = (/** @type {number} */ h) => headColour(h, heads, groups, theme);
  const order = [...layout.q.keys()].filter((h) => h !== picked).concat(picked);
  const box = place(layout, flow.from, flow.box, layout.input);
  const mine = splitBox(layout, picked);
  return [
    ...[...layout.k, ...layout.v].map((span, i) => path(fan(layout, span), { fill: i < groups ? ink.k : ink.v, opacity: 0.1 })),
    ...order.map((h) => path(fan(layout, layout.q[h]), { fill: colour(h), opacity: h === picked ? 0.7 : 0.12 })),
    rect(box.x, box.y, box.w, box.h, { fill: ink.ink }),
    ...layout.q.flatMap((span, h) => {
      if (!gated) return strip(span, colour(h), `Q${h}`);
      const half = span.size / 2;
      return [...strip({ from: span.from, size: half }, colour(h), `Q${h}`), ...strip({ from: span.from + half, size: half }, ink.gate, `g${h}`)];
    }),
    ...layout.k.flatMap((span, g) => strip(span, ink.k, `K${g}`)),
    ...layout.v.flatMap((span, g) => strip(span, ink.v, `V${g}`)),
    rect(mine.x - 3, mine.y - 3, mine.w + 6, mine.h + 6, { stroke: ink.hand, width: 2 }),
    ...labels(ink, layout, names),
  ];
}

/** @param {Record<string, string>} ink @param {Layout} layout @param {{ input: string, query: string, key: string, value: string }} names */
function labels(ink, layout, names) {
  const { down, flow, width } = layout;
  const style = { fill: ink.ink2, size: 13 };
  const middle = (/** @type {Span[]} */ spans) => (spans[0].from + spans[spans.length - 1].from + spans[spans.length - 1].size) / 2;
  if (down) {
    const y = flow.to + flow.end + 20;
    return [
      text(width / 2, 18, names.input, { ...style, anchor: /** @type {const} */ ('middle') }),
      text(layout.q[0].from, y, names.query, style),
      text(width, y, `${names.key} · ${names.value}`, { ...style, anchor: /** @type {const} */ ('end') }),
    ];
  }
  const x = flow.to + flow.end + 12;
  return [
    text(flow.from - 8, layout.input.from + layout.input.size / 2 + 4, names.input, { ...style, anchor: /** @type {const} */ ('end') }),
    text(x, middle(layout.q) + 4, names.query, { ...style, weight: 600, fill: ink.ink }),
    text(x, middle(layout.k) + 4, names.key, style),
    text(x, middle(layout.v) + 4, names.value, style),
  ];
}
