/**
 * F21 Follow one head into the stream: what it brought, its gate, what gets through, what is added.
 * <attn-follow figure="21">
 */
import { css, html, nothing } from 'lit';
import { barcode, followPicture, streamBars } from '../draw/barcode.js';
import { farthestOf } from '../lab/finite.js';
import { extreme, journey, sharesOf } from '../lab/follow.js';
import { withHead } from '../lab/selection.js';
import { tokenName } from '../lab/tokens.js';
import { cited, citedStyles } from './parts/cited.js';
import { headPicker } from './parts/head-picker.js';
import { layerStrip, layerStripStyles } from './parts/layer-strip.js';
import { ModelFigure } from './parts/model-figure.js';
import { rich } from './parts/rich.js';
import { drawn } from './parts/shapes.js';
import { tokenRowStyles } from './parts/token-row.js';
import { tokenStrip } from './parts/tokens.js';

/** @typedef {import('../lab/text.js').Text} Text */

/** The head the chapter follows. */
const HEAD = 4;

export class AttnFollow extends ModelFigure {
  static captures = ['hIn', 'headOut', 'gate', 'headContribution', 'headContributionUngated'];

  static styles = [...ModelFigure.styles, layerStripStyles, tokenRowStyles, citedStyles, css`
    .word { display: flex; align-items: start; gap: 8px 14px; min-width: 0; flex-wrap: wrap; }
    .word > span { padding-top: 3px; }
    .jump { display: flex; gap: 8px 16px; flex-wrap: wrap; }
    .way { display: grid; grid-template-columns: 176px minmax(0, 1fr) 236px; gap: 4px 16px; align-items: center; }
    .way b { font-weight: 600; display: block; line-height: 1.25; }
    .way small { color: var(--attn-ink2); font-size: 0.8125rem; }
    .way svg { width: 100%; forced-color-adjust: none; }
    .way .sign { grid-column: 2 / -1; color: var(--attn-ink2); font-size: 0.875rem; padding-inline-start: 10px; }
    .way ul { margin: 0; padding: 0; list-style: none; font-size: 0.875rem; display: grid; gap: 4px; line-height: 1.3; }
    .plate .picker .group .chips { margin-bottom: 4px; }
    @container (max-width: 44rem) {
      .way { grid-template-columns: minmax(0, 1fr) auto; row-gap: 4px; }
      .way svg, .way .sign, .way ul { grid-column: 1 / -1; }
      .way .value { text-align: end; }
      .picker label { min-height: 44px; }
    }
  `];

  get words() { return 'follow'; }
  get fileName() { return `attn-f${this.figure || 21}-layer${this.context?.selection.layer}-q${this.captures ? this.#pin.head : HEAD}`; }

  /** The pinned one too, while it is not yet picked. */
  get kept() {
    const kept = super.kept;
    if (!this.use.context || !this.captures) return kept;
    const pin = this.#pin;
    return { ...kept, heads: withHead(this.context.selection.heads, pin.head).join(), token: pin.token };
  }

  reset() { this.context.select({ layer: undefined, token: undefined, heads: undefined }); }

  /** Token and head on display: what the reader picked anywhere, else the chapter's head where it is quietest. */
  get #pin() {
    const { picked, selection, config } = this.context;
    const head = picked.heads === undefined ? Math.min(HEAD, config.heads - 1) : selection.heads[0];
    const token = picked.token === undefined ? extreme(sharesOf(this.captures ?? {}, head), 'quietest') : selection.token;
    return { token, head };
  }

  /** @param {'quietest' | 'loudest'} which */
  #jump(which) {
    const { head } = this.#pin;
    this.context.select({
      token: extreme(sharesOf(this.captures ?? {}, head), which), heads: withHead(this.context.selection.heads, head),
    });
  }

  /** @param {Text} t @param {ReturnType<typeof journey>} way @param {number} token @param {number} head */
  #say(t, way, token, head) {
    const args = {
      token: tokenName(this.context.pieces[token]), head, before: t.fixed(way.ungated, 2), added: t.fixed(way.added, 2), part: t.percent(way.share),
    };
    return way.gate ? t('follow.say', { ...args, mean: t.fixed(way.mean) }) : t('follow.say.none', args);
  }

  /** @param {Text} t */
  renderRun(t) {
    const { context } = this;
    const { config, pieces, selection } = context;
    const { token, head } = this.#pin;
    const way = journey(this.captures ?? {}, token, head);
    const { layer } = selection;
    return html`${layerStrip(t, {
      layerTypes: config.layerTypes, value: layer, ready: (i) => Boolean(context.layers[i]), onPick: (l) => context.select({ layer: l }),
    })}
      <div class="controls"><div class="word"><span>${t('follow.word')}</span>${tokenStrip(pieces, {
  picked: token, label: t('follow.word'), name: (name, n) => t('gateMap.token', { n, token: name }),
  onPick: (n) => context.select({ token: n }),
})}</div>
      ${headPicker(t, {
    heads: config.heads, kvHeads: config.kvHeads, value: head, theme: this.environment.theme, reads: false,
    onPick: (h) => context.select({ heads: withHead(selection.heads, h) }),
  })}
      <div class="jump"><button type="button" class="button" @click=${() => this.#jump('quietest')}>${t('follow.quietest')}</button>
        <button type="button" class="button" @click=${() => this.#jump('loudest')}>${t('follow.loudest')}</button></div></div>
      ${this.#renderWay(t, way)}<p class="live" role="status">${this.#say(t, way, token, head)}</p>`;
  }

  /** @param {Text} t @param {ReturnType<typeof journey>} way */
  #renderWay(t, way) {
    const { theme } = this.environment;
    const width = Math.max(240, this.width - (this.width > 704 ? 492 : 48));
    const stripes = (/** @type {ArrayLike<number>} */ values, /** @type {'signed' | 'gate'} */ scale, /** @type {number} */ max) => html`
      <svg viewBox="0 0 ${width} 34" height="34" preserveAspectRatio="none" aria-hidden="true">${drawn(barcode(theme, values, { width, height: 34, scale, max }))}</svg>`;
    const row = (/** @type {string} */ key, /** @type {string} */ small, /** @type {unknown} */ picture, /** @type {string} */ value) => html`
      <div><b>${t(`follow.row.${key}`)}</b><small>${small}</small></div>${this.width > 704 ? html`${picture}<div class="value">${value}</div>`
  : html`<div class="value">${value}</div>${picture}`}`;
    const sign = (/** @type {string} */ key) => html`<div class="sign">${t(`follow.sign.${key}`, { n: t.count(this.context.config.hidden) })}</div>`;
    const max = farthestOf(way.brought, 1);
    const length = (/** @type {number} */ n) => t('follow.length', { length: t.fixed(n, 2) });
    const gated = way.gate ? html`${sign('times')}
      ${row('gate', t('follow.small.gate'), stripes(way.gate, 'gate', 1), t('follow.mean', { mean: t.fixed(way.mean) }))}${sign('equals')}
      ${row('through', t('follow.small.same', { max: t.fixed(max, 2) }), stripes(way.through, 'signed', max), length(way.lengths[1]))}`
      : html`<div class="sign">${t('follow.none')}</div>`;
    return html`<div class="way">
      ${row('brought', t('follow.small.brought', { d: t.count(way.brought.length) }), stripes(way.brought, 'signed', max), length(way.lengths[0]))}
      ${gated}${sign('strip')}
      <div><b>${t('follow.row.added')}</b></div>${this.width > 704 ? nothing : html`<div class="value">${t.percent(way.share)}</div>`}
      <svg viewBox="0 0 ${width} 44" height="44" preserveAspectRatio="none" aria-hidden="true">${drawn(streamBars(theme, { ...way, gated: Boolean(way.gate), width }))}</svg>
      <ul>${this.#barWords(t, way).map((words) => html`<li>${words}</li>`)}</ul></div>`;
  }

  /** @param {Text} t @param {ReturnType<typeof journey>} way */
  #barWords(t, way) {
    const added = t('follow.bar.added', { added: t.fixed(way.added, 2), part: t.percent(way.share) });
    const residual = t('follow.bar.residual', { length: t.fixed(way.residual, 2) });
    return way.gate ? [residual, added, t('follow.bar.ghost', { ungated: t.fixed(way.ungated, 2) })] : [residual, added];
  }

  /** @param {Text} t */
  renderCaption(t) {
    return html`${rich(t, 'follow.caption')}${cited(t, rich(t, 'follow.cited'))}`;
  }

  /** True of every model whose o_proj has no bias, and none here has one. @param {Text} t */
  therefore(t) { return t('follow.therefore'); }

  /** Every token of the head on display. @param {Text} t */
  table(t) {
    const { captures } = this;
    if (!captures) return null;
    const { head } = this.#pin;
    const columns = ['token', 'brought', 'mean', 'through', 'added', 'ungated', 'residual', 'share'].map((c) => t(`follow.col.${c}`));
    const rows = this.context.pieces.map((piece, token) => {
      const way = journey(captures, token, head);
      return [tokenName(piece), t.fixed(way.lengths[0]), way.gate ? t.fixed(way.mean) : '–', t.fixed(way.lengths[1]), t.fixed(way.added),
        t.fixed(way.ungated), t.fixed(way.residual), t.percent(way.share)];
    });
    return { caption: t('gateMap.where', { head, layer: this.context.selection.layer }), columns, rows };
  }

  /** @param {Text} t */
  picture(t) {
    if (!this.captures) return null;
    const { token, head } = this.#pin;
    const way = journey(this.captures, token, head);
    const max = farthestOf(way.brought, 1);
    const length = (/** @type {number} */ n) => t('follow.length', { length: t.fixed(n, 2) });
    const row = (/** @type {string} */ key, /** @type {ArrayLike<number>} */ values, /** @type {string} */ words, /** @type {'signed' | 'gate'} */ scale = 'signed') => ({
      name: t(`follow.row.${key}`), values, scale, max: scale === 'gate' ? 1 : max, words,
    });
    return followPicture(this.environment.theme === 'forced' ? 'light' : this.environment.theme, {
      rows: [row('brought', way.brought, length(way.lengths[0])),
        ...(way.gate ? [row('gate', way.gate, t('follow.mean', { mean: t.fixed(way.mean) }), 'gate'), row('through', way.through, length(way.lengths[1]))] : [])],
      bars: { ...way, gated: Boolean(way.gate), width: 0 }, barsName: t('follow.row.added'), barsWords: this.#barWords(t, way),
    });
  }

  /** @param {Text} t */
  pictureCaption(t) {
    if (!this.captures) return '';
    const { token, head } = this.#pin;
    return `${t('gateMap.where', { head, layer: this.context.selection.layer })}. ${this.#say(t, journey(this.captures, token, head), token, head)}`;
  }
}
