/**
 * Every control of every figure: moved to another value, after which a second figure is opened by the first one's link and
 * has to show the same: words, table, picture, labels, what is read out. What is left over from the state before shows at
 * once, and so does what the link forgot. Figures and their controls are found, not named: new ones join by themselves.
 * All controls are driven. Only of more than eight in one place (a layer strip, the cells of a sequence) it is the first,
 * the last and four drawn by lot, the same ones in every run.
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

  /**
   * What no address can hold, where a figure has it: the parts it marks, or its whole plate and what is said of that
   * where it marks none there. All else the link brings. @param {any} e
   */
  const keptBack = (e) => {
    if (!e.renderRoot.querySelector('.unlinked')) return { parts: '', plate: false };
    const plate = !e.renderRoot.querySelector('.plate [data-here]');
    return { parts: plate ? '[data-here], .plate, .main > .error, .foot, .head, .aside [role=status]' : '[data-here]', plate };
  };

  /** The figure as lines: what is drawn, written, labelled and set. @param {any} e @param {{ parts: string, plate: boolean }} [back] */
  const look = (e, back = { parts: '', plate: false }) => {
    const lines = [];
    const SKIP = new Set(['id', 'name', 'tabindex', 'data-typing', 'open', 'type', 'href']);
    const walk = (/** @type {any} */ node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        const text = node.data.replace(/\s+/g, ' ').trim();
        if (text) lines.push(text);
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE) return;
      if (node.matches?.(`.tools, figure > .live, style${back.parts && `, ${back.parts}`}`)) return;
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
    if (back.plate) return lines;
    const picture = e.picture(t);
    const whole = back.parts ? []
      : [`table ${JSON.stringify(e.table(t))}`, `picture ${JSON.stringify(picture)}`, `read out ${said}`];
    return [...lines, `caption of the picture ${picture ? e.pictureCaption(t) : ''}`, `conclusion ${e.therefore(t)}`, ...whole];
  };
  /** Columns of the linked table that the one here does not have as they are. @param {any} a @param {any} b by the link */
  const missingColumns = (a, b) => {
    const column = (/** @type {any} */ table, /** @type {string} */ name) => (
      JSON.stringify(table?.rows.map((/** @type {any} */ row) => row[table.columns.indexOf(name)])));
    return (b?.columns ?? []).filter((/** @type {string} */ name) => column(a, name) !== column(b, name));
  };

  const labelOf = (/** @type {any} */ c) => (c.getAttribute('aria-label') ?? c.closest('label')?.textContent ?? c.textContent ?? '').replace(/\s+/g, ' ').trim();
  const groupOf = (/** @type {any} */ c) => c.closest('fieldset')?.querySelector('legend')?.textContent?.trim() ?? '';
  /** Of a place's controls more than these are drawn by lot; so many of the lot, with the first and the last. */
  const MANY = 8;
  const LOT = 4;
  /** So few are driven again when their words have changed, up to this often. */
  const FEW = 2;
  const MOST = 8;
  const SELECTOR = 'button, input, select, textarea, [tabindex="0"]';
  const shown = (/** @type {any} */ e) => all(e.renderRoot, SELECTOR).filter((c) => (
    !c.closest('.tools') && c.getClientRects().length > 0 && !c.matches('[role=region], a, .equivalent')));
  const offered = (/** @type {any} */ c) => !c.disabled && c.getAttribute('aria-disabled') !== 'true' && !c.matches(':checked[type=radio]');
  const wordsOf = (/** @type {any} */ c) => labelOf(c).replace(/[\d.,−-]+/g, '#');
  /** Where a control stands: alike are those in one place. @param {any} c */
  const placeOf = (c) => {
    const path = [];
    for (let e = c; e && e !== driven; e = e.parentElement ?? e.getRootNode().host) path.push(e.localName);
    const own = c.matches('button, [type=radio], [type=checkbox]') ? groupOf(c) : wordsOf(c);
    return `${path.join('<')} ${c.type ?? c.getAttribute('role')} ${own}`;
  };
  /** Numbers below n, the same for the same words. @param {string} seed @param {number} n @returns {Set<number>} */
  const drawnLot = (seed, n) => {
    let state = [...seed].reduce((h, letter) => Math.imul(h ^ (letter.codePointAt(0) ?? 0), 16777619), 2166136261);
    const lot = new Set([0, n - 1]);
    while (lot.size < LOT + 2) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      lot.add((state >>> 8) % n);
    }
    return lot;
  };
  /** What has been driven: places, and in each of them positions and words. @type {Map<string, { at: Set<number>, words: Set<string> }>} */
  const done = new Map();
  /** The next control to be driven, by its place and position there. */
  const nextControl = () => {
    /** @type {Map<string, any[]>} */
    const places = new Map();
    for (const c of shown(driven)) places.set(placeOf(c), [...places.get(placeOf(c)) ?? [], c]);
    const open = [...places].flatMap(([where, controls]) => {
      const lot = controls.length > MANY ? drawnLot(where, controls.length) : null;
      const had = done.get(where) ?? { at: new Set(), words: new Set() };
      if (controls.length <= FEW && had.words.size >= MOST) return [];
      return controls.map((c, at) => ({ c, where, at, had, fresh: !had.at.has(at), renamed: !had.words.has(wordsOf(c)) }))
        .filter(({ c, at, fresh, renamed }) => offered(c) && (!lot || lot.has(at)) && (fresh || (controls.length <= FEW && renamed)));
    });
    const next = open.find(({ fresh }) => fresh) ?? open[0];
    if (!next) return null;
    next.had.at.add(next.at);
    next.had.words.add(wordsOf(next.c));
    done.set(next.where, next.had);
    return next;
  };

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

  const numbers = (/** @type {string} */ text) => (text.replace(/data:image\S*/g, '').replaceAll('−', '-').replace(/(\d),(?=\d{3})/g, '$1').match(/\d+(?:\.\d+)?/g) ?? []);
  /** Numbers of a sentence that stand nowhere in the table, the picture or the plate. @param {any} e */
  const unseen = (e) => {
    const t = e.environment.text;
    const said = e.spoken?.(t) ?? '';
    const shown = [JSON.stringify(e.table(t) ?? ''), JSON.stringify(e.picture(t)?.shapes?.map((/** @type {any} */ s) => s.text ?? s.words ?? s) ?? ''),
      look(e).filter((line) => !line.startsWith('read out ')).join(' '), ...all(e.renderRoot, 'ol').map((l) => [...l.children].map((_, i) => i + 1).join(' ')),
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

  /** One sentence, one state: what was read out is no other, and no number of it stands nowhere. @param {string} what */
  const compareSpoken = (what) => {
    const said = driven.said;
    const now = driven.spoken?.(driven.environment.text) ?? '';
    if (said && said !== now) faults.push(`${what}: read out “${said}”, left over from before`);
    const lost = unseen(driven);
    if (lost.length) faults.push(`${what}: ${lost} in “${now}” stands neither in table nor picture nor plate`);
  };

  /** What the link cannot bring is said where it is pressed. @param {string} what */
  const compareUnlinked = (what) => {
    const words = driven.renderRoot.querySelector('.unlinked');
    if (!words) return;
    const [frame, box] = [driven, words].map((e) => e.getBoundingClientRect());
    const inside = box.width > 20 && box.height > 8 && box.left >= frame.left && box.right <= frame.right + 1;
    const plain = words.textContent.trim().length > 8 && words.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!inside || !plain) faults.push(`${what}: what the link leaves behind is not told in sight`);
  };

  /** What a press of a tool's button leaves behind. @param {any} e @param {string} name */
  const pressTool = async (e, name) => {
    const words = e.environment.text(`tool.${name}`);
    const button = [...e.renderRoot.querySelectorAll('.tools button')].find((c) => c.textContent.trim() === words);
    button?.click();
    await e.updateComplete;
    return Boolean(button);
  };
  /** The saved SVG file by the figure's own buttons, null where none is offered. @param {any} e */
  const savedFile = async (e) => {
    if (!await pressTool(e, 'image')) return null;
    /** @type {Blob[]} */
    const files = [];
    const [url, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
    URL.createObjectURL = (/** @type {any} */ blob) => {
      files.push(blob);
      return '#';
    };
    HTMLAnchorElement.prototype.click = () => {};
    await pressTool(e, 'svg');
    await until(() => files.length > 0);
    Object.assign(URL, { createObjectURL: url });
    HTMLAnchorElement.prototype.click = click;
    return files.length > 0 ? files[0].text() : null;
  };
  const wordsOfFile = (/** @type {string} */ svg) => [...new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll('text')]
    .map((e) => e.textContent ?? '');

  /** All numbers of a text, also with fewer digits and as percent. @param {string} text @returns {Set<string>} */
  const rounded = (text) => {
    const there = new Set(numbers(text));
    const whole = [...there].map(Number).flatMap((n) => [n, n * 100, n / 100]);
    const short = whole.flatMap((n) => [0, 1, 2, 3, 4].flatMap((digits) => (
      [n - 1e-9, n, n + 1e-9].map((x) => Math.abs(x).toFixed(digits)))));
    return new Set([...there, ...short]);
  };

  /** The tools of the figure against the one its link opened. @param {string} what @param {any} fresh */
  const compareTools = async (what, fresh) => {
    const t = driven.environment.text;
    const back = keptBack(driven);
    const table = driven.table(t);
    const offers = driven.offers(t);
    if (offers.table !== (table !== null)) faults.push(`${what}: the table is ${offers.table ? '' : 'not '}offered, and ${table ? '' : 'not '}there`);
    if (!back.plate) {
      const lacking = missingColumns(table, fresh.table(t));
      if (lacking.length) faults.push(`${what}: the link's table differs in ${lacking}`);
    }
    if (await pressTool(driven, 'table')) {
      const cells = [...driven.renderRoot.querySelectorAll('.main > .equivalent tbody tr')].map((row) => (
        [...row.children].map((cell) => cell.textContent)));
      const wanted = table.rows.slice(0, cells.length).map((/** @type {any[]} */ row) => row.map((cell) => String(cell ?? '')));
      const wrong = cells.findIndex((row, i) => row.join('|') !== wanted[i]?.join('|'));
      if (cells.length === 0 || wrong >= 0) faults.push(`${what}: the table shows “${cells[wrong]}” for “${wanted[wrong]}”`);
      await pressTool(driven, 'table');
      await until(() => settled(driven));
    }
    const [here, there] = [await savedFile(driven), await savedFile(fresh)];
    if ((here !== null) !== (driven.picture(t) !== null)) faults.push(`${what}: a picture is ${here === null ? 'there and not offered' : 'offered and not there'}`);
    if (here !== null) {
      const live = look(driven).filter((line) => !line.startsWith('picture ')).join(' ');
      const texts = wordsOfFile(here);
      const file = texts.join('').replace(/\s/g, '');
      for (const words of [...driven.picture(t).shapes.map((/** @type {any} */ s) => s.text), driven.pictureCaption(t)]) {
        if (words && !file.includes(words.replace(/\s/g, ''))) faults.push(`${what}: “${words}” is not in the saved picture`);
      }
      const known = rounded(live);
      const lost = texts.flatMap(numbers).filter((n) => !known.has(n));
      if (lost.length) faults.push(`${what}: ${[...new Set(lost)].slice(0, 8)} of the saved picture stand nowhere in the figure`);
    }
    if (!back.parts && here !== there) faults.push(`${what}: the saved picture is not the one that the link's figure saves`);
    if (back.parts && !back.plate && here !== null) {
      const words = new Set(wordsOfFile(here));
      const lost = wordsOfFile(there ?? '').filter((w) => w && !words.has(w));
      if (lost.length) faults.push(`${what}: the saved picture lacks “${lost.slice(0, 4)}” of the link's`);
    }
    let copied = '';
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (/** @type {string} */ s) => { copied = s; } } });
    const { hash } = driven.place;
    if (await pressTool(driven, 'link')) await until(() => copied);
    if (copied !== new URL(hash, location.href).href) faults.push(`${what}: the link copied is ${copied}, not ${hash}`);
    driven.voice.hush();
    driven.copied = false;
    await driven.updateComplete;
  };

  /** Opens the link of the figure beside it and compares. @param {string} what was moved @param {boolean} [tools] those too */
  const compare = async (what, tools = false) => {
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
      if (!fresh || hash !== driven.place.hash) {
        if (fresh) await asNew(fresh);
        fresh?.remove();
        hash = driven.place.hash;
        history.replaceState(null, '', hash);
        fresh = make(beside);
      }
      await frame();
      if (!settled(fresh)) continue;
      const back = keptBack(driven);
      // a token that was added is none of the link's
      const linkOf = (/** @type {string} */ h) => `link ${back.plate ? h.replace(/&token=\d+/, '') : h}`;
      a = [...look(driven, back), linkOf(hash)];
      b = [...look(fresh, back), linkOf(fresh.place.hash)];
      // what was the last to happen is read out, but is no state
      if (b.at(-2) === 'read out ') b.splice(-2, 1, String(a.at(-2)));
      if (a.join('\n') !== b.join('\n')) continue;
      compareSpoken(what);
      compareUnlinked(what);
      if (tools) await compareTools(what, fresh);
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

  await compare('as it opens', true);
  let moves = 0;
  for (let found = nextControl(); found; found = nextControl()) {
    const { c: next, where } = found;
    const what = `${next.matches('[type=radio]') ? `${groupOf(next)}: ` : ''}${labelOf(next) || where}`;
    await move(next);
    moves += 1;
    await frame();
    await frame();
    const plays = all(driven.renderRoot, 'button.active').find((b) => b.textContent.includes('❚❚') || b.matches('.play'));
    plays?.click();
    await compare(what.slice(0, 60), found.had.at.size === 1);
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
