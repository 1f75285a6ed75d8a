/**
 * What an error says, in the page's words as far as they go: from its code and details, never from its English message.
 */

/** @typedef {import('./text.js').Text} Text */
/** @typedef {{ code?: string, message: string, details?: Record<string, any> }} Failure */

/** A value that reads the same in every language: a number, a size, a name; no sentence. @param {unknown} value */
function plain(value) {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every((v) => plain(v) !== '')) {
    return value.map(plain).join(', ');
  }
  return typeof value === 'string' && /^\S{1,60}$/.test(value) ? value : '';
}

/** The last part of an address, and whose it is. @param {Record<string, any>} details */
function place({ url, file, tensor, field }) {
  if (URL.canParse(String(url))) {
    const { host, pathname } = new URL(String(url));
    return [pathname.split('/').pop(), host].filter(Boolean).join(' · ');
  }
  return plain(tensor ?? file ?? field);
}

/** The key of an error's title. @param {Text} t @param {Failure} error */
export function errorTitle(t, { code = 'ERROR', details = {} }) {
  const finer = code === 'NO_WASM' && details.url ? 'NO_WASM.file'
    : code === 'NETWORK' && details.unknown ? 'NETWORK.unknown' : code;
  return [finer, code, 'ERROR'].map((name) => `error.${name}`).find((key) => t.has(key)) ?? '';
}

/**
 * Where, what was expected, what was found: one line each, those that are known.
 * @param {Text} t @param {Failure} error @returns {string[]}
 */
export function errorFacts(t, { details }) {
  const { status, expected, kind } = details ?? {};
  const where = place(details ?? {});
  const found = kind === 'page' || kind === 'pointer' ? t(`error.found.${kind}`) : plain(details?.found);
  return [
    where && t('error.where', { where }),
    status ? t('error.status', { status }) : '',
    !status && plain(expected) ? t('error.expected', { expected: plain(expected) }) : '',
    !status && found ? t('error.found', { found }) : '',
  ].filter(Boolean);
}

/** Messages of the engine are English. @param {Text} t */
export const speaksEngine = (t) => t.lang.startsWith('en');
