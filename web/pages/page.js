/** The page around the figures: its text, language, paper or board, where the reader is. */
import { AttnModel } from '../widgets/attn-model.js';
import { AttnToy } from '../widgets/attn-toy.js';
import { defineNearby, defineRest, register, SOURCES } from '../widgets/lazy.js';
import { lateBox, whenOnline } from '../widgets/parts/arrival.js';
import { sharedEngine } from '../widgets/parts/engine.js';
import { holdInSight, journey } from '../widgets/parts/place.js';
import { loadText } from '../widgets/parts/locale.js';
import { modelName } from '../widgets/parts/model-figure.js';
import { hold } from '../widgets/parts/turns.js';
import { query, remember, remembered, setTheme, wantedLanguage } from './start.js';
import { markTerms } from './terms.js';
import { focusHeading, travel } from './travel.js';

const $$ = (/** @type {string} */ selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
const $ = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const root = document.documentElement;
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const narrow = matchMedia('(max-width: 899.98px)');
const sections = $$('section[data-n]');
let here = '1';

/** Untouched where the page already says it. @param {HTMLElement} element @param {import('../lab/text.js').Text} t */
function say(element, t) {
  const words = t(element.dataset.t ?? '', { name: element.dataset.name ?? '' });
  if (element.textContent !== words) element.textContent = words;
}

/** The language asked for last. */
let wanted = '';

/** The words did not come: those that are there stay. @param {string} language */
function sayLate(language) {
  const again = () => { if (wanted === language) speak(language); };
  const place = Object.assign(document.createElement('div'), { className: 'late-words', lang: language });
  place.append(lateBox(place, 'words', again));
  $('main').prepend(place);
  whenOnline(again);
}

/** @param {string} language */
async function speak(language) {
  wanted = language;
  const t = await loadText(language).catch(() => null);
  if (wanted !== language) return;
  for (const notice of $$('.late-words')) notice.remove();
  if (!t) return sayLate(language);
  root.lang = language;
  document.title = t('page.title');
  for (const element of $$('[data-t]')) say(element, t);
  for (const element of $$('[data-t-label]')) element.setAttribute('aria-label', t(element.dataset.tLabel ?? ''));
  for (const element of $$('[data-t-content]')) element.setAttribute('content', t(element.dataset.tContent ?? ''));
  for (const button of $$('.languages button')) {
    button.setAttribute('aria-pressed', String(button.dataset.lang === language));
  }
  for (const list of $$('.contents')) {
    list.replaceChildren(...sections.map(({ id, dataset }) => {
      const link = document.createElement('a');
      link.href = `#${id}`;
      link.dataset.n = dataset.n;
      link.append(Object.assign(document.createElement('span'), { textContent: `${dataset.n} ${t(`${id}.name`)}` }));
      const item = document.createElement('li');
      item.append(link);
      return item;
    }));
  }
  markTerms(t);
  showTheme();
  showPlace();
}

function showPlace() {
  for (const link of $$('.contents a')) {
    if (link.dataset.n === here) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  $('.here').textContent = $(`.rail a[data-n="${here}"]`)?.textContent ?? '';
}

const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : darkSystem.matches);

async function showTheme() {
  const t = await loadText(root.lang).catch(() => null);
  if (!t) return;
  const name = $('.theme-name');
  name.dataset.t = isDark() ? 'page.theme.dark' : 'page.theme.light';
  name.textContent = t(name.dataset.t);
  $('.theme-sign').textContent = isDark() ? '◐' : '◑';
  $('.theme').setAttribute('aria-label', `${t('page.theme')}: ${name.textContent}`);
}

/** Notes stand in the margin, or fold where there is none. */
function foldNotes() {
  for (const note of $$('details.note')) /** @type {HTMLDetailsElement} */ (note).open = !narrow.matches;
}

function showTravelled() {
  const length = root.scrollHeight - root.clientHeight;
  $('.travelled span').style.transform = `scaleX(${length > 0 ? Math.min(1, root.scrollTop / length) : 0})`;
  const reached = sections.filter((s) => s.getBoundingClientRect().top < root.clientHeight * 0.5).pop();
  const n = reached?.dataset.n ?? sections[0].dataset.n ?? '1';
  if (n === here) return;
  here = n;
  showPlace();
}

/** The source of what is on screen, once a model has run. */
document.addEventListener('attn-run', async (event) => {
  const { source, model, kind: from, untrained } = /** @type {CustomEvent} */ (event).detail;
  const kind = source === 'recorded' ? source : untrained ? 'untrained' : from === 'shipped' ? from : 'live';
  const status = $('.status');
  status.dataset.t = `page.status.${kind}`;
  status.dataset.name = modelName({ name: model });
  const t = await loadText(root.lang).catch(() => null);
  if (t) say(status, t);
});

/** The address follows the reader's hand, a little after it has come to rest. */
let resting = 0;
let unsaid = '';
function settle() {
  clearTimeout(resting);
  if (unsaid) history.replaceState(history.state, '', unsaid);
  unsaid = '';
}
document.addEventListener('attn-place', (event) => {
  unsaid = /** @type {CustomEvent} */ (event).detail.hash;
  clearTimeout(resting);
  resting = window.setTimeout(settle, 300);
});
// of another entry now
addEventListener('popstate', () => { unsaid = ''; });

SOURCES['attn-model'] = async () => AttnModel;
SOURCES['attn-toy'] = async () => AttnToy;
// The first screen's figure comes with the page, not after it. It tells when its engine fails.
sharedEngine().catch(() => {});
setTheme(remembered('attn-theme'));
const src = query.get('src');
if (src) for (const element of $$('attn-layer, attn-model')) element.setAttribute('src', src);

for (const button of $$('.languages button')) {
  button.addEventListener('click', () => {
    const language = button.dataset.lang ?? 'en';
    remember('attn-lang', language);
    speak(language);
  });
}
$('.theme').addEventListener('click', () => {
  setTheme(isDark() ? 'light' : 'dark');
  remember('attn-theme', root.dataset.theme ?? '');
  showTheme();
});
$('.menu').addEventListener('click', (event) => {
  if (/** @type {Element} */ (event.target).closest('a')) /** @type {HTMLDetailsElement} */ ($('.menu')).open = false;
});
darkSystem.addEventListener('change', showTheme);
narrow.addEventListener('change', foldNotes);
let asked = false;
addEventListener('scroll', () => {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    showTravelled();
  });
}, { passive: true });

/** The reader leaves the first screen. */
const moved = new Promise((done) => addEventListener('scroll', done, { once: true, passive: true }));

/**
 * The first screen comes first: its figure computes at once. The sections further down are laid out (page.css), their
 * figures fetched and drawn, when it is there, has failed, or the reader moves on.
 */
async function begin() {
  await Promise.allSettled([loadText(wantedLanguage())]);
  register('attn-model', AttnModel);
  register('attn-toy', AttnToy);
  const first = /** @type {AttnToy} */ ($('.hero attn-toy'));
  const done = Promise.race([moved, Promise.all([spoken, first.compute()])]);
  hold(done);
  await Promise.allSettled([done]);
  await first.updateComplete;
  requestAnimationFrame(() => setTimeout(() => {
    $('main').classList.add('whole');
    defineNearby(document);
  }));
}

foldNotes();
/** A jump needs every place to be as tall as it is. */
function whole() {
  $('main').classList.add('whole');
  defineRest(document);
}

/** What the address names stays in sight until all have grown; who comes back is where they were. */
function jump() {
  whole();
  const goal = document.getElementById(location.hash.slice(1));
  if (!goal || journey.returned) return;
  holdInSight(goal);
  focusHeading(goal);
}
const returned = travel({ whole, settle });
addEventListener('hashchange', jump);
const spoken = speak(wantedLanguage()).then(showTravelled);
if (location.hash.length > 1) jump();
else if (!returned) begin();
root.dataset.begun = '';
