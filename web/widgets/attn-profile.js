/**
 * A model by layer. scene="sink": F17 Two models, measured; scene="gates": F22 Gates by layer.
 * <attn-profile scene="sink | gates" figure="17">
 */
import { ModelFigure } from './parts/model-figure.js';
import { citedStyles } from './parts/cited.js';
import { layerStripStyles } from './parts/layer-strip.js';
import { keptOf, restoreKept } from './parts/place.js';
import { gatesStyles, ProfileGates } from './parts/profile-gates.js';
import { ProfileSink, sinkStyles } from './parts/profile-sink.js';
import { sliderStyles } from './parts/slider.js';

/** @typedef {import('../lab/text.js').Text} Text */

const SINK = /** @type {import('./parts/place.js').Keeps} */ ({
  view: ['view', ['mean', 'heads']], guess: ['guess', { min: 0, max: 100 }], shown: ['revealed', [true]],
});

export class AttnProfile extends ModelFigure {
  static captures = ['probs', 'v', 'gate'];
  static styles = [...ModelFigure.styles, layerStripStyles, sliderStyles, citedStyles, sinkStyles, gatesStyles];
  static properties = { ...ModelFigure.properties, scene: { type: String, reflect: true } };

  constructor() {
    super();
    this.scene = 'sink';
    this.#sink = new ProfileSink(this);
    this.#gates = new ProfileGates(this);
  }

  #sink;
  #gates;

  get #shows() { return this.scene === 'gates' ? this.#gates : this.#sink; }

  get words() { return this.#shows.words; }
  get fileName() { return `attn-f${this.figure || (this.scene === 'gates' ? 22 : 17)}-${this.scene}`; }

  /** Of the shares: how they are drawn, the reader's guess and whether it was answered. */
  get kept() { return { ...(this.scene === 'gates' ? {} : keptOf(this.#sink, SINK)), ...super.kept }; }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    if (this.scene !== 'gates') restoreKept(this.#sink, SINK, given);
  }

  willUpdate() {
    super.willUpdate();
    if (this.scene !== 'gates' && this.use.context) this.#sink.follow();
  }

  reset() { this.#shows.reset(); }

  /** @param {Text} t */
  renderControls(t) { return this.#shows.controls(t); }
  /** @param {Text} t */
  renderAside(t) { return this.#shows.aside(t); }

  /** The published figures need no run. @param {Text} t */
  renderPlate(t) {
    return this.scene === 'gates' || !this.use.context ? super.renderPlate(t) : this.#sink.plate(t, this.renderWaiting(t));
  }

  /** @param {Text} t */
  renderRun(t) { return this.#gates.run(t); }
  /** @param {Text} t */
  renderCaption(t) { return this.#shows.caption(t); }

  bearsOut() { return this.#shows.bearsOut(); }

  /** @param {Text} t */
  therefore(t) {
    if (this.scene === 'gates' || !this.use.context) return super.therefore(t);
    const found = this.bearsOut();
    return found === null ? null : t(`${this.words}.therefore${found ? '' : '_else'}`);
  }

  /** @param {Text} t */
  table(t) { return this.use.context && (this.scene !== 'gates' || this.captures) ? this.#shows.table(t) : null; }
  /** @param {Text} t */
  picture(t) { return this.use.context && this.captures ? this.#shows.picture(t) : null; }
  /** @param {Text} t */
  pictureCaption(t) { return this.#shows.pictureCaption(t); }
}
