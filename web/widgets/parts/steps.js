/** One step at a time: back, next, where we are. Left and Right step, Home and End go to the ends. */
import { html } from 'lit';

/**
 * @param {import('../../lab/text.js').Text} t
 * @param {{ step: number, steps: number, name: string, label: string, onGo: (step: number) => void }} o  step counts from 1
 */
export function stepBar(t, { step, steps, name, label, onGo }) {
  const key = (/** @type {KeyboardEvent} */ event) => {
    const to = { ArrowLeft: Math.max(1, step - 1), ArrowRight: Math.min(steps, step + 1), Home: 1, End: steps }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onGo(to);
  };
  return html`<div class="steps" role="group" aria-label=${label} @keydown=${key}>
    <button type="button" class="button quiet" aria-label=${t('step.back')} aria-disabled=${step === 1}
      @click=${() => onGo(Math.max(1, step - 1))}>◀</button>
    <button type="button" class="button next" @click=${() => onGo((step % steps) + 1)}>${
  step === steps ? t('step.again') : t('step.next')} ▶</button>
    <span>${t('step.of', { step: t.count(step), steps: t.count(steps), name })}</span></div>`;
}
