/** What both pages do first: where the engine's files are, which language and paper the reader wants. */
import { configureEngine, configureModels } from '../widgets/parts/engine.js';
import { localeFor } from '../widgets/parts/language.js';
import { keep as remember, recalled as remembered } from '../widgets/parts/memory.js';

export { remember, remembered };

configureEngine({ wasmURL: new URL('wasm/', document.baseURI).href });

/** What the build found in web/models and wrote into the page. @param {string} name */
const shipped = (name) => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')?.split(' ').filter(Boolean) ?? [];

configureModels({
  small: shipped('attn-small-model')[0] ?? '', twin: shipped('attn-small-twin')[0] ?? '', recordings: shipped('attn-recordings'),
});

export const query = new URLSearchParams(location.search);

/** @returns {string} the language asked for, remembered, or spoken by the browser */
export function wantedLanguage() {
  return localeFor(query.get('lang') ?? remembered('attn-lang') ?? navigator.language);
}

/** @param {string | null} theme 'light' | 'dark'; anything else leaves it to the system */
export function setTheme(theme) {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
}
