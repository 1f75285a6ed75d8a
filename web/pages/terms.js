/** Terms in the prose: underlined by dots where a section first uses them, explained in a small box on focus, hover or tap. */
import { TermFinder, TERMS } from '../lab/glossary.js';

/** @typedef {import('../lab/text.js').Text} Text */

const box = Object.assign(document.createElement('div'), { className: 'term-box', id: 'term-box', hidden: true });
box.setAttribute('role', 'tooltip');
/** @type {HTMLElement | null} the term whose box is open */
let open = null;
let wasOpen = false;
let leaving = 0;

/** @param {Text} t @param {HTMLElement} link */
function show(t, link) {
  clearTimeout(leaving);
  if (open === link) return;
  hide();
  open = link;
  box.lang = t.lang;
  box.textContent = t(`term.${link.dataset.term}`);
  box.hidden = false;
  link.setAttribute('aria-describedby', box.id);
  const [at] = link.getClientRects();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = at.bottom + box.offsetHeight + 12 < clientHeight || at.top < box.offsetHeight + 12;
  box.style.left = `${Math.max(16, Math.min(at.left, clientWidth - box.offsetWidth - 16)) + scrollX}px`;
  box.style.top = `${scrollY + (below ? at.bottom + 6 : at.top - box.offsetHeight - 6)}px`;
}

function hide() {
  clearTimeout(leaving);
  open?.removeAttribute('aria-describedby');
  open = null;
  box.hidden = true;
}

/** The pointer may travel from the term into its box. */
const hideSoon = () => {
  clearTimeout(leaving);
  leaving = window.setTimeout(() => { if (document.activeElement !== open) hide(); }, 200);
};

box.addEventListener('pointerenter', () => clearTimeout(leaving));
box.addEventListener('pointerleave', hideSoon);
addEventListener('keydown', ({ key }) => { if (key === 'Escape') hide(); });
document.addEventListener('pointerdown', (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('.term');
  wasOpen = link !== null && link === open;
  if (!link && event.target !== box) hide();
});

/** @param {Text} t @param {string} text @param {string} key */
function linkOf(t, text, key) {
  const link = document.createElement('a');
  Object.assign(link, { className: 'term', href: `#f33&term=${key}`, textContent: text });
  link.dataset.term = key;
  link.addEventListener('focus', () => show(t, link));
  link.addEventListener('blur', hide);
  link.addEventListener('pointerenter', ({ pointerType }) => { if (pointerType === 'mouse') show(t, link); });
  link.addEventListener('pointerleave', ({ pointerType }) => { if (pointerType === 'mouse') hideSoon(); });
  link.addEventListener('click', (event) => {
    // A finger's first tap explains, the second leads to the glossary.
    if (/** @type {PointerEvent} */ (event).pointerType !== 'touch' || wasOpen) return;
    event.preventDefault();
    show(t, link);
  });
  return link;
}

/** Marks the terms of all sections; their paragraphs hold plain text. @param {Text} t */
export function markTerms(t) {
  hide();
  if (!box.isConnected) document.body.append(box);
  const finder = new TermFinder(TERMS.flatMap(({ key, forms }) => {
    const written = forms ?? (t.has(`term.${key}.forms`) ? t(`term.${key}.forms`) : '');
    return written ? [{ key, forms: written }] : [];
  }));
  for (const section of document.querySelectorAll('section[data-n]')) {
    const known = new Set();
    for (const paragraph of section.querySelectorAll('.text p[data-t]')) {
      const parts = finder.cut(paragraph.textContent ?? '', known);
      paragraph.replaceChildren(...parts.map(({ text, key }) => (key ? linkOf(t, text, key) : document.createTextNode(text))));
    }
  }
}
