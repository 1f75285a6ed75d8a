/** Pictures as data: colour maps, text that reads, shapes, cells on a canvas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, headColour, luminance, parseHex, ramp, textOn, toHex, valueScale } from '../../web/draw/colour.js';
import { paintShapes } from '../../web/draw/canvas.js';
import { apart } from '../../web/draw/chart.js';
import { cellSize, heatmap } from '../../web/draw/heatmap.js';
import { RAMPS } from '../../web/draw/palette.js';
import { framedPicture, wrap } from '../../web/draw/picture.js';
import { beadRadius, convexHull, domainAround, plane } from '../../web/draw/plane.js';
import { arrow, circle, moved, path, rect, text } from '../../web/draw/shapes.js';
import { svgFile } from '../../web/draw/svg.js';
import { tableShapes } from '../../web/draw/table.js';
import { textWidth } from '../../web/draw/text-width.js';

const THEMES = /** @type {const} */ (['light', 'dark']);
const steps = Array.from({ length: 201 }, (_, i) => i / 200);

test('a value scale meets its stops, clamps outside and is centred when signed', () => {
  for (const theme of THEMES) {
    const probability = valueScale('probability', theme);
    RAMPS[theme].probability.forEach((hex, i) => assert.equal(toHex(probability(i / 4)), hex.toLowerCase()));
    assert.deepEqual(probability(-1), probability(0));
    assert.deepEqual(probability(7), probability(1));
    assert.equal(toHex(valueScale('signed', theme, 3)(0)), RAMPS[theme].signed[2].toLowerCase());
    assert.equal(toHex(valueScale('signed', theme, 3)(-3)), RAMPS[theme].signed[0].toLowerCase());
  }
  assert.deepEqual(ramp(['#000000', '#646464'])(0.25), [25, 25, 25]);
});

test('lightness runs one way, and cell text never falls under 4.5', () => {
  for (const theme of THEMES) {
    for (const name of /** @type {const} */ (['probability', 'signed', 'gate'])) {
      const scale = valueScale(name, theme);
      const colours = steps.map((t) => scale(name === 'signed' ? t * 2 - 1 : t));
      for (const c of colours) assert.ok(contrast(c, parseHex(textOn(c) === '#000' ? '#000000' : '#ffffff')) >= 4.5);
      const lights = (name === 'signed' ? colours.slice(100) : colours).map(luminance);
      const rises = lights[lights.length - 1] > lights[0];
      for (let i = 1; i < lights.length; i += 1) assert.ok(rises ? lights[i] >= lights[i - 1] : lights[i] <= lights[i - 1], `${theme} ${name} ${i}`);
    }
  }
});

test('head colours: the eight of the palette, distinct for any other model', () => {
  assert.equal(headColour(0, 8, 2, 'light'), '#017071');
  assert.equal(headColour(7, 8, 2, 'light'), '#A485A3');
  for (const [heads, groups] of [[8, 1], [8, 4], [8, 8], [6, 2], [12, 3], [16, 4], [1, 1]]) {
    const all = Array.from({ length: heads }, (_, h) => headColour(h, heads, groups, 'dark'));
    assert.equal(new Set(all.map((c) => c.toLowerCase())).size, heads, `${heads} heads in ${groups}`);
  }
});

/** A context that remembers what it was told to fill. */
function fakeContext() {
  const calls = { fills: [], texts: [], image: null };
  return {
    calls,
    fillStyle: '',
    setTransform() {}, clearRect() {}, save() {}, restore() {}, beginPath() {}, rect() {}, clip() {}, moveTo() {}, lineTo() {}, stroke() {},
    fillRect(...box) { calls.fills.push([this.fillStyle, ...box]); },
    fillText(words, x, y) { calls.texts.push([words, this.fillStyle, Math.floor(x), Math.floor(y)]); },
    createImageData: (w, h) => ({ data: new Uint8ClampedArray(w * h * 4), width: w, height: h }),
    putImageData(image) { calls.image = image; },
  };
}

test('cells: value colours, numbers where there is room, no colour where masked, a mark where not a number', () => {
  const colour = valueScale('probability', 'light');
  const matrix = { rows: 2, cols: 3, data: [1, 0, 0.5, 0.25, Number.NaN, 0] };
  const ctx = fakeContext();
  heatmap(/** @type {any} */ (ctx), matrix, {
    cell: 60, colour, theme: 'light', masked: (i, j) => j > i + 1, maskedText: 'off', format: (v) => v.toFixed(2),
  });
  const fills = new Map(ctx.calls.fills.map(([style, x, y]) => [`${y / 60},${x / 60}`, style]));
  assert.equal(fills.get('0,0'), toHex(colour(1)));
  assert.equal(fills.get('1,0'), toHex(colour(0.25)));
  assert.ok(!fills.has('0,2'), 'a masked cell is not filled');
  assert.equal(fills.get('1,1'), '#FBF3DF');
  assert.deepEqual(ctx.calls.texts.map(([words]) => words), ['1.00', '0.00', 'off', '0.25', '0.00']);
  const small = fakeContext();
  heatmap(/** @type {any} */ (small), matrix, { cell: 24, colour, theme: 'light', format: (v) => String(v) });
  assert.equal(small.calls.texts.length, 0);
});

test('pixels: one per cell, transparent where masked', () => {
  const colour = valueScale('gate', 'dark');
  const ctx = fakeContext();
  heatmap(/** @type {any} */ (ctx), { rows: 2, cols: 2, data: [0.1, 0.9, 0.4, 1] }, {
    cell: 0, colour, theme: 'dark', masked: (i, j) => j > i,
  });
  assert.deepEqual([...ctx.calls.image.data], [...colour(0.1), 255, 0, 0, 0, 0, ...colour(0.4), 255, ...colour(1), 255]);
});

test('cell sizes follow the number of tokens and the room', () => {
  assert.deepEqual([3, 6, 7, 8, 9, 24, 25, 512].map((n) => cellSize(n, 2000)), [60, 60, 48, 48, 24, 24, 0, 0]);
  assert.equal(cellSize(6, 264), 44);
});

test('plane: up is positive, points and pixels invert, the string is the hull', () => {
  const p = plane(100, [-1, 3]);
  assert.deepEqual([p.x(-1), p.x(3), p.y(3), p.y(-1)], [0, 100, 0, 100]);
  assert.deepEqual(p.invert(50, 25), [1, 2]);
  assert.deepEqual(convexHull([[2, 0], [0, 2], [1, 1]]), [[0, 2], [2, 0]]);
  assert.equal(convexHull([[0, 0], [2, 0], [0, 2], [0.5, 0.5]]).length, 3);
  assert.equal(convexHull([[1, 1], [1, 1], [1, 1]]).length, 1);
  assert.deepEqual(domainAround([[0, 1]], [-0.4, 2.6]), [-0.4, 2.6]);
  assert.ok(domainAround([[5, -3]], [-0.4, 2.6])[0] < -3);
  assert.ok(beadRadius(0.8) > beadRadius(0.2));
});

test('shapes move, arrows without length are nothing, labels keep apart', () => {
  assert.deepEqual(moved([path('M1 2L3 -4Z', {}), circle(1, 1, 2, {})], 10, 100).map((s) => ('d' in s ? s.d.replace(/\s+/g, ' ') : [s.x, s.y])),
    ['M 11 102L 13 96Z', [11, 101]]);
  assert.deepEqual(arrow(5, 5, 5, 5, { stroke: 'red' }), []);
  assert.deepEqual(apart([10, 12, 50], 17), [10, 27, 50]);
});

test('an SVG file escapes its text and keeps every shape', () => {
  const svg = svgFile({ width: 10, height: 20, shapes: [text(1, 2, 'a<b & "c"', { fill: '#000' }), circle(1, 2, 3, {})], title: '<t>' });
  assert.match(svg, /^<svg [^>]*width="10" height="20"/);
  assert.match(svg, /a&lt;b &amp; &quot;c&quot;/);
  assert.match(svg, /<circle cx="1" cy="2" r="3"/);
  const framed = framedPicture('dark', { width: 300, height: 100, shapes: [] }, { title: 'T', mark: 'M', caption: '今天天气不错，我们去公园。'.repeat(4) });
  assert.ok(framed.width > 300 && framed.shapes.some((s) => s.kind === 'text' && s.text === 'M'));
  assert.ok(wrap('今天天气不错，我们去公园。', 70).every((l) => !/^[，。]/.test(l)));
});

test('lines are as long as their room, whatever they are made of', () => {
  assert.deepEqual(wrap('one two three', textWidth('one two')), ['one two', 'three']);
  for (const words of ['one two three four', '今天天气不错，我们去公园。', 'a'.repeat(40), 'WWW'.repeat(9), '']) {
    const lines = wrap(words, 90, { size: 14 });
    for (const line of lines) assert.ok(textWidth(line, { size: 14 }) <= 90, line);
    assert.equal(lines.join('').replaceAll(' ', ''), words.replaceAll(' ', ''));
  }
});

test('a saved picture: title and birth mark share a line only where both have room', () => {
  const frame = (/** @type {number} */ width) => framedPicture('light', { width, height: 50, shapes: [] }, {
    title: 'Fig 27  Why the gate lives in q_proj', mark: 'Counted · from the formula', caption: '' });
  for (const width of [180, 240, 300, 400, 600, 900]) {
    const picture = frame(width);
    const lines = picture.shapes.filter((s) => s.kind === 'text').map((s) => {
      const long = textWidth(s.text, s);
      return { y: s.y, from: s.anchor === 'end' ? s.x - long : s.x, to: s.anchor === 'end' ? s.x : s.x + long };
    });
    for (const a of lines) {
      assert.ok(a.from >= 0 && a.to <= picture.width, `${width}: ${JSON.stringify(a)}`);
      for (const b of lines) assert.ok(a === b || Math.abs(a.y - b.y) > 15 || a.to < b.from || b.to < a.from, `${width}`);
    }
    assert.equal(new Set(lines.map(({ y }) => y)).size === 1, width > 500, `one line at ${width}`);
  }
});

test('a table has room for its widest words, and is as wide as it is told where they are short', () => {
  const short = { columns: ['token', 'x', 'y'], rows: [['a', '1', '2']] };
  assert.equal(tableShapes('light', short, 400).width, 400);
  const long = { columns: ['token', 'gradient mark', 'gradient digit'], rows: [['a'.repeat(30), '1.000', '0.277, 1.723'], ['b', '-1e+21', '']] };
  const { width, shapes } = tableShapes('light', long, 200);
  assert.ok(width > 200);
  const boxes = shapes.filter((s) => s.kind === 'text').map((s) => ({ ...s, from: s.anchor === 'end' ? s.x - textWidth(s.text, s) : s.x,
    to: s.anchor === 'end' ? s.x : s.x + textWidth(s.text, s) }));
  for (const a of boxes) {
    assert.ok(a.from >= 0 && a.to <= width + 1e-9, a.text);
    for (const b of boxes) assert.ok(a === b || a.y !== b.y || a.to + 15 < b.from || b.to + 15 < a.from, `${a.text} | ${b.text}`);
  }
});

test('an SVG file is well-formed whatever its words hold', () => {
  const words = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('');
  const svg = svgFile({ width: 10, height: 20, shapes: [text(1, 2, words, { fill: '#000' })], title: 'a\0\ufffe\ud800b𠮷' });
  assert.doesNotMatch(svg, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  assert.match(svg, /<title>a␀‹U\+FFFE›‹U\+D800›b𠮷<\/title>/);
  assert.doesNotMatch(svg, /\sstyle=/);
});

test('what has no ground has none in pixels either', () => {
  /** @type {string[]} */
  const done = [];
  globalThis.Path2D ??= /** @type {any} */ (class { rect() {} });
  const ctx = new Proxy({}, { get: (_, name) => () => done.push(String(name)), set: () => true });
  paintShapes(/** @type {any} */ (ctx), [rect(0, 0, 9, 9, { fill: 'none', stroke: '#000' })]);
  assert.ok(done.includes('stroke') && !done.includes('fill'), done.join());
});
