/**
 * F5 F7 F27 One matrix, many heads: how a vector is split, what a head costs, where the gate sits.
 * <attn-split figure="5" scene="heads"> · scene="lowrank" · scene="gate"
 */
import { FigureElement } from './parts/figure.js';
import { keptOf, restoreKept } from './parts/place.js';
import { splitGate } from './parts/split-gate.js';
import { splitHeads } from './parts/split-heads.js';
import { splitLowRank } from './parts/split-lowrank.js';
import { splitStyles } from './parts/split-styles.js';
import { sliderStyles } from './parts/slider.js';

/** @typedef {import('../lab/text.js').Text} Text */

const SCENES = { heads: splitHeads, lowrank: splitLowRank, gate: splitGate };

export class AttnSplit extends FigureElement {
  static styles = [...FigureElement.styles, sliderStyles, splitStyles];

  static properties = {
    ...FigureElement.properties,
    scene: { type: String }, state: { state: true }, tried: { state: true }, guess: { state: true }, revealed: { state: true },
  };

  constructor() {
    super();
    this.scene = 'heads';
    /** What the scene holds; every change makes a new object. @type {any} */
    this.state = SCENES.heads.fresh();
    /** The small layer three ways (scene gate). @type {{ separate: Float32Array, heads: Float32Array, halves: Float32Array } | null} */
    this.tried = null;
    /** @type {number | null} */
    this.guess = null;
    this.revealed = false;
  }

  /** The scene that `state` belongs to. @type {any} */
  #held = SCENES.heads;

  /** @type {any} */
  get #play() { return Object.hasOwn(SCENES, this.scene) ? SCENES[/** @type {keyof typeof SCENES} */ (this.scene)] : SCENES.heads; }

  get words() { return this.#play.words; }
  get mark() { return this.#play.mark ?? /** @type {const} */ ('counted'); }
  get fileName() { return `attn-f${this.figure || this.#play.number}-${this.words}`; }

  /** CSS pixels inside the plate. */
  get room() { return Math.max(232, this.width - (this.width <= 576 ? 24 : 48)); }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (this.#held !== this.#play) this.reset();
    if (this.seen && (changed.has('state') || changed.has('scene'))) this.attempt(() => this.#play.compute?.(this));
  }

  onSeen() { this.attempt(() => this.#play.compute?.(this)); }

  reset() {
    this.#held = this.#play;
    this.state = this.#play.fresh();
    this.guess = null;
    this.revealed = false;
  }

  /** @param {Text} t */
  spoken(t) { return this.#play.sentence(this, t); }

  get kept() { return { ...keptOf(this.state, this.#play.keeps), ...super.kept }; }

  /** @param {Record<string, string>} given as an address says it; sizes that do not go together give way */
  restore(given) {
    super.restore(given);
    const state = { ...this.state };
    restoreKept(state, this.#play.keeps, given);
    this.state = this.#play.settled?.(state) ?? state;
  }

  /** @param {object} part */
  set(part) {
    this.state = { ...this.state, ...part };
  }

  /** @param {Text} t */
  renderControls(t) { return this.#play.controls(this, t); }
  /** @param {Text} t */
  renderPlate(t) { return this.#play.plate(this, t); }
  /** @param {Text} t */
  renderCaption(t) { return this.#play.caption(this, t); }
  /** @param {Text} t */
  renderAside(t) { return this.#play.aside ? this.#play.aside(this, t) : super.renderAside(t); }
  /** @param {Text} t */
  table(t) { return this.#play.table(this, t); }
  /** @param {Text} t */
  picture(t) { return this.#play.picture(this, t); }
  /** @param {Text} t */
  pictureCaption(t) { return `${this.#play.sentence(this, t)} ${this.therefore(t)}`; }
}
