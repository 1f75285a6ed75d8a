/** The guess of the sink lab: a red curve over the first chart, drawn or typed before the first update, kept beside the truth. */
import { html } from 'lit';
import { flat, guessAt, guessPoints, KNOTS, setKnot, stroke } from '../../lab/sink-guess.js';
import { EVEN, STEPS } from '../../lab/sink-run.js';
import { scrub } from './controls.js';
import { followSideways, inPicture } from './pointer.js';

/** @typedef {import('../../lab/text.js').Text} Text */

/** A guess is held to thousandths, as its link is. */
const UNIT = 1000;

export class SinkGuess {
  #host;
  #lab;
  /** @type {number[] | null} */
  values = null;

  /** @param {import('./figure.js').FigureElement} host @param {import('./sink-lab.js').SinkLab} lab */
  constructor(host, lab) {
    this.#host = host;
    this.#lab = lab;
  }

  reset() { this.values = null; }

  /** Before the first update only. */
  get open() { return this.#lab.runner.step === 0 && !this.#lab.runner.busy; }

  /** Where a guess begins: at what the first symbol gets now. */
  get #start() { return this.values ?? flat(this.#lab.runner.points[0]?.models[0].firstTokenAttention.other ?? EVEN); }

  /** @param {number[]} values */
  #set(values) {
    this.values = values.map((y) => Math.round(y * UNIT) / UNIT);
    this.#host.requestUpdate();
  }

  /** @param {Text} t */
  curve(t) { return this.values && { name: t('sinkLab.guess'), points: guessPoints(this.values) }; }

  /** @param {PointerEvent} event @param {ReturnType<typeof import('../../draw/sink-chart.js').sinkScales>} scales */
  draw(event, { x, y }) {
    if (event.button !== 0) return;
    const area = /** @type {SVGRectElement} */ (event.currentTarget);
    const picture = /** @type {SVGSVGElement} */ (area.ownerSVGElement);
    const place = (/** @type {PointerEvent} */ e) => {
      const at = inPicture(e, picture);
      return { x: x.invert(at.x), y: y.invert(at.y) };
    };
    let last = place(event);
    area.setPointerCapture(event.pointerId);
    event.preventDefault();
    followSideways(event, (move) => {
      const to = place(move);
      this.#set(stroke(this.#start, last, to));
      last = to;
    });
  }

  /** @param {Text} t */
  card(t) {
    const { runner } = this.#lab;
    const legend = html`<legend>${t('sinkLab.question')}</legend>`;
    if (this.open) {
      const start = this.#start;
      return html`<div class="predict"><fieldset>${legend}<div class="knots" data-here>${KNOTS.map((step, i) => html`<label>${
        t('sinkLab.after', { step: t.count(step) })} <span>${scrub({
        value: Math.round(guessAt(start, step) * 100), text: t, label: t('sinkLab.guess.after', { step: t.count(step) }), min: 0, max: 100, step: 1,
        big: 10, digits: 0, onChange: (to) => this.#set(setKnot(this.#start, i, to / 100)),
      })}%</span></label>`)}</div></fieldset><p data-here>${t(this.values ? 'sinkLab.drawn' : 'sinkLab.how')}</p></div>`;
    }
    const now = runner.points.at(-1);
    const truth = now ? t('sinkLab.answer', { step: t.count(now.step), share: t.percent(now.models[0].firstTokenAttention.other ?? 0) }) : '';
    return html`<div class="predict"><fieldset>${legend}</fieldset><p data-here>${this.values ? html`<span class="yours">${t('predict.yours', {
      guess: t('sinkLab.guess.end', { share: t.percent(guessAt(this.values, now?.step || STEPS)) }),
    })}</span> ` : ''}${truth}</p></div>`;
  }
}
