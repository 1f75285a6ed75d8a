/** What an element takes from the place where it stands: language of the nearest [lang], light or dark, being in sight. */
import { luminance } from '../../draw/colour.js';
import { localeFor, nearestLang } from './language.js';
import { loadText } from './locale.js';

/** @typedef {import('../../draw/palette.js').Theme} Theme */

/** @type {Set<() => void>} */
const watchers = new Set();
/** @type {AbortController | null} */
let watching = null;

function tellAll() {
  for (const watcher of watchers) watcher();
}

/** One observer for the whole page, there while anyone listens. @param {() => void} watcher */
function watch(watcher) {
  watchers.add(watcher);
  if (watching) return;
  watching = new AbortController();
  const observer = new MutationObserver(tellAll);
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['lang', 'data-theme'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['lang', 'data-theme', 'class', 'style'] });
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
    matchMedia(query).addEventListener('change', tellAll, { signal: watching.signal });
  }
  watching.signal.addEventListener('abort', () => observer.disconnect());
}

/** @param {() => void} watcher */
function unwatch(watcher) {
  watchers.delete(watcher);
  if (watchers.size > 0) return;
  watching?.abort();
  watching = null;
}

/** Read from the ink the element is styled with. @param {Element} element @returns {Theme} */
export function themeOf(element) {
  if (matchMedia('(forced-colors: active)').matches) return 'forced';
  const rgb = getComputedStyle(element).color.match(/[\d.]+/g)?.slice(0, 3).map(Number) ?? [0, 0, 0];
  return luminance(/** @type {[number, number, number]} */ (rgb)) > 0.4 ? 'dark' : 'light';
}

/** A lit controller: `text` is null until the catalogue is here. */
export class Environment {
  /** @type {import('../../lab/text.js').Text | null} */
  text = null;
  /** @type {Theme} */
  theme = 'light';
  failed = false;
  #host;
  #locale = '';

  /** @param {import('lit').ReactiveControllerHost & Element} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    watch(this.update);
    addEventListener('online', this.retry);
    this.update();
  }

  hostDisconnected() {
    unwatch(this.update);
    removeEventListener('online', this.retry);
  }

  retry = () => { if (this.failed) this.load(); };

  update = () => {
    const theme = themeOf(this.#host);
    if (theme !== this.theme) {
      this.theme = theme;
      this.#host.requestUpdate();
    }
    const locale = localeFor(nearestLang(this.#host));
    if (locale !== this.#locale || this.failed) this.load(locale);
  };

  /** @param {string} [locale] the one that failed last, when absent */
  async load(locale = this.#locale) {
    this.#locale = locale;
    this.failed = false;
    try {
      const text = await loadText(locale);
      if (locale !== this.#locale) return;
      this.text = text;
    } catch {
      this.failed = true;
    }
    this.#host.requestUpdate();
  }
}

/** @type {WeakMap<Element, (seen: boolean) => void>} */
const listeners = new WeakMap();
/** @type {IntersectionObserver | null} */
let sight = null;

/** Tells a lit host when it comes near the window and when it leaves. */
export class Sight {
  #host;
  #listener;

  /** @param {import('lit').ReactiveControllerHost & Element} host @param {(seen: boolean) => void} listener */
  constructor(host, listener) {
    this.#host = host;
    this.#listener = listener;
    host.addController(this);
  }

  hostConnected() {
    sight ??= new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    }, { rootMargin: '160px' });
    listeners.set(this.#host, this.#listener);
    sight.observe(this.#host);
  }

  hostDisconnected() {
    sight?.unobserve(this.#host);
    this.#listener(false);
  }
}
