/**
 * F23 Reach in and change it: the same tokens again with a head shut, a gate opened, keys shared; what is guessed now.
 * <attn-edit figure="23" edits="shut.15.4">
 */
import { css, html, nothing } from 'lit';
import { guessPicture, nowBar } from '../draw/before-after.js';
import { canDo, compareGuesses, editOf, editsFromText, editsToText, interventionsOf, KINDS, possible } from '../lab/edits.js';
import { largestOf } from '../lab/finite.js';
import { divergence, probabilities } from '../lab/measure.js';
import { withHead } from '../lab/selection.js';
import { predictCard } from './parts/cards.js';
import { choice } from './parts/controls.js';
import { layerStrip, layerStripStyles } from './parts/layer-strip.js';
import { headPicker } from './parts/head-picker.js';
import { ModelFigure } from './parts/model-figure.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';
import { TokenNames } from './parts/token-names.js';
import { tokenBox } from './parts/tokens.js';

/** @typedef {import('../lab/text.js').Text} Text */
/** @typedef {import('../lab/edits.js').Edit} Edit */
/** @typedef {import('../lab/edits.js').Kind} Kind */
/** @typedef {import('../lab/edits.js').Scope} Scope */

/** The head F21 follows. */
const HEAD = 4;
const SCOPES = /** @type {const} */ (['head', 'layer', 'all']);
/** Next tokens on display. */
const TOP = 6;
const BAR = 260;
/** Below this many nats two guesses count as the same. */
const SAME = 5e-7;

export class AttnEdit extends ModelFigure {
  static captures = [];

  static styles = [...ModelFigure.styles, layerStripStyles, css`
    .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 460px); gap: 24px 32px; align-items: start; }
    .plate .controls { padding-bottom: 14px; }
    .kinds { display: flex; flex-wrap: wrap; gap: 10px; margin-bottom: 16px; }
    .stack { margin: 0 0 8px; padding: 0; list-style: none; display: grid; gap: 4px; max-width: 34rem; }
    .stack li { border-inline-start: 3px solid var(--attn-hand); padding: 2px 0 2px 10px; }
    .note { margin: 0 0 8px; color: var(--attn-ink2); max-width: 34rem; }
    .links { display: flex; flex-wrap: wrap; gap: 8px 20px; }
    .sheet h3 { margin: 0 0 10px; font-size: 0.9375rem; }
    .guess { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 6px 12px; align-items: center; }
    .guess .name { justify-self: end; }
    .guess svg { width: 100%; forced-color-adjust: none; }
    .guess .top { font-weight: 600; }
    .change { margin: 14px 0 0; padding-top: 12px; border-top: 1px solid var(--attn-rule); }
    .change p { margin: 0 0 4px; }
    @container (max-width: 56rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
    @container (max-width: 36rem) {
      .kinds { display: grid; grid-template-columns: 1fr 1fr; } .kinds .button { padding-inline: 6px; }
      .picker label { min-height: 44px; }
      .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; }
    }
  `];

  /** edits: changes to begin with, as an address holds them. */
  static properties = {
    ...ModelFigure.properties, edits: { type: String },
    stack: { state: true }, scope: { state: true }, guess: { state: true }, verdict: { state: true },
  };

  constructor() {
    super();
    this.edits = '';
    /** @type {Edit[]} */
    this.stack = [];
    /** @type {Scope} */
    this.scope = 'head';
    /** @type {number | null} */
    this.guess = null;
    /**
     * KL of the two changes of the question, once they were tried.
     * @type {{ shut: number, open: number, head: number, layer: number } | null}
     */
    this.verdict = null;
    this.names = new TokenNames(this);
  }

  /** The run whose edits are in force. @type {import('./parts/model-context.js').Shown | null} */
  #of = null;
  #read = '';
  #asked = false;
  /** The run that the question was last tried on. @type {import('./parts/model-context.js').Shown | null} */
  #tried = null;

  get words() { return 'edit'; }
  get fileName() { return `attn-f${this.figure || 23}-${editsToText(this.stack).replaceAll(',', '-') || 'untouched'}`; }
  get #recorded() { return this.shown?.source === 'recorded'; }
  get captures() { return this.shown?.logits || this.context.phase === 'ready' ? {} : undefined; }

  get kept() {
    const { context } = this.use;
    const heads = context?.shown ? withHead(context.selection.heads, this.#picked.head).join() : '';
    return { ...super.kept, heads, token: false, scope: this.scope, edits: editsToText(this.stack) };
  }

  /** @param {Record<string, string>} given */
  restore(given) {
    super.restore(given);
    this.scope = SCOPES.find((s) => s === given.scope) ?? this.scope;
    this.#begin(given.edits ?? '');
  }

  /** @param {string} edits */
  #begin(edits) {
    this.stack = editsFromText(edits);
    this.#of = null;
  }

  willUpdate() {
    super.willUpdate();
    const { context } = this.use;
    if (this.edits !== this.#read) this.#begin(this.#read = this.edits);
    if (!context?.shown?.logits) return;
    if (context.shown !== this.#of) this.#follow(context);
    if (!this.seen || !this.#wants || this.#tried === context.shown) return;
    this.#tried = context.shown;
    this.attempt(() => this.#try());
  }

  /**
   * Another run: the same edits, as far as it has what they change.
   * @param {import('./parts/model-context.js').ModelContext} context
   */
  #follow(context) {
    this.#of = context.shown;
    this.verdict = null;
    this.stack = possible(this.stack, context.config, context.fullLayers);
    if (this.#recorded || JSON.stringify(this.#interventions) === JSON.stringify(context.interventions)) return;
    this.attempt(() => context.intervene(this.#interventions));
  }

  updated() {
    const { tokenizer, logits, edited } = this.context ?? {};
    if (!logits) return;
    const ids = this.#rows(logits, edited?.logits ?? logits).map((r) => r.id);
    this.attempt(() => this.names.want(tokenizer, ids));
  }

  get #interventions() { return interventionsOf(this.stack, this.context.fullLayers); }
  get #picked() {
    const { picked, selection, config } = this.context;
    return { layer: selection.layer, head: picked.heads === undefined ? Math.min(HEAD, config.heads - 1) : selection.heads[0] };
  }

  /** @param {Edit[]} stack */
  apply(stack) {
    this.stack = stack;
    this.attempt(() => this.context.intervene(this.#interventions));
  }

  reset() {
    this.scope = 'head';
    this.guess = null;
    this.revealed = false;
    this.context.select({ layer: undefined, heads: undefined });
    this.apply([]);
  }

  /** Is the question answered, or about to be? An address says so too. */
  get revealed() { return this.verdict !== null || this.#asked; }
  set revealed(asked) {
    this.#asked = asked;
    this.verdict = this.#tried = null;
    this.requestUpdate();
  }

  /** Is the answer, which is of the run on display, to be shown? */
  get #wants() { return (this.#asked || this.guess !== null) && !this.#recorded && this.context.config.gated; }

  /** Both changes of the question, on the side. */
  async #try() {
    const { shown } = this;
    const { head, layer } = this.#picked;
    const run = async (/** @type {Edit} */ edit) => {
      const { logits } = await this.context.forward({ interventions: interventionsOf([edit], this.context.fullLayers) });
      return divergence(this.context.logits?.data ?? [], logits.data);
    };
    try {
      const shut = await run(editOf('shut', 'head', { head, layer }));
      const open = await run(editOf('open', 'all', { head, layer }));
      if (shown === this.shown) this.verdict = { shut, open, head, layer };
    } catch (error) {
      // another sentence ends the runs of this one
      if (shown === this.shown && /** @type {any} */ (error).code !== 'ABORTED') this.fail(error);
    }
  }

  /** @param {{ data: Float32Array }} before @param {{ data: Float32Array }} after */
  #rows(before, after) {
    return compareGuesses(probabilities(before.data), probabilities(after.data), TOP);
  }

  /** What the figure shows: rows, and how far the guess moved; null while it is computed. */
  get #found() {
    const { logits, edited } = this.context;
    if (!logits || (this.stack.length > 0 && !edited?.logits)) return null;
    const after = this.stack.length > 0 ? edited.logits : logits;
    const rows = this.#rows(logits, after);
    const top = (/** @type {'before' | 'after'} */ key) => rows.filter((r) => Number.isFinite(r[key]))
      .sort((a, b) => b[key] - a[key])[0]?.id;
    return { rows, moved: divergence(logits.data, after.data), was: top('before'), is: top('after') };
  }

  /** @param {Text} t @param {Edit} edit */
  #place(t, { layer, head }) {
    const where = layer === 'all' ? t('edit.in.all') : t('edit.in.layer', { layer });
    return head === 'all' ? where : t('edit.in.head', { where, head });
  }

  /** @param {Text} t */
  renderRun(t) {
    const { context } = this;
    if (!context.logits) return html`<p>${t('edit.noGuess')}</p>`;
    const { config, selection } = context;
    const { layer, head } = this.#picked;
    return html`${layerStrip(t, { layerTypes: config.layerTypes, value: layer, onPick: (l) => context.select({ layer: l }) })}
      <div class="controls">${headPicker(t, {
    heads: config.heads, kvHeads: config.kvHeads, value: head, theme: this.environment.theme, reads: false,
    onPick: (h) => context.select({ heads: withHead(selection.heads, h) }),
  })}
      ${choice({ name: 'scope', legend: t('edit.scope'), value: this.scope, onPick: (s) => { this.scope = /** @type {Scope} */ (s); },
    options: SCOPES.map((s) => ({ value: s, label: t(`edit.scope.${s}`, { head, layer }) })) })}</div>
      <div class="pair"><div>${this.#recorded ? this.#renderRecorded(t) : this.#renderKinds(t)}</div>
      <div class="sheet">${this.#renderGuess(t)}</div></div>`;
  }

  /** @param {Text} t */
  #renderRecorded(t) {
    return html`<p class="note">${t('edit.recorded')}</p>
      <button type="button" class="button"
        @click=${() => this.attempt(() => this.context.useShipped())}>${t('edit.live')}</button>`;
  }

  /** @param {Text} t */
  #renderKinds(t) {
    const { config } = this.context;
    const button = (/** @type {Kind} */ kind) => {
      const edit = editOf(kind, this.scope, this.#picked);
      const others = this.stack.filter((e) => editsToText([e]) !== editsToText([edit]));
      const on = others.length < this.stack.length;
      return html`<button type="button" class="button ${on ? 'active' : ''}" aria-pressed=${on} ?disabled=${!canDo(kind, config)}
        @click=${() => this.apply(on ? others : [...this.stack, edit])}>${t(`edit.do.${kind}`)}</button>`;
    };
    return html`<div class="kinds" role="group" aria-label=${t('edit.kinds')}>${KINDS.map(button)}</div>
      ${this.stack.length === 0 ? html`<p class="note">${t(config.gated ? 'edit.suggest' : 'edit.suggest.none', { head: this.#picked.head })}</p>` : html`
      <ol class="stack" aria-label=${t('edit.stack')}>${this.stack.map((edit) => html`<li>${t(`edit.did.${edit.kind}`, { place: this.#place(t, edit) })}</li>`)}</ol>
      <p class="note">${t('edit.after')}</p>
      <div class="links"><button type="button" class="link" @click=${() => this.apply(this.stack.slice(0, -1))}>${t('edit.undo')}</button>
        <button type="button" class="link" @click=${() => this.apply([])}>${t('edit.back')}</button></div>`}`;
  }

  /** @param {Text} t */
  #renderGuess(t) {
    const { logits } = this.context;
    const found = this.#found;
    const rows = found?.rows ?? this.#rows(/** @type {any} */ (logits), /** @type {any} */ (logits));
    const changed = this.stack.length > 0 && found !== null;
    if (rows.length === 0) return html`<h3>${t('edit.next')}</h3><p role="status">${t('heads.next.noNumber')}</p>`;
    const top = largestOf(rows.flatMap((r) => [r.before, r.after]), 1);
    const numbers = (/** @type {typeof rows[0]} */ r) => (changed ? t('edit.from', { before: t.fixed(r.before), after: t.fixed(r.after) }) : t.fixed(r.before));
    const best = found?.is ?? rows[0].id;
    return html`<h3>${t(changed ? 'edit.next.changed' : 'edit.next')}</h3><div class="guess">${rows.map((r) => {
      const strong = r.id === best ? 'top' : '';
      return html`<span class="name ${strong}">${tokenBox(this.names.piece(r.id))}</span>
        <svg viewBox="0 0 ${BAR} 24" height="24" preserveAspectRatio="none" aria-hidden="true">${drawn(nowBar(this.environment.theme, { ...r, top, width: BAR, changed }))}</svg>
        <span class=${strong}>${numbers(r)}</span>`;
    })}</div>
      <div class="change" role="status">${this.stack.length > 0 && !found ? html`<p>${t('edit.running')}</p>` : nothing}
      ${changed ? html`<p>${rich(t, 'edit.kl', { kl: html`<strong class="kl">${t.fixed(found.moved, 4)}</strong>` })}</p><p>${this.#verdictOf(t, found)}</p>` : nothing}
      ${this.stack.length === 0 ? html`<p>${t('edit.untouched')}</p>` : nothing}</div>`;
  }

  /** @param {Text} t @param {{ was: number | undefined, is: number | undefined, moved: number }} found */
  #verdictOf(t, { was, is, moved }) {
    if (was === undefined || is === undefined) return t('heads.next.noNumber');
    if (was !== is) return t('edit.turned', { was: this.names.name(was), is: this.names.name(is) });
    return t(moved < SAME ? 'edit.nothing' : 'edit.stays', { is: this.names.name(is) });
  }

  /** @param {Text} t */
  renderAside(t) {
    if (!this.use.context || !this.captures || !this.context.logits || this.#recorded || !this.context.config.gated) return nothing;
    const { head } = this.#picked;
    const { verdict } = this;
    const more = verdict && verdict.open - verdict.shut;
    const told = more !== null && (Number.isFinite(more) ? more > 0 ? 'open' : 'shut' : 'none');
    const answer = verdict && t(`p14.answer.${told}`, {
      head: verdict.head, layer: verdict.layer, shut: t.fixed(verdict.shut, 4), open: t.fixed(verdict.open, 4),
    });
    return predictCard(t, {
      key: 'p14', options: [0, 1, 2].map((i) => t(`p14.option.${i}`, { head })), guess: this.guess, revealed: verdict !== null, answer,
      onReveal: () => { this.revealed = true; },
      onGuess: (i) => {
        this.guess = i;
        this.revealed = true;
      },
    });
  }

  /** @param {Text} t */
  renderCaption(t) { return rich(t, 'edit.caption'); }

  /** About the reader, not about a model. @param {Text} t */
  therefore(t) { return t('edit.therefore'); }

  /** @param {Text} t */
  table(t) {
    const found = this.use.context && this.#found;
    if (!found) return null;
    return { caption: t('edit.title'), columns: [t('edit.next'), t('edit.col.before'), t('edit.col.now'), t('edit.col.change')],
      rows: found.rows.map((r) => [this.names.name(r.id), t.fixed(r.before), t.fixed(r.after), t.signed(r.after - r.before)]) };
  }

  /** @param {Text} t */
  picture(t) {
    const found = this.use.context && this.#found;
    if (!found || found.rows.length === 0) return null;
    const rows = found.rows.map((r) => ({ ...r, name: this.names.name(r.id), words: t('edit.from', { before: t.fixed(r.before), after: t.fixed(r.after) }) }));
    return guessPicture(this.environment.theme === 'forced' ? 'light' : this.environment.theme, rows, this.stack.length > 0);
  }

  /** @param {Text} t */
  pictureCaption(t) {
    const did = this.stack.map((edit) => t(`edit.did.${edit.kind}`, { place: this.#place(t, edit) }));
    const found = this.#found;
    return [...did, found && this.stack.length > 0 ? this.#verdictOf(t, found) : t('edit.untouched')].join(' ');
  }
}
