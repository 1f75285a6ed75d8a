/** Catalogues, fetched when a language is first needed. */
import { makeText } from '../../lab/text.js';

/** @type {Record<string, () => Promise<{ default: Record<string, string> }>>} */
const SOURCES = {
  en: () => import('../../locales/en.js'),
  'zh-CN': () => import('../../locales/zh-CN.js'),
};

/** @type {Map<string, Promise<import('../../lab/text.js').Text>>} */
const loaded = new Map();

/** @param {string} locale */
export function loadText(locale) {
  let text = loaded.get(locale);
  if (!text) {
    text = SOURCES[locale]().then((module) => makeText(locale, module.default));
    text.catch(() => loaded.delete(locale));
    loaded.set(locale, text);
  }
  return text;
}
