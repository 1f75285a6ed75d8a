/**
 * F26 The sink lab: two small models learn in the reader's browser, one gate apart.
 * scene="kv": the same task with K/V heads shared, loss against cache size.
 * <attn-sink-lab scene="lab | kv" figure="26">
 */
import { citedStyles } from './parts/cited.js';
import { FigureElement } from './parts/figure.js';
import { AttnHeatmap } from './parts/heatmap.js';
import { SinkKv, sinkKvStyles } from './parts/sink-kv.js';
import { SinkLab } from './parts/sink-lab.js';
import { sinkLabStyles } from './parts/sink-styles.js';
import { sliderStyles } from './parts/slider.js';

/** @typedef {import('../lab/text.js').Text} Text */

export class AttnSinkLab extends FigureElement {
  static parts = { 'attn-heatmap': AttnHeatmap };
  static styles = [...FigureElement.styles, sliderStyles, citedStyles, sinkLabStyles, sinkKvStyles];
  static properties = { ...FigureElement.properties, scene: { type: String, reflect: true } };

  constructor() {
    super();
    this.scene = 'lab';
    this.#lab = new SinkLab(this);
    this.#kv = new SinkKv(this);
  }

  #lab;
  #kv;

  get #shows() { return this.scene === 'kv' ? this.#kv : this.#lab; }

  get words() { return this.#shows.words; }
  get fileName() { return `attn-f${this.figure || 26}-${this.scene}`; }
  /** Workers under way: false once the run is over, given up or off the page. */
  get working() { return this.#lab.runner.alive || this.#kv.running; }

  get kept() { return { ...this.#shows.kept, ...super.kept }; }
  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    this.#shows.restore(given);
  }

  /** @param {Text} t */
  spoken(t) { return this.#shows.spoken(t); }
  /** @param {Text} t */
  unlinked(t) { return this.#shows.unlinked(t); }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#lab.leave();
    this.#kv.leave();
  }

  onSeen() { this.#shows.seen(); }
  onUnseen() { this.#shows.unseen(); }
  reset() { this.#shows.reset(); }

  /** @param {Text} t */
  remedies(t) { return [{ label: t('sinkLab.over'), run: () => (this.scene === 'kv' ? this.#kv.start() : this.#lab.restart()) }]; }

  /** @param {Text} t */
  renderControls(t) { return this.#shows.controls(t); }
  /** @param {Text} t */
  renderPlate(t) { return this.#shows.plate(t); }
  /** @param {Text} t */
  renderAside(t) { return this.#shows.aside(t); }
  /** @param {Text} t */
  renderCaption(t) { return this.#shows.caption(t); }
  /** @param {Text} t */
  therefore(t) { return this.#shows.therefore(t); }
  offers() { return this.#shows.offers(); }
  /** @param {Text} t */
  table(t) { return this.#shows.table(t); }
  /** @param {Text} t */
  picture(t) { return this.#shows.picture(t); }
  /** @param {Text} t */
  pictureCaption(t) { return this.#shows.pictureCaption(t); }
}
