/** Figures 31, 32 and 33, and the terms in the prose: order, own words, reasons, proofs, meanings. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

test('Fig 31: buttons move a card, keep the focus and say its place', { skip: waits }, async () => {
  const { page, close } = await open();
  const explain = await bring(page, 'attn-explain');
  const names = () => explain.locator('.card b').allTextContents();
  const start = await names();
  assert.equal(start.length, 11);
  await explain.getByRole('button', { name: 'Move “project” up' }).focus();
  await page.keyboard.press('Enter');
  await reads(explain.locator('[role=status]'), 'project: place 3 of 11.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await reads(explain.locator('[role=status]'), 'project: place 1 of 11.');
  await page.keyboard.press('Enter');
  assert.equal((await names())[0], 'project');
  assert.equal((await names()).length, 11);
  await explain.getByRole('button', { name: 'Check the order' }).click();
  await reads(explain.locator('.found'), 'of 11 are already in order');
  assert.equal(await explain.locator('code').count(), 0, 'no shapes before the order is right');
  await explain.getByRole('button', { name: 'show me the order' }).click();
  await reads(explain.locator('.card').first(), '[B, T, 4096]');
  assert.deepEqual(await explain.locator('.verdict').allTextContents(), Array(11).fill('✓ fits'));
  await explain.getByRole('button', { name: 'reset' }).click();
  assert.deepEqual(await names(), start);
  await close();
});

test('Fig 31: own words stay on the device until they are deleted', { skip: waits }, async () => {
  const { page, foreign, close } = await open({ lang: 'zh-CN' });
  const explain = await bring(page, 'attn-explain');
  await explain.getByRole('textbox').first().fill('先投影，再拆头');
  await explain.getByRole('checkbox').nth(1).check();
  await page.reload();
  await page.locator('attn-explain textarea').first().waitFor();
  assert.equal(await explain.getByRole('textbox').first().inputValue(), '先投影，再拆头');
  assert.equal(await explain.getByRole('checkbox').nth(1).isChecked(), true);
  await explain.getByRole('button', { name: '重置' }).click();
  assert.equal(await explain.getByRole('textbox').first().inputValue(), '先投影，再拆头', 'reset leaves the words');
  await explain.getByRole('button', { name: '删掉我写的' }).click();
  assert.equal(await explain.getByRole('textbox').first().inputValue(), '');
  await page.reload();
  await page.locator('attn-explain textarea').first().waitFor();
  assert.equal(await explain.getByRole('checkbox').nth(1).isChecked(), false);
  assert.deepEqual(foreign, []);
  await close();
});

test('Fig 31 works where storage is refused, and says that nothing is kept', { skip: waits }, async () => {
  const { page, noise, close } = await open({
    before: (p) => p.addInitScript(() => Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })),
  });
  const explain = await bring(page, 'attn-explain');
  await explain.getByRole('textbox').first().fill('project first');
  await reads(explain.locator('.device'), 'keeps nothing');
  await explain.getByRole('button', { name: 'Compare with our answer' }).click();
  await reads(explain.locator('.ours').first(), '2,048 numbers');
  await reads(explain.locator('.ours').last(), '55%');
  await reads(explain.locator('.ours .mark'), 'Cited');
  assert.deepEqual(noise, []);
  await close();
});

test('Fig 32: each answer has its reason in words, and “show me” sets the figure', { skip: waits }, async () => {
  const { page, noise, close } = await open();
  const quiz = await bring(page, 'attn-quiz[figure]');
  assert.equal(await quiz.locator('fieldset').count(), 6);
  assert.equal(await quiz.getByRole('link').count(), 0, 'nothing is given away');
  await quiz.getByRole('radio', { name: '256, and every head' }).check();
  await reads(quiz.locator('.reason'), '✗ Not this. A key and a value are kept');
  await quiz.getByRole('radio', { name: '512, and one set' }).check();
  await reads(quiz.locator('.reason'), '✓ Yes. 2 × 1 × 256 = 512.');
  await quiz.getByRole('link', { name: 'Fig 9' }).click();
  await reads(page.locator('attn-gqa tbody'), '2 × 1 × 256 = 512');
  assert.equal(await page.locator('attn-gqa').getByRole('radio', { name: '1 MQA' }).isChecked(), true);
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('attn-gqa').getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  });
  assert.deepEqual(noise, []);
  await close();
});

test('Fig 32: one question after its section; alone it names the figure without a link', { skip: waits }, async () => {
  const { page, close } = await open();
  await reads(page.locator('#s5 attn-quiz'), 'Why the first token?');
  assert.equal(await page.locator('#s5 attn-quiz fieldset').count(), 1);
  await close();
  const alone = await open({ path: 'embed.html?widget=attn-quiz&only=2' });
  const quiz = alone.page.locator('attn-quiz');
  await quiz.getByRole('radio', { name: 'a quarter' }).check();
  await reads(quiz, 'Show me: Fig 9');
  assert.equal(await quiz.getByRole('link').count(), 0);
  await alone.close();
});

test('Fig 33: questions open, terms lead to their figures, lines are linked', { skip: waits }, async () => {
  const { page, close } = await open();
  const glossary = await bring(page, 'attn-glossary');
  assert.equal(await glossary.locator('details').count(), 4);
  assert.equal(await glossary.locator('.home li a').count(), 4);
  assert.ok(await glossary.locator('dt').count() >= 17);
  await glossary.getByText('With the gate, is the sink gone?').click();
  await reads(glossary.locator('details[open]'), '12% on average, and up to 27%');
  await glossary.locator('.home a').nth(2).click();
  await page.waitForURL(/#f10&tokens=262144$/);
  await page.waitForFunction(() => document.querySelector('attn-kv').tokens === 262144);
  await page.evaluate(() => scrollTo(0, 0));
  await glossary.locator('.home a').nth(2).click();
  await page.waitForFunction(() => Math.abs(document.querySelector('attn-kv').getBoundingClientRect().top) < 200);
  await close();
});

test('a term in the prose explains itself on focus, and leads to the glossary', { skip: waits }, async () => {
  const { page, close } = await open();
  const term = page.locator('#s6 .term', { hasText: 'gate' }).first();
  await term.focus();
  await reads(page.locator('#term-box'), 'A number between 0 and 1');
  assert.equal(await term.getAttribute('aria-describedby'), 'term-box');
  await page.keyboard.press('Escape');
  await page.locator('#term-box').waitFor({ state: 'hidden' });
  assert.equal(await term.getAttribute('aria-describedby'), null);
  await page.keyboard.press('Enter');
  await reads(page.locator('attn-glossary .now'), 'output gate');
  for (const section of await page.locator('section').all()) {
    const keys = await section.locator('.term').evaluateAll((all) => all.map((e) => e.dataset.term));
    assert.equal(new Set(keys).size, keys.length, 'each term once in a section');
  }
  await page.getByRole('button', { name: '中文' }).click();
  await reads(page.locator('#s6 .term'), '门');
  await close();
});

test('a finger’s first tap explains, it does not lead away', { skip: waits }, async () => {
  const { page, close } = await open({ width: 390, height: 844, context: { hasTouch: true } });
  const term = page.locator('#s6 .term').first();
  await term.scrollIntoViewIfNeeded();
  await term.tap();
  await page.locator('#term-box').waitFor();
  assert.doesNotMatch(page.url(), /#f33/);
  await term.tap();
  await page.waitForURL(/#f33&term=/);
  await close();
});
