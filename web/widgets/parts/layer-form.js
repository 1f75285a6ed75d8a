/** A sentence, a model folder, one button. */
import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { sentence, sentenceOf } from './controls.js';

/**
 * @param {import('../../lab/text.js').Text} t
 * @param {{ prompt: string, folder: string, busy: boolean, button: string, onFolder: (folder: string) => void,
 *   onSubmit: (prompt: string) => void }} o
 */
export function layerForm(t, { prompt, folder, busy, button, onFolder, onSubmit }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    const typed = sentenceOf(event, 'prompt', prompt, t);
    if (typed !== null) onSubmit(typed);
  };
  const typed = (/** @type {InputEvent} */ event) => onFolder(/** @type {HTMLInputElement} */ (event.target).value.trim());
  return html`<form @submit=${submit}>
    <label class="sentence"><span>${t('layer.sentence')}</span>${sentence({ value: prompt, name: 'prompt' })}</label>
    <label class="folder" data-here><span>${t('layer.folder')}</span><input class="field" type="text" inputmode="url" .value=${live(folder)}
      placeholder=${t('layer.folder.example')} autocomplete="off" spellcheck="false" @input=${typed}></label>
    <button class="button" data-here ?disabled=${busy}>${button}</button></form>`;
}
