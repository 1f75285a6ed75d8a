/** What is picked in a run: one layer, two heads, one token. Kept where the model has it, else the nearest that it has. */

/**
 * @typedef {{ layers: number, heads: number, layerTypes: readonly string[] }} Config
 * @typedef {{ layer: number, heads: number[], token: number }} Selection  heads: one or two; token: the row
 */

/** The layer the page talks about, where a model has a softmax layer there. */
const LAYER = 15;

export const PROMPTS = ['The cat sat on the', '今天天气不错，我们去', 'Anna has a book and Tom has a ball. She',
  '小红有一本书，小明有一个球。她在', 'Copy two white:'];

/** Layers that have an attention table. @param {{ layerTypes: readonly string[] }} config @param {number} [layers] how many run */
export const fullLayers = ({ layerTypes }, layers = layerTypes.length) => (
  layerTypes.slice(0, layers).flatMap((type, i) => (type === 'full_attention' ? [i] : [])));

/** @param {readonly number[]} full layers with a table @returns {number} the page's layer, else the last; −1 when there is none */
export const defaultLayer = (full) => (full.includes(LAYER) ? LAYER : full[full.length - 1] ?? -1);

/**
 * The selection a model can show.
 * @param {Partial<Selection>} wanted @param {Config} config @param {number} tokens @param {number} [layers] how many run
 * @returns {Selection}
 */
export function fitSelection({ layer, heads = [0, 1], token }, config, tokens, layers = config.layers) {
  const full = fullLayers(config, layers);
  const known = heads.filter((h, i) => Number.isInteger(h) && h >= 0 && h < config.heads && heads.indexOf(h) === i);
  const fallback = known.length === 0 ? [0, 1].filter((h) => h < config.heads) : known;
  return {
    layer: layer !== undefined && full.includes(layer) ? layer : defaultLayer(full),
    heads: fallback.slice(0, 2),
    token: token !== undefined && Number.isInteger(token) && token >= 0 && token < tokens ? token : tokens - 1,
  };
}

/** The pair of heads on display once `head` is picked: it comes first, who was first stays beside it. @param {number[]} heads @param {number} head */
export const withHead = (heads, head) => [head, ...heads.filter((h) => h !== head)].slice(0, 2);
