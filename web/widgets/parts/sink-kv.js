/** The scene "kv" of attn-sink-lab: the same task with K/V heads shared more and more, several seeds, loss against cache. */
import { css, html, nothing } from 'lit';
import { kvColour, kvDash, kvScatter } from '../../draw/sink-kv.js';
import { sinkChart, sinkScales } from '../../draw/sink-chart.js';
import { moved } from '../../draw/shapes.js';
import { readValue } from '../../lab/place.js';
import { byCache, cacheNumbers, EVERY, KV_HEADS, kvOptions, kvVerdict, meanCourse, MOST_SEEDS, plan, STEPS, TRIGGERS } from '../../lab/sink-kv.js';
import { scrub } from './controls.js';
import { workerEngine } from './model-engine.js';
import { drawn } from './shapes.js';
import { measured } from './sink-twins.js';
import { slider } from './slider.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('../../lab/sink-kv.js').Run} Run */

const SEEDS = 3;
const WORKERS = 2;
/** Sequences measured, and their seed. */
const SAMPLE = /** @type {const} */ ([16, 1]);
const HEIGHT = 260;

export const sinkKvStyles = css`
  .kv { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; align-items: start; }
  .kv .name { margin: 0 0 4px; font-weight: 600; }
  .kv svg { width: 100%; height: auto; }
  .kv .readout { grid-column: 1 / -1; margin: 0; }
  @container (max-width: 56rem) { .kv { grid-template-columns: minmax(0, 1fr); } }
`;

export class SinkKv {
  #host;
  /** @type {Promise<any> | null} */
  #engine = null;
  #turn = 0;
  words = 'sinkKv';
  seeds = SEEDS;
  /** @type {Run[]} */
  runs = [];
  /** @type {number | null} the update on display; the last when null */
  step = null;

  /** @param {import('./figure.js').FigureElement} host */
  constructor(host) {
    this.#host = host;
  }

  get kept() { return { seeds: this.seeds, step: this.step }; }
  /** @param {Record<string, string>} given */
  restore({ seeds, step }) {
    const [n, at] = [readValue(seeds ?? '', { min: 1, max: MOST_SEEDS }), readValue(step ?? '', { min: 0, max: STEPS })];
    if (n !== undefined && !this.running) this.seeds = n;
    if (at !== undefined) this.step = at;
    this.#host.requestUpdate();
  }

  /** While it runs, the end is enough. @param {Text} t */
  spoken(t) { return this.running ? '' : this.sentence(t); }
  /** A run is made anew wherever the link is opened. @param {Text} t */
  unlinked(t) { return this.running || this.runs.length > 0 ? t('link.run') : ''; }

  seen() {}
  get alive() { return this.#engine !== null; }
  get running() { return this.#engine !== null; }
  /** Jobs without an end yet. */
  get #left() { return plan(this.seeds).filter((job) => !this.#run(job)?.points.some((p) => p.step === STEPS)); }
  /** The furthest update that any run has reached, and the one on display. */
  get #reached() { return Math.max(0, ...this.runs.map((r) => r.points.at(-1)?.step ?? 0)); }
  get #shown() { return Math.min(this.step ?? STEPS, this.#reached); }

  /** @param {import('../../lab/sink-kv.js').Job} job */
  #run({ kvHeads, seed }) { return this.runs.find((r) => r.kvHeads === kvHeads && r.seed === seed); }

  /** Gives the workers back; runs that were on their way begin anew next time. */
  stop() {
    this.#turn += 1;
    this.#engine?.then((engine) => engine.close(), () => {});
    this.#engine = null;
    this.runs = this.runs.filter((r) => r.points.at(-1)?.step === STEPS);
    this.#host.requestUpdate();
  }

  leave() { this.stop(); }
  /** Figures off screen do no work. */
  unseen() { if (this.running) this.stop(); }

  reset() {
    this.stop();
    Object.assign(this, { runs: [], seeds: SEEDS, step: null });
    this.#host.error = null;
    this.#host.requestUpdate();
  }

  async start() {
    if (this.running) {
      this.stop();
      return;
    }
    const jobs = this.#left;
    const turn = this.#turn;
    this.#host.error = null;
    this.#engine = workerEngine(WORKERS);
    this.#host.requestUpdate();
    try {
      const engine = await this.#engine;
      const work = async () => {
        while (turn === this.#turn && jobs.length > 0) await this.#train(engine, /** @type {Run} */ (jobs.shift()), turn);
      };
      await Promise.all(Array.from({ length: WORKERS }, work));
    } catch (error) {
      if (turn === this.#turn) this.#host.fail(error);
    }
    if (turn !== this.#turn) return;
    this.stop();
    this.#host.voice.say();
  }

  /** @param {any} engine @param {import('../../lab/sink-kv.js').Job} job @param {number} turn */
  async #train(engine, job, turn) {
    const trainer = await engine.createTrainer(kvOptions(job));
    const sample = await trainer.sample(...SAMPLE);
    while (trainer.steps < STEPS) {
      const { found: { loss } } = await measured(trainer, sample, TRIGGERS);
      this.#add(job, { step: trainer.steps, loss }, turn);
      await trainer.step(EVERY);
      if (turn !== this.#turn) return;
    }
    const { found: { loss } } = await measured(trainer, sample, TRIGGERS);
    this.#add(job, { step: STEPS, loss }, turn);
    await trainer.close();
  }

  /** @param {import('../../lab/sink-kv.js').Job} job @param {Run['points'][0]} point @param {number} turn */
  #add(job, point, turn) {
    if (turn !== this.#turn) return;
    const points = [...this.#run(job)?.points ?? [], point];
    this.runs = [...this.runs.filter((r) => r !== this.#run(job)), { ...job, points }].sort((a, b) => a.seed - b.seed);
    this.#host.requestUpdate();
  }

  /** @param {Text} t */
  controls(t) {
    const left = this.#left.length;
    const all = plan(this.seeds).length;
    const set = (/** @type {Partial<SinkKv>} */ patch) => {
      Object.assign(this, patch);
      this.#host.requestUpdate();
    };
    const label = this.running ? `❚❚ ${t('sinkKv.stop')}` : `▶ ${t('sinkKv.start', { n: t.count(left) })}`;
    return html`<button type="button" data-here class="button play ${this.running ? 'active' : ''}" aria-disabled=${!this.running && left === 0}
        @click=${() => (this.running || left > 0) && this.#host.attempt(() => this.start())}>${
  left === 0 && !this.running ? t('sinkKv.done') : label}</button>
      <label>${t('sinkKv.seeds')} ${scrub({ value: this.seeds, text: t, label: t('sinkKv.seeds'), min: 1, max: MOST_SEEDS, step: 1, big: 1, digits: 0,
    onChange: (seeds) => { if (!this.running) set({ seeds }); } })}</label>
      <div class="travel" data-here>${t('sinkLab.step')} ${slider({ value: this.#shown, min: 0, max: STEPS, step: EVERY, label: t('sinkKv.step'), words: t.count(this.#shown),
    onInput: (step) => set({ step }) })}<span>${t.count(this.#shown)}</span></div>
      <span role="status" data-here>${this.running ? t('sinkKv.progress', { done: t.count(all - left), all: t.count(all) }) : nothing}</span>`;
  }

  get #width() {
    const room = this.#host.width;
    return Math.max(250, room > 896 ? (room - 72) / 2 : room - (room > 576 ? 48 : 24));
  }

  /** @param {Text} t @param {import('../../draw/palette.js').Theme} theme @param {number} width */
  #courses(t, theme, width) {
    const thin = this.runs.map((r) => ({ name: '', thin: true, colour: kvColour(theme, KV_HEADS.indexOf(r.kvHeads)),
      points: r.points.map((p) => ({ x: p.step, y: p.loss.trigger })) }));
    const thick = KV_HEADS.map((kvHeads, i) => ({ name: t('sinkKv.heads', { n: t.count(kvHeads) }), colour: kvColour(theme, i), dash: kvDash(i), points: meanCourse(this.runs, kvHeads) }));
    return sinkChart(theme, sinkScales({ width, height: HEIGHT, steps: STEPS, top: 4 }), {
      curves: [...thin, ...thick], cursor: this.runs.length ? this.#shown : null, count: t.count, format: (n) => t.short(n, 2),
    });
  }

  /** @param {Text} t @param {import('../../draw/palette.js').Theme} theme @param {number} width */
  #scatter(t, theme, width) {
    return kvScatter(theme, { width, height: HEIGHT, groups: byCache(this.runs, this.#shown), cache: KV_HEADS.map(cacheNumbers), format: (n) => t.short(n, 3),
      words: { axis: t('sinkKv.axis'), kv: (n) => `K = ${n}` } });
  }

  /** @param {Text} t */
  sentence(t) {
    const groups = byCache(this.runs, this.#shown);
    if (groups.length === 0) return t('sinkKv.empty');
    return `${t('sinkKv.at', { step: t.count(this.#shown) })}${groups.map((g) => t('sinkKv.group', {
      k: g.kvHeads, cache: t.count(g.cache), mean: t.fixed(g.mean), low: t.fixed(g.low), high: t.fixed(g.high), n: t.count(g.values.length),
    })).join('')}`;
  }

  /** @param {Text} t */
  plate(t) {
    const { theme } = this.#host.environment;
    const width = this.#width;
    const chart = (/** @type {string} */ name, /** @type {any[]} */ shapes) => html`<div><p class="name">${name}</p>
      <svg viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${name}. ${this.sentence(t)}">${drawn(shapes)}</svg></div>`;
    return html`<div class="kv">${chart(t('sinkKv.courses'), this.#courses(t, theme, width))}${chart(t('sinkKv.scatter'), this.#scatter(t, theme, width))}
      <p class="readout">${this.sentence(t)}</p></div>`;
  }

  aside() { return nothing; }
  /** @param {Text} t */
  caption(t) { return t('sinkKv.caption'); }

  /** By the update on display. @param {Text} t */
  therefore(t) {
    if (this.runs.length === 0) return null;
    const { kind, seeds, mean, error } = kvVerdict(this.runs, this.#shown);
    return t(`sinkKv.therefore_${kind}`, { step: t.count(this.#shown), seeds: t.count(seeds), mean: t.signed(mean), error: t.fixed(error) });
  }

  offers() { return { table: true, picture: true }; }

  /** @param {Text} t */
  table(t) {
    return {
      caption: t('sinkKv.title'),
      columns: ['seed', 'heads', 'cache', 'trigger', 'other'].map((c) => t(`sinkKv.col.${c}`)),
      rows: plan(this.seeds).map((job) => {
        const at = this.#run(job)?.points.find((p) => p.step === this.#shown);
        const loss = (/** @type {'trigger' | 'other'} */ kind) => (at?.loss[kind] === undefined ? '–' : t.fixed(at.loss[kind]));
        return [t.count(job.seed), t.count(job.kvHeads), t.count(cacheNumbers(job.kvHeads)), loss('trigger'), loss('other')];
      }),
    };
  }

  /** @param {Text} t */
  picture(t) {
    const theme = this.#host.environment.theme === 'forced' ? 'light' : this.#host.environment.theme;
    return { width: 1040, height: HEIGHT, shapes: [...this.#courses(t, theme, 520), ...moved(this.#scatter(t, theme, 480), 560, 0)] };
  }

  /** @param {Text} t */
  pictureCaption(t) { return [this.sentence(t), this.therefore(t)].filter(Boolean).join(' '); }
}
