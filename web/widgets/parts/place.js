/**
 * A figure's place in the address: reads it when the page opens or the address changes, tells when the reader's hand has
 * changed what is kept. Only the page around writes the address (it listens to attn-place).
 */
import { parsePlace, placeHash, readValue, wordOf } from '../../lab/place.js';

/** @typedef {Record<string, [property: string, allowed: import('../../lab/place.js').Allowed]>} Keeps  by name in the address */

/**
 * How the reader came to the entry of the history on display; the page around tells. returned: back, forward or by a
 * reload, so that browser and page know where the reader was · focus: the figure that had it
 */
export const journey = { returned: false, focus: '' };

/** The figure that was touched last: what moves in the others is not the reader's doing. @type {unknown} */
let inHand = null;

/** @param {unknown} figure */
export const isInHand = (figure) => inHand === figure;

/** What tells of the reader's hand, whatever it works with. */
const HAND = ['pointerdown', 'keydown', 'click', 'input', 'change'];

/** Cells that an address may pin. */
const MOST_PINS = 4;
const PIN = { shape: [3], least: 0, most: 9999 };

/** @param {import('./heatmap.js').AttnHeatmap[]} maps */
const pinsOf = (maps) => maps.flatMap(({ pinned, cell }, i) => (pinned && cell ? [i, cell.row, cell.col] : []))
  .slice(0, 3 * MOST_PINS).join();

/** @param {string} [text] @returns {number[][]} */
function pinsFrom(text = '') {
  const words = text.split(',', 3 * MOST_PINS);
  const triples = Array.from({ length: Math.floor(words.length / 3) }, (_, i) => words.slice(3 * i, 3 * i + 3).join());
  return triples.map((triple) => readValue(triple, PIN)).filter((pin) => pin?.every(Number.isInteger));
}

/** A lit controller of a figure. */
export class Place {
  #host;
  #last = '';
  /** @type {Record<string, string> | null} what the address asks for, until the figure has words */
  #wanted = null;
  /** Cells to pin: which map of the figure, row, column. @type {number[][]} */
  #pins = [];

  /** @param {import('./figure.js').FigureElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    const { signal } = /** @type {AbortController} */ (this.#host.stay);
    for (const type of HAND) {
      this.#host.addEventListener(type, () => this.#taken(), { capture: true, signal });
    }
    addEventListener('hashchange', () => this.#read(), { signal });
    this.#read();
  }

  /** The reader's hand is here: what an address asked for and has not come is let go. */
  #taken() {
    inHand = this.#host;
    this.#pins = [];
  }

  #read() {
    const { figure } = this.#host;
    const place = parsePlace(location.hash);
    const named = place?.figure === figure;
    if (!figure || !(named || journey.focus === figure)) return;
    this.#wanted = named ? place.state : {};
    this.#host.requestUpdate();
  }

  /** The address of this figure as it stands, with the cells that are pinned in its maps. */
  get hash() { return placeHash(this.#host.figure, { ...this.#host.kept, pin: pinsOf(this.#maps) }); }

  /** @returns {import('./heatmap.js').AttnHeatmap[]} */
  get #maps() { return [...this.#host.renderRoot?.querySelectorAll('attn-heatmap') ?? []]; }

  /** A job is done: its map may be there. */
  rested() { if (this.#pins.length > 0) this.#host.requestUpdate(); }

  /** Pins what the address asks for, each cell once its map is there. */
  #pin() {
    const maps = this.#maps;
    this.#pins = this.#pins.filter(([map, row, col]) => {
      const { rows = 0, cols = 0 } = maps[map]?.matrix ?? {};
      if (row >= rows || col >= cols) return true;
      maps[map].pin({ row, col });
      return false;
    });
  }

  hostUpdated() {
    const host = this.#host;
    if (!host.environment.text || !host.figure) return;
    const wanted = this.#wanted;
    if (wanted) {
      this.#wanted = null;
      this.#pins = pinsFrom(wanted.pin);
      requestAnimationFrame(() => host.attempt(() => host.visit(wanted)));
    }
    if (this.#pins.length > 0 && host.seen && host.atRest) this.#pin();
    const { hash } = this;
    if (hash === this.#last) return;
    const first = this.#last === '';
    this.#last = hash;
    if (host.copied) host.copied = false;
    if (!first && inHand === host) host.dispatchEvent(new CustomEvent('attn-place', { bubbles: true, composed: true, detail: { hash } }));
  }
}

/** @param {any} host @param {Keeps} keeps @returns {Record<string, import('../../lab/place.js').Value>} */
export const keptOf = (host, keeps) => Object.fromEntries(Object.entries(keeps)
  .map(([name, [property, allowed]]) => [name, wordOf(host[property], allowed)]));

/** Sets what is there and allowed, leaves the rest. @param {any} host @param {Keeps} keeps @param {Record<string, string>} given */
export function restoreKept(host, keeps, given) {
  for (const [name, [property, allowed]] of Object.entries(keeps)) {
    const value = name in given ? readValue(given[name], allowed) : undefined;
    // “no” in an address is 0
    if (value !== undefined) host[property] = typeof host[property] === 'boolean' ? Boolean(value) : value;
  }
}

/** Into the clipboard; false where the browser refuses. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** What a reader does to go elsewhere. */
const LEAVING = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'];

/**
 * @param {() => void} put done now and while figures still grow, until the reader moves on
 * @param {AbortSignal} [signal]
 */
function hold(put, signal) {
  put();
  const growing = new ResizeObserver(put);
  const over = new AbortController();
  const letGo = () => {
    growing.disconnect();
    over.abort();
  };
  growing.observe(document.body);
  signal?.addEventListener('abort', letGo, { signal: over.signal });
  for (const type of LEAVING) addEventListener(type, letGo, { passive: true, signal: over.signal });
}

/** Brings an element into sight and keeps it there. @param {Element} element @param {AbortSignal} [signal] */
export const holdInSight = (element, signal) => hold(() => element.scrollIntoView(), signal);

/**
 * Keeps an element's upper edge where it is told.
 * @param {Element} element @param {number} top below the window's, in CSS pixels
 */
export const holdAt = (element, top) => (
  hold(() => scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' })));
