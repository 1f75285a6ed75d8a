/** F15 The kitchen: cooks who must pour, and a head chef who may say no. <attn-kitchen figure="15"> */
import { css, html, svg } from 'lit';
import { cookBox, kitchenLayout, kitchenScene } from '../draw/kitchen.js';
import { COOKS, CURRENT, DISHES, journey, stopsOf } from '../lab/kitchen.js';
import { choice } from './parts/controls.js';
import { FigureElement } from './parts/figure.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';
import { stepBar } from './parts/steps.js';

/** @typedef {import('../lab/text.js').Text} Text */

export class AttnKitchen extends FigureElement {
  static styles = [...FigureElement.styles, css`
    .room { display: grid; grid-template-columns: minmax(0, 600px) minmax(15rem, 1fr); gap: 24px 40px; align-items: start; }
    .room > svg { width: 100%; height: auto; max-width: 600px; margin-inline: auto; }
    .cook { cursor: pointer; outline: none; }
    .cook:focus-visible rect { stroke: var(--attn-ink); stroke-width: 3; }
    .told ol { margin: 0 0 16px; padding: 0; list-style: none; }
    .told li { padding: 6px 0 6px 14px; border-inline-start: 2px dashed var(--attn-rule); color: var(--attn-ink2); }
    .told li[aria-current='step'] { border-inline-start: 3px solid var(--attn-hand); padding-inline-start: 13px; color: var(--attn-ink); }
    .who { margin-bottom: 12px; }
    .steps { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; color: var(--attn-ink2); }
    @container (max-width: 50rem) { .room { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) {
      .sheet { margin-inline: -12px; margin-bottom: -12px; padding-inline: 12px; border-width: 1px 0 0; }
      .controls .choice, .controls .segments { display: flex; flex: 1; }
      .controls .segments label { flex: 1; }
    }
  `];

  static properties = { ...FigureElement.properties, gate: { state: true }, cook: { state: true }, step: { state: true } };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({
    gate: ['gate', [false, true]], cook: ['cook', [...COOKS.keys()]], step: ['step', { min: 1, max: 9 }],
  });

  constructor() {
    super();
    this.reset();
  }

  reset() {
    this.gate = false;
    this.cook = 0;
    /** Stop of the picked ladle, from 1; the scoop shows the whole picture. */
    this.step = 2;
  }

  get words() { return 'kitchen'; }
  get mark() { return /** @type {const} */ ('illustration'); }
  get fileName() { return `attn-f${this.figure || 15}-${this.gate ? 'gate' : 'no-gate'}`; }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('step') || changed.has('gate')) this.step = Math.min(this.step, stopsOf(this.gate).length);
  }

  /** @param {Text} t */
  spoken(t) { return this.#told(t, this.step - 1); }

  /** @param {number} cook */
  #pick(cook) {
    this.cook = cook;
    this.step = 2;
  }

  /** @param {boolean} gate */
  #setGate(gate) {
    this.gate = gate;
    this.step = 2;
  }

  /** What happens at one stop of the picked ladle. @param {Text} t @param {number} stop */
  #told(t, stop) {
    const { gate, cook } = this;
    const name = stopsOf(gate)[stop];
    const kind = COOKS[cook].found ? 'found' : gate ? 'dip' : 'water';
    return t(`kitchen.${name}.${name === 'scoop' ? kind : COOKS[cook].found ? 'found' : name === 'pour' && !gate ? 'water' : 'empty'}`, {
      head: COOKS[cook].head, dish: DISHES[journey(cook, gate).dish], pot: DISHES[CURRENT],
    });
  }

  /** @param {Text} t @param {number} room */
  #scene(t, room) {
    const { gate, cook, step } = this;
    const layout = kitchenLayout(room, DISHES.length, COOKS.length, gate);
    const shapes = kitchenScene(this.environment.theme, layout, {
      dishes: DISHES.map((name, i) => ({ name, gloss: t(`kitchen.gloss.${i}`) })),
      tank: !gate, pot: DISHES[CURRENT], gate, chef: t('kitchen.chef'), picked: cook, step: stopsOf(gate)[step - 1],
      cooks: COOKS.map(({ head, found }, i) => ({
        head, ...journey(i, gate), words: t(found ? 'kitchen.found' : gate ? 'kitchen.nothing' : 'kitchen.must').split('|'),
      })),
      verdicts: [t('kitchen.kept'), t('kitchen.emptied')],
    });
    return { layout, shapes };
  }

  /** @param {Text} t */
  renderControls(t) {
    return choice({
      name: 'gate', legend: t('kitchen.switch'), hideLegend: true, value: this.gate ? 'gate' : 'none',
      options: ['none', 'gate'].map((value) => ({ value, label: t(`kitchen.${value}`) })), onPick: (value) => this.#setGate(value === 'gate'),
    });
  }

  /** @param {Text} t */
  renderPlate(t) {
    const { layout, shapes } = this.#scene(t, this.width < 800 ? this.width - 24 : 600);
    const stops = stopsOf(this.gate);
    return html`<div class="room"><svg viewBox="0 0 ${layout.width} ${layout.height}" role="group"
        aria-label=${t(`kitchen.picture.${this.gate ? 'gate' : 'none'}`)}>
        <g aria-hidden="true">${drawn(shapes)}</g>${COOKS.map((_, i) => this.#renderCook(t, layout, i))}</svg>
      <div class="sheet told"><div class="who">${choice({
        name: 'cook', legend: t('kitchen.cook'), value: this.cook,
        options: COOKS.map(({ head }, value) => ({ value, label: `Q${head}` })), onPick: (value) => this.#pick(Number(value)),
      })}</div>
      <ol>${stops.map((_, i) => html`<li aria-current=${i === this.step - 1 ? 'step' : 'false'}>${this.#told(t, i)}</li>`)}</ol>
      ${stepBar(t, {
        host: this, step: this.step, steps: stops.length, name: t(`kitchen.stop.${stops[this.step - 1]}`), label: t('kitchen.follow'),
        onGo: (step) => { this.step = step; },
      })}</div></div>`;
  }

  /** A pointer's way to what the radio buttons do. @param {Text} t @param {import('../draw/kitchen.js').Layout} layout @param {number} i */
  #renderCook(t, layout, i) {
    const { x, y, w, h } = cookBox(layout, i);
    return svg`<g class="cook" aria-hidden="true"
      @click=${() => this.#pick(i)}><rect x=${x} y=${y} width=${w} height=${h} fill="transparent"></rect></g>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return rich(t, `kitchen.caption.${this.gate ? 'gate' : 'none'}`); }

  /** @param {Text} t */
  table(t) {
    const rows = COOKS.map(({ head, found }, i) => [`Q${head}`, ...[false, true].map((gate) => {
      const { dish, kept, water } = journey(i, gate);
      return t(water ? 'kitchen.row.water' : kept ? 'kitchen.row.kept' : 'kitchen.row.emptied', { dish: DISHES[dish] });
    }), t(found ? 'kitchen.yes' : 'kitchen.no')]);
    return { caption: t('kitchen.title'), columns: [t('kitchen.cook'), t('kitchen.none'), t('kitchen.gate'), t('kitchen.something')], rows };
  }

  /** @param {Text} t */
  picture(t) {
    const { layout, shapes } = this.#scene(t, 600);
    return { width: layout.width, height: layout.height, shapes };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${t(`kitchen.caption.${this.gate ? 'gate' : 'none'}`)} ${this.therefore(t) ?? ''}`; }
}
