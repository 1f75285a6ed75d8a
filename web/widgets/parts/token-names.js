/** Token boxes for ids that stand in no prompt, such as guesses: asked of the tokenizer once each. */
import { tokenName } from '../../lab/tokens.js';

export class TokenNames {
  #host;
  /** @type {Map<number, import('../../lab/tokens.js').Piece>} */
  #pieces = new Map();
  /** @type {any} */
  #from = null;

  /** @param {import('lit').ReactiveControllerHost} host redrawn when names have come */
  constructor(host) {
    this.#host = host;
  }

  /** @param {any} tokenizer null where there is none: ids stand for themselves @param {number[]} ids */
  async want(tokenizer, ids) {
    if (tokenizer !== this.#from) this.#pieces = new Map();
    this.#from = tokenizer;
    const missing = ids.filter((id) => !this.#pieces.has(id));
    if (!tokenizer || missing.length === 0) return;
    const found = await tokenizer.pieces(missing);
    if (tokenizer !== this.#from) return;
    missing.forEach((id, i) => this.#pieces.set(id, { ...found[i], joins: [] }));
    this.#host.requestUpdate();
  }

  /** What a token box takes. @param {number} id */
  piece(id) { return this.#pieces.get(id) ?? `#${id}`; }

  /** In one line of text. @param {number} id */
  name(id) {
    const piece = this.#pieces.get(id);
    return piece ? tokenName(piece) : `#${id}`;
  }
}
