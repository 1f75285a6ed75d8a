/**
 * The "untrained example": a small model folder in the real format whose weights come from the documented
 * pseudo-random generator. It shows formats and shapes; what it says means nothing.
 *
 *     node tools/small-model/example.mjs FOLDER
 */
import { fileURLToPath } from 'node:url';
import { parseConfig } from '../../web/engine/config.js';
import { expectedShapes } from '../../web/engine/shapes.js';
import { modelConfig } from './config.mjs';
import { safetensorsFile, sharedTokenizer, writeFolder } from './folder.mjs';
import { values } from './random.mjs';

const NOTE = 'untrained example';
const SEED = 1;
const PREFIX = 'model.language_model.';

/** Element = offset + 2^exponent * value: norms and gates wide enough that every part of the layer shows. */
function recipe(name, shape) {
  const part = name.replace(/\.weight$/, '').split('.').at(-1);
  if (name.endsWith('linear_attn.norm.weight')) return { offset: 1, exponent: -1 };
  if (part === 'A_log') return { offset: -1, exponent: 1 };
  if (part === 'dt_bias') return { offset: 0, exponent: 1 };
  if (['q_norm', 'k_norm', 'conv1d'].includes(part)) return { offset: 0, exponent: 0 };
  if (part === 'embed_tokens' || part.endsWith('norm')) return { offset: 0, exponent: -1 };
  const gain = ['q_proj', 'k_proj', 'in_proj_a', 'in_proj_b'].includes(part) ? 2 : 1;
  return { offset: 0, exponent: Math.round(Math.log2(gain * Math.sqrt(3 / shape[1]))) };
}

function tensor(name, shape) {
  const { offset, exponent } = recipe(name, shape);
  const raw = values(name, SEED, shape.reduce((a, b) => a * b, 1));
  return { shape, values: raw.map((value) => offset + 2 ** exponent * value) };
}

const CARD = `# Untrained example

A model folder in the real format of Qwen3.5 (four layers: three linear, one full; 8 query heads, 2 key/value heads)
whose weights come from a documented pseudo-random generator (tools/small-model/random.mjs, seed ${SEED}). It has learnt
nothing: shapes, names and arithmetic are real, and what its attention looks at means nothing.

Made by \`node tools/small-model/example.mjs web/models/example\`; every run writes the same bytes.
`;

/** All files of the folder. @returns {Record<string, Uint8Array | string | object>} */
export function exampleFiles() {
  const tokenizer = sharedTokenizer();
  const end = tokenizer['tokenizer.json'].added_tokens[0].id;
  const config = modelConfig({ vocab: end + 1, end, layers: 4, linearDim: 16, ropeTheta: 1e7, gated: true, note: NOTE });
  const tensors = [...expectedShapes(parseConfig(config))]
    .map(([name, shape]) => /** @type {[string, any]} */ ([PREFIX + name, tensor(name, shape)]));
  const weights = safetensorsFile(tensors, { format: 'pt', note: NOTE });
  return { 'config.json': config, ...tokenizer, 'model.safetensors': weights, 'MODEL.md': CARD };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (!folder) {
    console.error('usage: node tools/small-model/example.mjs FOLDER');
    process.exit(2);
  }
  await writeFolder(folder, exampleFiles());
}
