/** Keeps the keyboard inside a figure when a press takes the pressed control away. */

const CONTROLS = 'button, input, textarea, select, summary, a[href], [tabindex="0"]';

/** Can it hold the focus? @param {Element} e */
const stands = (e) => e.isConnected && !e.matches(':disabled') && e.checkVisibility({ visibilityProperty: true });

/** Of a radio group the picked one. @param {Element} e @param {Element[]} all */
const picked = (e, all) => (e.matches('[type=radio]:not(:checked)')
  && all.find((o) => o.matches(`[type=radio][name="${CSS.escape(e.getAttribute('name') ?? '')}"]:checked`))) || e;

/**
 * A lit controller: a lost focus goes to what came in its place, else to the control before, nearest home first, else to
 * the part of the figure where it was, whose words are read then.
 */
export class FocusKeeper {
  #host;
  /** @type {Element | null} */
  #held = null;
  /** @type {Element[]} what stood around it, inside out */
  #homes = [];
  /** @type {Element[]} the other controls: from the one before it back to the first, then those after it */
  #others = [];

  /** @param {import('lit').LitElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate() {
    const root = this.#host.shadowRoot;
    this.#held = root?.activeElement ?? null;
    if (!root || !this.#held) return;
    this.#homes = [];
    for (let e = this.#held.parentElement; e; e = e.parentElement) this.#homes.push(e);
    const all = [...root.querySelectorAll(CONTROLS)];
    const at = all.indexOf(this.#held);
    this.#others = [...all.slice(0, Math.max(at, 0)).reverse(), ...all.slice(at + 1)];
  }

  hostUpdated() {
    const held = this.#held;
    this.#held = null;
    if (!held || stands(held)) return;
    const homes = /** @type {HTMLElement[]} */ (this.#homes.filter((h) => h.isConnected));
    const figure = homes.pop();
    for (const home of homes) {
      const inside = [...home.querySelectorAll(CONTROLS)].filter(stands);
      const next = inside.find((e) => !this.#others.includes(e)) ?? this.#others.find((e) => inside.includes(e));
      if (next) return /** @type {HTMLElement} */ (picked(next, inside)).focus();
    }
    const last = homes.pop() ?? figure;
    last?.setAttribute('tabindex', '-1');
    return last?.focus();
  }
}
