/** The model card: what was trained on what, and what was measured, in words and tables. */
import { CORPUS } from './folder.mjs';
import { HELD_OUT, TRAINING } from './recipe.mjs';

const KIND_NAMES = {
  weather: '今天天气不错，我们去**公园**', animal: 'The cat sat on the **mat**',
  peopleZh: '小红有一本书，小明有一个球。她在**看书**',
  peopleEn: 'Anna has a book and Tom has a ball. She **reads** the **book**',
  agreementEn: 'The keys near the door **are** old', brackets: 'Brackets: ( [ **]** **)**',
  copyZh: '跟我念：红蓝，**红蓝**', copyEn: 'Copy red blue: **red** **blue**',
};

const percent = (x) => `${(100 * x).toFixed(0)} %`;
const two = (x) => x.toFixed(2);

function table(header, rows) {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The heads in order of one question. */
const ranked = (heads, name) => [...heads].sort((a, b) => b[name] - a[name]);

function headLine(heads, question, versus) {
  return ranked(heads, question).slice(0, 3).map((h) => `layer ${h.layer} head ${h.head}: ${percent(h[question])}` +
    (versus ? ` (against ${percent(h[versus])})` : '')).join('; ');
}

/**
 * @param {object} o
 * @param {{ gated: boolean, note: string }} o.twin @param {any} o.config @param {number} o.tokens of the corpus
 * @param {number} o.loss of the last training batch @param {any} o.found @param {any} o.other the other twin's
 */
export function modelCard({ twin, config, tokens, loss, found, other }) {
  const twins = twin.gated ? [found, other] : [other, found];
  const { steps, batch, seqLen, optimizer, learningRate, weightDecay, seed, variant, warmup, last } = TRAINING;
  return `# ${twin.note[0].toUpperCase()}${twin.note.slice(1)}

Qwen3.5's architecture, small: ${config.num_hidden_layers} layers (three linear, one full, twice), hidden size \
${config.hidden_size}, ${config.num_attention_heads} query and ${config.num_key_value_heads} key/value heads of \
${config.head_dim}, ${config.vocab_size} tokens, ${twin.gated ? 'with' : 'without'} output gates. Made by \
\`make small-model\`; weights in BF16. Its twin differs in the gate alone.

**Data.** ${CORPUS.documents} short documents (${tokens} tokens, seed ${CORPUS.seed}) from the project's own sentence \
generator, tools/small-model/sentences.mjs, in Chinese and English. It has read nothing else.

**Training.** ${steps} steps of ${batch} sequences of ${seqLen} tokens, ${optimizer}, learning rate falling in a straight \
line from ${learningRate} to ${percent(last)} of it, times a warm-up of ${warmup} steps, weight decay ${weightDecay}, seed ${seed}, the engine's ${variant} \
variant. Loss of the last 50 batches ${loss.toFixed(3)} nats per token; on ${HELD_OUT.documents} held-out documents (seed ${HELD_OUT.seed}), each alone, \
${found.loss.all.toFixed(3)}.

## What it can do

${found.prompts.map(({ text, next, share }) =>
    `- \`${text}\` goes on with \`${next}\` (${percent(share)}).`).join('\n')}

Bold words are decided by what came before; the table says how often the model's first guess is right on held-out \
documents. No model can reach 100 % in the first two rows: there the generator itself throws dice.

${table(['document', 'first guess right', 'loss, all words'],
    Object.entries(KIND_NAMES).map(([kind, name]) => [name, percent(found.right[kind]), found.loss[kind].toFixed(3)]))}

What it cannot do: anything else. Words outside the generator fall apart into bytes that it never learnt, and it knows
no facts.

## Where its full-attention heads look

Measured, not designed; the best three of ${found.heads.length} heads each. Layers count from 0.

- At the word before: ${headLine(found.heads, 'previous')}.
- From a pronoun to the name it stands for (against the other name): \
${headLine(found.heads, 'name meant', 'other name')}.
- From the word before the decided one to what that person has (against what the other has): \
${headLine(found.heads, 'thing meant', 'other thing')}.
- In a copy, from the word before to the word to be copied: ${headLine(found.heads, 'copied word')}.

## The twins, measured

On texts of ${seqLen} tokens: attention on the first token (mean over heads and the second half of the queries; an even
split would give ${percent(2 * Math.LN2 / seqLen)}), the norm of the first token's value against the mean of the others,
and the mean gate. Both models, as they came out.

${table(['layer', 'first token, gated', 'first token, ungated', 'value ratio, gated', 'value ratio, ungated',
    'mean gate'], twins[0].sinks.map((a, i) => [a.layer, percent(a.first), percent(twins[1].sinks[i].first),
      two(a.valueRatio), two(twins[1].sinks[i].valueRatio), two(a.gate)]))}

Held-out loss: ${twins[0].loss.all.toFixed(3)} with the gate, ${twins[1].loss.all.toFixed(3)} without.
`;
}
