/** F30 Where the gate came from: one trouble, many hands; each remedy replayed on the blank sheet. <attn-timeline figure="30"> */
import { css, html, nothing } from 'lit';
import { timelineShapes } from '../draw/timeline.js';
import { cured, KNOBS } from '../lab/cures.js';
import { readValue } from '../lab/place.js';
import { EVENTS } from '../lab/timeline.js';
import { freshToy, lengthOf, REACH, withCoordinate, withPoint } from '../lab/toy.js';
import { SILENT } from '../lab/toy-scenes.js';
import { FigureElement } from './parts/figure.js';
import { replay, replayStyles, sentence } from './parts/replay.js';
import { foundWay } from './parts/ways.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {import('../lab/cures.js').Cure} Cure */

export class AttnTimeline extends FigureElement {
  static styles = [...FigureElement.styles, replayStyles, css`
    .line { margin: 0; padding: 0; list-style: none; }
    .line > li { position: relative; padding: 0 0 6px 128px; }
    .line > li::before { content: ''; position: absolute; inset: 0 auto 0 104px; width: 2px; background: var(--attn-axis); }
    .line > li:first-child::before { top: 16px; }
    .line > li:last-child::before { bottom: auto; height: 16px; }
    summary { display: block; list-style: none; cursor: pointer; min-height: 32px; padding: 4px 0; font-weight: 600; }
    summary::-webkit-details-marker { display: none; }
    summary::before { content: ''; position: absolute; left: 98px; top: 9px; width: 14px; height: 14px;
      border: 2px solid var(--attn-ink); border-radius: 50%; background: var(--attn-plate); z-index: 1; }
    .remedy > details > summary::before { background: var(--attn-ink); }
    summary::after { content: '+'; color: var(--attn-hand); font-weight: 600; margin-inline-start: 10px; }
    [open] > summary::after { content: '−'; }
    .when { position: absolute; left: 0; width: 84px; text-align: end; }
    .told { margin: 0 0 6px; max-width: 44rem; }
    .source { margin: 0 0 8px; font-size: 0.875rem; color: var(--attn-ink2); overflow-wrap: anywhere; }
    .source a { color: inherit; display: inline-block; min-height: 24px; }
    @container (max-width: 36rem) {
      .line > li { padding-inline-start: 26px; }
      .line > li::before { left: 6px; }
      summary { min-height: 44px; }
      summary::before { left: 0; top: 8px; }
      .when { position: static; display: block; width: auto; text-align: start; color: var(--attn-ink2); font-size: 0.875rem; line-height: 1.5; }
    }
  `];

  static properties = {
    ...FigureElement.properties,
    open: { state: true }, cure: { state: true }, toy: { state: true }, knobs: { state: true }, found: { state: true },
  };

  static keeps = /** @type {import('./parts/place.js').Keeps} */ ({ open: ['opened', { of: EVENTS.map(({ id }) => id) }] });

  constructor() {
    super();
    this.reset();
  }

  reset() {
    /** Opened entries. @type {ReadonlySet<string>} */
    this.open = new Set();
    /** The remedy on the toy. @type {Cure | null} */
    this.cure = null;
    this.toy = freshToy('blank');
    this.knobs = Object.fromEntries(Object.entries(KNOBS).map(([cure, knob]) => [cure, knob?.start ?? 0]));
    /** @type {Awaited<ReturnType<typeof cured>> | null} */
    this.found = null;
  }

  get words() { return 'timeline'; }
  get mark() { return /** @type {const} */ ('cited'); }
  get fileName() { return `attn-f${this.figure || 30}-timeline`; }
  /** @returns {string[] | null} */
  get opened() { return this.open.size > 0 ? EVENTS.map(({ id }) => id).filter((id) => this.open.has(id)) : null; }
  set opened(ids) { this.open = new Set(ids); }

  /** Which entries are open; of the remedy on the toy its knob and the query. */
  get kept() {
    const { cure, toy } = this;
    return { ...super.kept, ...(cure && { replay: cure, knob: this.knobs[cure], q: toy.queries[toy.picked].join() }) };
  }

  /** @param {Text} t */
  spoken(t) { return this.found && this.cure ? sentence(t, this.found) : ''; }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    const event = EVENTS.find(({ cure }) => cure && cure === given.replay);
    if (!event?.cure) return;
    if (this.cure !== event.cure) this.#replay(event.id, event.cure);
    const knob = given.knob && readValue(given.knob, { least: -REACH.q * 10, most: REACH.q * 10 });
    const query = given.q && readValue(given.q, { shape: [2], least: -REACH.q, most: REACH.q });
    if (typeof knob === 'number') this.knobs = { ...this.knobs, [event.cure]: knob };
    if (query) this.toy = withPoint(this.toy, 'queries', this.toy.picked, query);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.cure || !this.seen || !['cure', 'toy', 'knobs'].some((name) => changed.has(name))) return;
    this.attempt(() => this.compute());
  }

  onSeen() {
    if (this.cure) this.attempt(() => this.compute());
  }

  async compute() {
    const { cure, toy, knobs } = this;
    if (!cure) return;
    const found = await this.run((engine) => cured(engine, toy, cure, knobs[cure]));
    if (!found || cure !== this.cure) return;
    this.found = found;
    if (cure === 'gate' && lengthOf(found.out) < SILENT) foundWay('gate');
    if (cure === 'plusOne') foundWay('plusOne');
  }

  /** @param {string} id @param {Cure} cure */
  #replay(id, cure) {
    this.open = new Set([...this.open, id]);
    this.found = null;
    this.cure = this.cure === cure ? null : cure;
  }

  /** @param {Event} event @param {string} id */
  #toggled(event, id) {
    const { open } = /** @type {HTMLDetailsElement} */ (event.currentTarget);
    const next = new Set(this.open);
    if (open) next.add(id);
    else next.delete(id);
    if (next.size !== this.open.size) this.open = next;
  }

  /** @param {Text} t */
  renderPlate(t) {
    return html`<ol class="line">${EVENTS.map((event) => this.#renderEvent(t, event))}</ol>`;
  }

  /** @param {Text} t @param {typeof EVENTS[number]} event */
  #renderEvent(t, { id, when, source, url, cure }) {
    const shown = cure && cure === this.cure;
    return html`<li class=${cure ? 'remedy' : ''}><details .open=${this.open.has(id)} @toggle=${(/** @type {Event} */ e) => this.#toggled(e, id)}>
      <summary><span class="when">${when}</span>${t(`timeline.${id}`)}</summary>
      <p class="told">${t(`timeline.${id}.told`)}</p>
      <p class="source">⊢ <a href=${url} target="_blank" rel="noopener">${source}</a></p>
      ${cure ? html`<button type="button" class="button ${shown ? 'active' : ''}" aria-pressed=${Boolean(shown)}
        @click=${() => this.#replay(id, cure)}>${
        t('timeline.replay')}</button>` : nothing}
      ${shown ? replay(t, {
        theme: this.environment.theme, cure, knob: this.knobs[cure], toy: this.toy, found: this.found,
        onKnob: (to) => { this.knobs = { ...this.knobs, [cure]: to }; },
        onQuery: (axis, to) => { this.toy = withCoordinate(this.toy, 'queries', this.toy.picked, axis, to); },
      }) : nothing}</details></li>`;
  }

  /** @param {Text} t */
  renderCaption(t) { return t('timeline.caption'); }

  /** @param {Text} t */
  table(t) {
    return {
      caption: t('timeline.title'), columns: [t('timeline.when'), t('timeline.what'), t('timeline.source')],
      rows: EVENTS.map(({ id, when, source }) => [when, t(`timeline.${id}`), source]),
    };
  }

  /** @param {Text} t */
  picture(t) {
    return timelineShapes(this.environment.theme, EVENTS.map(({ id, when, source, cure }) => (
      { when, source, what: t(`timeline.${id}`), lit: Boolean(cure) })));
  }
}
