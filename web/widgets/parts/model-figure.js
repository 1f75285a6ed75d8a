/**
 * A figure that shows a run of the model of its place: asks for the run when seen, waits in words, says where the
 * numbers come from. A figure overrides captures, renderRun and, where its conclusion is about a model, bearsOut.
 */
import { css, html, nothing } from 'lit';
import { readValue, wordOf } from '../../lab/place.js';
import { PROMPTS } from '../../lab/selection.js';
import { progressCard, retryWords } from './cards.js';
import { FigureElement } from './figure.js';
import { ModelUse } from './model.js';

/** @typedef {import('../../lab/text.js').Text} Text */

/** Captures that a model without gates does not have. */
const OF_GATES = new Set(['gate', 'headContributionUngated']);
/** A sentence an address holds: longer ones stay with the reader. */
const SENTENCE = { text: 600 };
/** More are picked nowhere. */
const MOST_HEADS = 4;
/** How often a countdown is redrawn, ms. */
const TICK = 500;

/** A failed figure's last picture is dimmed, its date is not. */
const modelStyles = css`
  .plate.stale:has(> .past, > .awaited) { opacity: 1; }
  .plate.stale > .past ~ * { opacity: 0.45; }
  .past { margin: 0 0 12px; font-size: 0.875rem; color: var(--attn-ink2); }
  .awaited .quiet p { margin: 0 0 14px; }
`;

export class ModelFigure extends FigureElement {
  /** Captures this figure reads (engine contract 4.2). @type {string[]} */
  static captures = ['probs'];
  static styles = [...FigureElement.styles, modelStyles];

  #again = 0;

  constructor() {
    super();
    /** What went wrong in this figure alone. @type {any} */
    this.ownError = null;
    this.use = new ModelUse(this, { captures: /** @type {typeof ModelFigure} */ (this.constructor).captures });
  }

  /** The model, run and selection shared with the other figures. @returns {import('./model-context.js').ModelContext} */
  get context() { return /** @type {any} */ (this.use.context); }
  /** The run on display, null before the first. */
  get shown() { return this.use.context?.shown ?? null; }
  /** Captures of the picked layer, undefined while it has not been computed. @returns {Record<string, any> | undefined} */
  get captures() {
    const { layers, selection, config } = this.context;
    const found = layers[selection.layer];
    // A figure that came after the run waits for the next one, which captures what it reads.
    const lacks = (/** @type {string} */ name) => !found?.[name] && (config.gated || !OF_GATES.has(name));
    return !found || /** @type {typeof ModelFigure} */ (this.constructor).captures.some(lacks) ? undefined : found;
  }

  /** @returns {import('./marks.js').Mark} */
  get mark() { return this.shown?.source === 'recorded' ? 'recorded' : 'live'; }

  /**
   * The sentence and what is picked in its run, which all figures of a model share.
   * @returns {Record<string, import('../../lab/place.js').Value>}
   */
  get kept() {
    const { context } = this.use;
    const picked = context?.shown ? context.selection : null;
    const usual = !context || context.prompt === PROMPTS[0] || context.source === 'recorded';
    return {
      ...super.kept, ...(picked && { layer: picked.layer, heads: picked.heads.join(), token: picked.token }),
      prompt: usual ? false : wordOf(context.prompt, SENTENCE),
    };
  }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    const { layer, heads, token, prompt } = given;
    const numbers = (/** @type {string} */ text) => text.split(',', MOST_HEADS).filter(Boolean).map(Number);
    const sentence = prompt && readValue(prompt, SENTENCE);
    if (sentence) this.context.configure({ prompt: sentence });
    this.context.select({
      ...(layer && { layer: Number(layer) }), ...(token && { token: Number(token) }), ...(heads && { heads: numbers(heads) }),
    }, { ofNext: true });
  }

  /** What the reader fetched or added here is not to be had by an address. @param {Text} t */
  unlinked(t) {
    const { context } = this.use;
    if (!context) return '';
    const long = context.prompt.length > SENTENCE.text;
    return [context.fetched && 'link.model', context.cache && 'link.added', long && 'link.long'].filter(Boolean)
      .map((key) => t(String(key))).join(t('list.comma'));
  }

  /** @param {Text} t */
  markWords(t) { return modelWords(t, this.shown) ?? super.markWords(t); }

  get atRest() { return super.atRest && !this.use.context?.busy; }

  /** Is something counted that no event redraws? */
  get ticks() { return this.seen && Boolean(this.use.context?.busy && this.use.context.download.retrying); }

  onSeen() { this.use.context?.need(); }
  /** A run that goes on is as good as before, whatever else did not come. */
  get dimmed() { return this.error !== null && !(this.use.context?.error && this.use.context.answers); }
  /** The shared run sees to itself. */
  onOnline() { if (!this.use.context?.error) super.onOnline(); }

  willUpdate() {
    const { context } = this.use;
    this.error = context?.error ?? this.ownError;
    if (this.seen) context?.need();
    clearTimeout(this.#again);
    if (this.isConnected && this.ticks) this.#again = window.setTimeout(() => this.requestUpdate(), TICK);
  }

  /** @param {any} error */
  fail(error) {
    this.ownError = error;
    super.fail(error);
  }

  /** @template R @param {(engine: any, signal: AbortSignal) => Promise<R>} job @returns {Promise<R | undefined>} */
  async run(job) {
    const result = await super.run(job);
    if (result !== undefined) this.ownError = null;
    return result;
  }

  /** @param {Text} t @returns {{ label: string, run: () => unknown }[]} */
  remedies(t) {
    const { error } = this.context;
    if (error?.code === 'NOT_RECORDED') {
      return [{ label: t('heads.live'), run: () => this.context.useShipped() }, ...(error.details?.prompts ?? []).map(
        (/** @type {string} */ prompt) => ({ label: t('model.play', { prompt }), run: () => this.context.ask(prompt) }))];
    }
    const again = { label: t('error.retry'), run: () => this.context.resume() };
    if (this.context.isShipped && !this.context.missed) return [again];
    return [again, { label: t('model.useShipped'), run: () => this.context.useShipped() }];
  }

  /** What is drawn once there is a run whose picked layer is done. @param {Text} _t @returns {unknown} */
  renderRun(_t) { return nothing; }

  /** @param {Text} t @returns {unknown} */
  renderPlate(t) {
    if (this.use.context && this.captures) return html`${this.dimmed && this.shown?.ms ? this.#past(t) : nothing}${this.renderRun(t)}`;
    return html`<div class="awaited">${this.renderWaiting(t)}</div>`;
  }

  /** When the picture below was good. @param {Text} t */
  #past(t) {
    const at = new Intl.DateTimeFormat(t.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(this.shown?.at);
    return html`<p class="past">${t('model.past', { at })}</p>`;
  }

  /** @param {Text} t @returns {unknown} */
  renderWaiting(t) {
    const { context } = this.use;
    if (!context) return html`<p class="quiet">${t('arrival.coming.short')}</p>`;
    if (context.shown && context.fullLayers.length === 0) return html`<p class="quiet">${t('model.noTable')}</p>`;
    if (context.busy) return progressCard(t, { title: phaseWords(t, context), download: context.download, onStop: () => context.stop() });
    const ask = (/** @type {string} */ words, /** @type {string} */ label, /** @type {() => void} */ run) => html`<div class="quiet"><p>${words}</p>
      <button type="button" class="button" @click=${() => this.attempt(run)}>${label}</button></div>`;
    if (context.phase === 'stopped') return ask(t('model.stopped'), t('load.resume'), () => context.resume());
    if (context.source === 'recorded') return ask(t('model.notKept'), t('heads.live'), () => context.useShipped());
    return html`<p class="quiet">${t('model.nothing')}</p>`;
  }

  /** Does the run on display bear the conclusion out? null: cannot be told yet. @returns {boolean | null} */
  bearsOut() { return null; }

  /** A conclusion about a model is printed only if its run bears it out. @param {Text} t */
  therefore(t) {
    if (!this.use.context || !this.captures) return null;
    const found = this.bearsOut();
    return found === null ? null : t(`${this.words}.therefore${found ? '' : '_else'}`);
  }
}

/** What a context is busy with. @param {Text} t @param {import('./model-context.js').ModelContext} context */
export function phaseWords(t, context) {
  const { download } = context;
  if (download.retrying) return retryWords(t, download);
  return t(context.phase === 'connecting' ? 'progress.connecting' : `progress.${context.phase}`, { layer: context.atLayer });
}

/** Where a run comes from, for marks: '… · …'. @param {Text} t @param {import('./model-context.js').Shown | null} shown */
export function modelWords(t, shown) {
  if (!shown) return null;
  if (shown.source === 'recorded') return [t('model.mark.recorded', { name: modelName(shown) }), shown.date].filter(Boolean).join(' · ');
  if (shown.untrained) return t('model.mark.untrained');
  return t(shown.kind === 'shipped' ? 'model.mark.small' : 'model.mark.folder', { name: modelName(shown) });
}

/** A model's name in a sentence. @param {Text} t @param {import('./model-context.js').Shown} shown */
export const modelTitle = (t, shown) => (shown.kind === 'shipped' ? t('model.small') : modelName(shown));

/** The last part of a model's address: what people call it. @param {{ name: string }} shown */
export function modelName({ name }) {
  const parts = name.split(/[?#]/)[0].split('/').filter(Boolean);
  const at = parts.findIndex((part) => part === 'resolve');
  return decodeURIComponent(parts[(at > 0 ? at : parts.length) - 1] ?? name);
}
