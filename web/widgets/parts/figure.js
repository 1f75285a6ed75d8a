/**
 * The frame every figure stands in: head with birth mark and tools, controls, plate, caption, conclusion.
 * A figure gives its parts; the frame gives language, theme, the shared engine, table, saved image, errors, live text.
 */
import { html, LitElement, nothing, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { framedPicture } from '../../draw/picture.js';
import { adaptStyles } from './adapt.js';
import { arrivalWord } from './arrival.js';
import { csvOf, dataTable, errorBox } from './cards.js';
import { sharedEngine } from './engine.js';
import { Environment, Sight } from './environment.js';
import { FocusKeeper } from './focus.js';
import { birthMark } from './marks.js';
import { isOfNetwork } from './offline.js';
import { copyText, holdInSight, journey, keptOf, Place, restoreKept } from './place.js';
import { saveBlob, savePicture } from './save.js';
import { sharedStyles } from './styles.js';
import { turn } from './turns.js';
import { Voice } from './voice.js';

const TABLE_ROWS = 200;
/** Told to the figure around by an element inside it. detail: what its drawing threw, null when it stands. */
export const THROWN = 'attn-thrown';

/**
 * What every figure's address keeps, where the figure has it: its table, the reader's guess and whether it was
 * answered.
 */
const FRAME = /** @type {import('./place.js').Keeps} */ ({
  table: ['showTable', [true]], guess: ['guess', { min: 0, max: 9 }], shown: ['revealed', [true]],
});

/** @typedef {import('../../lab/text.js').Text} Text */

export class FigureElement extends LitElement {
  static styles = [...sharedStyles, adaptStyles];

  /** PROPS of every figure. figure: its number on the page, none when it stands alone. */
  static properties = {
    figure: { type: String },
    showTable: { state: true },
    saving: { state: true },
    error: { state: true },
    mishap: { state: true },
    said: { state: true },
    copied: { state: true },
    width: { state: true },
  };

  /** Elements a figure needs inside, by tag; defined when first used, a name already taken is kept. */
  /** @type {Record<string, CustomElementConstructor>} */
  static parts = {};

  /** What the address keeps of a figure: name there, property here, values allowed. @type {import('./place.js').Keeps} */
  static keeps = {};

  constructor() {
    super();
    this.figure = '';
    this.showTable = false;
    this.saving = false;
    /** @type {{ code?: string, message: string } | null} */
    this.error = null;
    /** What an act of the figure's own threw. @type {any} */
    this.mishap = null;
    this.said = '';
    this.copied = false;
    this.environment = new Environment(this);
    /** CSS pixels the figure has; pictures are laid out for it, so that their text keeps its size. */
    this.width = 0;
    this.#resize = new ResizeObserver(([entry]) => { this.width = Math.round(entry.contentRect.width); });
    this.seen = false;
    new Sight(this, (seen) => this.#sighted(seen));
    /** @type {AbortController | null} one per stay on the page: ends runs and listeners */
    this.stay = null;
    this.place = new Place(this);
    this.voice = new Voice(this);
    new FocusKeeper(this);
    this.#turn = 0;
    /** Jobs under way. */
    this.computing = 0;
    this.addEventListener(THROWN, (event) => {
      event.stopPropagation();
      this.#drew(event.composedPath()[0], /** @type {CustomEvent} */ (event).detail);
    });
  }

  #turn;
  #resize;
  #drawn = false;
  /** What threw when it was last drawn: parts by name, elements inside, or the figure after it was drawn. */
  /** @type {Map<unknown, any>} */
  #broken = new Map();
  /** Parts as they were when they last did not throw. @type {Map<string, unknown>} */
  #good = new Map();
  /** Starting over after a throw makes everything inside anew. */
  #life = 0;
  #rendered = false;
  /** @type {Element | null} */
  #coming = null;
  /** @type {(v?: unknown) => void} */
  #wake = () => {};

  connectedCallback() {
    for (const [tag, part] of Object.entries(/** @type {typeof FigureElement} */ (this.constructor).parts)) {
      if (!customElements.get(tag)) customElements.define(tag, part);
    }
    this.stay = new AbortController();
    addEventListener('online', () => this.onOnline(), { signal: this.stay.signal });
    super.connectedCallback();
    this.#resize.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resize.disconnect();
    this.stay?.abort();
    this.stay = null;
    this.seen = false;
    this.#turn += 1;
  }

  /** Until it is first drawn, a figure shows what stands in its place on the page, or says that it is on its way. */
  createRenderRoot() {
    const root = super.createRenderRoot();
    const [place, slot, words] = ['div', 'slot', 'p'].map((tag) => document.createElement(tag));
    place.className = 'waiting';
    words.className = 'coming';
    words.textContent = arrivalWord(this, 'coming.short');
    slot.append(words);
    place.append(slot);
    root.append(place);
    this.#coming = place;
    return root;
  }

  /** @param {import('lit').PropertyValues} changed */
  update(changed) {
    this.#coming?.remove();
    this.#coming = null;
    super.update(changed);
    this.#rendered = true;
  }

  /** Out of sight, figures are first drawn one after the other; one that comes into sight waits no longer. */
  async scheduleUpdate() {
    if (!this.seen && !this.#drawn) await Promise.race([turn(), new Promise((go) => { this.#wake = go; })]);
    this.#drawn = this.environment.text !== null;
    super.scheduleUpdate();
  }

  /**
   * What throws while a figure is drawn ends this drawing only, and the next change draws it as ever. Where a part or a
   * canvas threw, the error box stands beside all that did not; where nothing can be drawn, in place of it.
   */
  performUpdate() {
    this.#rendered = false;
    try {
      super.performUpdate();
      this.#drew(this, null);
    } catch (error) {
      if (this.#rendered) this.#drew(this, error);
      else this.#broke(error);
    }
  }

  /**
   * Something was drawn, or threw.
   * @param {unknown} what @param {any} error null when it stands
   */
  #drew(what, error) {
    if (error) reportError(error);
    // said once: who is drawn to say so throws again
    if (this.#broken.has(what) === (error !== null)) return;
    if (error) this.#broken.set(what, error);
    else this.#broken.delete(what);
    this.requestUpdate();
  }

  /**
   * A part of the figure; where it throws, the last that was good.
   * @param {string} name @param {() => any} make
   */
  #part(name, make) {
    try {
      const made = make();
      this.#good.set(name, made);
      return made;
    } catch (error) {
      reportError(error);
      this.#broken.set(name, error);
      return this.#good.get(name) ?? nothing;
    }
  }

  /** What threw, of what is on display. */
  get #thrown() {
    return [...this.#broken].find(([what]) => !(what instanceof Element) || what.isConnected)?.[1];
  }

  /** Another try: who threw is asked for all of it. */
  #redraw() {
    for (const [what] of this.#broken) if (what instanceof LitElement) what.requestUpdate();
    this.requestUpdate();
  }

  /** @param {any} error thrown by the figure's own code */
  #broke(error) {
    reportError(error);
    const { text: t } = this.environment;
    if (t) render(this.#renderBroken(t, error), this.renderRoot, this.renderOptions);
  }

  /**
   * Whatever of a figure goes on after the press, the drawing or the event that began it goes through here: the first
   * that it throws is shown until the figure starts over.
   * @param {() => unknown} act
   */
  async attempt(act) {
    const { stay } = this;
    try {
      await act();
    } catch (error) {
      reportError(error);
      if (stay === this.stay) this.mishap ??= error;
    }
  }

  /** @param {boolean} seen */
  #sighted(seen) {
    if (seen === this.seen) return;
    this.seen = seen;
    if (!seen) return void this.attempt(() => this.onUnseen());
    this.#wake();
    this.requestUpdate();
    this.attempt(() => this.onSeen());
  }

  /** As the page gave it. */
  startOver() {
    this.copied = false;
    this.showTable = false;
    this.saving = false;
    if (this.mishap || this.#broken.size > 0) this.#life += 1;
    this.mishap = null;
    this.#broken.clear();
    this.#good.clear();
    this.requestUpdate();
    return this.attempt(() => this.reset());
  }

  // What a figure overrides.
  /** Catalogue prefix of this figure's words. @returns {string} */
  get words() { throw new Error('a figure names its words'); }
  /** None where nothing is measured or counted. @returns {import('./marks.js').Mark | null} */
  get mark() { return 'live'; }
  /** File name of saved images, without its end. */
  get fileName() { return `attn-${this.words}`; }
  onSeen() {}
  onUnseen() {}
  /** Is what stands on the plate no longer what the figure would show? */
  get dimmed() { return this.error !== null; }
  /** The connection is back: what failed for want of it is tried again. */
  onOnline() { if (this.seen && this.error && isOfNetwork(this.error)) this.onSeen(); }
  reset() {}
  /** @param {Text} _t @returns {unknown} */
  renderControls(_t) { return nothing; }
  /** @param {Text} _t @returns {unknown} */
  renderPlate(_t) { return nothing; }
  /** @param {Text} _t @returns {unknown} */
  renderCaption(_t) { return nothing; }
  /** @param {Text} _t @returns {unknown} the predict card, beside the caption where there is room */
  renderAside(_t) { return nothing; }
  /** The conclusion, or nothing. @param {Text} t @returns {string | null} */
  therefore(t) { return t(`${this.words}.therefore`); }
  /** @param {Text} _t @returns {import('./cards.js').Table | null} */
  table(_t) { return null; }
  /** What the CSV file holds. @param {Text} t */
  csv(t) { return this.table(t); }
  /** Are there a table and an image now? A figure whose own are costly answers without making them. @param {Text} t */
  offers(t) { return { table: this.table(t) !== null, picture: this.picture(t) !== null }; }
  /** Plate as shapes for a saved image. @param {Text} _t @returns {{ width: number, height: number, shapes: any[] } | null} */
  picture(_t) { return null; }
  /** Caption of a saved image. @param {Text} t */
  pictureCaption(t) { return this.therefore(t) ?? ''; }
  /**
   * Read out when the reader's hand has changed the state: a sentence of the state as it stands.
   * @param {Text} _t @returns {string}
   */
  spoken(_t) { return ''; }
  /** What of all that is on screen no address can hold, in a few words. @param {Text} _t @returns {string} */
  unlinked(_t) { return ''; }
  /** @returns {import('./place.js').Keeps} */
  get keeps() {
    const own = /** @type {typeof FigureElement} */ (this.constructor).keeps;
    const frame = Object.entries(FRAME).filter(([name, [property]]) => property in this && !(name in own));
    return { ...own, ...Object.fromEntries(frame) };
  }

  /** What the address keeps, by name there. @returns {Record<string, import('../../lab/place.js').Value>} */
  get kept() { return keptOf(this, this.keeps); }
  /** @param {Record<string, string>} given as an address says it */
  restore(given) { restoreKept(this, this.keeps, given); }

  /**
   * Sets the figure as given and brings it into sight; a reader who comes back is left where they were.
   * @param {Record<string, string>} given
   */
  async visit(given) {
    await this.attempt(() => this.restore(given));
    await this.updateComplete;
    if (this.stay && !journey.returned) holdInSight(this, this.stay.signal);
    if (!journey.returned || journey.focus === this.figure) this.takeFocus();
  }

  takeFocus() { this.renderRoot.querySelector('figure')?.focus({ preventScroll: true }); }

  /** @param {Text} t */
  async copyLink(t) {
    const link = new URL(this.place.hash, location.href).href;
    this.copied = await copyText(link);
    if (!this.copied) location.hash = this.place.hash;
    this.say(t(this.copied ? 'frame.copied' : 'frame.inAddress'));
  }

  /** @param {Text} t @returns {{ label: string, run: () => void }[]} */
  remedies(t) { return [{ label: t('error.retry'), run: () => this.onSeen() }]; }

  /**
   * Runs a job on the shared engine; only the latest job's result counts, none after leaving the page.
   * @template R @param {(engine: any, signal: AbortSignal) => Promise<R>} job
   * @returns {Promise<R | undefined>} undefined when overtaken or failed (then `error` is set)
   */
  async run(job) {
    this.#turn += 1;
    const turn = this.#turn;
    const signal = this.stay?.signal ?? AbortSignal.abort();
    this.computing += 1;
    try {
      const result = await job(await sharedEngine(), signal);
      if (turn !== this.#turn || signal.aborted) return undefined;
      this.error = null;
      return result;
    } catch (error) {
      if (turn === this.#turn && !signal.aborted) this.fail(error);
      return undefined;
    } finally {
      this.computing -= 1;
      this.place.rested();
    }
  }

  /** @param {any} error */
  fail(error) {
    this.error = error;
    this.dispatchEvent(new CustomEvent('attn-error', { bubbles: true, composed: true, detail: error }));
  }

  /** One polite sentence about something that happened, a little later. @param {string} sentence */
  say(sentence) { this.voice.say(sentence); }

  /** Is nothing under way that changes what is shown? */
  get atRest() { return this.computing === 0; }

  /** @param {Text} t */
  heading(t) { return t(`${this.words}.title`); }
  /** @param {Text} t */
  markWords(t) { return t(`mark.${this.mark}`); }

  /** @param {Text} t @param {'svg' | 'png'} type */
  async save(t, type) {
    const plate = this.picture(t);
    if (!plate) return;
    const title = this.#numbered(t);
    const picture = framedPicture(this.environment.theme, plate, {
      title, mark: this.markWords(t), caption: this.pictureCaption(t),
    });
    await savePicture(picture, { name: this.fileName, type, title, lang: t.lang });
    this.saving = false;
  }

  /** @param {Text} t */
  #numbered(t) {
    return this.figure ? `${t('frame.figure', { n: this.figure })}  ${this.heading(t)}` : this.heading(t);
  }

  render() {
    const { text: t, failed } = this.environment;
    if (!t) {
      return html`<div class="waiting">${failed ? html`<div class="error" role="alert"><strong>▲ ${arrivalWord(this, 'words')}</strong>
        <p>${arrivalWord(this, 'words.more')}</p><div class="actions"><button type="button" class="link"
        @click=${() => this.environment.load()}>${arrivalWord(this, 'retry')}</button></div></div>`
    : html`<p class="coming">${arrivalWord(this, 'coming.short')}</p>`}</div>`;
    }
    for (const what of this.#broken.keys()) if (typeof what === 'string') this.#broken.delete(what);
    const head = this.#part('head', () => html`${this.#renderTitle(t, this.heading(t))}
        ${this.mark ? birthMark(this.mark, this.markWords(t)) : nothing}`);
    const tools = this.#part('tools', () => this.#renderTools(t));
    const controls = this.#part('controls', () => this.renderControls(t));
    const main = this.showTable ? this.#part('table', () => this.#renderTable(t))
      : this.#part('plate', () => this.renderPlate(t));
    const aside = this.#part('aside', () => this.renderAside(t));
    const conclusion = this.#part('conclusion', () => this.therefore(t) ?? nothing);
    const caption = this.#part('caption', () => this.renderCaption(t));
    const thrown = this.#thrown;
    return html`<figure lang=${t.lang} aria-labelledby="title" tabindex="-1">
      <div class="head">${head}</div>
      ${tools}
      <div class="main">${this.#wrapped('controls', controls)}
        ${this.error ? errorBox(t, this.error, this.#tried(this.remedies(t))) : nothing}
        ${this.mishap ? errorBox(t, this.mishap, [this.#freshStart(t)]) : nothing}
        ${thrown ? errorBox(t, thrown, this.#afterThrow(t)) : nothing}
        ${this.showTable ? main
    : html`<div class="plate ${this.dimmed || thrown ? 'stale' : ''}">${keyed(this.#life, main)}</div>`}</div>
      ${this.#wrapped('aside', aside)}
      <div class="foot">${caption === nothing ? nothing : html`<figcaption class="caption">${caption}</figcaption>`}
        ${!conclusion || conclusion === nothing ? nothing : html`<p class="therefore">${conclusion}</p>`}</div>
      <p class="live" role="status">${this.said}</p>
    </figure>`;
  }

  /** @param {Text} t @param {string} heading */
  #renderTitle(t, heading) {
    return html`<p class="title" id="title">${this.figure
      ? html`<span class="fig">${t('frame.figure', { n: this.figure })}</span>` : nothing}${heading}</p>`;
  }

  /** In place of a drawing that threw. @param {Text} t @param {any} error */
  #renderBroken(t, error) {
    return html`<figure lang=${t.lang} aria-labelledby="title" tabindex="-1">
      <div class="head">${this.#renderTitle(t, t(`${this.words}.title`))}</div>
      <div class="main">${errorBox(t, error, this.#afterThrow(t))}</div></figure>`;
  }

  /** @param {Text} t */
  #afterThrow(t) { return [{ label: t('error.retry'), run: () => this.#redraw() }, this.#freshStart(t)]; }

  /** @param {{ label: string, run: () => unknown }[]} remedies */
  #tried(remedies) { return remedies.map(({ label, run }) => ({ label, run: () => { this.attempt(run); } })); }

  /** @param {Text} t */
  #freshStart(t) { return { label: t('error.startOver'), run: () => this.startOver() }; }

  /** @param {string} name @param {unknown} inside */
  #wrapped(name, inside) {
    return inside === nothing ? nothing : html`<div class=${name}>${inside}</div>`;
  }

  /** @param {Text} t */
  #renderTools(t) {
    const tool = (/** @type {string} */ name, /** @type {() => void} */ run, /** @type {unknown} */ pressed = nothing) => html`
      <button type="button" class="tool" aria-pressed=${pressed} @click=${run}>${t(`tool.${name}`)}</button>`;
    const offers = this.offers(t);
    return html`<div class="tools">
      ${offers.table ? tool('table', () => { this.showTable = !this.showTable; }, this.showTable) : nothing}
      ${offers.picture ? tool('image', () => { this.saving = !this.saving; }, this.saving) : nothing}
      ${this.saving ? html`${tool('png', () => this.attempt(() => this.save(t, 'png')))}${
    tool('svg', () => this.attempt(() => this.save(t, 'svg')))}` : nothing}
      ${this.figure ? tool(this.copied ? 'copied' : 'link', () => this.attempt(() => this.copyLink(t))) : nothing}${
    this.figure && this.unlinked(t) ? html`<span class="unlinked">${this.unlinked(t)}</span>` : nothing}
      ${tool('reset', () => this.startOver())}</div>`;
  }

  /** @param {Text} t */
  #renderTable(t) {
    const table = this.table(t);
    if (!table) return nothing;
    return dataTable(table, {
      rows: TABLE_ROWS,
      more: t('table.more', { shown: t.count(TABLE_ROWS), all: t.count(table.rows.length) }),
      csv: t('table.csv'),
      onCSV: () => this.attempt(() => saveBlob(
        new Blob(['\ufeff', csvOf(this.csv(t) ?? table)], { type: 'text/csv' }), `${this.fileName}.csv`)),
    });
  }
}
