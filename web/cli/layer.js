/** One attention layer on embeddings: attention matrix of head 0, gate shape, parameter and KV counts. */
import { EngineError } from '../engine/index.js';
import { readPrompt } from './prompt.js';
import { pad, visible } from './print.js';
import { layerFacts } from '../lab/layer-facts.js';

/** @param {import('../engine/engine.js').Engine} engine @param {any} given */
export async function run(engine, { base, text, ids: givenIds, layer: layerText = '3' }) {
  if (!/^\d+$/.test(layerText)) throw new EngineError('BAD_OPTION', `--layer: expected a number, found ${layerText}`);
  const index = Number(layerText);
  const layer = await engine.openLayer({ baseURL: base, layer: index });
  try {
    const { ids, pieces } = await readPrompt({ base, text, ids: givenIds });
    const x = await layer.embed(ids);
    const facts = layerFacts(layer.config, index);
    if (layer.type !== 'full_attention') {
      throw new EngineError('BAD_OPTION', `--layer: expected a full-attention layer (${facts.fullLayers.join(', ')}), ` +
        `found layer ${index}, which is ${layer.type}`, { expected: facts.fullLayers, found: index });
    }
    const { probs, gate, out } = await layer.forward(x, { capture: ['probs', 'gate'] });
    const T = ids.length;
    const names = pieces.map(visible);
    const rows = names.map((_, t) => Array.from(probs.data.subarray(t * T, (t + 1) * T)));
    const millions = (n) => `${(n / 1e6).toFixed(1)}M`;
    return {
      data: { layer: index, ids, names, head: 0, probs: rows, gateShape: gate && [1, ...gate.shape], inputShape: [1, ...x.shape],
        outputShape: [1, ...out.shape], ...facts },
      lines: [
        `layer ${index}: ${millions(facts.parameters)} parameters, ${millions(facts.qProjParameters)} of them q_proj` +
          `${gate ? ' (half of it the gate)' : ''}`,
        `input (1, ${x.shape.join(', ')}) -> output (1, ${out.shape.join(', ')}); the input is the embedding, not yet a real hidden state`,
        'attention of head 0 (row = query, column = key):',
        ...rows.map((row, t) => `  ${pad(names[t], 12)} ${row.map((p) => p.toFixed(2)).join(' ')}`),
        ...(gate ? [`gate shape (1, ${gate.shape.join(', ')}): tokens x heads x dimensions, each in 0..1`] : ['no output gate']),
        `${facts.heads} query heads share ${facts.kvHeads} K/V heads: ${facts.kvPerToken} numbers kept per token, ` +
          `${facts.mhaPerToken} without sharing`,
      ],
    };
  } finally {
    await layer.close();
  }
}
