/**
 * Gives one model, prompt, run and selection to the figures inside it; draws nothing itself.
 * <attn-model src="models/mine/ https://mirror.example/mine/" prompt="…" layer="3" head="0"> … </attn-model>
 * Fires attn-select { layer, heads, token }, attn-run { source, model, tokens, ms } and attn-error (the EngineError).
 */
import { provideModel } from './parts/model.js';
import { ModelContext } from './parts/model-context.js';

const ATTRIBUTES = ['src', 'prompt', 'layer', 'head', 'recordings'];

/** Addresses, by spaces. @param {string | null} text */
const list = (text) => (text ?? '').split(/\s+/).filter(Boolean);

/** Importing this where there is no DOM does nothing. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

export class AttnModel extends Base {
  static observedAttributes = ATTRIBUTES;

  /** What the figures inside share. */
  context = new ModelContext((name, detail) => {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  });

  /** @type {AbortController | null} */
  #stay = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host { display: contents; }');
    root.adoptedStyleSheets = [sheet];
    root.append(document.createElement('slot'));
  }

  connectedCallback() {
    for (const name of ATTRIBUTES) this.#upgrade(name);
    this.#stay = new AbortController();
    provideModel(this, this.context, this.#stay.signal);
  }

  disconnectedCallback() {
    this.#stay?.abort();
    this.#stay = null;
  }

  /** A property set before the element was defined. @param {string} name */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = /** @type {any} */ (this)[name];
    delete /** @type {any} */ (this)[name];
    /** @type {any} */ (this)[name] = value;
  }

  /** @param {string} name @param {string | null} _before @param {string | null} value */
  attributeChangedCallback(name, _before, value) {
    if (name === 'layer') this.context.select({ layer: number(value) });
    else if (name === 'head') this.context.select({ heads: value === null ? undefined : list(value.replaceAll(',', ' ')).map(Number) });
    else if (name === 'prompt') this.context.configure({ prompt: value ?? undefined });
    else this.context.configure({ [name]: list(value) });
  }

  /** Folder of the model, or mirrors of it. @returns {string} */
  get src() { return this.getAttribute('src') ?? ''; }
  set src(/** @type {string | string[]} */ value) { this.setAttribute('src', Array.isArray(value) ? value.join(' ') : value); }
  get prompt() { return this.context.prompt; }
  set prompt(value) { this.setAttribute('prompt', value); }
  get layer() { return this.context.selection.layer; }
  set layer(value) { this.setAttribute('layer', String(value)); }
  get head() { return this.context.selection.heads[0]; }
  set head(/** @type {number | string} */ value) { this.setAttribute('head', String(value)); }
  get recordings() { return this.getAttribute('recordings') ?? ''; }
  set recordings(/** @type {string | string[]} */ value) {
    this.setAttribute('recordings', Array.isArray(value) ? value.join(' ') : value);
  }
}

/** @param {string | null} text */
const number = (text) => (text === null || text.trim() === '' ? undefined : Number(text));
