/** Scene "gate" (F18): score, squeeze, multiply; the slider pulls the bead home. */
import { html, nothing } from 'lit';
import { sigmoidScene, sigmoidX, HEIGHT } from '../../draw/sigmoid.js';
import { curveArgs, SCORES } from '../../lab/slope.js';
import { freshTap, MARKS, SILENT, tapArgs, withZ, Z } from '../../lab/toy-scenes.js';
import { attend, lengthOf } from '../../lab/toy.js';
import { choice, scrub } from './controls.js';
import { rich } from './rich.js';
import { drawn } from './shapes.js';
import { SLIDE_EDGE, slider } from './slider.js';
import { stepBar } from './steps.js';
import { foundWay } from './ways.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../attn-toy.js').AttnToy} Toy */

const STEPS = 3;
/** Gates print four decimals here: the chapter's 0.0025 would be lost in three. */
const DIGITS = 4;
const WIDTH = 560;

/** @param {Text} t @param {ArrayLike<number> | undefined} p @param {number} [digits] */
const pair = (t, p, digits = DIGITS) => (p ? `(${t.fixed(p[0], digits)}, ${t.fixed(p[1], digits)})` : '');

/** @param {Toy} host @param {Text} t @param {0 | 1} axis */
function zSlider(host, t, axis) {
  const { own } = host;
  const label = own.split ? t('tap.z.axis', { axis: 'xy'[axis] }) : t('tap.z');
  const value = own.z[axis];
  const onChange = (/** @type {number} */ to) => { host.own = withZ(host.own, axis, to); };
  return html`<div class="z"><span>z${own.split ? html`<sub>${'xy'[axis]}</sub>` : nothing} = ${scrub({
      value, text: t, label, min: -Z, max: Z, digits: 1, onChange,
    })}</span>
    ${slider({ value, min: -Z, max: Z, step: 0.1, label, words: t.short(value), onInput: onChange })}</div>`;
}

/** @param {Toy} host @param {Text} t */
function curve(host, t) {
  const { own, result, curve: gates } = host;
  if (!gates || !result?.gate) return nothing;
  const at = (/** @type {number} */ z) => ({ z, g: gates[SCORES.indexOf(z)] });
  const width = Math.max(200, Math.min(WIDTH, host.width - 24));
  const points = (own.split ? [0, 1] : [0]).map((i) => ({ z: own.z[i], g: result.gate[i], name: own.split ? 'xy'[i] : '' }));
  const shapes = sigmoidScene(host.environment.theme, sigmoidX(width, SLIDE_EDGE, Z), {
    curve: SCORES.map(at), marks: MARKS.map(at), points, format: (n) => t.short(n), digits: (n) => t.short(n, DIGITS),
  });
  return html`<svg class="sigmoid" viewBox="0 0 ${width} ${HEIGHT}" role="img"
    aria-label=${t('tap.curve', { gate: pair(t, result.gate) })}>${drawn(shapes)}</svg>`;
}

/** @type {import('../attn-toy.js').Act} */
export const gate = {
  words: 'tap',
  figure: 18,
  tab: 'mixing',
  alone: true,
  fresh: freshTap,
  keeps: {
    z: ['z', { shape: [2], least: -Z, most: Z }], split: ['split', [true]], step: ['step', [...Array(STEPS).keys()].map((n) => n + 1)],
  },
  settled: (own) => ({ ...own, split: own.split || own.z[0] !== own.z[1] }),

  async compute(engine, host) {
    host.curve ??= (await engine.gate(curveArgs())).gate.data;
    const { toy, own } = host;
    const result = await attend(engine, toy);
    const found = await engine.gate(tapArgs(own, result.out));
    return { ...result, gate: [found.gate.data[0], found.gate.data[1]], gated: [found.out.data[0], found.out.data[1]] };
  },

  answered({ result }) {
    if (lengthOf(result.gated) < SILENT) foundWay('gate');
  },

  sentence({ own, result }, t) {
    const one = (/** @type {number} */ i) => t('tap.say.gate', { z: t.fixed(own.z[i], 1), gate: t.fixed(result.gate[i], DIGITS) });
    const gates = own.split ? [0, 1].map((i) => `${'xy'[i]}: ${one(i)}`).join(t('list.comma')) : one(0);
    return t('tap.say', { gates, out: pair(t, result.gated) });
  },

  /** What the mixing plane shows: before the gate in outline, after it once multiplied. */
  mixing({ own, result }, t) {
    return {
      out: result && own.step >= STEPS ? result.gated : null,
      output: result ? `o ⊙ g ${pair(t, result.gated, 2)}` : '',
      brought: result && { at: result.out, label: `o ${pair(t, result.out, 2)}`, box: own.split },
    };
  },

  controls(host, t) {
    return choice({
      name: 'split', legend: t('tap.how'), value: host.own.split ? 'two' : 'one',
      options: ['one', 'two'].map((value) => ({ value, label: t(`tap.how.${value}`) })),
      onPick: (value) => {
        const [z] = host.own.z;
        host.own = value === 'two' ? { ...host.own, split: true } : { ...host.own, split: false, z: [z, z] };
      },
    });
  },

  sheet(host, t) {
    const { own, result } = host;
    const from = (/** @type {number} */ first, /** @type {unknown} */ shown) => html`
      <div class="stage ${own.step < first ? 'later' : ''}">${shown}</div>`;
    const mark = (/** @type {number} */ z) => html`<button type="button" class="link" @click=${() => {
      host.own = { ...host.own, z: [z, z] };
    }}>${t('tap.mark', { z: t.short(z) })}</button>`;
    const axes = own.split ? [0, 1] : [0];
    return html`
      ${from(1, html`<p><span class="n">1</span>${rich(t, 'tap.step.1.text')}</p>${axes.map((a) => zSlider(host, t, /** @type {0 | 1} */ (a)))}
        <p class="marks">${MARKS.map(mark)}</p>`)}
      ${from(2, html`<p><span class="n">2</span>${rich(t, 'tap.step.2.text')}
        <output class="g">${own.split || !result ? pair(t, result?.gate) : t.fixed(result.gate[0], DIGITS)}</output></p>${curve(host, t)}`)}
      ${from(3, html`<p><span class="n">3</span>${rich(t, 'tap.step.3.text')}</p><p class="product">${pair(t, result?.out, 0)} ⊙ ${
        pair(t, result?.gate)} = <strong class="out">${pair(t, result?.gated)}</strong></p>`)}
      ${stepBar(t, {
        host, step: own.step, steps: STEPS, name: t(`tap.step.${own.step}`), label: t('toy.steps'),
        onGo: (step) => { host.own = { ...host.own, step }; },
      })}`;
  },

  caption(_host, t) { return rich(t, 'tap.caption'); },

  table({ own, result }, t) {
    const axis = (/** @type {0 | 1} */ i) => (result?.gate ? [
      'xy'[i], t.fixed(result.out[i]), t.fixed(own.z[i], 1), t.fixed(result.gate[i], DIGITS), t.fixed(result.gated[i], DIGITS),
    ] : ['xy'[i], '', '', '', '']);
    return { columns: [t('tap.axis'), 'o', 'z', 'g = σ(z)', 'o ⊙ g'], rows: [axis(0), axis(1)] };
  },
};
