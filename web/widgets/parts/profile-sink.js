/** F17, scene "sink" of attn-profile: share of the first token by layer, with and without a gate; its value below. */
import { css, html, nothing } from 'lit';
import { PALETTE } from '../../draw/palette.js';
import { profileChart, publishedChart } from '../../draw/profile.js';
import { moved, text as words } from '../../draw/shapes.js';
import { largestOf } from '../../lab/finite.js';
import { averages, binWithoutGate, CITED, evenSplit, profileOf } from '../../lab/profile.js';
import { cited, PAPER } from './cited.js';
import { choice } from './controls.js';
import { twinModel } from './engine.js';
import { layerStrip } from './layer-strip.js';
import { birthMark } from './marks.js';
import { ModelContext } from './model-context.js';
import { modelWords } from './model-figure.js';
import { rich } from './rich.js';
import { drawn } from './shapes.js';
import { slider } from './slider.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../../draw/palette.js').Theme} Theme */
/** @typedef {{ gated: boolean, untrained: boolean, tokens: number, points: import('../../lab/profile.js').Point[] }} Measured */
/** @typedef {{ which: 'share' | 'ratio', width: number, top: number, theme: Theme }} Plan  one chart */

const HEIGHT = { share: 250, ratio: 170 };
/** Where the red line begins, percent: no guess yet. */
const START = 25;
/** Below this width published shares are numbers alone. */
const BRIEF = 440;

export const sinkStyles = css`
  .sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 420px); gap: 24px 32px; align-items: start; }
  .sides > div:first-child { padding-top: 15px; }
  .sides .mark { font-size: 0.75rem; font-weight: 400; padding: 1px 8px; background: var(--attn-paper); }
  .sides .top { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; margin: 0 0 12px; min-height: 26px; font-weight: 600; }
  .sides .name { margin: 0 0 4px; font-size: 0.875rem; font-weight: 600; line-height: 1.35; min-height: 1.35em; }
  .sides svg.chart { width: 100%; height: auto; margin-bottom: 14px; forced-color-adjust: none; }
  .sides .sheet { padding-bottom: 12px; }
  .readout, .pair-note { margin: 0; font-size: 0.875rem; line-height: 1.5; }
  .draw { max-width: 30rem; }
  @container (max-width: 56rem) { .sides { grid-template-columns: minmax(0, 1fr); } }
  @container (max-width: 36rem) { .sides .sheet { margin-inline: -12px; padding-inline: 12px; border-inline: 0; } }
`;

export class ProfileSink {
  #host;
  #twin = new ModelContext(() => {});
  #leave = () => {};

  /** @param {import('./model-figure.js').ModelFigure} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  words = 'sinkProfile';
  /** @type {'mean' | 'heads'} */
  view = 'mean';
  /** Percent. @type {number | null} */
  guess = null;
  revealed = false;

  hostConnected() { this.#leave = this.#twin.join(() => this.#host.requestUpdate(), ['probs', 'v']); }
  hostDisconnected() { this.#leave(); }

  /** @param {Partial<ProfileSink>} patch */
  #set(patch) {
    Object.assign(this, patch);
    this.#host.requestUpdate();
  }

  reset() {
    this.#set({ view: 'mean', guess: null, revealed: false });
    this.#host.context.select({ layer: undefined });
  }

  /** The twin runs where its sibling does, on the same words. */
  follow() {
    const { context, shown, seen } = this.#host;
    if (!twinModel() || !seen || shown?.kind !== 'shipped' || shown.untrained || context.phase !== 'ready') return;
    this.#twin.configure({ src: [twinModel()], prompt: shown.prompt });
    this.#twin.need();
  }

  /** Models on display, the one at hand first. @returns {Measured[]} */
  get #measured() {
    const { context, shown } = this.#host;
    const one = (/** @type {any} */ c) => ({
      gated: c.config.gated, untrained: c.shown.untrained, tokens: c.tokens.length, points: profileOf(c.layers, c.fullLayers),
    });
    const twin = this.#twin.shown && this.#twin.phase === 'ready' && shown?.kind === 'shipped' && this.#twin.tokens.join() === context.tokens.join();
    return [...(shown ? [one(context)] : []), ...(twin ? [one(this.#twin)] : [])].filter((m) => m.points.length > 0);
  }

  /** Before the reader's guess nothing of a model without a gate is shown. @param {Measured[]} list */
  #open(list) { return this.revealed ? list : list.filter((m) => m.gated); }

  /** @param {Text} t */
  controls(t) {
    return choice({ name: 'view', legend: t('sinkProfile.view'), value: this.view,
      options: ['mean', 'heads'].map((v) => ({ value: v, label: t(`sinkProfile.view.${v}`) })),
      onPick: (v) => this.#set({ view: /** @type {'mean' | 'heads'} */ (v) }) });
  }

  /** @param {Text} t @param {Plan} plan */
  #liveChart(t, { which, width, top, theme }) {
    const { context } = this.#host;
    const series = this.#open(this.#measured).map(({ gated, points }) => ({
      name: t(`sinkProfile.${gated ? 'with' : 'without'}`), gated,
      points: points.map((p) => ({ x: p.layer, y: p[which], dots: which === 'share' && this.view === 'heads' ? p.heads : undefined })),
    }));
    if (series.length === 0) return [];
    const { fullLayers, config } = context;
    const every = Math.ceil(fullLayers.length / 8);
    return profileChart(theme, {
      width, height: HEIGHT[which], top, layers: config.layers, series, picked: context.selection.layer,
      marks: fullLayers.filter((l, i) => i % every === 0 || l === context.selection.layer),
      even: which === 'share' ? { y: evenSplit(context.tokens.length), name: t('sinkProfile.even') } : { y: 1, name: t('sinkProfile.usual') },
      format: which === 'share' ? t.percent : (n) => t.short(n, 2),
    });
  }

  /**
   * Columns of published shares, veiled where the reader has not guessed.
   * @param {Text} t @param {boolean} brief numbers without words @returns {import('../../draw/profile.js').Published[]}
   */
  #bookShares(t, brief) {
    const { revealed } = this;
    const { ungated: u, gated: g, pair } = CITED;
    const exact = (/** @type {number} */ n) => `${t.short(n * 100, 1)}%`;
    const average = (/** @type {number} */ n) => (brief ? t.percent(n) : t('sinkProfile.average', { share: t.percent(n) }));
    return [
      { name: 'Qwen3-0.6B', gated: false, ...(revealed && { low: u.low, high: u.high, mean: u.mean }),
        words: revealed ? [[u.mean, average(u.mean)], [u.high, `${t.percent(u.low)}–${t.percent(u.high)}`]] : [[u.mean, t('sinkProfile.veiled')]] },
      { name: 'Qwen3.5-0.8B', gated: true, mean: g.mean, high: g.high,
        words: [[g.mean, average(g.mean)], [g.high, brief ? t.percent(g.high) : t('sinkProfile.most', { share: t.percent(g.high) })]] },
      { name: t('sinkProfile.paper'), gated: true, mean: pair.after, ...(revealed && { from: pair.before }),
        words: [[pair.after + 0.05, exact(pair.after)], [pair.before, revealed ? exact(pair.before) : t('sinkProfile.veiled')]] },
    ];
  }

  /** @param {Text} t @returns {import('../../draw/profile.js').Published[]} */
  #bookRatios(t) {
    const { ratioLow: low, ratioHigh: high } = CITED.ungated;
    const name = 'Qwen3-0.6B';
    return [this.revealed ? { name, gated: false, low, high, words: [[high, `${t.short(low, 2)}–${t.short(high, 2)}`]] }
      : { name, gated: false, words: [[0.5, t('sinkProfile.veiled')]] }];
  }

  /** @param {Text} t @param {Plan} plan */
  #bookChart(t, { which, width, top, theme }) {
    const share = which === 'share';
    return publishedChart(theme, {
      width, height: HEIGHT[which], top, columns: share ? this.#bookShares(t, width < BRIEF) : this.#bookRatios(t),
      format: share ? t.percent : (n) => t.short(n, 2),
      even: share ? { y: CITED.even, name: t('sinkProfile.even.cited', { share: t.percent(CITED.even) }) } : { y: 1, name: t('sinkProfile.usual') },
      guess: share && this.guess !== null ? { y: this.guess / 100, name: t('sinkProfile.guess') } : null,
    });
  }

  /** Ends of the value axes, the same on both sides. */
  get #tops() {
    const points = this.#open(this.#measured).flatMap((m) => m.points);
    const share = largestOf(points.flatMap((p) => [p.share, ...(this.view === 'heads' ? p.heads : [])]));
    const ratio = largestOf(points.map((p) => p.ratio * 1.1));
    return { share: share > 0.8 || (this.guess ?? 0) > 80 ? 1 : 0.8, ratio: Math.max(1.25, ratio) };
  }

  /** @param {Text} t @param {unknown} waiting what stands where nothing has been measured yet */
  plate(t, waiting) {
    const { context, environment: { theme }, shown, width: all } = this.#host;
    const [wide, phone] = [all > 896, all <= 576];
    const live = Math.max(264, all - (wide ? 500 : phone ? 24 : 48));
    const book = wide ? 386 : Math.max(264, Math.min(480, all - (phone ? 24 : 82)));
    const chart = (/** @type {any[]} */ shapes, /** @type {number} */ w, /** @type {number} */ h, /** @type {string} */ label) => html`
      <svg class="chart" viewBox="0 0 ${w} ${h}" role=${label ? 'img' : 'none'} aria-label=${label || nothing}>${drawn(shapes)}</svg>`;
    const [said, published] = [this.#say(t), this.#sayBook(t)];
    const pair = (/** @type {'share' | 'ratio'} */ which) => {
      const plan = { which, top: this.#tops[which], theme };
      const name = html`<p class="name">${t(`sinkProfile.${which}`)}</p>`;
      return [html`${name}${chart(this.#liveChart(t, { ...plan, width: live }), live, HEIGHT[which], said)}`,
        html`${name}${chart(this.#bookChart(t, { ...plan, width: book }), book, HEIGHT[which], published)}`];
    };
    const [share, ratio] = [pair('share'), pair('ratio')];
    const strip = shown ? layerStrip(t, {
      layerTypes: context.config.layerTypes, value: context.selection.layer, ready: (i) => Boolean(context.layers[i]),
      onPick: (layer) => context.select({ layer }),
    }) : nothing;
    const mark = shown ? birthMark(this.#host.mark ?? 'live', modelWords(t, shown) ?? '') : nothing;
    return html`${strip}<div class="sides"><div><p class="top">${t('sinkProfile.here')} ${mark}</p>
      ${this.#measured.length === 0 ? waiting : html`${share[0]}${ratio[0]}<p class="readout" role="status">${said}</p>`}</div>
      <div class="sheet"><p class="top">${t('sinkProfile.published')} ${birthMark('cited', t('mark.cited'))}</p>
      ${share[1]}${ratio[1]}<p class="pair-note">${published}</p></div></div>`;
  }

  /** The picked layer in words. @param {Text} t */
  #say(t) {
    const { layer } = this.#host.context.selection;
    return this.#open(this.#measured).flatMap(({ gated, points }) => points.filter((p) => p.layer === layer).map((p) => t('sinkProfile.say', {
      model: t(`sinkProfile.${gated ? 'with' : 'without'}`), layer, share: t.percent(p.share), ratio: t.fixed(p.ratio, 2),
    }))).join(' ');
  }

  /** @param {Text} t */
  #sayBook(t) {
    const { most, layers } = CITED.ungated;
    return this.revealed ? t('sinkProfile.book', { most, layers }) : t('sinkProfile.book.veiled');
  }

  /** A guess drawn before the answer: one red line over the published shares. @param {Text} t */
  aside(t) {
    const { guess, revealed } = this;
    const share = t.percent((guess ?? START) / 100);
    return html`<div class="predict"><fieldset><legend>${t('sinkProfile.question')}</legend><div class="draw">${slider({
      value: guess ?? START, min: 0, max: 100, label: t('sinkProfile.question'), words: share, onInput: (value) => this.#set({ guess: value }),
    })}</div></fieldset>${revealed ? html`<p>${guess === null ? nothing : html`<span class="yours">${t('predict.yours', { guess: share })}</span> `}${
  t('sinkProfile.answer', { share: t.percent(CITED.ungated.mean) })}</p>`
      : html`<p>${t('sinkProfile.try', { share })} <button type="button" class="link" @click=${() => this.#set({ revealed: true })}>${
        t('predict.show')}</button></p>`}</div>`;
  }

  /** @param {Text} t */
  caption(t) {
    return html`${rich(t, 'sinkProfile.caption')}${cited(t, rich(t, 'sinkProfile.cited', { paper: html`<a href=${PAPER}>arXiv:2505.06708</a>` }))}`;
  }

  /** Nothing before the guess; by what was published while nothing was measured, then by what was. */
  bearsOut() {
    if (!this.revealed) return null;
    const list = this.#measured;
    if (list.length === 0) return true;
    const [gated, ungated] = [true, false].map((g) => list.find((m) => m.gated === g && !m.untrained));
    if (!list.every(({ points }) => points.every((p) => Number.isFinite(p.share + p.ratio)))) return null;
    return Boolean(gated && ungated && binWithoutGate(gated.points, ungated.points, gated.tokens));
  }

  /** @param {Text} t */
  table(t) {
    const live = this.#open(this.#measured).flatMap(({ gated, points }) => {
      const model = t(`sinkProfile.${gated ? 'with' : 'without'}`);
      const mean = averages(points);
      return [...points.map((p) => [`${model} · ${t('strip.layer', { layer: p.layer })}`, t.percent(p.share), t.fixed(p.ratio, 2)]),
        [`${model} · ${t('sinkProfile.mean')}`, t.percent(mean.share), t.fixed(mean.ratio, 2)]];
    });
    const { ungated: u, gated: g } = CITED;
    const book = (/** @type {string} */ name) => `${t('mark.cited')} · ${name}`;
    const hidden = t('sinkProfile.veiled');
    return { caption: t('sinkProfile.title'), columns: ['which', 'share', 'ratio'].map((c) => t(`sinkProfile.col.${c}`)), rows: [...live,
      [book('Qwen3-0.6B'), ...(this.revealed ? [t.percent(u.mean), `${t.short(u.ratioLow, 2)}–${t.short(u.ratioHigh, 2)}`] : [hidden, hidden])],
      [book('Qwen3.5-0.8B'), t.percent(g.mean), '–']] };
  }

  /** @param {Text} t */
  picture(t) {
    const { theme } = this.#host.environment;
    const plan = (/** @type {'share' | 'ratio'} */ which, /** @type {number} */ width) => (
      { which, width, top: this.#tops[which], theme: theme === 'forced' ? /** @type {Theme} */ ('light') : theme });
    const row = (/** @type {'share' | 'ratio'} */ which, /** @type {number} */ y) => [
      words(0, y + 14, t(`sinkProfile.${which}`), { fill: PALETTE[plan(which, 0).theme].ink, weight: 600 }),
      ...moved(this.#liveChart(t, plan(which, 560)), 0, y + 24), ...moved(this.#bookChart(t, plan(which, 400)), 620, y + 24),
    ];
    return { width: 1020, height: HEIGHT.share + HEIGHT.ratio + 90, shapes: [...row('share', 0), ...row('ratio', HEIGHT.share + 50)] };
  }

  /** @param {Text} t */
  pictureCaption(t) { return `${this.#measured.length > 0 ? this.#say(t) : ''} ${t('mark.cited')}: ${this.#sayBook(t)}`; }
}
