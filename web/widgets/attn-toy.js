/**
 * Attention over three tokens, worked by hand, in four scenes on one plane:
 * F1 share: score, share, mix · F14 blank: no query says nothing · F16 sink: the first value moved home · F18 gate: silence.
 * <attn-toy scene="share | blank | sink | gate" figure="1">
 */
import { html, nothing, svg } from 'lit';
import { LOOKING, mixingPlane, mixingScene, SIZE, toyScene } from '../draw/toy-scene.js';
import { moved } from '../draw/shapes.js';
import { tableShapes } from '../draw/table.js';
import { heldValue, VALUE_REACH } from '../lab/toy-scenes.js';
import { attend, freshToy, held, REACH, sceneOf, STEPS, withCoordinate, withPoint, WORDS } from '../lab/toy.js';
import { citedStyles } from './parts/cited.js';
import { choice, stepper, vector } from './parts/controls.js';
import { grab, nudge } from './parts/drag.js';
import { FigureElement } from './parts/figure.js';
import { holdsTouch } from './parts/pointer.js';
import { blank } from './parts/toy-blank.js';
import { gate } from './parts/toy-gate.js';
import { keptOf, restoreKept } from './parts/place.js';
import { share } from './parts/toy-share.js';
import { sink } from './parts/toy-sink.js';
import { drawn } from './parts/shapes.js';
import { workRows } from './parts/toy-table.js';
import { toyStyles } from './parts/toy-styles.js';
import { Ways } from './parts/ways.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {import('../lab/toy.js').Result} Result */
/** @typedef {[number, number]} Point */

/**
 * What a scene adds to the toy. Functions get the element; `own` is the scene's own state, `result` is there when asked.
 * @typedef {object} Act
 * @property {string} words  prefix of its texts
 * @property {number} figure  its number on the page
 * @property {'looking' | 'mixing'} tab  plane that a phone shows first
 * @property {boolean} [alone]  only the plane of mixing
 * @property {0} [movable]  the value with a ring to drag
 * @property {'first' | 'all'} [reach]  which points the hand moves besides the query
 * @property {import('./parts/place.js').Keeps} [keeps]  what the address keeps of its own state
 * @property {(own: any, toy: import('../lab/toy.js').Toy) => any} [settled]  own state as an address gave it, made whole
 * @property {() => any} [fresh]  its own state
 * @property {(engine: any, host: any) => Promise<Result>} [compute]
 * @property {(host: any) => void} [answered]  a result is there
 * @property {(host: any) => void} [rested]  nothing was moved for a moment
 * @property {(host: any, t: Text) => string} sentence
 * @property {(host: any, t: Text) => unknown} sheet
 * @property {(host: any, t: Text) => unknown} caption
 * @property {(host: any, t: Text) => unknown} [below]  across the plate's foot
 * @property {(host: any, t: Text) => unknown} [aside]
 * @property {(host: any, t: Text) => unknown} [controls]
 * @property {(host: any, t: Text) => any} [mixing]
 * @property {(host: any, t: Text) => { columns: string[], rows: string[][] }} [table]
 * @property {(host: any) => boolean} [conclusion]  whether the conclusion may be read yet
 */

/** @type {Record<import('../lab/toy.js').Scene, Act>} */
const ACTS = { share, blank, sink, gate };

/** Points and the step as an address keeps them: of the one in the hand, with the first value, or of all. */
const point = (/** @type {number} */ most, /** @type {number[]} */ shape = [2]) => ({ shape, least: -most, most });
const ONE = /** @type {import('./parts/place.js').Keeps} */ ({ row: ['picked', [...WORDS.keys()]], q: ['q', point(REACH.q)] });
const POINTS = /** @type {Record<string, import('./parts/place.js').Keeps>} */ ({
  one: ONE,
  first: { ...ONE, v: ['own', { shape: [2], least: 0, most: VALUE_REACH }] },
  all: { ...ONE, k: ['keys', point(REACH.k, [3, 2])], v: ['values', point(REACH.v, [3, 2])], step: ['step', [...Array(STEPS + 1).keys()].slice(1)] },
});

/** The planes a phone shows one of. */
const TABS = /** @type {const} */ (['looking', 'mixing']);

/** A query left alone for so long is at rest. */
const REST = 400;

export class AttnToy extends FigureElement {
  static styles = [...FigureElement.styles, citedStyles, ...toyStyles];

  static properties = {
    ...FigureElement.properties,
    scene: { type: String, reflect: true },
    toy: { state: true },
    own: { state: true },
    result: { state: true },
    tab: { state: true },
    guess: { state: true },
    revealed: { state: true },
  };

  #resting = 0;

  constructor() {
    super();
    this.scene = 'share';
    /** @type {Result | null} */
    this.result = null;
    /** Gates over all scores, once known. @type {Float32Array | null} */
    this.curve = null;
    new Ways(this);
    this.reset();
  }

  /** @returns {Act} */
  get act() { return ACTS[sceneOf(this.scene)]; }
  get words() { return this.act.words; }
  get fileName() { return `attn-f${this.figure || this.act.figure}-${sceneOf(this.scene)}`; }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#resting);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('scene') && (this.hasUpdated || this.scene !== 'share')) this.reset();
    const asks = changed.has('toy') || (changed.has('own') && this.act.compute);
    if (asks && this.seen) this.attempt(() => this.compute());
  }

  onSeen() { this.attempt(() => this.compute()); }

  reset() {
    this.toy = freshToy(sceneOf(this.scene));
    this.own = this.act.fresh?.();
    this.tab = this.act.tab;
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
    this.result = null;
  }

  /** What the address keeps: who asks, the query, and what else the scene lets the hand move. */
  get kept() {
    const { toy, own, act } = this;
    return { ...keptOf({ ...toy, q: toy.queries[toy.picked], own: toy.values[0] }, POINTS[act.reach ?? 'one']),
      ...keptOf(own ?? {}, act.keeps ?? {}), tab: this.tab !== act.tab && this.tab, ...super.kept };
  }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    const { act } = this;
    const toy = /** @type {any} */ ({ ...this.toy });
    restoreKept(toy, POINTS[act.reach ?? 'one'], given);
    if (toy.q) toy.queries = withPoint(toy, 'queries', toy.picked, toy.q).queries;
    if (toy.own) toy.values = withPoint(toy, 'values', 0, heldValue(toy.own)).values;
    delete toy.q;
    delete toy.own;
    this.toy = toy;
    const own = { ...this.own };
    restoreKept(own, act.keeps ?? {}, given);
    this.tab = TABS.find((tab) => tab === given.tab) ?? this.tab;
    if (act.fresh) this.own = act.settled?.(own, this.toy) ?? own;
  }

  async compute() {
    const { toy, act } = this;
    const found = await this.run((engine) => (act.compute ? act.compute(engine, this) : attend(engine, toy)));
    if (!found) return;
    this.result = found;
    act.answered?.(this);
    clearTimeout(this.#resting);
    if (act.rested) this.#resting = window.setTimeout(() => act.rested?.(this), REST);
  }

  /** @param {Text} t */
  spoken(t) { return this.sentence(t); }

  /** @param {Text} t */
  sentence(t) { return this.result ? this.act.sentence(this, t) : ''; }

  /** @param {'keys' | 'values' | 'queries'} part @param {number} token @param {0 | 1} axis @param {number} to */
  set(part, token, axis, to) { this.toy = withCoordinate(this.toy, part, token, axis, to); }

  /** @param {Point} to */
  pullQuery(to) { this.toy = withPoint(this.toy, 'queries', this.toy.picked, held(to, REACH.q)); }

  /** @param {Point} to */
  pullValue(to) { this.toy = withPoint(this.toy, 'values', 0, heldValue(to)); }

  /** @param {number} picked */
  pick(picked) { this.toy = { ...this.toy, picked }; }

  /** @param {number} step */
  go(step) { this.toy = { ...this.toy, step }; }

  /** What the two planes show. @param {Text} t */
  #scene(t) {
    const { toy, result, act } = this;
    const { theme } = this.environment;
    const format = (/** @type {number} */ n) => t.short(n);
    const output = result ? t('toy.output', { x: t.fixed(result.out[0], 2), y: t.fixed(result.out[1], 2) }) : '';
    const target = act === share ? undefined : t('blank.target');
    if (act.mixing) {
      const values = toy.values.map((at, i) => ({ at, label: `v ${WORDS[i]}`, share: result?.probs[i] }));
      return { looking: [], handle: [], mixing: mixingScene(theme, { values, format, target, ...act.mixing(this, t) }) };
    }
    return toyScene(theme, { toy, result, words: WORDS, output, format, target, movable: act.movable });
  }

  /** @param {Text} t */
  renderControls(t) {
    if (this.act.controls) return this.act.controls(this, t);
    return html`<div class="tabs">${choice({
      name: 'tab', legend: t('toy.planes'), hideLegend: true, wide: true, value: this.tab,
      options: [{ value: 'looking', label: t('toy.looking') }, { value: 'mixing', label: t('toy.mixing') }],
      onPick: (tab) => { this.tab = /** @type {'looking' | 'mixing'} */ (tab); },
    })}</div>`;
  }

  /**
   * A ring on a plane that the hand drags or the arrows move.
   * @param {Text} t
   * @param {{ plane: import('../draw/plane.js').Plane, at: Point, reach: [number, number], label: string,
   *   shapes?: import('../draw/shapes.js').Shape[], pull: (to: Point) => void }} o
   */
  #handle(t, { plane, at, reach: [min, max], label, shapes = [], pull }) {
    return svg`<g class="handle" tabindex="0" role="slider" aria-label=${label} aria-valuenow=${at[1]} aria-valuemin=${min}
      aria-valuemax=${max} aria-valuetext=${`(${t.short(at[0])}, ${t.short(at[1])})`}
      @touchstart=${holdsTouch} @pointerdown=${(/** @type {PointerEvent} */ e) => grab(e, (x, y) => pull(plane.invert(x, y)))}
      @keydown=${(/** @type {KeyboardEvent} */ e) => nudge(e, at, pull)}>
      <circle class="target" cx=${plane.x(at[0])} cy=${plane.y(at[1])} r="22" fill="transparent"></circle>${drawn(shapes)}</g>`;
  }

  /** @param {Text} t */
  renderPlate(t) {
    const { act } = this;
    const scene = this.#scene(t);
    return html`<div class="three is-${sceneOf(this.scene)}" data-tab=${this.tab}>
      ${act.alone ? nothing : this.#renderLooking(t, scene)}
      <div class="sheet work">${act.sheet(this, t)}${act.alone ? nothing : this.#renderSteppers(t)}</div>
      ${this.#renderMixing(t, scene.mixing)}${act.below?.(this, t) ?? nothing}
    </div>`;
  }

  /** @param {Text} t @param {ReturnType<typeof toyScene>} scene */
  #renderLooking(t, scene) {
    const { queries, picked } = this.toy;
    return html`<div class="looking"><p class="heading">${t('toy.looking.long')}</p>
      <svg viewBox="0 0 ${SIZE} ${SIZE}" role="group" aria-label=${t('toy.looking.long')}>
        <g aria-hidden="true">${drawn(scene.looking)}</g>
        ${this.#handle(t, {
          plane: LOOKING, at: queries[picked], reach: [-REACH.q, REACH.q], label: t('toy.handle', { token: WORDS[picked] }),
          shapes: scene.handle, pull: (to) => this.pullQuery(to),
        })}</svg></div>`;
  }

  /** @param {Text} t @param {import('../draw/shapes.js').Shape[]} shapes */
  #renderMixing(t, shapes) {
    const { movable } = this.act;
    const label = this.sentence(t) || t('toy.mixing.long');
    const box = `0 0 ${SIZE} ${SIZE}`;
    const { values } = this.toy;
    return html`<div class="mixing"><p class="heading">${t('toy.mixing.long')}</p>${movable === undefined
      ? html`<svg viewBox=${box} role="img" aria-label=${label}>${drawn(shapes)}</svg>`
      : html`<svg viewBox=${box} role="group" aria-label=${label}><g aria-hidden="true">${drawn(shapes)}</g>${this.#handle(t, {
        plane: mixingPlane(values), at: values[movable], reach: [0, VALUE_REACH], label: t('toy.values', { token: WORDS[movable] }),
        pull: (to) => this.pullValue(to),
      })}</svg>`}</div>`;
  }

  /** @param {Text} t */
  #renderSteppers(t) {
    const { picked, queries, values } = this.toy;
    const one = (/** @type {string} */ label, /** @type {number} */ value, /** @type {[number, number]} */ [min, max],
      /** @type {(to: number) => void} */ onChange) => stepper({
      value, text: t, label, min, max, step: 0.5, less: t('step.less', { name: label }), more: t('step.more', { name: label }), onChange,
    });
    const axes = /** @type {const} */ ([0, 1]);
    return html`<div class="steppers"><span>q</span>${axes.map((a) => one(this.#queryLabel(t, a), queries[picked][a], [-REACH.q, REACH.q],
      (to) => this.set('queries', picked, a, to)))}</div>${this.act.movable === undefined ? nothing : html`<div class="steppers">
      <span>v</span>${axes.map((a) => one(`${t('toy.values', { token: WORDS[0] })} ${'xy'[a]}`, values[0][a], [0, VALUE_REACH],
        (to) => this.set('values', 0, a, to)))}</div>`}`;
  }

  /** @param {Text} t @param {0 | 1} axis */
  #queryLabel(t, axis) { return `${t('toy.queries', { token: WORDS[this.toy.picked] })} ${'xy'[axis]}`; }

  /** The query as two red numbers in a sentence. @param {Text} t */
  queryVector(t) {
    const { picked, queries } = this.toy;
    return html`<span class="whole">(${vector({
      value: queries[picked], text: t, min: -REACH.q, max: REACH.q, labels: [this.#queryLabel(t, 0), this.#queryLabel(t, 1)],
      onChange: (axis, to) => this.set('queries', picked, axis, to),
    })})</span>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return this.act.caption(this, t); }
  /** @param {Text} t */
  renderAside(t) { return this.act.aside?.(this, t) ?? nothing; }
  /** @param {Text} t @returns {string | null} */
  therefore(t) { return this.act.conclusion?.(this) === false ? null : super.therefore(t); }

  /** @param {Text} t */
  table(t) { return { caption: this.sentence(t), ...(this.act.table ?? workRows)(this, t) }; }

  /** @param {Text} t */
  picture(t) {
    const scene = this.#scene(t);
    const gap = 32;
    const left = this.act.alone ? 0 : SIZE + gap;
    const { shapes, width } = tableShapes(this.environment.theme, this.table(t), 420);
    return {
      width: left + width + gap + SIZE,
      height: SIZE,
      shapes: [...scene.looking, ...scene.handle, ...moved(shapes, left, 60), ...moved(scene.mixing, left + width + gap, 0)],
    };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.sentence(t)} ${this.therefore(t) ?? ''}`; }
}
