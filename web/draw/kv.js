/** Bars of what is kept, crossings on the context axis, and three frames: why no old query is kept. */
import { scaleLinear } from 'd3-scale';
import { textOn, parseHex } from './colour.js';
import { PALETTE } from './palette.js';
import { strokes } from './pencil.js';
import { line, path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {import('./shapes.js').Shape} Shape */
/** @typedef {{ name: string, note: string, bytes: number, amount: string, kind: 'kv' | 'state', star?: boolean }} Bar */

const NARROW = 600;

/**
 * @param {Theme} theme
 * @param {{ width: number, bars: Bar[], end: number, format: (bytes: number) => string,
 *   weights: { bytes: number, label: string } | null }} o  end: bytes at the end of the axis
 */
export function kvBars(theme, { width, bars, end, format, weights }) {
  const ink = PALETTE[theme];
  const narrow = width < NARROW;
  const [left, right] = narrow ? [0, 8] : [196, 104];
  const [row, tall, top] = narrow ? [64, 22, 34] : [48, 26, 34];
  const x = scaleLinear().domain([0, end]).range([left, width - right]);
  const bottom = top + bars.length * row;
  /** @type {Shape[]} */
  const shapes = [];
  for (const v of [0, end / 2, end]) {
    shapes.push(
      line(x(v), top - 4, x(v), bottom - 6, { stroke: ink.rule, width: 1 }),
      text(x(v), bottom + 10, format(v), { fill: ink.ink2, size: 12, anchor: v ? (v === end && narrow ? 'end' : 'middle') : 'start' }),
    );
  }
  /** @type {Shape[]} */
  const amounts = [];
  bars.forEach(({ name, note, bytes, amount, kind, star }, i) => {
    const y = top + i * row + (narrow ? 22 : 6);
    const size = Math.max(1, x(bytes) - left);
    const words = { fill: ink.ink, size: 14, weight: star ? 600 : 400 };
    if (narrow) {
      shapes.push(text(0, y - 7, `${star ? '★ ' : ''}${name}`, words),
        text(width, y - 7, amount, { fill: ink.ink, size: 14, weight: 600, anchor: 'end' }));
    } else {
      shapes.push(text(0, y + 12, name, words), text(0, y + 28, note, { fill: ink.ink2, size: 12 }));
      amounts.push(text(left + size + 12, y + 18, amount, { fill: ink.ink, size: 15, weight: 600, halo: ink.plate }));
      if (star) shapes.push(text(left - 16, y + 19, '★', { fill: ink.ink, size: 14, anchor: 'end' }));
    }
    if (kind === 'state') shapes.push(rect(left, y, size, tall, { fill: ink.state }));
    else {
      shapes.push(rect(left, y, size / 2, tall, { fill: ink.k }), rect(left + size / 2, y, size / 2, tall, { fill: ink.v }));
      if (theme === 'forced') shapes.push(rect(left, y, size, tall, { stroke: ink.ink, width: 1 }));
    }
  });
  if (weights) {
    const inside = weights.bytes <= end;
    const at = inside ? x(weights.bytes) : width - right;
    if (inside) shapes.push(line(at, top - 10, at, bottom - 6, { stroke: ink.ink, width: 2, dash: '2 3' }));
    shapes.push(text(at, 16, inside ? weights.label : `${weights.label} →`, {
      fill: ink.ink, size: 13, weight: 600, anchor: inside && at < width * 0.6 ? 'start' : 'end',
    }));
  }
  return { shapes: [...shapes, ...amounts], height: bottom + 16 };
}

/**
 * Ticks under the context slider, on its axis of powers; the reader's own tick in red dashes.
 * @param {Theme} theme
 * @param {{ width: number, edge: number, most: number, ticks: { at: number, label: string, bold?: boolean }[],
 *   guess: { at: number, label: string } | null }} o
 */
export function contextTicks(theme, { width, edge, most, ticks, guess }) {
  const ink = PALETTE[theme];
  const x = scaleLinear().domain([0, Math.log2(most)]).range([edge, width - edge]);
  const all = [...ticks.map((t) => ({ ...t, mine: false })), ...(guess ? [{ ...guess, bold: true, mine: true }] : [])]
    .map((t) => ({ ...t, x: x(Math.log2(t.at)) })).sort((a, b) => a.x - b.x);
  const wide = width >= 900 && !guess;
  const shapes = all.flatMap(({ x: at, label, bold, mine }, i) => {
    const y = wide ? 26 : 24 + i * 19;
    const style = mine ? { stroke: ink.hand, width: 2, dash: '4 3' } : { stroke: ink.ink, width: bold ? 2 : 1 };
    /** @type {'start' | 'middle' | 'end'} */
    const anchor = wide ? 'middle' : at > width / 2 ? 'end' : 'start';
    const shift = wide ? 0 : anchor === 'end' ? -6 : 6;
    return [line(at, 0, at, wide ? 11 : y + 2, style),
      text(Math.min(at + shift, width), y, label, { fill: mine ? ink.hand : ink.ink2, size: 12.5, weight: bold ? 600 : 400, anchor, halo: ink.paper })];
  });
  return { shapes, height: all.length === 0 ? 0 : wide ? 32 : 28 + (all.length - 1) * 19 };
}

/** short: of the frames that end with the values. */
export const FRAME = { width: 292, height: 186, short: 150 };
/** Where frame 1 mixes the values: the middle of a dashed box below the new word's v. */
const OUT = { y: 154, height: 28 };

/**
 * One frame of decoding a fourth word. 0: it brings q, k, v. 1: its q meets every key, the values flow into its output.
 * 2: k and v stay, q goes.
 * @param {Theme} theme @param {number} frame @param {string[]} words
 * @returns {Shape[]}
 */
export function decodeFrame(theme, frame, words) {
  const ink = PALETTE[theme];
  const [box, step, left] = [34, 74, 18];
  const rows = { q: 30, k: 74, v: 112 };
  const label = { size: 13, weight: 600, anchor: /** @type {const} */ ('middle') };
  const kept = (/** @type {number} */ x, /** @type {'k' | 'v'} */ row, /** @type {boolean} */ isNew) => {
    const fill = ink[row];
    return [
      rect(x, rows[row], box, 30, { fill, stroke: isNew ? ink.ink : undefined, width: 1.5, dash: isNew ? '4 3' : undefined }),
      text(x + box / 2, rows[row] + 20, row, { ...label, fill: fill.startsWith('#') ? textOn(parseHex(fill)) : ink.paper }),
    ];
  };
  const last = words.length - 1;
  const pencil = { stroke: ink.ink, width: 1.5, dash: '5 4' };
  const end = left + last * step;
  const out = frame === 1 ? [
    rect(end, OUT.y, box, OUT.height, { ...pencil, dash: '5 3' }),
    text(end + box / 2, OUT.y + 19, 'o', { ...label, fill: ink.ink }),
  ] : [];
  /** From a value into the output: down, then along. @param {number} x */
  const mixed = (x) => {
    const [from, to] = [rows.v + 33, OUT.y + OUT.height / 2];
    return x === end ? [line(x + box / 2, from, x + box / 2, OUT.y - 2, pencil)]
      : [path(`M${x + box / 2} ${from}C${x + box / 2} ${to} ${x + box / 2} ${to} ${x + box} ${to}L${end - 9} ${to}`, pencil)];
  };
  const tip = frame === 1 ? [path(`M${end - 2} ${OUT.y + OUT.height / 2}L${end - 10} ${OUT.y + OUT.height / 2 - 4}L${end - 10} ${
    OUT.y + OUT.height / 2 + 4}Z`, { fill: ink.ink })] : [];
  return [...out, ...tip, ...words.flatMap((word, i) => {
    const x = left + i * step;
    const isNew = i === last;
    const gone = frame === 2 || !isNew;
    const q = isNew || frame === 2 ? [
      rect(x, rows.q, box, 30, { stroke: gone ? ink.axis : ink.ink, width: 1.5, dash: '5 3' }),
      text(x + box / 2, rows.q + 20, 'q', { ...label, fill: gone ? ink.ink2 : ink.ink, weight: gone ? 400 : 600 }),
      ...(gone ? [path(strokes(x + 2, rows.q + 2, 30, 3), { stroke: ink.axis, width: 1.2, dash: '6 2' })] : []),
    ] : [];
    const meets = frame === 1 ? [
      path(`M${end} ${rows.q + 15}C${x + box} ${rows.q + 15} ${x + box / 2} ${rows.q + 20} ${x + box / 2} ${rows.k - 3}`, pencil)] : [];
    return [
      text(x + box / 2, 18, word, { fill: isNew ? ink.ink : ink.ink2, size: 14, weight: isNew ? 600 : 400, anchor: /** @type {const} */ ('middle') }),
      ...(i === last && frame === 1 ? [line(x + box / 2, rows.q + 30, x + box / 2, rows.k - 3, pencil)] : meets),
      ...(frame === 1 ? mixed(x) : []), ...q, ...kept(x, 'k', isNew && frame === 0), ...kept(x, 'v', isNew && frame === 0),
    ];
  })];
}
