/** The kitchen in pencil: dishes on a counter, cooks with ladles, a pot; with a gate, a head chef between. No numbers. */
import { headColour, parseHex, textOn } from './colour.js';
import { PALETTE } from './palette.js';
import { line, path, rect, text } from './shapes.js';

/** @typedef {import('./palette.js').Theme} Theme */
/** @typedef {{ x: number, y: number }} Spot */

const HEADS = 8;
const GROUPS = 2;
const COUNTER = 128;
const COOK = { y: 226, w: 68, h: 38 };
const CHEF = { y: 330, h: 40 };

/**
 * Where everything stands in a room of this width.
 * @param {number} room CSS pixels @param {number} dishes @param {number} cooks @param {boolean} gate
 */
export function kitchenLayout(room, dishes, cooks, gate) {
  const width = Math.max(264, Math.min(600, room));
  const step = width / dishes;
  const pot = { x: width / 2, y: gate ? 462 : 392 };
  return {
    width,
    height: pot.y + 50,
    step,
    half: Math.min(42, step / 2 - 6),
    dish: (/** @type {number} */ i) => ({ x: step * (i + 0.5), y: 92 }),
    cook: (/** @type {number} */ i) => ({ x: (width * (i + 0.5)) / cooks, y: COOK.y }),
    chef: { x: width / 2, y: CHEF.y },
    pot,
  };
}

/** @typedef {ReturnType<typeof kitchenLayout>} Layout */

/** A slack line from a down to b. @param {Spot} a @param {Spot} b */
const slack = (a, b) => `M${a.x} ${a.y}C${a.x} ${(a.y + b.y) / 2 + 8} ${b.x} ${(a.y + b.y) / 2 - 8} ${b.x} ${b.y}`;

/** A bowl whose rim has this middle. @param {Spot} at @param {number} half @param {number} deep */
const bowl = ({ x, y }, half, deep) => `M${x - half} ${y - deep}L${x + half} ${y - deep}C${x + half} ${y} ${x + half * 0.6} ${y + deep * 0.85} `
  + `${x + half * 0.45} ${y + deep}L${x - half * 0.45} ${y + deep}C${x - half * 0.6} ${y + deep * 0.85} ${x - half} ${y} ${x - half} ${y - deep}Z`;

/** @param {Spot} at @param {string} fill @param {boolean} full */
const ladle = ({ x, y }, fill, full) => [
  path(`M${x - 12} ${y - 4}L${x + 12} ${y - 4}C${x + 12} ${y + 8} ${x - 12} ${y + 8} ${x - 12} ${y - 4}Z`,
    full ? { fill } : { stroke: fill, width: 2, dash: '4 3' }),
  line(x + 10, y - 4, x + 19, y - 20, { stroke: fill, width: 3 }),
];

/**
 * @param {Theme} theme @param {Layout} l
 * @param {{ dishes: { name: string, gloss: string }[], tank: boolean, pot: string, gate: boolean, chef: string,
 *   cooks: { head: number, dish: number, kept: boolean, words: string[] }[], picked: number, step: string,
 *   verdicts: [string, string] }} o  tank: the first dish is water; step: where the picked ladle is; verdicts: kept, emptied
 */
export function kitchenScene(theme, l, { dishes, tank, pot, gate, chef, cooks, picked, step, verdicts }) {
  const ink = PALETTE[theme];
  const pencil = { stroke: ink.ink2, width: 2, dash: '6 4' };
  const middle = { fill: ink.ink, anchor: /** @type {const} */ ('middle'), halo: ink.plate };
  const still = dishes.flatMap(({ name, gloss }, i) => {
    const { x, y } = l.dish(i);
    const labels = [text(x, gloss ? 22 : 36, name, { ...middle, weight: 600, size: 15 }),
      ...(gloss ? [text(x, 40, gloss, { ...middle, fill: ink.ink2, size: 12 })] : [])];
    if (i === 0 && tank) {
      const wave = (/** @type {number} */ at) => `M${x - l.half + 6} ${at}C${x - l.half / 2} ${at - 9} ${x - l.half / 3} ${at + 9} ${x} ${at}`
        + `C${x + l.half / 3} ${at - 9} ${x + l.half / 2} ${at + 9} ${x + l.half - 6} ${at}`;
      return [...labels, rect(x - l.half, 52, 2 * l.half, COUNTER - 53, { fill: ink.v, opacity: 0.28 }),
        rect(x - l.half, 52, 2 * l.half, COUNTER - 53, pencil), path(wave(68), { stroke: ink.v, width: 2 }),
        path(wave(80), { stroke: ink.v, width: 2 })];
    }
    const steam = [-14, 0, 14].map((dx) => path(`M${x + dx} 50C${x + dx + 7} 56 ${x + dx + 7} 60 ${x + dx} 66`, { stroke: ink.axis, width: 1.5 }));
    return [...labels, ...steam, path(bowl({ x, y: y + 9 }, l.half, 26), pencil)];
  });
  const people = cooks.flatMap(({ head, dish, kept, words }, i) => {
    const colour = headColour(head, HEADS, GROUPS, theme);
    const at = l.cook(i);
    const scoop = { x: l.dish(dish).x, y: l.dish(dish).y + 2 };
    const pour = { x: l.pot.x + (at.x < l.pot.x ? -16 : 16), y: l.pot.y - 30 };
    const check = { x: l.chef.x + (at.x < l.chef.x ? -54 : 54), y: CHEF.y - CHEF.h / 2 - 6 };
    const below = { x: at.x, y: at.y + COOK.h / 2 + 14 + words.length * 16 };
    const now = i === picked;
    const where = now ? step : 'scoop';
    const spot = { look: { x: at.x + 46, y: at.y - 6 }, scoop, chef: check, pour }[where] ?? scoop;
    const emptied = where === 'pour' && !kept;
    const opacity = now ? 1 : 0.5;
    const drop = { x: check.x + (at.x < l.chef.x ? -46 : 46), y: check.y + 98 };
    const onward = !gate ? [path(slack(below, pour), { ...pencil, opacity })]
      : [path(slack(below, check), { ...pencil, opacity }),
        kept ? path(slack({ x: check.x, y: CHEF.y + CHEF.h / 2 }, pour), { ...pencil, opacity })
          : path(slack({ x: check.x, y: CHEF.y + CHEF.h / 2 }, drop), { ...pencil, dash: '2 5', opacity }),
        text(kept ? check.x + 12 : drop.x, kept ? CHEF.y + 50 : drop.y + 18, verdicts[kept ? 0 : 1], {
          ...middle, fill: ink.ink2, anchor: kept ? 'start' : 'middle', opacity,
        })];
    return [
      path(slack({ x: scoop.x, y: scoop.y + 8 }, { x: at.x, y: at.y - COOK.h / 2 }), {
        stroke: colour, width: now ? 5 : 3.5, dash: '9 6', opacity,
      }),
      ...onward,
      rect(at.x - COOK.w / 2, at.y - COOK.h / 2, COOK.w, COOK.h, { fill: colour }),
      text(at.x, at.y + 6, `Q${head}`, { fill: colour.startsWith('#') ? textOn(parseHex(colour)) : ink.ink, anchor: 'middle', weight: 600, size: 16 }),
      ...(now ? [rect(at.x - COOK.w / 2 - 4, at.y - COOK.h / 2 - 4, COOK.w + 8, COOK.h + 8, { stroke: ink.hand, width: 2 })] : []),
      ...words.map((word, n) => text(at.x, at.y + COOK.h / 2 + 20 + n * 16, word, middle)),
      ...ladle(emptied ? { x: drop.x, y: drop.y - 10 } : spot, colour, !emptied && where !== 'look'),
    ];
  });
  const chefBox = [
    rect(l.chef.x - 92, CHEF.y - CHEF.h / 2, 184, CHEF.h, { fill: ink.paper, stroke: ink.gate, width: 2, dash: '6 4' }),
    text(l.chef.x, CHEF.y + 5, chef, { fill: ink.gate, anchor: 'middle', weight: 600 }),
  ];
  return [
    line(0, COUNTER, l.width, COUNTER, { stroke: ink.ink, width: 1.5 }),
    ...still, ...(gate ? chefBox : []), ...people,
    path(bowl(l.pot, 68, 24), { stroke: ink.ink, width: 2.5, dash: '6 4' }),
    text(l.pot.x, l.pot.y + 6, pot, { ...middle, weight: 600, size: 16 }),
  ];
}

/** Where a cook can be tapped. @param {Layout} l @param {number} i */
export function cookBox(l, i) {
  const { x, y } = l.cook(i);
  return { x: x - COOK.w / 2, y: y - COOK.h / 2 - 3, w: COOK.w, h: COOK.h + 6 };
}
