/**
 * Every control of every figure: moved to another value, after which a second figure is opened by the first one's link and
 * has to show the same: words, table, picture, labels, what is read out. What is left over from the state before shows at
 * once, and so does what the link forgot. Figures and their controls are found, not named: new ones join by themselves.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SOURCES } from '../../web/widgets/lazy.js';
import { waits } from './browser.js';

/** @typedef {{ tag: string, attributes: Record<string, string> }} Figure */

const PAGE = readFileSync(new URL('../../web/pages/index.html', import.meta.url), 'utf8');
/** Not a figure: the model around them. */
const AROUND = 'attn-model';

/** @param {string} inside of a tag @returns {Record<string, string>} */
const attributesOf = (inside) => Object.fromEntries([...inside.matchAll(/([a-z-]+)="([^"]*)"/g)]
  .filter(([, name]) => name !== 'class').map(([, name, value]) => [name, value]));

/** As the page has them; one that is on no page yet stands alone with a number of its own. @returns {Figure[]} */
function figuresOf() {
  const tags = Object.keys(SOURCES).filter((tag) => tag !== AROUND);
  const placed = [...PAGE.matchAll(/<(attn-[a-z-]+)([^>]*)>/g)].filter(([, tag]) => tags.includes(tag))
    .map(([, tag, inside]) => ({ tag, attributes: attributesOf(inside) })).filter(({ attributes }) => !attributes.only);
  const missing = tags.filter((tag) => !placed.some((figure) => figure.tag === tag));
  return [...placed, ...missing.map((tag, i) => ({ tag, attributes: { figure: String(900 + i) } }))];
}

export const FIGURES = figuresOf();

/** @param {Figure} figure */
export const nameOf = ({ tag, attributes: { figure, scene } }) => [tag, scene, figure].filter(Boolean).join(' ');

/**
 * Runs in the page: drives one figure, returns what does not hold.
 * @param {Figure & { limit: number }} o
 */
async function driveInPage({ tag, attributes, limit }) {
  const frame = () => new Promise(requestAnimationFrame);
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  const until = async (/** @type {() => unknown} */ f, ms = limit) => {
    const end = performance.now() + ms;
    while (!f()) {
      if (performance.now() > end) return false;
      await frame();
    }
    return true;
  };

  // two places, each with a model of its own
  await customElements.whenDefined('attn-model');
  const places = [0, 1].map(() => document.createElement('attn-model'));
  main.replaceChildren(...places);
  const make = (/** @type {Element} */ place) => {
    const element = /** @type {any} */ (document.createElement(tag));
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    place.append(element);
    return element;
  };
  const settled = (/** @type {any} */ e) => e.renderRoot?.querySelector('figure') && !e.isUpdatePending
    && e.seen && !e.computing && !e.use?.context?.busy && (!e.use?.context?.interventions.length || e.use.context.edited || e.use.context.error);
  const all = (/** @type {any} */ root, /** @type {string} */ selector) => {
    const found = [];
    const walk = (/** @type {any} */ node) => {
      for (const child of node.children) {
        if (child.matches(selector)) found.push(child);
        if (child.shadowRoot) walk(child.shadowRoot);
        walk(child);
      }
    };
    walk(root);
    return found;
  };

  /** The figure as lines: what is drawn, written, labelled and set. @param {any} e */
  const look = (e) => {
    const lines = [];
    const SKIP = new Set(['id', 'name', 'tabindex', 'data-typing', 'open', 'type', 'href']);
    const walk = (/** @type {any} */ node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        const text = node.data.replace(/\s+/g, ' ').trim();
        if (text) lines.push(text);
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE) return;
      if (node.matches?.('.tools, figure > .live, style')) return;
      if (node.localName) {
        const set = [...node.attributes].filter(({ name }) => !SKIP.has(name))
          .map(({ name, value }) => `${name}=${value.replace(/\s+/g, ' ').trim()}`).sort();
        const own = node.matches('input, textarea, select') ? [`value=${node.value}`, `checked=${Boolean(node.checked)}`] : [];
        const picture = node.matches('canvas') && node.width > 0 ? [node.toDataURL()] : [];
        if (set.length + own.length + picture.length) lines.push(`<${[node.localName, ...set, ...own, ...picture].join(' ')}>`);
      }
      if (node.shadowRoot) walk(node.shadowRoot);
      for (const child of node.childNodes) walk(child);
    };
    walk(e.renderRoot);
    const t = e.environment.text;
    const said = e.spoken?.(t) ?? '';
    return [...lines, `table ${JSON.stringify(e.table(t))}`, `picture ${JSON.stringify(e.picture(t))}`,
      `caption of the picture ${e.picture(t) ? e.pictureCaption(t) : ''}`, `conclusion ${e.therefore(t)}`, `read out ${said}`];
  };

  const labelOf = (/** @type {any} */ c) => (c.getAttribute('aria-label') ?? c.closest('label')?.textContent ?? c.textContent ?? '').replace(/\s+/g, ' ').trim();
  const groupOf = (/** @type {any} */ c) => c.closest('fieldset')?.querySelector('legend')?.textContent?.trim() ?? '';
  /** Of many alike, numbers apart, two are enough. @param {any} c */
  const kindOf = (c) => {
    const alike = c.localName === 'button' && offered(driven).filter((o) => o.localName === 'button' && o.className === c.className);
    return alike.length > MANY ? `many ${c.className}` : oneKind(c);
  };
  const MANY = 6;
  const oneKind = (/** @type {any} */ c) => `${c.localName}.${c.type ?? c.getAttribute('role')} ${
    c.matches('[type=radio]') ? groupOf(c) : labelOf(c).replace(/[\d.,−-]+/g, '#')}`;
  const MOST = 2;
  const SELECTOR = 'button, input, select, textarea, [tabindex="0"]';
  const offered = (/** @type {any} */ e) => all(e.renderRoot, SELECTOR).filter((c) => (
    !c.closest('.tools') && !c.disabled && c.getAttribute('aria-disabled') !== 'true' && c.getClientRects().length > 0
    && !c.matches('[role=region], a, .equivalent, :checked[type=radio]')));

  const press = (/** @type {any} */ c, /** @type {string} */ key) => {
    c.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
    c.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true, composed: true, cancelable: true }));
  };
  const tell = (/** @type {any} */ c, /** @type {string} */ value) => {
    c.value = value;
    for (const type of ['input', 'change']) c.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  };
  /** To another value. @param {any} c */
  const move = async (c) => {
    if (c.matches('[type=range]')) {
      const [min, max, now] = [Number(c.min), Number(c.max), Number(c.value)];
      tell(c, String(min + Math.round((now - min > (max - min) / 2 ? 0.25 : 0.75) * (max - min))));
    } else if (c.matches('[role=spinbutton]')) {
      const before = c.getAttribute('aria-valuenow');
      press(c, 'ArrowDown');
      await frame();
      await frame();
      if (c.getAttribute('aria-valuenow') === before) press(c, 'ArrowUp');
    } else if (c.matches('select')) {
      tell(c, [...c.options].find((o) => o.value !== c.value)?.value);
    } else if (c.matches('input:not([type=radio], [type=checkbox]), textarea')) {
      tell(c, 'The dog sat');
      c.form?.requestSubmit();
    } else if (c.matches('button, input')) {
      c.click();
    } else if (c.matches('.field')) {
      c.focus();
      press(c, 'ArrowLeft');
      press(c, 'Home');
      press(c, 'Enter');
    } else {
      press(c, 'ArrowRight');
      press(c, 'ArrowUp');
    }
  };

  const numbers = (/** @type {string} */ text) => (text.replaceAll('−', '-').replace(/(\d),(?=\d{3})/g, '$1').match(/\d+(?:\.\d+)?/g) ?? []);
  /** Numbers of a sentence that stand nowhere in the table, the picture or the plate. @param {any} e */
  const unseen = (e) => {
    const t = e.environment.text;
    const said = e.spoken?.(t) ?? '';
    const shown = [JSON.stringify(e.table(t) ?? ''), JSON.stringify(e.picture(t)?.shapes?.map((/** @type {any} */ s) => s.text ?? s.words ?? s) ?? ''),
      look(e).slice(0, -1).join(' '), ...all(e.renderRoot, 'ol').map((l) => [...l.children].map((_, i) => i + 1).join(' ')),
      ...all(e.renderRoot, 'input, [aria-label]').map((/** @type {any} */ c) => `${c.value ?? ''} ${c.getAttribute('aria-label')}`)].join(' ');
    const there = numbers(shown).map(Number);
    return numbers(said).filter((n) => {
      const digits = n.split('.')[1]?.length ?? 0;
      return !there.some((m) => [m, m * 100, m / 100].some((x) => Math.abs(x - Number(n)) <= 0.5000001 * 10 ** -digits));
    });
  };

  const driven = make(places[0]);
  if (!await until(() => settled(driven))) return { faults: ['does not come to rest'], moves: 0 };
  const [, beside] = places;
  const faults = [];
  /** The second place as it was when the page opened. */
  const asNew = async (/** @type {any} */ e) => {
    const context = e.use?.context;
    if (!context || context === driven.use?.context) return;
    context.select({ layer: undefined, heads: undefined, token: undefined });
    if (context.interventions.length > 0) context.intervene([]);
  };

  /** Opens the link of the figure beside it and compares. @param {string} what was moved */
  const compare = async (what) => {
    const end = performance.now() + limit;
    let [a, b] = [[''], ['']];
    let fresh;
    let hash = '';
    for (;;) {
      if (performance.now() > end) break;
      if (!settled(driven)) {
        await frame();
        continue;
      }
      if (driven.renderRoot.querySelector('.unlinked')) return;
      if (!fresh || hash !== driven.place.hash) {
        if (fresh) await asNew(fresh);
        fresh?.remove();
        hash = driven.place.hash;
        history.replaceState(null, '', hash);
        fresh = make(beside);
      }
      await frame();
      if (!settled(fresh)) continue;
      a = look(driven);
      b = look(fresh);
      // what was the last to happen is read out, but is no state
      if (b.at(-1) === 'read out ') b[b.length - 1] = String(a.at(-1));
      if (a.join('\n') !== b.join('\n')) continue;
      const t = driven.environment.text;
      const said = driven.said;
      if (said && said !== (driven.spoken?.(t) ?? '')) faults.push(`${what}: read out “${said}”, left over from before`);
      const lost = unseen(driven);
      if (lost.length) faults.push(`${what}: ${lost} in “${driven.spoken(t)}” stands neither in table nor picture nor plate`);
      await asNew(fresh);
      fresh.remove();
      return;
    }
    if (fresh) await asNew(fresh);
    fresh?.remove();
    const at = a.findIndex((line, i) => line !== b[i]);
    const short = (/** @type {string | undefined} */ s) => {
      const i = [...(a[at] ?? '')].findIndex((c, k) => c !== b[at]?.[k]);
      return String(s).slice(Math.max(0, i - 60), i + 90);
    };
    const from = (/** @type {string[]} */ l) => l.slice(Math.max(0, at - 1), at + 1).map(short).join(' ⏎ ');
    faults.push(`${what} [${hash}]: here “${from(a)}”, by the link “${from(b)}”`);
  };

  const done = new Map();
  await compare('as it opens');
  let moves = 0;
  for (;;) {
    const next = offered(driven).find((c) => (done.get(kindOf(c))?.length ?? 0) < MOST && !done.get(kindOf(c))?.includes(labelOf(c)));
    if (!next) break;
    const [kind, label] = [kindOf(next), labelOf(next)];
    done.set(kind, [...done.get(kind) ?? [], label]);
    const what = `${next.matches('[type=radio]') ? `${groupOf(next)}: ` : ''}${label || kind}`;
    await move(next);
    moves += 1;
    await frame();
    await frame();
    const plays = all(driven.renderRoot, 'button.active').find((b) => b.textContent.includes('❚❚') || b.matches('.play'));
    plays?.click();
    await compare(what.slice(0, 60));
    if (next.matches('.field')) {
      press(next, 'Escape');
      next.blur();
      next.dispatchEvent(new PointerEvent('pointerleave'));
    }
  }
  main.replaceChildren();
  history.replaceState(null, '', location.pathname + location.search);
  return { faults, moves };
}

/** A limit, not a wait. */
const LIMIT = 60_000;

/**
 * Drives one figure on a page of its own.
 * @param {ReturnType<typeof import('./browser.js').openBrowser>} open @param {Figure} figure
 */
async function drive(open, figure) {
  const { page, noise, close } = await open({
    path: 'embed.html?widget=attn-quiz', height: 5000,
    before: async (p) => { await p.route((url) => url.hostname !== '127.0.0.1', (route) => route.abort()); },
  });
  const { faults, moves } = await page.evaluate(driveInPage, { ...figure, limit: LIMIT });
  await close();
  assert.deepEqual(faults, []);
  assert.deepEqual(noise.filter((line) => line.startsWith('pageerror')), []);
  return moves;
}

/** Figures without a control of their own. */
const STILL = new Set(['attn-glossary']);

/**
 * Every n-th figure, a test each: one file for each part, so that they run side by side.
 * @param {ReturnType<typeof import('./browser.js').openBrowser>} open @param {number} part from 0 @param {number} parts
 */
export function driveParts(open, part, parts) {
  for (const figure of FIGURES.filter((_, i) => i % parts === part)) {
    test(`${nameOf(figure)}: every control leaves words, table, picture, link and what is read out of one state`, { skip: waits }, async () => {
      const moves = await drive(open, figure);
      assert.equal(moves === 0, STILL.has(figure.tag), `${moves} controls were found`);
    });
  }
}
