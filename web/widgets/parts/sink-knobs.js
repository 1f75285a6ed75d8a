/** Controls of the sink lab: train, step, replay; what is compared; the recipe. */
import { html, nothing } from 'lit';
import { OPTIMIZERS, RATES, RECIPES, SECONDS, STEPS } from '../../lab/sink-run.js';
import { choice, scrub } from './controls.js';
import { foreign, plays } from './keys.js';
import { slider } from './slider.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {import('./sink-lab.js').SinkLab} SinkLab */

/** Left, Right, Home and End replay; Space plays. @param {KeyboardEvent} event @param {SinkLab} lab */
function key(event, lab) {
  const target = /** @type {Element} */ (event.target);
  if (plays(event)) lab.play();
  if (target.matches('input')) return;
  const { points, shown } = lab.runner;
  const at = points.indexOf(shown);
  const to = { ArrowLeft: points[at - 1], ArrowRight: points[at + 1], Home: points[0], End: points.at(-1) }[event.key];
  if (!to || foreign(event)) return;
  event.preventDefault();
  lab.show(to.step);
}

/** @param {Text} t @param {SinkLab} lab */
function main(t, lab) {
  const { runner } = lab;
  if (runner.playing) return `❚❚ ${t('sinkLab.pause')}`;
  if (lab.stale || runner.over) return `↻ ${t('sinkLab.over')}`;
  return `▶ ${t(runner.step > 0 ? 'sinkLab.on' : 'sinkLab.play')}`;
}

/** @param {Text} t @param {SinkLab} lab */
export function sinkControls(t, lab) {
  const { runner, settings } = lab;
  const step = runner.shown?.step ?? 0;
  const number = (/** @type {'seed' | 'learningRate' | 'triggers' | 'batch'} */ name, /** @type {number} */ by, digits = 0) => html`<label>${
    t(`sinkLab.${name}`)} ${scrub({ value: settings[name], text: t, print: plain, label: t(`sinkLab.${name}`), step: by, big: 10 * by, digits,
  onChange: (to) => lab.set({ [name]: to }),
})}</label>`;
  const pick = (/** @type {'second' | 'recipe' | 'optimizer'} */ name, /** @type {string[]} */ options, /** @type {(to: string) => any} */ next) => choice({
    name, legend: t(`sinkLab.${name}`), value: settings[name], options: options.map((value) => ({ value, label: t(`sinkLab.${name}.${value}`) })),
    onPick: (to) => lab.set(next(to)),
  });
  const still = Boolean(lab.refused) || runner.busy;
  return html`<div class="row" role="group" aria-label=${t('sinkLab.run')} @keydown=${(/** @type {KeyboardEvent} */ e) => key(e, lab)}>
      <button type="button" data-here class="button play ${runner.playing ? 'active' : ''}" aria-disabled=${Boolean(lab.refused)}
        @click=${() => lab.play()}>${main(t, lab)}</button>
      <button type="button" data-here class="button quiet" aria-disabled=${still || lab.stale || runner.over} @click=${() => lab.one()}>${t('sinkLab.one')}</button>
      ${runner.step > 0 && !lab.stale && !runner.over ? html`<button type="button" data-here class="button quiet" @click=${() => lab.restart()}>${t('sinkLab.over')}</button>` : nothing}
      <div class="travel" data-here>${t('sinkLab.step')} ${slider({
    value: step, min: 0, max: STEPS, label: t('sinkLab.replay'), words: t.count(step), onInput: (to) => lab.show(to),
  })}${scrub({
    value: step, text: t, label: t('sinkLab.replay'), min: 0, max: runner.step, step: 25, big: 100, digits: 0, onChange: (to) => lab.show(to),
  })}</div>
      ${number('seed', 1)}${number('learningRate', 0.0005, 6)}</div>
    <div class="row seconds">${pick('second', SECONDS, (second) => ({ second }))}</div>
    <details class="knobs"><summary>${t('sinkLab.knobs')}</summary><div class="row">
      ${pick('recipe', RECIPES, (recipe) => ({ recipe }))}
      ${pick('optimizer', OPTIMIZERS, (optimizer) => ({ optimizer, ...(settings.learningRate === RATES[settings.optimizer] ? { learningRate: RATES[optimizer] } : {}) }))}
      ${number('triggers', 1)}${number('batch', 1)}</div></details>
    ${lab.stale ? html`<p class="none" role="status" data-here>${t('sinkLab.stale')}</p>` : nothing}`;
}

/** A setting as it would be typed: no grouping. @param {number} n */
const plain = (n) => String(n).replace('-', '−');
