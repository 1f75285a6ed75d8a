/** One engine for all widgets of a page, started by the first that is seen. */
import { engineScript } from './engine-script.js';

/** @type {Record<string, unknown>} */
let options = {};
/** @type {Promise<any> | null} */
let engine = null;
/** @type {Map<string, Promise<any>>} */
const tokenizers = new Map();

/** Options for createEngine; call it before the first widget is seen. @param {Record<string, unknown>} next */
export function configureEngine(next) {
  options = { ...options, ...next };
}

/** What createEngine is asked for on this page. */
export const engineOptions = () => options;

export function sharedEngine() {
  engine ??= engineScript().then(({ createEngine }) => createEngine(options)).catch((error) => {
    engine = null;
    throw error;
  });
  return engine;
}

/** @param {string | string[]} folder of a model, with its mirrors; its tokenizer is parsed once */
export function tokenizerOf(folder) {
  const name = [folder].flat().join(' ');
  let tokenizer = tokenizers.get(name);
  if (!tokenizer) {
    tokenizer = engineScript().then(({ loadTokenizer }) => loadTokenizer(folder));
    tokenizer.catch(() => tokenizers.delete(name));
    tokenizers.set(name, tokenizer);
  }
  return tokenizer;
}

let example = 'models/example/';
let small = '';
let twin = '';
/** @type {string[]} */
let recordings = [];

/** Folder of the untrained example that ships with a page, relative to it. @param {string} url */
export function configureExample(url) {
  example = url;
}

export const exampleModel = () => example;

/**
 * What else ships with a page: the folder of a small trained model, of its twin without gates, and recordings of runs.
 * @param {{ small?: string, twin?: string, recordings?: string[] }} given
 */
export function configureModels(given) {
  small = given.small ?? small;
  twin = given.twin ?? twin;
  recordings = given.recordings ?? recordings;
}

/** The model every figure starts with, and whether it has learnt anything. */
export const shippedModel = () => ({ url: small || example, untrained: !small });
/** Folder of the model that differs from the small one in the gate alone; '' when none ships. */
export const twinModel = () => small && twin;
export const shippedRecordings = () => recordings;
