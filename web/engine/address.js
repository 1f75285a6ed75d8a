/**
 * Where a model folder is: what people paste, turned into the address of a folder.
 * And which file names may be asked of it: none that leads out.
 */
import { EngineError, show } from './errors.js';

/** Model hubs whose bare /owner/name page stands for the main revision. */
const HUBS = /^(www\.)?(huggingface\.co|hf\.co|hf-mirror\.com)$/;
/** Query keys that belong to a hub's pages, not to its files. */
const PAGE_KEYS = ['show_file_info', 'library', 'download', 'not-for-all-audiences'];
const inNode = () => typeof process === 'object' && Boolean(process.versions?.node);

/**
 * @typedef {{ kind: 'http', href: string, query: string } | { kind: 'disk', path: string }} Base
 *   href ends with '/'; query is '' or '?…' and goes behind every file
 */

/** @returns {never} */
function refuse(base, expected) {
  throw new EngineError('BAD_OPTION', `baseURL: expected ${expected}, found ${show(base)}`,
    { field: 'baseURL', expected, found: show(base) });
}

/** The page around a folder or file on a hub -> the folder itself. */
function correct(url) {
  let path = url.pathname;
  if (HUBS.test(url.hostname) && /^\/[^/]+\/[^/]+\/?$/.test(path)) path = path.replace(/\/?$/, '/resolve/main/');
  path = path.replace(/^(\/[^/]+\/[^/]+)\/(?:blob|tree)\/([^/]+)(?=\/|$)/, '$1/resolve/$2');
  path = path.replace(/(?:\/|%2f)(?:(?!%2f)[^/])+\.(json|safetensors)$/i, '/');
  url.pathname = path.replace(/\/?$/, '/');
  for (const key of PAGE_KEYS) url.searchParams.delete(key);
  url.hash = '';
  return url;
}

/**
 * @param {string | URL} base
 * @returns {Base}
 */
function readBase(base) {
  if (!(base instanceof URL) && (typeof base !== 'string' || base.trim() === '')) refuse(base, 'an address');
  const text = String(base).trim();
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1].toLowerCase();
  if (!scheme && inNode()) return { kind: 'disk', path: text };
  if (scheme === 'file' && inNode()) return { kind: 'disk', path: text };
  let url;
  try {
    url = new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    refuse(base, 'an address');
  }
  if (url.protocol === 'file:') refuse(base, 'an http address (a page cannot read files; serve the folder)');
  if (!/^https?:$/.test(url.protocol)) refuse(base, 'an http(s) address');
  if (url.username || url.password) refuse(url.host, 'an address without a password');
  const { origin, pathname, search } = correct(url);
  return { kind: 'http', href: origin + pathname, query: search };
}

/**
 * @param {string | URL | (string | URL)[]} base one address or mirrors in the order to try
 * @returns {Base[]}
 */
export function readBases(base) {
  const list = Array.isArray(base) ? base : [base];
  if (list.length === 0) refuse('an empty list', 'at least one address');
  const bases = Array.from(list, readBase);
  if (bases.some((b) => b.kind === 'disk') && bases.length > 1) refuse(list.join(', '), 'mirrors on the web only');
  return bases;
}

/** @param {Base} base */
export const baseName = (base) => (base.kind === 'disk' ? base.path : base.href + base.query);

/** Address of one file. @param {Base & { kind: 'http' }} base */
export const fileURL = (base, file) => base.href + file.split('/').map(encodeURIComponent).join('/') + base.query;

/**
 * A file name that an index file gives: it must stay inside the folder, however a server may decode it.
 * @param {unknown} name
 * @param {string} from the file that names it
 */
export function checkFileName(name, from) {
  const isText = typeof name === 'string' && name.length <= 255 && !/\p{Surrogate}/u.test(name);
  const safe = isText && name.split('/').every((part) =>
    // eslint-disable-next-line no-control-regex
    part !== '' && !/^\.+$/.test(part) && !/[\\%:?#\u0000-\u001f\u007f]/.test(part));
  if (safe && name.endsWith('.safetensors')) return name;
  throw new EngineError('BAD_FILE', `${from}: expected the name of a .safetensors file in the same folder, ` +
    `found ${typeof name === 'string' ? JSON.stringify(name.slice(0, 300)) : show(name)}`,
  { file: from, field: 'weight_map', expected: 'a file of this folder', found: name });
}
