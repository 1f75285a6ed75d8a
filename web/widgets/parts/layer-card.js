/** What is counted of one attention layer: shapes, parameters, numbers kept. */
import { html } from 'lit';
import { layerCounts, meanGate } from '../../lab/layer.js';

/**
 * @param {import('../../lab/text.js').Text} t @param {number} layer
 * @param {{ run: any, config: any, pieces: unknown[] }} shown
 */
export function layerCard(t, layer, { run, config, pieces }) {
  const counts = layerCounts(config);
  const fact = (/** @type {string} */ key, /** @type {unknown} */ value) => html`<dt>${t(`layer.fact.${key}`)}</dt><dd>${value}</dd>`;
  return html`<dl>${fact('layer', t('layer.fact.which', { layer, layers: config.layers }))}
    ${fact('input', html`<code>[1, ${pieces.length}, ${config.hidden}]</code>`)}
    ${run.gate ? fact('gate', html`<code>[1, ${run.gate.shape.join(', ')}]</code> · ${t('layer.fact.mean', {
    mean: t.fixed(meanGate(run.gate)),
  })}`) : fact('gate', t('layer.fact.none'))}
    ${fact('parameters', t('layer.fact.parameters.value', { total: t.count(counts.total), query: t.count(counts.query) }))}
    ${fact('kept', t('layer.fact.kept.value', { kept: t.count(counts.kept), mha: t.count(counts.keptMHA) }))}</dl>`;
}
