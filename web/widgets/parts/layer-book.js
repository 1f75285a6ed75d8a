/** The matrix that the course printed for Qwen3.5-0.8B, beside the run of F29, and a button that computes it here. */
import { css, html } from 'lit';
import { isPrinted, QWEN35_0P8B as BOOK } from '../../lab/chapter.js';
import { asPrinted as printed } from '../../lab/format.js';
import { attentionBytes, QWEN35 } from '../../lab/ladder.js';
import { largestDifference } from '../../lab/measure.js';
import { cited, citedStyles } from './cited.js';

const MATRIX = { rows: BOOK.matrix.length, cols: BOOK.matrix.length, data: Float32Array.from(BOOK.matrix.flat()) };
const AFTER = (/** @type {number} */ i, /** @type {number} */ j) => j > i;

export const bookStyles = [citedStyles, css`
  .book { margin-top: 28px; padding-top: 20px; border-top: 1px solid var(--attn-rule); }
  .book .said { align-self: center; max-width: 30rem; }
  .book p { margin: 0 0 12px; }
  .book .cited { margin: 0 0 12px; }
  .book .note { margin-top: 8px; font-size: 0.84375rem; color: var(--attn-ink2); }
`];

/** The same for who reads by ear. @param {import('../../lab/text.js').Text} t */
const printedTable = (t) => html`<div class="live"><table><caption>${t('layer.book.map')}</caption>
  <tr><th>${t('table.query')}</th>${BOOK.pieces.map((piece) => html`<th scope="col">${piece}</th>`)}</tr>${
  BOOK.matrix.map((row, i) => html`<tr><th scope="row">${BOOK.pieces[i]}</th>${
    row.map((v, j) => html`<td>${AFTER(i, j) ? t('mask.word') : printed(v)}</td>`)}</tr>`)}</table></div>`;

/** @typedef {{ src: string, layer: number, prompt: string }} Run */


/**
 * @param {import('../../lab/text.js').Text} t
 * @param {{ theme: import('../../draw/palette.js').Theme, busy: boolean, shown: Run | null,
 *   matrix: { data: Float32Array } | null, onFetch: () => void }} o  matrix: of head 0 on display
 */
export function layerBook(t, { theme, busy, shown, matrix, onFetch }) {
  const difference = shown && matrix && isPrinted(shown, QWEN35.bases) ? largestDifference(matrix.data, MATRIX.data) : null;
  return html`<div class="pair book"><div class="map"><attn-heatmap .matrix=${MATRIX} .rows=${BOOK.pieces} .cols=${BOOK.pieces}
    .theme=${theme} .masked=${AFTER} .maskedText=${''} .label=${t('layer.book.map')} .hint=${t('grid.hint')}
    .format=${printed} .describe=${(/** @type {number} */ i, /** @type {number} */ j) => {
    const names = { row: BOOK.pieces[i], col: BOOK.pieces[j] };
    return j > i ? t('mask.hidden', names) : t('layer.cell', { ...names, value: printed(BOOK.matrix[i][j]) });
  }}></attn-heatmap>${printedTable(t)}</div>
    <div class="said">${cited(t, t('layer.book.source'))}<p>${t('layer.book.words')}</p>
    ${difference === null ? html`<button type="button" class="button" aria-disabled=${busy} @click=${() => busy || onFetch()}>${
    t('layer.book.fetch', { bytes: t.bytes(attentionBytes(QWEN35)) })}</button><p class="note">${t('layer.book.extra')}</p>`
    : html`<p role="status"><strong>${t('layer.book.found', { difference: t.fixed(difference) })}</strong></p>`}</div></div>`;
}
