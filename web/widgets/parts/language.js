/** Which language is read where. */

/** The catalogue for a language tag: any Chinese reads zh-CN, everything else en. @param {string} tag */
export const localeFor = (tag) => (/^zh\b/i.test(tag) ? 'zh-CN' : 'en');

/** @param {Element} element @returns {string} language tag of the nearest [lang], shadow roots crossed */
export function nearestLang(element) {
  /** @type {Element | null} */
  let at = element;
  while (at) {
    const found = at.closest('[lang]');
    if (found) return found.getAttribute('lang') ?? '';
    const root = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return '';
}
