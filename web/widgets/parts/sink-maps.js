/** One probe line as both models read it now: its shares, and beside them the gate of each query. */
import { html, nothing } from 'lit';
import { toHex, valueScale } from '../../draw/colour.js';
import { modelStyle } from '../../draw/sink-chart.js';
import { LINE, symbol } from '../../lab/sink-run.js';
import { legend } from './cards.js';

/** @typedef {import('../../lab/text.js').Text} Text */

const masked = (/** @type {number} */ i, /** @type {number} */ j) => j > i;

/** @param {Text} t @param {import('./sink-lab.js').SinkLab} lab */
export function sinkMaps(t, lab) {
  const { runner: { shown }, made: { triggers }, host: { environment: { theme } } } = lab;
  const names = shown?.line.map((id) => symbol(id, triggers)) ?? [];
  const gate = valueScale('gate', theme);
  const gated = Boolean(shown?.models[1].gates);
  const map = (/** @type {number} */ model) => {
    const m = shown?.models[model];
    const describe = (/** @type {number} */ row, /** @type {number} */ col) => {
      const [q, k] = [row, col].map((i) => t('sinkLab.place', { token: names[i], n: i + 1 }));
      if (masked(row, col)) return t('sinkLab.masked', { q, k });
      return t('sinkLab.cell', { q, k, share: t.fixed(m?.map[row * LINE + col] ?? NaN) }) + (m?.gates ? t('sinkLab.cell.gate', { gate: t.fixed(m.gates[row]) }) : '');
    };
    return html`<div class="sheet"><p class="name"><span class="swatch" .style="background:${modelStyle(theme, model).colour}"></span>${lab.name(t, model)}</p>${m
      ? html`<attn-heatmap .matrix=${{ rows: LINE, cols: LINE, data: m.map }} .rows=${names} .cols=${names} .theme=${theme} .masked=${masked}
        .tail=${m.gates?.map((g) => toHex(gate(g))) ?? (gated ? Array(LINE).fill('transparent') : [])} .tailName=${m.gates ? t('sinkLab.tail') : ''} .describe=${describe} .label=${t('sinkLab.map', { model: lab.name(t, model) })}
        .hint=${t('grid.hint')}></attn-heatmap>` : html`<div class="empty">${t('sinkLab.map.empty')}</div>`}</div>`;
  };
  return html`<div class="maps">${map(0)}${map(1)}${shown ? html`${legend(t, { name: 'probability', theme, min: '0', max: '1', words: t('legend.probability'), masked: true })}
    ${gated ? legend(t, { name: 'gate', theme, min: '0', max: '1', words: t('sinkLab.legend.gate') }) : nothing}
    <p>${t('sinkLab.maps', { step: t.count(shown.step) })}</p>` : nothing}</div>`;
}
