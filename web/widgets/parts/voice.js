/**
 * What a figure reads out: the sentence of the state on display, a little after the reader's hand has changed it. It is
 * made when it is spoken; as soon as the state says something else, what was said is gone.
 */
import { isInHand } from './place.js';

const AFTER = 300;

/** A lit controller of a figure. */
export class Voice {
  #host;
  #timer = 0;
  /** Is the state's sentence about to be spoken? */
  #due = false;
  /** The state's sentence at the last drawing. @type {string | null} */
  #was = null;

  /** @param {import('./figure.js').FigureElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() { clearTimeout(this.#timer); }

  hostUpdate() {
    const { text: t } = this.#host.environment;
    if (!t) return;
    const now = this.#host.spoken(t);
    if (now === this.#was) return;
    const first = this.#was === null;
    this.#was = now;
    const due = this.#due;
    this.hush();
    if (!first && (due || isInHand(this.#host))) this.say();
  }

  /** What was said or was about to be is no longer so. */
  hush() {
    clearTimeout(this.#timer);
    this.#due = false;
    if (this.#host.said) this.#host.said = '';
  }

  /** @param {string} [sentence] something that happened; the state's own sentence when absent */
  say(sentence) {
    clearTimeout(this.#timer);
    this.#due = sentence === undefined;
    this.#timer = window.setTimeout(() => {
      this.#due = false;
      const { text: t } = this.#host.environment;
      if (t) this.#host.said = sentence ?? this.#host.spoken(t);
    }, AFTER);
  }
}
