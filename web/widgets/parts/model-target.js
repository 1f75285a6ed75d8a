/** What a context opens: the shipped model, a recording of the prompt, or a folder somewhere; and what a folder would cost. */
import { MOST_TOKENS } from '../../lab/layer.js';
import { countedSizes, headerSizes, ladder, QWEN35 } from '../../lab/ladder.js';
import { shippedModel } from './engine.js';
import { engineScript } from './engine-script.js';

/**
 * @typedef {{ kind: 'shipped' | 'folder' | 'recording', url: string, bases?: string[], layers?: number,
 *   logits?: 'last' | 'none', untrained?: boolean }} Target  bases: mirrors in the order to try; layers: default all
 * @typedef {{ name: string, bases: string[], config: import('../../lab/ladder.js').Config, sizes: import('../../lab/ladder.js').Sizes,
 *   rungs: ReturnType<typeof ladder>, counted: boolean, unasked: boolean, target: Target }} Offer
 *   counted: by the formula, nothing was read; unasked: small enough to come without a question
 */

/**
 * The run on display.
 * @typedef {{ kind: Target['kind'], name: string, url: string, untrained: boolean, source: 'live' | 'recorded', config: any,
 *   prompt: string, tokens: number[], pieces: any[], layers: Record<string, any>[], ran: number, run: any,
 *   logits: { shape: number[], data: Float32Array } | undefined, ms: number, at: Date, date?: string }} Shown
 *   layers: captures by layer, those that are done; ran: how many layers this run has; date: of a recording, where it says
 */

/** @param {string} code @param {string} message @param {any} [details] */
export const failure = (code, message, details = {}) => Object.assign(new Error(message), { code, details });
/** @param {number} found */
export const tooLong = (found) => failure('BAD_SHAPE', `prompt: expected 1 to ${MOST_TOKENS} tokens, found ${found}`,
  { expected: `1–${MOST_TOKENS}`, found });

/** A folder of at most so many bytes loads without a question. */
const SMALL = 20e6;

const absolute = (/** @type {string} */ url) => new URL(url, document.baseURI).href;

/** @returns {Target} */
export function shippedTarget() {
  const { url, untrained } = shippedModel();
  const href = absolute(url);
  return { kind: 'shipped', url: href, bases: [href], untrained };
}

/** The folder's name as people say it. @param {string} url */
export function folderName(url) {
  if (!URL.canParse(url)) return url;
  const parts = new URL(url).pathname.split('/').filter(Boolean);
  const at = parts.findIndex((part) => part === 'resolve' || part === 'blob' || part === 'tree');
  return decodeURIComponent(parts[(at > 0 ? at : parts.length) - 1] ?? new URL(url).host);
}

/** What the page names before anything is read. @returns {Offer} */
export function qwenOffer() {
  const { name, bases } = QWEN35;
  const sizes = countedSizes(QWEN35);
  return {
    name, bases: [...bases], config: QWEN35, sizes, rungs: ladder(QWEN35, sizes), counted: true, unasked: false,
    target: { kind: 'folder', url: bases[0], bases: [...bases] },
  };
}

/**
 * Reads a folder's config.json and header, some kilobytes, and says what its weights would cost.
 * @param {string[]} src @param {AbortSignal} signal @returns {Promise<Offer>}
 */
export async function findOffer(src, signal) {
  const bases = src.map(absolute);
  const { inspectModel } = await engineScript();
  const { config, tensors } = await inspectModel(bases, { signal });
  const sizes = headerSizes(config, tensors);
  const rungs = ladder(config, sizes);
  const target = /** @type {const} */ ({ kind: 'folder', url: bases[0], bases });
  const bytes = rungs[rungs.length - 1]?.bytes ?? 0;
  return { name: folderName(bases[0]), bases, config, sizes, rungs, counted: false, unasked: bytes <= SMALL, target };
}

/** Prompt of each recording that was opened once. @type {Map<string, string>} */
const recorded = new Map();

/** @param {any} engine @param {string[]} urls @param {string} prompt @param {AbortSignal} signal */
async function findRecording(engine, urls, prompt, signal) {
  for (const url of urls.map(absolute)) {
    if (recorded.has(url) && recorded.get(url) !== prompt) continue;
    const model = await engine.openRecording(url, { signal });
    recorded.set(url, model.prompts[0].prompt);
    if (model.prompts[0].prompt === prompt) return { target: /** @type {Target} */ ({ kind: 'recording', url }), model };
    await model.close();
  }
  return null;
}

/** Names of the next tokens that a recording brings along, asked like a tokenizer; null where it brings none. @param {any[]} [next] */
function recordedNames(next) {
  const known = new Map(next?.map((piece) => [piece.id, piece]));
  const piece = (/** @type {number} */ id) => known.get(id) ?? { id, text: `#${id}`, bytes: new Uint8Array(0), joins: [] };
  return next ? { pieces: async (/** @type {number[]} */ ids) => ids.map(piece) } : null;
}

/**
 * @param {any} engine @param {Target} target
 * @param {{ recordings: string[], plays: boolean, prompt: string, signal: AbortSignal, onProgress: (report: any) => void }} o
 *   recordings: looked into before the shipped model is; plays: one is on display, and no other model steps in unasked
 * @returns {Promise<{ target: Target, model: any, tokenizer: any }>}
 */
export async function openTarget(engine, target, { recordings, plays, prompt, signal, onProgress }) {
  if (target.kind === 'shipped') {
    const found = await findRecording(engine, recordings, prompt, signal);
    if (found) return { ...found, tokenizer: recordedNames(found.model.prompts[0].next) };
    if (plays && recordings.length > 0) {
      const prompts = recordings.map((url) => recorded.get(absolute(url)));
      throw failure('NOT_RECORDED', `prompt: expected one of ${JSON.stringify(prompts)}, found ${JSON.stringify(prompt)}`, { prompts });
    }
  }
  const { bases = [target.url], layers } = target;
  const tokenizer = await engine.loadTokenizer(bases, { signal });
  const model = await engine.openModel(bases, { signal, onProgress, ...(layers === undefined ? {} : { layers }) });
  return { target, model, tokenizer };
}

/** Does it weigh little enough to stay in memory beside another? @param {{ target: Target }} opened */
export const isLight = ({ target }) => target.kind !== 'folder';

/** @param {Target} a @param {Target} b */
export function sameTarget(a, b) {
  return a.kind === b.kind && a.url === b.url && a.layers === b.layers && (a.bases ?? []).join() === (b.bases ?? []).join();
}

/** How many layers a run has, or has got when it ended early: of those one is picked. @param {{ shown: Shown | null, busy: boolean }} context */
export const reach = ({ shown, busy }) => (shown && !busy ? shown.layers.length : shown?.ran ?? 0);

/** A run before its first layer. @param {Target} target @param {any} model @param {{ prompt: string, tokens: number[], pieces: any[] }} asked @returns {Shown} */
export function freshShown({ kind, url, untrained = false, layers }, { name = url, config, prompts }, asked) {
  return {
    ...asked, date: prompts?.[0].date, kind, name, url, untrained, source: kind === 'recording' ? 'recorded' : 'live', config, layers: [],
    ran: layers ?? config.layers, run: null, logits: undefined, ms: 0, at: new Date(),
  };
}
