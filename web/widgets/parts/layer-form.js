/** A sentence, a model folder, one button. */
import { html } from 'lit';
import { live } from 'lit/directives/live.js';

/**
 * @param {import('../../lab/text.js').Text} t
 * @param {{ prompt: string, folder: string, busy: boolean, button: string, onFolder: (folder: string) => void,
 *   onSubmit: (prompt: string) => void }} o
 */
export function layerForm(t, { prompt, folder, busy, button, onFolder, onSubmit }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    onSubmit(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('prompt') ?? ''));
  };
  const typed = (/** @type {InputEvent} */ event) => onFolder(/** @type {HTMLInputElement} */ (event.target).value.trim());
  return html`<form @submit=${submit}>
    <label class="sentence"><span>${t('layer.sentence')}</span><input class="field" name="prompt" .value=${prompt}
      autocomplete="off"></label>
    <label class="folder"><span>${t('layer.folder')}</span><input class="field" type="text" inputmode="url" .value=${live(folder)}
      placeholder=${t('layer.folder.example')} autocomplete="off" spellcheck="false" @input=${typed}></label>
    <button class="button" ?disabled=${busy}>${button}</button></form>`;
}
