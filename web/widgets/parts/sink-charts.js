/** The four charts of the sink lab: share of the first symbol, length of its value, what is let through, loss. */
import { html, nothing, svg } from 'lit';
import { PALETTE } from '../../draw/palette.js';
import { text as words } from '../../draw/shapes.js';
import { modelStyle, sinkChart, sinkScales } from '../../draw/sink-chart.js';
import { EVEN, letsThrough, STEPS } from '../../lab/sink-run.js';
import { choice } from './controls.js';
import { drawn } from './shapes.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {'share' | 'ratio' | 'through' | 'loss'} ChartName */
/** @typedef {import('../../lab/sink-run.js').Measured} Measured */

export const CHARTS = /** @type {ChartName[]} */ (['share', 'ratio', 'through', 'loss']);
export const HEIGHT = { share: 232, ratio: 164, through: 164, loss: 164 };
/** Ends of the value axes. */
const TOP = { share: 1, ratio: 1.25, through: 1, loss: 4 };
/** Dashes mean the other positions, where there is nothing to copy. */
const OTHER = '3 4';

export class SinkCharts {
  #lab;

  /** @param {import('./sink-lab.js').SinkLab} lab */
  constructor(lab) {
    this.#lab = lab;
  }

  get narrow() { return this.#lab.host.width < 576; }

  /** CSS pixels of the charts' column. */
  get #width() {
    const room = this.#lab.host.width;
    return Math.max(250, room > 896 ? room - 48 - 24 - 380 : room - (this.narrow ? 24 : 48));
  }

  /** What the second model lets through; nothing when it has no way to hold back. @param {Measured} measured */
  through(measured) {
    const { second } = this.#lab.made;
    return second === 'off' ? {} : letsThrough(measured, second);
  }

  /** @param {Text} t @param {ChartName} name */
  heading(t, name) {
    if (name !== 'through') return t(`sinkLab.chart.${name}`);
    const { second } = this.#lab.made;
    return t(`sinkLab.chart.through.${second === 'gate' || second === 'off' ? second : 'cure'}`);
  }

  /** @param {Text} t @param {ChartName} name @param {import('../../draw/palette.js').Theme} theme */
  #curves(t, name, theme) {
    const { points } = this.#lab.runner;
    const line = (/** @type {(m: Measured) => number | undefined} */ y, /** @type {number} */ model) => (
      points.map((p) => ({ x: p.step, y: y(p.models[model]) })));
    const both = (/** @type {(m: Measured) => number | undefined} */ y) => [0, 1].map((model) => (
      { name: this.#lab.name(t, model), ...modelStyle(theme, model), points: line(y, model) }));
    if (name === 'share') return both((m) => m.firstTokenAttention.other);
    if (name === 'ratio') return both((m) => m.valueRatio);
    const kinds = /** @type {const} */ (['trigger', 'other']);
    const at = (/** @type {'trigger' | 'other'} */ kind) => ({ name: t(`sinkLab.at.${kind}`), dash: kind === 'other' ? OTHER : undefined });
    if (name === 'through') return kinds.map((kind) => ({ colour: PALETTE[theme].gate, ...at(kind), points: line((m) => this.through(m)[kind], 1) }));
    return [1, 0].flatMap((model) => kinds.map((kind) => ({
      ...at(kind), name: model ? '' : at(kind).name, colour: modelStyle(theme, model).colour, points: line((m) => m.loss[kind], model),
    })));
  }

  /** @param {ChartName} name @param {number} width */
  scales(name, width = this.#width) {
    const most = name === 'ratio' ? Math.max(...this.#lab.runner.points.flatMap((p) => p.models.map((m) => m.valueRatio ?? 0)), 0) * 1.05
      : name === 'loss' ? Math.max(...this.#lab.runner.points.flatMap((p) => p.models.flatMap((m) => [m.loss.trigger ?? 0, m.loss.other ?? 0])), 0) : 0;
    return sinkScales({ width, height: HEIGHT[name], steps: STEPS, top: Math.max(TOP[name], most), right: this.narrow ? 84 : 100 });
  }

  /** @param {Text} t @param {ChartName} name @param {number} [width] @param {import('../../draw/palette.js').Theme} [theme] */
  shapes(t, name, width, theme = this.#lab.host.environment.theme) {
    const { runner, guess } = this.#lab;
    const percent = name === 'share' || name === 'through';
    return sinkChart(theme, this.scales(name, width), {
      curves: this.#curves(t, name, theme), cursor: runner.shown ? runner.shown.step : null, count: t.count,
      format: percent ? t.percent : (n) => t.short(n, 2),
      guess: name === 'share' ? guess.curve(t) : null,
      even: name === 'share' ? { y: EVEN, name: '' } : null,
    });
  }

  /** @param {Text} t */
  render(t) {
    const { narrow } = this;
    const shown = narrow ? [this.#lab.chart] : CHARTS;
    return html`${narrow ? choice({
      name: 'chart', legend: t('sinkLab.charts'), hideLegend: true, wide: true, value: this.#lab.chart,
      options: CHARTS.map((name) => ({ value: name, label: t(`sinkLab.tab.${name}`) })),
      onPick: (name) => {
        this.#lab.chart = /** @type {ChartName} */ (name);
        this.#lab.host.requestUpdate();
      },
    }) : nothing}${shown.map((name) => this.#render(t, name))}`;
  }

  /** @param {Text} t @param {ChartName} name */
  #render(t, name) {
    const scales = this.scales(name);
    const says = `${this.heading(t, name)}. ${this.#lab.sentence(t)}`;
    return html`<p class="name">${this.heading(t, name)}</p>${name === 'through' && this.#lab.made.second === 'off'
      ? html`<p class="none">${t('sinkLab.through.none')}</p>`
      : html`<svg class="chart ${name}" viewBox="0 0 ${scales.width} ${scales.height}" role="img" aria-label=${says}>${
        drawn(this.shapes(t, name))}${name === 'share' ? this.#hand(t, scales) : nothing}</svg>`}`;
  }

  /** Where the reader's hand may draw. @param {Text} t @param {ReturnType<typeof sinkScales>} scales */
  #hand(t, scales) {
    const { guess, host: { environment: { theme } } } = this.#lab;
    if (!guess.open) return nothing;
    const [x0, x1] = scales.x.range();
    const [y0, y1] = scales.y.range();
    const hint = guess.values ? [] : [words(this.narrow ? x0 + 8 : (x0 + x1) / 2, (y0 + y1) / 2, t('sinkLab.drawHere'), {
      fill: PALETTE[theme].hand, weight: 600, anchor: this.narrow ? 'start' : 'middle',
    })];
    return svg`${drawn(hint)}<rect class="draw" x=${x0} y=${y1} width=${x1 - x0} height=${y0 - y1} fill="transparent"
      @pointerdown=${(/** @type {PointerEvent} */ e) => guess.draw(e, scales)}></rect>`;
  }
}
