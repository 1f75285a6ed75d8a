/** The words of the page: names that are the same in every language, and the figure that shows each. */

/** @typedef {{ key: string, figure: number, name?: string, forms?: string }} Term  forms: how prose writes a name, a regular expression */

/** @type {readonly { key: string, terms: Term[] }[]} */
export const GROUPS = [
  {
    key: 'heads',
    terms: [
      { key: 'qkv', figure: 1, name: 'query, key, value', forms: 'quer(?:y|ies)|keys?|values?' },
      { key: 'softmax', figure: 1, name: 'softmax', forms: 'softmax' },
      { key: 'head', figure: 5 },
      { key: 'numHeads', figure: 5, name: 'num_heads, H' },
      { key: 'dModel', figure: 8, name: 'd_model, hidden' },
      { key: 'wo', figure: 6, name: 'W_O, o_proj', forms: 'W_O|o_proj' },
    ],
  },
  {
    key: 'sharing',
    terms: [
      { key: 'cache', figure: 10 },
      { key: 'kvHeads', figure: 9, name: 'num_kv_heads, G' },
      { key: 'groupSize', figure: 9, name: 'group_size, H / G' },
      { key: 'gqa', figure: 9, name: 'GQA', forms: 'GQA' },
      { key: 'mqa', figure: 9, name: 'MQA', forms: 'MQA' },
    ],
  },
  {
    key: 'model',
    terms: [
      { key: 'decoder', figure: 2, name: 'decoder-only', forms: 'decoder-only' },
      { key: 'causal', figure: 2 },
      { key: 'padding', figure: 2 },
      { key: 'qkNorm', figure: 13, name: 'QK-Norm', forms: 'QK-Norm' },
      { key: 'rope', figure: 13, name: 'RoPE', forms: 'RoPE' },
      { key: 'linear', figure: 8 },
      { key: 'residual', figure: 21 },
      { key: 'logits', figure: 12, name: 'logits', forms: 'logits?' },
    ],
  },
  {
    key: 'silence',
    terms: [{ key: 'sink', figure: 16 }, { key: 'gate', figure: 18 }],
  },
];

export const TERMS = GROUPS.flatMap((group) => group.terms);

/** Four lines to take home, each proved by a figure. @type {readonly { figure: number, state?: Record<string, number> }[]} */
export const TAKEAWAYS = [{ figure: 12 }, { figure: 9, state: { g: 2 } }, { figure: 10, state: { tokens: 262_144 } }, { figure: 18 }];

/** Questions that learners ask, and the figures that go further. */
export const QUESTIONS = [20, 19, 17, 10];

/** Cuts a text where a term stands; in Latin letters, whole words only. */
export class TermFinder {
  #pattern;

  /** @param {{ key: string, forms: string }[]} terms  forms: a regular expression without groups that capture */
  constructor(terms) {
    const one = (/** @type {{ key: string, forms: string }} */ { key, forms }) => `(?<${key}>(?<![A-Za-z0-9_·-])(?:${forms})(?![A-Za-z0-9_·-]))`;
    this.#pattern = new RegExp(terms.map(one).join('|'), 'giu');
  }

  /**
   * @param {string} text @param {Set<string>} known keys that need no mark any more; grows
   * @returns {{ text: string, key?: string }[]}
   */
  cut(text, known) {
    /** @type {{ text: string, key?: string }[]} */
    const parts = [];
    let from = 0;
    for (const match of text.matchAll(this.#pattern)) {
      const key = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? '';
      if (known.has(key)) continue;
      known.add(key);
      if (match.index > from) parts.push({ text: text.slice(from, match.index) });
      parts.push({ text: match[0], key });
      from = match.index + match[0].length;
    }
    if (from < text.length) parts.push({ text: text.slice(from) });
    return parts;
  }
}
