/**
 * Back and forward lead to where the reader was: every entry of the history keeps its place on the page and what had
 * the focus. Places are told from something that stands still, since figures above grow and are edited.
 */
import { holdAt, journey } from '../widgets/parts/place.js';

/**
 * @typedef {{ anchor: number, top: number, figure: string, focus?: WeakRef<HTMLElement> }} Spot
 *   anchor: which; top: CSS pixels below the window's edge
 */

const KEY = 'attn-travel';
/** Entries kept over a reload. */
const MOST = 50;
const anchors = [...document.querySelectorAll('.hero, .goals, section > *')];
/** @type {Map<string, Spot>} */
const spots = recalled();
/** The entry on display. */
let here = '';
/** What a followed link leaves, before the browser moves the page. @type {{ href: string, spot: Spot } | null} */
let left = null;

/** @returns {Map<string, Spot>} places of this tab before it was loaded anew; what is no list of them is none */
function recalled() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

function keep() {
  spots.delete(here); // the entry on display is the last to be dropped, however old it is
  spots.set(here, spot());
  try {
    const plain = [...spots].slice(-MOST).map(([key, { anchor, top, figure }]) => [key, { anchor, top, figure }]);
    sessionStorage.setItem(KEY, JSON.stringify(plain));
  } catch {
    // where storage is refused, the browser does what it can
    history.scrollRestoration = 'auto';
  }
}

/** What has the focus, inside figures too. */
function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element === document.body ? null : /** @type {HTMLElement | null} */ (element);
}

/** @param {HTMLElement | null} [focus] @returns {Spot} where the reader is */
function spot(focus = focused()) {
  const top = (/** @type {Element} */ e) => e.getBoundingClientRect().top;
  const anchor = Math.max(0, anchors.findLastIndex((e) => top(e) < innerHeight / 2));
  const host = document.activeElement?.closest('[figure]');
  const figure = host?.getAttribute('figure') ?? '';
  return { anchor, top: top(anchors[anchor]), figure, ...(focus ? { focus: new WeakRef(focus) } : {}) };
}

/** @param {Spot} found */
function goBackTo({ anchor, top, figure, focus }) {
  const place = anchors[anchor] ?? anchors[0];
  holdAt(place, top);
  const had = focus?.deref();
  had?.focus({ preventScroll: true });
  // whatever has it now may be far away
  if (had && focused() === had) return;
  journey.focus = figure;
  if (!figure) focusHeading(place);
}

/** Those who go on by key go on from here. @param {Element} place */
export function focusHeading(place) {
  const heading = /** @type {HTMLElement | null | undefined} */ (
    place.closest('section, main')?.querySelector('h1, h2'));
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** The history shows an entry: one that the reader has been at, or a new one. */
function arrive() {
  const key = history.state?.attn;
  const known = spots.get(key);
  journey.returned = known !== undefined;
  journey.focus = '';
  if (known) here = key;
  else {
    here = crypto.randomUUID?.() ?? String(performance.timeOrigin + performance.now());
    history.replaceState({ ...history.state, attn: here }, '');
  }
  return known;
}

function move() {
  if (here === history.state?.attn) return;
  spots.set(here, left?.href === location.href ? left.spot : spot());
  left = null;
  const known = arrive();
  if (known) goBackTo(known);
}

/**
 * @param {{ whole: () => void, settle: () => void }} page
 *   whole: lays out all of it · settle: writes what the address waits for
 * @returns {boolean} has the reader been here before
 */
export function travel({ whole, settle }) {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', move);
  addEventListener('hashchange', (event) => {
    move();
    // a link to the place that the address names already is followed all the same
    if (!event.isTrusted) journey.returned = false;
  });
  addEventListener('click', (event) => {
    const link = /** @type {HTMLAnchorElement | undefined} */ (
      event.composedPath().find((e) => e instanceof HTMLAnchorElement));
    if (!link?.hash) return;
    settle();
    left = { href: link.href, spot: spot(link) };
  }, { capture: true });
  addEventListener('pagehide', keep);
  const known = arrive();
  if (!known) return false;
  whole();
  goBackTo(known);
  return true;
}
