/**
 * How a figure finds its model: it asks upwards, the nearest <attn-model> answers, else the page's own context does.
 * The question is an event `attn-model-request` whose detail.accept takes the answer before dispatch returns.
 */
import { ModelContext } from './model-context.js';

const REQUEST = 'attn-model-request';

/** @type {Set<ModelUse>} */
const uses = new Set();
/** @type {ModelContext | null} */
let pageContext = null;

/** The context of figures that stand in no <attn-model>; its events come from the document. */
function sharedContext() {
  pageContext ??= new ModelContext((name, detail) => document.dispatchEvent(new CustomEvent(name, { detail })));
  return pageContext;
}

/** From now on `element` answers for the figures inside it. @param {Element} element @param {ModelContext} context @param {AbortSignal} signal */
export function provideModel(element, context, signal) {
  element.addEventListener(REQUEST, (event) => {
    event.stopPropagation();
    /** @type {CustomEvent} */ (event).detail.accept(context);
  }, { signal });
  for (const use of uses) use.ask();
}

/** A lit controller: the model of the place where the host stands. A host in sight is redrawn whenever anything of it changes. */
export class ModelUse {
  /** None before the host is connected for the first time. @type {ModelContext | null} */
  context = null;
  #host;
  #captures;
  /** @type {(() => void) | null} while connected */
  #leave = null;

  /**
   * @param {import('lit').ReactiveControllerHost & Element & { seen?: boolean }} host
   * @param {{ captures: string[] }} o  captures the host reads, for all layers (engine contract 4.2)
   */
  constructor(host, { captures }) {
    this.#host = host;
    this.#captures = captures;
    host.addController(this);
  }

  hostConnected() {
    uses.add(this);
    this.ask();
  }

  hostDisconnected() {
    uses.delete(this);
    this.#leave?.();
    this.#leave = null;
  }

  /** A figure out of sight is redrawn when it comes back. */
  #tell() {
    if (this.#host.seen !== false) this.#host.requestUpdate();
  }

  ask() {
    let found = null;
    const accept = (/** @type {ModelContext} */ context) => { found ??= context; };
    this.#host.dispatchEvent(new CustomEvent(REQUEST, { bubbles: true, composed: true, detail: { accept } }));
    const context = found ?? sharedContext();
    if (context === this.context && this.#leave) return;
    this.#leave?.();
    this.context = context;
    this.#leave = context.join(() => this.#tell(), this.#captures);
    this.#host.requestUpdate();
  }
}
