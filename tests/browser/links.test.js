/** What an address says is what its figure shows, whatever was there before. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, waits } from '../helpers/browser.js';

const open = openBrowser(after);

test('a token picked while another sentence is on its way is one of the words on display', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=attn-heads' });
  const heads = await bring(page, 'attn-heads');
  const tokenAfter = (/** @type {string} */ how) => heads.evaluate(async (/** @type {any} */ e, way) => {
    const { context } = e;
    const before = context.shown;
    if (way === 'hand') {
      context.ask('The dog sat on the log');
      context.select({ token: 1 });
    } else e.restore({ prompt: 'A bird sang in the tree', token: '1' });
    const { selection: { token } } = context;
    while (context.busy || context.shown === before) await new Promise(requestAnimationFrame);
    return { before: token, after: context.selection.token, last: context.shown.tokens.length - 1 };
  }, how);
  const hand = await tokenAfter('hand');
  assert.equal(hand.before, 1);
  assert.equal(hand.after, hand.last, 'a row of the sentence before says nothing about this one');
  const link = await tokenAfter('link');
  assert.equal(link.after, 1, 'an address speaks of its own sentence');
  assert.deepEqual(noise, []);
  await close();
});

test('the question of Fig 23 is tried once for each run, and only in sight', { skip: waits }, async () => {
  const { page, noise, close } = await open({ path: 'embed.html?widget=attn-edit' });
  const edit = await bring(page, 'attn-edit');
  await edit.evaluate(async (/** @type {any} */ e) => {
    const { context } = e;
    const { forward } = context;
    globalThis.forwards = 0;
    context.forward = (/** @type {any} */ options) => {
      globalThis.forwards += 1;
      return forward.call(context, options);
    };
    globalThis.until = async (/** @type {() => unknown} */ f) => { while (!f()) await new Promise(requestAnimationFrame); };
    e.revealed = true;
    await globalThis.until(() => e.verdict);
  });
  assert.equal(await page.evaluate(() => globalThis.forwards), 2);
  const counts = await edit.evaluate(async (/** @type {any} */ e) => {
    const { until } = globalThis;
    const before = e.verdict;
    e.style.display = 'none';
    await until(() => !e.seen);
    const { shown } = e.context;
    e.context.ask('The dog sat on the log');
    await until(() => !e.context.busy && e.context.shown !== shown);
    e.requestUpdate();
    await e.updateComplete;
    const away = globalThis.forwards;
    e.style.display = '';
    await until(() => e.seen && e.verdict && e.verdict !== before);
    e.requestUpdate();
    await e.updateComplete;
    return [away, globalThis.forwards];
  });
  assert.deepEqual(counts, [2, 4]);
  assert.deepEqual(noise, []);
  await close();
});
