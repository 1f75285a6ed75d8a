/** The plane of the toy: the same axes for asking (keys, query) and for mixing (values, output). */
import { scaleLinear } from 'd3-scale';
import { toHex, valueScale } from './colour.js';
import { PALETTE } from './palette.js';
import { arrow, circle, line, path, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {[number, number]} Point */

/**
 * A square plane.
 * @param {number} size CSS pixels
 * @param {[number, number]} domain the same for x and y
 */
export function plane(size, [lo, hi]) {
  const x = scaleLinear().domain([lo, hi]).range([0, size]);
  const y = scaleLinear().domain([lo, hi]).range([size, 0]);
  return {
    size,
    x,
    y,
    /** @param {number} px @param {number} py @returns {Point} */
    invert: (px, py) => [x.invert(px), y.invert(py)],
  };
}

/** @typedef {ReturnType<typeof plane>} Plane */

/**
 * Smallest square domain of whole or half steps that shows the origin and all points.
 * @param {Point[]} points
 * @param {[number, number]} atLeast
 * @returns {[number, number]}
 */
export function domainAround(points, [lo, hi]) {
  const all = points.flat();
  const span = Math.max(hi, ...all) - Math.min(lo, ...all);
  const room = span * 0.12;
  return [Math.min(lo, Math.min(...all) - room), Math.max(hi, Math.max(...all) + room)];
}

/** @param {Plane} p @param {Theme} theme @param {(n: number) => string} format */
export function axes(p, theme, format) {
  const { axis, ink2, plate } = PALETTE[theme];
  const [ox, oy] = [p.x(0), p.y(0)];
  const style = { stroke: axis, width: 1.5 };
  const step = p.x(1) - p.x(0);
  const ticks = p.x.ticks(step > 25 ? Math.ceil(p.size / 40) : 5).filter((n) => Number.isInteger(n) && n !== 0);
  const inside = (/** @type {number} */ at) => at > 10 && at < p.size - 10;
  const label = { fill: ink2, size: 12, halo: plate };
  return [
    line(0, oy, p.size, oy, style),
    line(ox, 0, ox, p.size, style),
    ...ticks.filter((n) => inside(p.x(n))).flatMap((n) => [
      line(p.x(n), oy - 3, p.x(n), oy + 3, style),
      text(p.x(n), oy + 18, format(n), { ...label, anchor: 'middle' }),
    ]),
    ...ticks.filter((n) => inside(p.y(n))).flatMap((n) => [
      line(ox - 3, p.y(n), ox + 3, p.y(n), style),
      text(ox - 9, p.y(n) + 4, format(n), { ...label, anchor: 'end' }),
    ]),
  ];
}

/**
 * Keys as arrows from the origin, labelled beyond their tips.
 * @param {Plane} p @param {Theme} theme
 * @param {{ at: Point, label: string }[]} keys
 */
export function keyArrows(p, theme, keys) {
  const { ink, plate } = PALETTE[theme];
  const arrows = keys.flatMap(({ at }) => arrow(p.x(0), p.y(0), p.x(at[0]), p.y(at[1]), { stroke: ink }));
  const placed = keys.map(({ at, label }) => {
    const [px, py] = [p.x(at[0]), p.y(at[1])];
    const steep = Math.abs(at[0]) < 0.3 * Math.abs(at[1]);
    const left = steep || at[0] < 0;
    const flat = Math.abs(at[1]) < 0.3 * Math.abs(at[0]);
    const dx = steep ? -24 : left ? -8 : 8;
    const dy = flat ? -7 : at[1] > 0 && !steep ? -6 : steep ? 4 : 16;
    return text(px + dx, py + dy, label, { fill: ink, anchor: left ? 'end' : 'start', halo: plate });
  });
  return [...arrows, ...placed];
}

/** @param {Plane} p @param {Theme} theme @param {Point} at */
export function queryArrow(p, theme, at) {
  return arrow(p.x(0), p.y(0), p.x(at[0]), p.y(at[1]), { stroke: PALETTE[theme].hand, width: 4, head: 13 });
}

/**
 * The ring the hand takes hold of, with its name.
 * @param {Plane} p @param {Theme} theme @param {Point} at @param {string} label
 */
export function queryHandle(p, theme, at, label) {
  const { hand, plate } = PALETTE[theme];
  const [px, py] = [p.x(at[0]), p.y(at[1])];
  const left = px > p.size - 84;
  const near = Math.hypot(...at) < 0.7;
  return [
    circle(px, py, 12, { stroke: hand, width: 2.5 }),
    text(px + (left ? 24 : near ? 0 : 19), py + (left ? -20 : near ? 40 : 5), label, {
      fill: hand, weight: 600, size: 14, anchor: left ? 'end' : 'start', halo: plate,
    }),
  ];
}

/** Radius of a bead that holds this share: area grows with the share. @param {number} share */
export const beadRadius = (share) => 5 + 12 * Math.sqrt(Math.max(0, share));

/**
 * Values as beads on a string (the hull of the values), sized and coloured by share.
 * @param {Plane} p @param {Theme} theme
 * @param {{ at: Point, label: string, share?: number }[]} values  share absent: not mixed yet
 */
export function beads(p, theme, values) {
  const { axis, plate, ink } = PALETTE[theme];
  const probability = valueScale('probability', theme);
  const string = toHex(probability(0.4));
  const hull = convexHull(values.map((v) => v.at)).map(([a, b]) => `${p.x(a)} ${p.y(b)}`);
  const body = hull.length > 2 ? [path(`M${hull.join('L')}Z`, { fill: string, opacity: 0.25 })] : [];
  const edge = hull.length > 1 ? [path(`M${hull.join('L')}Z`, { stroke: string, width: 5 })] : [];
  const round = values.flatMap(({ at, share, label }) => {
    const [px, py] = [p.x(at[0]), p.y(at[1])];
    const r = beadRadius(share ?? 0);
    const fill = share === undefined ? plate : toHex(probability(share));
    const left = px > p.size - 50;
    return [
      circle(px, py, r, { fill, stroke: axis, width: 1.5 }),
      text(px + (left ? -r - 6 : r + 7), py - 7, label, { fill: ink, anchor: left ? 'end' : 'start', halo: plate }),
    ];
  });
  return [...body, ...edge, ...round];
}

/** The output: an arrow from the origin to a black lozenge. @param {Plane} p @param {Theme} theme @param {Point} at */
export function outputBead(p, theme, at, label) {
  const { ink, plate } = PALETTE[theme];
  const [px, py] = [p.x(at[0]), p.y(at[1])];
  const left = px > p.size - 150;
  const low = py > p.y(0) - 46;
  return [
    ...arrow(p.x(0), p.y(0), px, py, { stroke: ink, width: 2.5, head: 10 }),
    path(lozenge(px, py), { fill: ink, stroke: plate, width: 1.5 }),
    text(px + (left ? -14 : 16), py + (low ? -22 : 27), label, {
      fill: ink, weight: 600, anchor: left ? 'end' : 'start', halo: plate,
    }),
  ];
}

/** @param {number} x @param {number} y */
const lozenge = (x, y) => `M${x} ${y - 9}L${x + 9} ${y}L${x} ${y + 9}L${x - 9} ${y}Z`;

/** A ring to aim at, around the origin. @param {Plane} p @param {Theme} theme @param {string} label */
export function targetRing(p, theme, label) {
  const { hand, plate } = PALETTE[theme];
  const [x, y, r] = [p.x(0), p.y(0), 14];
  const c = 0.5523 * r;
  const d = `M${x} ${y - r}C${x + c} ${y - r} ${x + r} ${y - c} ${x + r} ${y}C${x + r} ${y + c} ${x + c} ${y + r} ${x} ${y + r}`
    + `C${x - c} ${y + r} ${x - r} ${y + c} ${x - r} ${y}C${x - r} ${y - c} ${x - c} ${y - r} ${x} ${y - r}`;
  return [
    path(d, { stroke: hand, width: 2.5, dash: '6 4' }),
    text(x - r, y + 36, label, { fill: hand, weight: 600, halo: plate }),
  ];
}

/**
 * What a head brought before its gate, in outline, and where the gate can take it: a line to the origin, or a box.
 * @param {Plane} p @param {Theme} theme @param {Point} at @param {string} label @param {boolean} box
 */
export function gateReach(p, theme, at, label, box) {
  const { gate, ink2, plate } = PALETTE[theme];
  const [ox, oy, px, py] = [p.x(0), p.y(0), p.x(at[0]), p.y(at[1])];
  const reach = box ? path(`M${ox} ${oy}L${px} ${oy}L${px} ${py}L${ox} ${py}Z`, { fill: gate, opacity: 0.12 })
    : line(ox, oy, px, py, { stroke: gate, width: 2, dash: '5 4' });
  return [
    reach, ...(box ? [path(`M${ox} ${py}L${px} ${py}L${px} ${oy}`, { stroke: gate, width: 2, dash: '5 4' })] : []),
    path(lozenge(px, py), { fill: plate, stroke: gate, width: 2 }),
    text(px + 14, py + 22, label, { fill: ink2, weight: 600, halo: plate }),
  ];
}

/** A point the hand may drag, ringed in red. @param {Plane} p @param {Theme} theme @param {Point} at @param {number} r */
export const handRing = (p, theme, at, r) => [circle(p.x(at[0]), p.y(at[1]), r, { stroke: PALETTE[theme].hand, width: 2.5 })];

/**
 * Convex hull, counter-clockwise (monotone chain); points on an edge are left out.
 * @param {Point[]} points
 */
export function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .filter(([x, y], i, all) => i === 0 || x !== all[i - 1][0] || y !== all[i - 1][1]);
  const half = (/** @type {Point[]} */ list) => {
    /** @type {Point[]} */
    const chain = [];
    for (const q of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], q) <= 1e-9) chain.pop();
      chain.push(q);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.reverse())];
  return hull.length ? hull : sorted.slice(0, 1);
}

/** @param {Point} a @param {Point} b @param {Point} c twice the signed area of the triangle */
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
