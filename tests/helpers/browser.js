/** A browser on the built page, for tests: served from build/site, every console line and foreign request recorded. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createSiteServer } from '../../tools/serve.mjs';

const SITE = process.env.SITE ?? fileURLToPath(new URL('../../build/site', import.meta.url));
const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
/** A limit, not a wait: where others keep the machine busy, what takes a second elsewhere may take a minute. */
const PATIENCE = 120_000;

const executablePath = PLACES.find((path) => path && existsSync(path));

/** Why the browser tests cannot run here, or false: the `skip` option of every browser test. */
export const waits = !executablePath ? 'waits for chromium (install it or set CHROMIUM=path)'
  : !existsSync(`${SITE}/index.html`) ? 'waits for the built page (make site)' : false;

/** @param {string} site @param {Record<string, string>} headers */
async function start(site, headers) {
  const server = createSiteServer({ site });
  server.prependListener('request', (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await chromium.launch({ executablePath, args: ARGS });
  return { server, browser, base: `http://127.0.0.1:${port}/` };
}

/**
 * Opens pages for the tests of one file; server and browser start with the first.
 * @param {(f: () => Promise<void>) => void} after of node:test, called at the file's top level: closes them again
 * @param {string} [site] folder to serve
 * @param {Record<string, string>} [headers] sent with every answer
 */
export function openBrowser(after, site = SITE, headers = {}) {
  /** @type {ReturnType<typeof start> | undefined} */
  let started;
  after(async () => {
    if (!started) return;
    const { browser, server } = await started;
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  /**
   * @param {{ path?: string, width?: number, height?: number, lang?: string, theme?: 'light' | 'dark', context?: object,
   *   whole?: boolean, before?: (page: import('playwright-core').Page) => Promise<unknown> }} [o]
   */
  return async function open({ path = '', width = 1280, height = 900, lang = 'en', theme = 'light', context = {}, before, whole = true } = {}) {
    started ??= start(site, headers);
    const { browser, base } = await started;
    const where = await browser.newContext({ viewport: { width, height }, locale: lang, colorScheme: theme, ...context });
    where.setDefaultTimeout(PATIENCE);
    const page = await where.newPage();
    /** @type {string[]} */
    const noise = [];
    page.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => noise.push(`pageerror: ${error.message}`));
    /** @type {string[]} */
    const foreign = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(base) && !url.startsWith('data:') && !url.startsWith('blob:')) foreign.push(url);
    });
    await before?.(page);
    await page.goto(base + path);
    await page.locator('html[lang]').waitFor({ state: 'attached' });
    // elements further down the page are fetched as they come near, or all of them when the reader jumps
    if (whole) await page.evaluate(() => dispatchEvent(new Event('hashchange')));
    if (whole) await page.waitForFunction(() => ![...document.querySelectorAll(':not(:defined)')].some((e) => e.localName.startsWith('attn-')));
    // an embedded figure comes a little after its page
    if (whole && path.startsWith('embed.html')) await bring(page, 'main > *', false);
    return { page, base, noise, foreign, close: () => where.close() };
  };
}

/** Waits until a locator's text is what is wanted. @param {import('playwright-core').Locator} locator @param {string | RegExp} text */
export async function reads(locator, text) {
  await locator.filter({ hasText: text }).first().waitFor();
}

/**
 * Brings a figure into sight, drawn and, where it shows a model's run, computed: what is done there then shows at once.
 * Figures above grow as they come in, so it is scrolled to until it stays.
 * @param {import('playwright-core').Page} page @param {string} selector @param {boolean} [ready] is a model's run waited for?
 */
export async function bring(page, selector, ready = true) {
  await page.waitForFunction(([s, run]) => {
    const element = /** @type {any} */ (document.querySelector(s));
    if (!element?.renderRoot) return false;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const drawn = [element, ...document.querySelectorAll('[figure], attn-quiz')].every((e) => !e.isUpdatePending);
    const computed = !run || !element.context || element.context.phase === 'ready';
    return element.seen && drawn && computed && element.renderRoot.querySelector('figure');
  }, /** @type {[string, boolean]} */ ([selector, ready]));
  return page.locator(selector);
}

/**
 * Waits until nothing is left to be drawn: figures out of sight take turns, and what is inside them measures itself in
 * the frame after. @param {import('playwright-core').Page} page
 */
export async function drawn(page) {
  const still = await page.evaluateHandle(() => ({ frames: 0 }));
  await page.waitForFunction((o) => {
    const pending = [...document.querySelectorAll('[figure], attn-quiz')].some((e) => /** @type {any} */ (e).isUpdatePending);
    o.frames = pending ? 0 : o.frames + 1;
    return o.frames > 2;
  }, still);
}

/**
 * Every text of a part of a figure from now on, in order, also what is gone before a test can look.
 * @param {import('playwright-core').Locator} figure @param {string} part @returns {Promise<() => Promise<string[]>>}
 */
export async function listen(figure, part) {
  const texts = await figure.evaluateHandle(async (/** @type {any} */ e, selector) => {
    await customElements.whenDefined(e.localName);
    const seen = [];
    const look = () => {
      const now = e.renderRoot.querySelector(selector)?.textContent ?? '';
      if (now !== seen.at(-1)) seen.push(now);
    };
    new MutationObserver(look).observe(e.renderRoot, { subtree: true, childList: true, characterData: true });
    return seen;
  }, part);
  return () => texts.jsonValue();
}

/**
 * The page's clock, put in by clock.install(), stands still until it is moved: what plays goes as far as it is told,
 * however long a test takes. Figures out of sight are not drawn meanwhile. @param {import('playwright-core').Page} page
 */
export async function stopClock(page) {
  await page.clock.pauseAt(await page.evaluate(() => Date.now()) + 60_000);
}

/** Brings every figure into sight once; all have computed and are drawn then. @param {import('playwright-core').Page} page */
export async function seeAll(page) {
  // figures above grow and push one away: it is scrolled to until it has told that it is seen
  const unseen = await page.evaluateHandle(() => [...document.querySelectorAll('[figure]')]);
  await page.waitForFunction((list) => {
    while (/** @type {any} */ (list[0])?.seen) list.shift();
    list[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
    return list.length === 0;
  }, unseen);
  await page.locator('attn-layer .shown attn-heatmap').waitFor();
  // figures that still wait for the model would grow
  await page.waitForFunction(() => [...document.querySelectorAll('[figure]')].every((e) => {
    const { context } = /** @type {any} */ (e);
    return !context || context.phase === 'ready';
  }));
  await drawn(page);
}
