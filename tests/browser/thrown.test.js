/** What throws while a figure is drawn ends no figure: the error box says it, and starting over draws it as ever. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';
import { FIGURES, nameOf } from '../helpers/driving.js';

const open = openBrowser(after);

/** All that is the figure's own and is called while it is drawn or saved. */
const OWN = ['willUpdate', 'renderControls', 'renderPlate', 'renderCaption', 'renderAside', 'renderRun', 'renderWaiting', 'therefore',
  'bearsOut', 'offers', 'table', 'picture', 'heading', 'markWords', 'updated', 'reset', 'onSeen', 'restore'];

test('every figure, thrown at in everything it draws: error box, start over, whole again', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=attn-quiz' });
  for (const figure of FIGURES) {
    const said = await page.evaluate(async ([tag, attributes, methods]) => {
      const frame = () => new Promise(requestAnimationFrame);
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries({ ...attributes, figure: '99' })) element.setAttribute(name, value);
      document.querySelector('main').replaceChildren(element);
      await customElements.whenDefined(tag);
      const root = () => element.shadowRoot;
      const box = () => root().querySelector('.error');
      const whole = () => !box() && root().querySelector('.plate, .main')?.getBoundingClientRect().height > 60;
      const until = async (f) => {
        for (let n = 0; !f(); n += 1) {
          if (n > 3000) throw new Error(`${tag}: ${f} did not come, ${box()?.innerText}`);
          await frame();
        }
      };
      await until(() => element.seen && whole() && !element.context?.busy);
      const wrong = [];
      for (const method of methods) {
        if (!(method in element)) continue;
        let thrown = 0;
        element[method] = function broken() {
          thrown += 1;
          throw new TypeError(`${method} was thrown at`);
        };
        const act = { reset: () => element.startOver(), onSeen: () => null, restore: () => element.visit({}),
          table: () => { element.showTable = true; },
          picture: () => { element.saving = true; } }[method] ?? (() => element.requestUpdate());
        await act();
        await element.updateComplete;
        if (method === 'picture' && !thrown) [...root().querySelectorAll('.tool')].find((b) => b.textContent === 'SVG')?.click();
        if (method === 'onSeen') {
          element.style.display = 'none';
          await until(() => !element.seen);
          element.style.display = '';
        }
        // not every figure has a table, a wait or a run to draw
        if (!thrown && ['renderRun', 'renderWaiting', 'bearsOut', 'table', 'picture', 'markWords'].includes(method)) {
          if (['table', 'picture'].includes(method) && element.offers(element.environment.text)[method]) wrong.push(`${method}: not asked`);
          delete element[method];
          element.startOver();
          await until(whole);
          continue;
        }
        await frame();
        await until(() => box() || (thrown && !element.isUpdatePending));
        if (!box()?.innerText.includes(`${method} was thrown at`)) wrong.push(`${method}: ${box()?.innerText ?? 'no error box'}`);
        delete element[method];
        [...root().querySelectorAll('.error button')].at(-1)?.click();
        await until(whole);
      }
      return wrong;
    }, /** @type {[string, Record<string, string>, string[]]} */ ([figure.tag, figure.attributes, OWN]));
    assert.deepEqual(said, [], nameOf(figure));
  }
  const others = noise.filter((line) => !/was thrown at/.test(line));
  assert.deepEqual(others, []);
  await close();
});

test('every figure, whatever it waits for failing: error box, start over, whole again', { skip: waits }, async () => {
  const { page, noise, close } = await open({
    path: 'embed.html?widget=attn-quiz',
    before: (p) => p.route((url) => url.hostname !== '127.0.0.1', (route) => route.abort()),
  });
  await page.evaluate(() => {
    globalThis.unheard = [];
    addEventListener('unhandledrejection', ({ reason }) => globalThis.unheard.push(String(reason)));
  });
  let asked = 0;
  for (const figure of FIGURES) {
    const { wrong, failed } = await page.evaluate(async ([tag, attributes]) => {
      const frame = () => new Promise(requestAnimationFrame);
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries({ ...attributes, figure: '99' })) element.setAttribute(name, value);
      // what is fetched here is not the other figures' affair
      const place = document.createElement(tag === 'attn-load' ? 'attn-model' : 'div');
      place.append(element);
      document.querySelector('main').replaceChildren(place);
      await customElements.whenDefined(tag);
      const root = () => element.shadowRoot;
      const said = () => [...root().querySelectorAll('.error')].map((box) => box.innerText).join();
      const rests = () => !element.isUpdatePending && !element.computing && !element.context?.busy;
      const drawn = () => root().querySelector('.plate, .main')?.getBoundingClientRect().height > 60;
      const whole = () => !said() && rests() && drawn();
      let now = 'as it opens';
      const until = async (f) => {
        for (let n = 0; !f(); n += 1) {
          if (n > 3000) throw new Error(`${tag}, ${now}: ${f} did not come, ${said()}`);
          await frame();
        }
      };
      await until(() => element.seen && whole());
      /** Whole, or with an error that stays: for some frames, since what a model's run tells comes with the next one. */
      const settled = () => {
        let frames = 0;
        return () => {
          frames = rests() && (said() || drawn()) ? frames + 1 : 0;
          return frames > 5;
        };
      };

      /** All that is async and the figure's own, by the object that has it. */
      const found = new Set(['run', 'copyLink', 'save', 'visit']);
      for (let p = Object.getPrototypeOf(element); p.constructor.properties; p = Object.getPrototypeOf(p)) {
        for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(p))) {
          if (value?.constructor?.name === 'AsyncFunction') found.add(name);
        }
      }
      // lit's own, and what catches
      for (const name of ['attempt', 'scheduleUpdate', 'getUpdateComplete']) found.delete(name);
      const targets = [...found].map((name) => [element, name]);
      if (element.names) targets.push([element.names, 'want']);
      // the figure that fetches models does nothing else with one
      const some = tag === 'attn-load' ? ['start'] : ['ask', 'intervene', 'accept', 'start', 'resume'];
      const ofModel = element.context ? some : [];
      targets.push(...ofModel.map((name) => [element.context, name]));

      /** What a reader can do, until it is asked for. */
      const acts = [
        () => element.startOver(),
        async () => {
          element.style.display = 'none';
          await until(() => !element.seen);
          element.style.display = '';
          await until(() => element.seen);
        },
        () => {
          history.replaceState(null, '', '#f99');
          dispatchEvent(new Event('hashchange'));
        },
        () => root().querySelector('.tools')?.querySelectorAll('button').forEach((b) => b.click()),
        () => root().querySelectorAll('.tools button').forEach((b) => /PNG|SVG/.test(b.textContent) && b.click()),
        () => root().querySelectorAll('form').forEach((form) => {
          for (const field of form.querySelectorAll('input, textarea')) {
            field.value = 'The dog sat';
            for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
          }
          form.requestSubmit();
        }),
        ...Array.from({ length: 12 }, (_, i) => () => root().querySelectorAll('.main button, .aside button')[i]?.click()),
      ];
      const wrong = [];
      const failed = [];
      for (const [on, name] of targets) {
        now = name;
        let thrown = 0;
        on[name] = async function broken() {
          thrown += 1;
          await null;
          throw new TypeError(`${name} failed later`);
        };
        for (const act of acts) {
          if (thrown) break;
          await act();
          for (let n = 0; n < 4 && !thrown; n += 1) await frame();
        }
        if (thrown) {
          failed.push(name);
          for (let n = 0; n < 60 && !said().includes(`${name} failed later`); n += 1) await frame();
          if (!said().includes(`${name} failed later`)) wrong.push(`${name}: ${said() || 'no error box'}`);
        }
        delete on[name];
        const again = [...root().querySelectorAll('.error button')].at(-1);
        if (again) again.click();
        else element.startOver();
        await until(settled());
        // what a model's figure tells again, it was told while it started over
        if (said()) {
          element.context?.useShipped();
          element.startOver();
        }
        await until(settled());
        if (said()) wrong.push(`${name}: ${said()} after all`);
      }
      return { wrong, failed };
    }, /** @type {[string, Record<string, string>]} */ ([figure.tag, figure.attributes]));
    assert.deepEqual(wrong, [], nameOf(figure));
    asked += failed.length;
    assert.ok(failed.includes('visit'), nameOf(figure));
  }
  assert.ok(asked > 3 * FIGURES.length, `${asked} were asked for`);
  assert.deepEqual(await page.evaluate(() => globalThis.unheard), []);
  assert.deepEqual(noise.filter((line) => !/failed later|Failed to load resource/.test(line)), []);
  await close();
});

test('a throw in what a map inside asks its figure for is the figure’s to show', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-mask' });
  const figure = page.locator('attn-mask');
  const map = figure.locator('attn-heatmap').first();
  await map.locator('canvas').waitFor();
  const controls = await figure.locator('.controls :is(button, input)').count();
  await map.evaluate((e) => {
    // whatever the figure, drawn once more, gives it
    const broken = () => { throw new TypeError('no words'); };
    Object.defineProperty(e, 'describe', { get: () => broken, set() {} });
    e.cell = { row: 0, col: 0 };
  });
  await reads(figure.locator('.error'), 'no words');
  assert.equal(await figure.locator('.controls :is(button, input)').count(), controls, 'the rest stands');
  await figure.getByRole('button', { name: 'Start over' }).click();
  await figure.locator('.error').waitFor({ state: 'detached' });
  await figure.locator('attn-heatmap canvas').first().waitFor();
  await close();
});

test('a canvas that cannot be painted keeps its last picture, dimmed, and its figure goes on', { skip: waits }, async () => {
  for (const widget of ['attn-mask', 'attn-heads', 'attn-gate-map']) {
    const { page, close } = await open({ path: `embed.html?widget=${widget}` });
    const figure = page.locator(widget);
    const canvas = figure.locator('canvas').first();
    await canvas.waitFor();
    const image = () => canvas.evaluate((/** @type {any} */ e) => e.toDataURL());
    const blank = await page.evaluate(() => document.createElement('canvas').toDataURL());
    await page.waitForFunction(([tag, none]) => {
      const e = /** @type {any} */ (document.querySelector(tag));
      const at = [e.renderRoot, ...[...e.renderRoot.querySelectorAll('attn-heatmap')].map((m) => m.renderRoot)]
        .map((r) => r?.querySelector('canvas')).find(Boolean);
      return !e.isUpdatePending && !e.context?.busy && at?.width > 0 && at.toDataURL() !== none;
    }, [widget, blank]);
    const before = await image();
    const controls = await figure.locator('.controls :is(button, input)').count();
    await figure.evaluate((/** @type {any} */ e) => {
      CanvasRenderingContext2D.prototype.fillRect = () => { throw new TypeError('no paint'); };
      for (const map of e.renderRoot.querySelectorAll('attn-heatmap')) map.requestUpdate('matrix');
      e.requestUpdate();
    });
    await reads(figure.locator('.error'), 'no paint');
    assert.equal(await image(), before, `${widget}: the picture that was good`);
    await page.waitForFunction((tag) => (
      getComputedStyle(document.querySelector(tag).shadowRoot.querySelector('.plate')).opacity === '0.45'), widget);
    assert.equal(await figure.locator('.controls :is(button, input)').count(), controls, `${widget}: the rest stands`);
    await close();
  }
});

test('a part of a figure that throws leaves the others working, the last good plate dimmed', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-gqa' });
  const figure = page.locator('attn-gqa');
  await figure.locator('.plate svg').first().waitFor();
  await figure.evaluate((/** @type {any} */ e) => {
    e.renderPlate = () => { throw new TypeError('no plate'); };
    e.requestUpdate();
  });
  await reads(figure.locator('.error'), 'no plate');
  assert.equal(await figure.locator('.plate.stale svg').count() > 0, true, 'the last good plate');
  await figure.getByRole('radio', { name: '8 MHA' }).check({ force: true });
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('attn-gqa')).groups === 8);
  await figure.evaluate((/** @type {any} */ e) => { delete e.renderPlate; });
  await figure.getByRole('button', { name: 'Try again' }).click();
  await figure.locator('.error').waitFor({ state: 'detached' });
  assert.equal(await figure.locator('.plate.stale').count(), 0);
  assert.equal(await figure.evaluate((/** @type {any} */ e) => e.groups), 8, 'another try keeps what was set');
  await close();
});

test('a browser without a dictionary of words names words all the same', { skip: waits }, async () => {
  const { page, noise, close } = await open({ before: (p) => p.addInitScript(() => { delete Intl.Segmenter; }) });
  const heads = await bring(page, 'attn-heads');
  await heads.locator('attn-heatmap').first().waitFor();
  await heads.getByText('words', { exact: true }).click();
  await reads(heads.locator('attn-heatmap').first().locator('.rows'), 'catsaton');
  assert.deepEqual(noise, []);
  await close();
});
