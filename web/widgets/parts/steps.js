/** One step at a time: back, next, play, where we are. Left and Right step, Home and End go to the ends, Space plays. */
import { html, nothing } from 'lit';
import { foreign } from './keys.js';

/** Milliseconds a step stays when it plays. */
const PACE = 2500;

/** @typedef {{ step: number, steps: number, name: string, label: string, onGo: (step: number) => void }} Steps  step counts from 1 */

/** Goes on by itself, a step after a step: to the last one, out of sight, or until something else moves it. */
class Walk {
  #host;
  #timer = 0;
  /** The step it went to. */
  #at = 0;
  /** @type {Steps | null} as last drawn */
  bar = null;

  /** @param {import('./figure.js').FigureElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  get going() { return this.#timer !== 0; }

  hostDisconnected() { this.stop(); }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#host.requestUpdate();
  }

  /** The first step at once; from the last it starts over. */
  start() {
    const { step, steps, onGo } = /** @type {Steps} */ (this.bar);
    this.#at = (step % steps) + 1;
    onGo(this.#at);
    this.#timer = this.#at < steps && !matchMedia('(prefers-reduced-motion: reduce)').matches ? window.setTimeout(() => this.#next(), PACE) : 0;
    this.#host.requestUpdate();
  }

  #next() {
    if (this.#host.seen && this.bar?.step === this.#at) this.start();
    else this.stop();
  }
}

/** @type {WeakMap<object, Walk>} */
const walks = new WeakMap();

/**
 * @param {import('../../lab/text.js').Text} t
 * @param {Steps & { host: import('./figure.js').FigureElement }} o  host: the figure it stands in
 */
export function stepBar(t, { host, ...bar }) {
  const { step, steps, name, label, onGo } = bar;
  const walk = walks.get(host) ?? new Walk(host);
  walks.set(host, walk);
  walk.bar = bar;
  const go = (/** @type {number} */ to) => {
    walk.stop();
    onGo(to);
  };
  const play = () => (walk.going ? walk.stop() : walk.start());
  const plays = (/** @type {KeyboardEvent} */ event) => event.key === ' ' && /** @type {Element} */ (event.target).matches('.next');
  const key = (/** @type {KeyboardEvent} */ event) => {
    const to = { ArrowLeft: Math.max(1, step - 1), ArrowRight: Math.min(steps, step + 1), Home: 1, End: steps }[event.key];
    if ((to === undefined && !plays(event)) || foreign(event)) return;
    event.preventDefault();
    if (to !== undefined) go(to);
    else if (!event.repeat) play();
  };
  // the release of Space would press the button once more
  const release = (/** @type {KeyboardEvent} */ event) => { if (plays(event)) event.preventDefault(); };
  return html`<div class="steps" role="group" aria-label=${label} @keydown=${key} @keyup=${release}>
    <button type="button" class="button quiet" aria-label=${t('step.back')} aria-disabled=${step === 1}
      @click=${() => go(Math.max(1, step - 1))}>◀</button>
    <button type="button" class="button next" aria-keyshortcuts="Space" @click=${() => go((step % steps) + 1)}>${
  step === steps ? t('step.again') : t('step.next')} ▶</button>
    ${matchMedia('(prefers-reduced-motion: reduce)').matches ? nothing : html`<button type="button" class="button quiet play ${
  walk.going ? 'active' : ''}" @click=${play}>${t(walk.going ? 'step.pause' : 'step.play')}</button>`}
    <span>${t('step.of', { step: t.count(step), steps: t.count(steps), name })}</span></div>`;
}
