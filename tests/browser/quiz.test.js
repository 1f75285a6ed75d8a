/** The links of the six questions: each opens its figure in the state that proves the answer, whatever was set before. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** What a reader finds there, by question and link. @type {Record<string, ((page: any) => Promise<unknown>)[]>} */
const PROOFS = {
  share: [async (page) => {
    await reads(page.locator('attn-gqa .spelled'), 'Q0 reads notebook ⌊0 / 4⌋ = 0');
    await reads(page.locator('attn-gqa tr.now'), '2 × 2 × 256 = 1,024');
  }],
  cache: [(page) => reads(page.locator('attn-gqa tr.now'), /2 × 2 × 256 = 1,024.*1\/4/s)],
  why: [async (page) => {
    await reads(page.locator('attn-gqa tr.now'), /1 MQA.*8.*2 × 1 × 256 = 512/s);
    await page.waitForFunction(() => document.querySelector('attn-gqa').groups === 1);
  }],
  silence: [
    (page) => page.waitForFunction(() => {
      const { result } = /** @type {any} */ (document.querySelector('[figure="18"]'));
      return result?.gate[0] < 0.003 && Math.hypot(...result.gated) < 0.01 && Math.hypot(...result.out) > 1;
    }),
    async (page) => {
      await page.waitForFunction(() => {
        const { context } = /** @type {any} */ (document.querySelector('attn-edit'));
        return context?.phase === 'ready' && context.interventions.length === context.fullLayers.length
          && context.interventions.every((i) => i.gate === 0 && i.head === 'all');
      });
      await reads(page.locator('attn-edit .stack'), /gate/i);
    },
  ],
  first: [
    async (page) => {
      await page.waitForFunction(() => {
        const mask = /** @type {any} */ (document.querySelector('attn-mask'));
        return mask.mode === 'mask' && mask.row === 2;
      });
      await reads(page.locator('attn-mask .side p'), 'Row 不错');
    },
    async (page) => {
      await page.waitForFunction(() => {
        const { toy, result } = /** @type {any} */ (document.querySelector('[figure="16"]'));
        return toy.values[0].every((x) => x === 0) && result?.probs[0] > 0.9 && Math.hypot(...result.out) < 0.1;
      });
      await page.locator('[figure="16"] .verdict strong').waitFor();
    },
  ],
  mqa: [(page) => reads(page.locator('attn-gqa tr.now'), '2 × 1 × 256 = 512')],
};

test('every link opens its figure in the state that proves the answer', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  // a reader has been there: other heads, another value, another row
  await page.evaluate(() => {
    Object.assign(document.querySelector('attn-gqa'), { heads: 6, headDim: 64, groups: 3, picked: 5 });
    Object.assign(document.querySelector('attn-mask'), { mode: 'softmax', row: 0 });
  });
  let followed = 0;
  for (const [i, [key, proofs]] of Object.entries(PROOFS).entries()) {
    for (const [n, proof] of proofs.entries()) {
      const quiz = await bring(page, 'attn-quiz[figure]', false);
      const card = quiz.locator('.card').nth(i);
      await card.locator('label').first().click();
      assert.equal(await card.getByRole('link').count(), proofs.length, key);
      await card.getByRole('link').nth(n).click();
      await proof(page);
      followed += 1;
    }
  }
  assert.equal(followed, 8);
  assert.deepEqual(noise, []);
  await close();
});
