/** The whole forward pass: what comes next, and per layer where the attention goes and how far the gates open. */
import { EngineError } from '../engine/index.js';
import { readPrompt } from './prompt.js';
import { pad, visible } from './print.js';
import { firstTokenAttention, meanOf, topTokens, valueNormRatio } from '../lab/measure.js';

const TOP = 5;

/** @param {import('../engine/engine.js').Engine} engine @param {any} given */
export async function run(engine, { base, text, ids: givenIds, layers, keep = 'stream' }) {
  if (layers !== undefined && !/^\d+$/.test(layers)) {
    throw new EngineError('BAD_OPTION', `--layers: expected a number, found ${layers}`);
  }
  const { ids, pieces, tokenizer } = await readPrompt({ base, text, ids: givenIds });
  const model = await engine.openModel(base, { keep, ...(layers ? { layers: Number(layers) } : {}) });
  try {
    const result = await model.forward(ids, { capture: ['type', 'probs', 'v', 'gate'] });
    const perLayer = result.layers.map((captures, i) => ({ layer: i, type: captures.type,
      ...(captures.probs ? { firstToken: firstTokenAttention(captures.probs), valueRatio: valueNormRatio(captures.v),
        ...(captures.gate ? { gateMean: meanOf(captures.gate) } : {}) } : {}) }));
    const name = async (id) => (tokenizer ? visible((await tokenizer.pieces([id]))[0]) : `#${id}`);
    const top = result.logits ? topTokens(result.logits.data, TOP) : [];
    const next = await Promise.all(top.map(async (t) => ({ ...t, text: await name(t.id) })));
    return {
      data: { model: model.config, tokens: ids, next, layers: perLayer },
      lines: [
        `${ids.length} tokens: ${pieces.map(visible).join(' | ')}`,
        ...next.map((t) => `  ${pad(t.text, 16)} ${t.probability.toFixed(3)}  (id ${t.id})`),
        'layer  attention on the first token  |v first| / mean |v|  mean gate',
        ...perLayer.map((l) => (l.type === 'full_attention'
          ? [String(l.layer).padStart(5), l.firstToken.toFixed(3).padStart(29), l.valueRatio.toFixed(2).padStart(22),
            l.gateMean === undefined ? 'no gate'.padStart(10) : l.gateMean.toFixed(3).padStart(10)].join(' ')
          : `${String(l.layer).padStart(5)}  linear: a state, no table of attention`)),
      ],
    };
  } finally {
    await model.close();
  }
}
