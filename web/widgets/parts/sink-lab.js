/** F26, the scene "lab" of attn-sink-lab: two models learn side by side, on the reader's word. */
import { html, nothing } from 'lit';
import { PALETTE } from '../../draw/palette.js';
import { moved, text as words } from '../../draw/shapes.js';
import { lineMap, modelStyle } from '../../draw/sink-chart.js';
import { readValue, wordOf } from '../../lab/place.js';
import { flat } from '../../lab/sink-guess.js';
import { BLIND, calmer, freshSettings, LINE, OPTIMIZERS, RECIPES, refused, SECONDS, STEPS, verdict } from '../../lab/sink-run.js';
import { cited } from './cited.js';
import { SinkCharts, CHARTS, HEIGHT } from './sink-charts.js';
import { SinkGuess } from './sink-predict.js';
import { sinkControls } from './sink-knobs.js';
import { sinkMaps } from './sink-maps.js';
import { rich } from './rich.js';
import { SinkRunner } from './sink-runner.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../../lab/sink-run.js').Settings} Settings */

const PAPER = 'https://arxiv.org/abs/2410.13835';
const SOFTMAX1 = 'https://www.evanmiller.org/attention-is-off-by-one.html';
const TABLE_EVERY = 100;
/** What can be typed, also what is then refused in words. */
const TYPED = { least: -1e12, most: 1e12 };
/** What the address keeps: words of a list, or numbers. */
const KEPT = {
  seed: TYPED, second: SECONDS, recipe: RECIPES, optimizer: OPTIMIZERS, learningRate: TYPED,
  triggers: TYPED, batch: TYPED,
};
const DRAWN = { shape: [flat(0).length], least: 0, most: 1 };
/** Settings that show before anything is trained. */
const AT_ONCE = /** @type {const} */ (['seed', 'second', 'recipe', 'triggers']);

export class SinkLab {
  #host;
  #previewing = false;
  #resume = false;
  settings = freshSettings();
  /** The one chart a phone shows. @type {import('./sink-charts.js').ChartName} */
  chart = 'share';

  /** @param {import('./figure.js').FigureElement} host */
  constructor(host) {
    this.#host = host;
    this.runner = new SinkRunner(() => host.requestUpdate(), (error) => host.fail(error));
    this.guess = new SinkGuess(host, this);
    this.charts = new SinkCharts(this);
  }

  get host() { return this.#host; }
  words = 'sinkLab';
  get kept() {
    const set = Object.entries(KEPT).map(([name, allowed]) => (
      [name, wordOf(this.settings[/** @type {'seed'} */ (name)], allowed)]));
    return { ...Object.fromEntries(set), guess: this.guess.values?.join() };
  }

  /** @param {Record<string, string>} given */
  restore(given) {
    const found = Object.entries(KEPT).map(([name, allowed]) => [name, name in given ? readValue(given[name], allowed) : undefined]);
    const others = found.filter(([name, value]) => (
      value !== undefined && value !== this.settings[/** @type {'seed'} */ (name)]));
    if (others.length > 0) this.set(Object.fromEntries(others)); // what is set as it stands would pause the run
    const drawn = given.guess && readValue(given.guess, DRAWN);
    if (drawn) this.guess.values = drawn;
    this.#host.requestUpdate();
  }

  seen() {
    this.#host.attempt(() => this.#preview());
    if (this.#resume) this.play();
  }

  /** Figures off screen do no work. */
  unseen() {
    this.#resume = this.runner.playing;
    this.runner.pause();
  }

  leave() {
    this.#resume = false;
    this.runner.stop();
  }

  reset() {
    this.runner.clear();
    this.guess.reset();
    this.settings = freshSettings();
    this.#host.error = null;
    this.#host.attempt(() => this.#preview());
    this.#host.requestUpdate();
  }

  /** Step 0, before any run. */
  async #preview() {
    if (this.#previewing || this.runner.step > 0 || this.runner.busy) return;
    this.#previewing = true;
    try {
      let done;
      do {
        done = this.settings;
        if (refused(done)) break;
        const settings = done;
        await this.#host.run((engine) => this.runner.preview(engine, settings));
      } while (this.#host.seen && AT_ONCE.some((name) => done[name] !== this.settings[name]));
    } finally {
      this.#previewing = false;
    }
  }

  /** @param {Partial<Settings>} patch */
  set(patch) {
    this.settings = { ...this.settings, ...patch };
    this.runner.pause();
    // before the first update the workers hold the settings from before
    if (this.runner.step === 0 && this.runner.alive) this.runner.stop();
    const shows = this.runner.points.length > 0 && !AT_ONCE.some((name) => name in patch);
    if (!shows && this.#host.seen) this.#host.attempt(() => this.#preview());
    this.#host.requestUpdate();
  }

  /** The curves on display were made with other settings. */
  get stale() {
    const { settings: made, step } = this.runner;
    return step > 0 && made !== null && Object.entries(made).some(([name, value]) => this.settings[/** @type {'seed'} */ (name)] !== value);
  }

  get refused() { return refused(this.settings); }

  play() {
    this.#host.error = null;
    if (this.runner.playing) {
      this.runner.pause();
      this.#resume = false;
      this.#say();
      return;
    }
    if (this.refused) return;
    if (this.stale || this.runner.over) this.restart();
    else this.#host.attempt(() => this.#go(STEPS));
  }

  /** @param {number} until */
  async #go(until) {
    await this.runner.go(this.settings, until);
    this.#say();
  }

  one() {
    if (!this.runner.busy && !this.stale && !this.runner.over && !this.refused) {
      this.#host.attempt(() => this.#go(this.runner.step + 1));
    }
  }

  restart() {
    this.#host.error = null;
    this.runner.clear();
    this.#host.attempt(() => this.#go(STEPS));
  }

  /** @param {number} step */
  show(step) {
    this.runner.show(step);
    this.#say();
  }

  #say() {
    if (this.runner.shown) this.#host.voice.say();
  }

  /** While it runs, the end is enough. @param {Text} t */
  spoken(t) { return this.runner.playing ? '' : this.sentence(t); }
  /** A run is made anew wherever the link is opened. @param {Text} t */
  unlinked(t) { return this.runner.step > 0 || this.runner.busy ? t('link.run') : ''; }

  /** The settings of the curves on display. */
  get made() { return this.runner.settings ?? this.settings; }

  /** @param {Text} t @param {number} model */
  name(t, model) { return t(`sinkLab.model.${model ? this.made.second : 'none'}`); }

  /** @param {Text} t */
  sentence(t) {
    const { shown } = this.runner;
    if (!shown) return '';
    const [plain, second] = shown.models.map((m, i) => t('sinkLab.say.model', {
      model: this.name(t, i), share: t.percent(m.firstTokenAttention.other ?? 0), ratio: t.fixed(m.valueRatio ?? NaN, 2),
    }));
    return t('sinkLab.say', { step: t.count(shown.step), plain, second });
  }

  /** @param {Text} t */
  controls(t) { return html`${sinkControls(t, this)}${this.#renderTrouble(t)}`; }

  /** @param {Text} t */
  #renderTrouble(t) {
    const { refused: no, runner: { blown } } = this;
    const box = (/** @type {string} */ what, /** @type {string} */ why, /** @type {string} */ action, /** @type {() => void} */ run) => html`
      <div class="error" role="alert" data-here><strong>▲ ${what}</strong><p>${why}</p>
        <div class="actions"><button type="button" class="link" @click=${run}>${action}</button></div></div>`;
    if (no) {
      const usual = freshSettings()[no.field];
      return box(t('sinkLab.refused'), t(`sinkLab.refused.${no.field}`, { found: t.short(no.found, 6) }),
        t('sinkLab.usual', { value: t.short(usual, 4) }), () => this.set({ [no.field]: usual }));
    }
    if (!blown || this.stale) return nothing;
    const rate = calmer(this.settings);
    return box(t('sinkLab.blown'), t('sinkLab.blown.why', {
      step: t.count(blown.step), loss: Number.isFinite(blown.loss) ? t.count(blown.loss) : t('sinkLab.blown.nan'), blind: t.fixed(BLIND, 1), rate: t.short(blown.rate, 6),
    }), t('sinkLab.calmer', { rate: t.short(rate, 6) }), () => {
      this.set({ learningRate: rate });
      this.restart();
    });
  }

  /** @param {Text} t */
  plate(t) { return html`<div class="lab"><div>${this.charts.render(t)}</div>${sinkMaps(t, this)}</div>`; }

  /** @param {Text} t */
  aside(t) { return this.guess.card(t); }

  /** @param {Text} t */
  caption(t) {
    const sources = {
      task: html`<a href=${PAPER}>Guo et al. 2024, arXiv:2410.13835</a>`, plusOne: html`<a href=${SOFTMAX1}>Miller 2023</a>`,
    };
    return html`${rich(t, 'sinkLab.caption')}${cited(t, rich(t, 'sinkLab.cited', sources))}`;
  }

  /** By the newest point of a run that is long enough. @param {Text} t */
  therefore(t) {
    const { points, settings } = this.runner;
    const last = points.at(-1);
    const found = last && settings ? verdict(last, settings) : 'early';
    if (found === 'early') return null;
    const which = found === 'sink' ? 'sinkLab.therefore' : `sinkLab.therefore_${found}`;
    return t(which, { seed: String(settings?.seed), second: this.name(t, 1) });
  }

  offers() { return { table: this.runner.points.length > 0, picture: this.runner.points.length > 0 }; }

  /** @param {Text} t */
  table(t) {
    const { points, shown } = this.runner;
    const rows = points.filter((p, i) => p.step % TABLE_EVERY === 0 || p === shown || i === points.length - 1);
    const cell = (/** @type {number | undefined} */ x) => (x === undefined ? '–' : t.fixed(x));
    const measures = ['share', 'ratio', 'trigger', 'other'];
    return {
      caption: t('sinkLab.table'),
      columns: [t('sinkLab.step'), ...[0, 1].flatMap((model) => measures.map((m) => `${this.name(t, model)}: ${t(`sinkLab.col.${m}`)}`)),
        ...['trigger', 'other'].map((k) => t(`sinkLab.col.through.${k}`))],
      rows: rows.map(({ step, models }) => [t.count(step), ...models.flatMap((m) => (
        [m.firstTokenAttention.other, m.valueRatio, m.loss.trigger, m.loss.other].map(cell))),
      ...(({ trigger, other }) => [cell(trigger), cell(other)])(this.charts.through(models[1]))]),
    };
  }

  /** @param {Text} t */
  picture(t) {
    const theme = this.#host.environment.theme === 'forced' ? 'light' : this.#host.environment.theme;
    const { shown } = this.runner;
    if (!shown) return null;
    const ink = PALETTE[theme];
    let y = 0;
    const left = CHARTS.flatMap((name) => {
      const at = y;
      y += HEIGHT[name] + 40;
      return [words(0, at + 14, this.charts.heading(t, name), { fill: ink.ink, weight: 600 }), ...moved(this.charts.shapes(t, name, 700, theme), 0, at + 24)];
    });
    const right = shown.models.flatMap((m, i) => [
      words(740, i * (LINE * 16 + 60) + 14, this.name(t, i), { fill: modelStyle(theme, i).colour, weight: 600 }),
      ...moved(lineMap(theme, m, 16), 740, i * (LINE * 16 + 60) + 26),
    ]);
    return { width: 740 + (LINE + 2) * 16, height: y, shapes: [...left, ...right] };
  }

  /** @param {Text} t */
  pictureCaption(t) { return [this.sentence(t), this.therefore(t)].filter(Boolean).join(' '); }
}
