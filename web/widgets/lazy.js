/**
 * The same elements as define.js, each fetched when its place on the page comes near: a page of thirty figures starts
 * with the first one. A jump further down fetches them all.
 */
import { lateBox, sayComing, whenOnline } from './parts/arrival.js';

/** A page that has one of them already puts it in. @type {Record<string, () => Promise<CustomElementConstructor>>} */
export const SOURCES = {
  'attn-model': () => import('./attn-model.js').then((m) => m.AttnModel),
  'attn-toy': () => import('./attn-toy.js').then((m) => m.AttnToy),
  'attn-mask': () => import('./attn-mask.js').then((m) => m.AttnMask),
  'attn-scale': () => import('./attn-scale.js').then((m) => m.AttnScale),
  'attn-lenses': () => import('./attn-lenses.js').then((m) => m.AttnLenses),
  'attn-split': () => import('./attn-split.js').then((m) => m.AttnSplit),
  'attn-gqa': () => import('./attn-gqa.js').then((m) => m.AttnGqa),
  'attn-kv': () => import('./attn-kv.js').then((m) => m.AttnKv),
  'attn-gate-toy': () => import('./attn-gate-toy.js').then((m) => m.AttnGateToy),
  'attn-profile': () => import('./attn-profile.js').then((m) => m.AttnProfile),
  'attn-gate-map': () => import('./attn-gate-map.js').then((m) => m.AttnGateMap),
  'attn-follow': () => import('./attn-follow.js').then((m) => m.AttnFollow),
  'attn-edit': () => import('./attn-edit.js').then((m) => m.AttnEdit),
  'attn-gate-sgd': () => import('./attn-gate-sgd.js').then((m) => m.AttnGateSgd),
  'attn-sink-lab': () => import('./attn-sink-lab.js').then((m) => m.AttnSinkLab),
  'attn-layer': () => import('./attn-layer.js').then((m) => m.AttnLayer),
  'attn-explain': () => import('./attn-explain.js').then((m) => m.AttnExplain),
  'attn-quiz': () => import('./attn-quiz.js').then((m) => m.AttnQuiz),
  'attn-glossary': () => import('./attn-glossary.js').then((m) => m.AttnGlossary),
  'attn-load': () => import('./attn-load.js').then((m) => m.AttnLoad),
  'attn-heads': () => import('./attn-heads.js').then((m) => m.AttnHeads),
  'attn-concat': () => import('./attn-concat.js').then((m) => m.AttnConcat),
  'attn-pipeline': () => import('./attn-pipeline.js').then((m) => m.AttnPipeline),
  'attn-additions': () => import('./attn-additions.js').then((m) => m.AttnAdditions),
  'attn-kitchen': () => import('./attn-kitchen.js').then((m) => m.AttnKitchen),
  'attn-timeline': () => import('./attn-timeline.js').then((m) => m.AttnTimeline),
};

/** Registers an element; a name that is already taken is left as it is. @param {string} tag @param {CustomElementConstructor} element */
export function register(tag, element) {
  if (!customElements.get(tag)) customElements.define(tag, element);
}

/** The class of a tag, fetched where it is not here yet. @param {string} tag */
const fetched = async (tag) => customElements.get(tag) ?? SOURCES[tag]();

/**
 * Fetches and registers one element. attn-model comes before all others, so that
 * a figure finds the model around it when it wakes up.
 * @param {string} tag
 */
async function load(tag) {
  const coming = fetched(tag);
  coming.catch(() => {});
  if (tag !== 'attn-model') register('attn-model', await fetched('attn-model'));
  register(tag, await coming);
}

/**
 * Elements on their way, by tag: however many places wait for one, it is asked for once.
 * @type {Map<string, Promise<void>>}
 */
const onTheWay = new Map();

/**
 * Tries one element; where it does not come, its places say so, and it is tried again by hand or when online.
 * @param {string} tag
 */
export function arrive(tag) {
  let coming = onTheWay.get(tag);
  if (!coming) {
    coming = load(tag).catch(() => late(tag)).finally(() => onTheWay.delete(tag));
    onTheWay.set(tag, coming);
  }
  return coming;
}

/** Where a figure is still to come; attn-model holds others and shows nothing itself. @param {string} tag */
const places = (tag) => (tag === 'attn-model' ? [] : document.querySelectorAll(`${tag}:not(:defined)`));

/** @param {string} tag */
function late(tag) {
  const again = () => {
    for (const place of places(tag)) sayComing(place);
    arrive(tag);
  };
  for (const place of places(tag)) place.replaceChildren(lateBox(place, 'late', again));
  whenOnline(again);
}

/** How far ahead of the reader an element is fetched. */
const AHEAD = '1000px 0px';

/** @param {ParentNode} root */
const waiting = (root) => [...root.querySelectorAll(':not(:defined)')].filter(({ localName }) => Object.hasOwn(SOURCES, localName));

/**
 * Elements as they come near, those added later too.
 * @param {ParentNode & Node} root @param {Element[]} [asked] places whose element has been asked for
 */
export function defineNearby(root, asked = []) {
  const seen = new WeakSet(asked);
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      arrive(target.localName);
    }
  }, { rootMargin: AHEAD });
  // each place is watched once: one that says that it did not come waits for the reader's word
  const look = () => waiting(root).filter((element) => !seen.has(element)).forEach((element) => {
    seen.add(element);
    near.observe(element);
  });
  new MutationObserver(look).observe(root, { childList: true, subtree: true });
  look();
}

/**
 * All that are still waiting, those that come in one step, so that the page moves once at most.
 * @param {ParentNode} root
 */
export async function defineRest(root) {
  const tags = [...new Set(['attn-model', ...waiting(root).map(({ localName }) => localName)])];
  const elements = await Promise.allSettled(tags.map(fetched));
  if (elements[0].status === 'rejected') return void tags.forEach(late);
  elements.forEach((element, i) => {
    if (element.status === 'fulfilled') register(tags[i], element.value);
    else late(tags[i]);
  });
}
