/** Cards a figure may show: ask before showing, an error, a download, a legend, the table equivalent. */
import { html, nothing } from 'lit';
import { toHex, valueScale } from '../../draw/colour.js';
import { secondsLeft, secondsToRetry, speed } from '../../lab/download.js';
import { errorFacts, errorTitle, speaksEngine } from '../../lab/error-words.js';
import { isOffline } from './offline.js';

/** @typedef {import('../../lab/text.js').Text} Text */

/**
 * Ask, then show. The guess stays in red next to the truth.
 * @param {Text} t
 * @param {{ key: string, options: string[], guess: number | null, revealed: boolean, answer: unknown,
 *   onGuess: (i: number) => void, onReveal: () => void, question?: string }} o  key: P-number; `answer` is rendered once revealed
 */
export function predictCard(t, { key, options, guess, revealed, answer, onGuess, onReveal, question = t(`${key}.question`) }) {
  const yours = guess === null ? undefined : options[guess]; // an address may name one that this question does not have
  return html`<div class="predict"><fieldset><legend>${question}</legend>
    ${options.map((option, i) => html`<label><input type="radio" name=${key} .checked=${guess === i}
      @change=${() => onGuess(i)}><span>${option}</span></label>`)}</fieldset>
    <p role="status">${revealed
    ? html`${yours === undefined ? nothing : html`<span class="yours">${t('predict.yours', { guess: yours })}</span> `}${answer}`
    : html`${yours === undefined ? nothing : html`${t(`${key}.try`)} `}<button type="button" class="link"
        @click=${onReveal}>${t('predict.show')}</button>`}</p></div>`;
}

/**
 * What happened, what was expected and found, what can be done.
 * @param {Text} t @param {{ code?: string, message: string }} error @param {{ label: string, run: () => void }[]} actions
 */
export function errorBox(t, error, actions) {
  const code = error.code ?? 'ERROR';
  const title = isOffline(error) ? 'error.OFFLINE' : errorTitle(t, error);
  const message = html`<p lang="en">${error.message}</p>`;
  const details = speaksEngine(t) ? message : html`${errorFacts(t, error).map((fact) => html`<p>${fact}</p>`)}
    <details><summary>${t('error.original')}</summary>${message}</details>`;
  return html`<div class="error" role="alert"><strong>▲ ${t(title)}</strong>${details}
    <div class="actions">${actions.map(({ label, run }) => html`<button type="button" class="link" @click=${run}>${label}</button>`)}
    <code>${code}</code></div></div>`;
}

/**
 * A download between two tries: when, and from which byte.
 * @param {Text} t @param {import('../../lab/download.js').Download} download
 */
export function retryWords(t, download) {
  if (!navigator.onLine) return t('model.offline');
  const seconds = secondsToRetry(download, performance.now());
  return (seconds > 0 ? t('model.retry.in', { seconds: t.count(seconds) }) : t('model.retry.now'))
    + (download.loaded > 0 ? t('model.retry.from', { loaded: t.bytes(download.loaded) }) : '');
}

/**
 * @param {Text} t
 * @param {{ title: string, download: import('../../lab/download.js').Download, onStop: () => void }} o
 */
export function progressCard(t, { title, download, onStop }) {
  const { loaded, total, samples, startedAt, retrying } = download;
  const [rate, left] = [speed(samples), secondsLeft(samples, total, startedAt)];
  const amount = total ? t('progress.of', { loaded: t.bytes(loaded), total: t.bytes(total) }) : t.bytes(loaded);
  const pace = rate > 0 && !retrying ? t('progress.rate', { rate: t.bytes(rate) }) : '';
  const rest = left >= 0 && !retrying ? t('progress.left', { seconds: t.count(Math.ceil(left)) }) : '';
  const part = total ? Math.min(1, loaded / total) : 0;
  return html`<div class="progress sheet"><strong>${title}</strong>
    <div class="bar" role="progressbar" aria-label=${title} aria-valuemin="0" aria-valuemax="100"
      aria-valuenow=${total ? Math.round(part * 100) : nothing} aria-valuetext=${amount}>
      <span .style="width: ${part * 100}%"></span></div>
    <div class="line"><span>${[amount, pace, rest].filter(Boolean).join(' · ')}</span>
      <button type="button" class="link" @click=${onStop}>${t('progress.stop')}</button></div></div>`;
}

/**
 * @param {Text} t
 * @param {{ name: 'probability' | 'signed' | 'gate', theme: import('../../draw/palette.js').Theme, min: string, max: string,
 *   words: string, masked?: boolean }} o
 */
export function legend(t, { name, theme, min, max, words, masked = false }) {
  const colour = valueScale(name, theme);
  const stops = Array.from({ length: 9 }, (_, i) => toHex(colour(name === 'signed' ? i / 4 - 1 : i / 8)));
  return html`<div class="legend"><span>${min}</span><span class="scale" .style="background: linear-gradient(90deg, ${
    stops.join(',')})"></span><span>${max}</span><span>${words}</span>${masked
    ? html`<span class="hatch"></span><span>${t('legend.masked')}</span>` : nothing}</div>`;
}

/** @typedef {{ caption: string, columns: string[], rows: string[][] }} Table */

/** The same numbers as text. @param {Table} table @param {{ rows: number, more: string, csv: string, onCSV: () => void }} o */
export function dataTable({ caption, columns, rows }, { rows: most, more, csv, onCSV }) {
  return html`<div class="equivalent" tabindex="0" role="region" aria-label=${caption}><table><caption class="live">${caption}</caption>
    <thead><tr>${columns.map((c) => html`<th scope="col">${c}</th>`)}</tr></thead>
    <tbody>${rows.slice(0, most).map(([first, ...rest]) => html`<tr><th scope="row">${first}</th>${
  rest.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>
    <p>${rows.length > most ? html`${more} ` : nothing}<button type="button" class="link" @click=${onCSV}>${csv}</button></p></div>`;
}

/** @param {Table} table @returns {string} comma-separated, quotes doubled, plain minus signs */
export function csvOf({ columns, rows }) {
  const cell = (/** @type {string} */ text) => `"${text.replaceAll('"', '""').replaceAll('\u2212', '-')}"`;
  return [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
}
