/** Figures 5, 7 and 27: how a vector is split, what a head costs, where the gate sits. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** @param {string} scene @param {object} [o] */
async function split(scene, o = {}) {
  const opened = await open({ path: `embed.html?widget=attn-split&scene=${scene}`, ...o });
  return { ...opened, figure: opened.page.locator('attn-split') };
}

test('Fig 5 veils the product until guessed, and tells each head its rows', { skip: waits }, async () => {
  const { page, figure, noise, close } = await split('heads');
  await reads(figure.locator('.big'), 'H × d = 8 × 256 = ?');
  await figure.locator('.predict').getByText('no', { exact: true }).click();
  await reads(figure.locator('.big'), 'H × d = 8 × 256 = 2,048');
  await reads(figure.locator('.sheet'), 'rows of q_proj are 512–767');
  await figure.getByRole('radio', { name: 'Q2' }).focus();
  await page.keyboard.press('ArrowRight');
  await reads(figure.locator('.sheet'), 'the query in rows 1,536–1,791, its gate in 1,792–2,047');
  await reads(figure.locator('.live'), 'Q3 reads K0 and V0.');
  assert.deepEqual(noise, []);
  await close();
});

test('Fig 5 follows H, head size, G and the gate; only divisors are offered', { skip: waits }, async () => {
  const { figure, close } = await split('heads');
  const heads = figure.getByRole('spinbutton', { name: 'query heads H' });
  await heads.fill('6');
  await heads.press('Enter');
  assert.deepEqual(await figure.locator('.segments label').allInnerTexts(), ['1', '2', '3', '6']);
  const size = figure.getByRole('spinbutton', { name: 'head size' });
  await size.focus();
  await size.press('Shift+ArrowDown');
  await reads(figure.locator('.sheet'), '2 × 192 = 384');
  await figure.getByRole('checkbox', { name: 'show the gate half' }).check();
  await reads(figure.locator('.art svg'), 'g5');
  await figure.getByRole('button', { name: 'table' }).click();
  assert.deepEqual(await figure.locator('.equivalent tbody tr').nth(5).locator('th, td').allTextContents(),
    ['Q5', '960–1,151', '1,920–2,111', '2,112–2,303', 'K1 V1']);
  await close();
});

test('Fig 5 takes the classic width when asked', { skip: waits }, async () => {
  const { figure, close } = await split('heads');
  await figure.getByRole('button', { name: 'Set 128' }).click();
  await reads(figure.locator('.sheet'), '2 × 128 = 256');
  await close();
});

test('Fig 7 counts half a free map at 256, the same at 512, more beyond', { skip: waits }, async () => {
  const { page, figure, close } = await split('lowrank');
  await reads(figure.locator('.sheet'), 'cost 524,288, 50% of the 1,048,576');
  assert.deepEqual(await figure.locator('.cost td:last-child').allTextContents(),
    ['1,048,576', '524,288', '8,388,608', '4,194,304', '2,621,440']);
  const size = figure.getByRole('spinbutton', { name: 'head size' });
  await size.fill('512');
  await size.press('Enter');
  await reads(figure.locator('.sheet'), 'exactly what a free map costs');
  await figure.getByRole('slider', { name: 'head size' }).focus();
  await page.keyboard.press('End');
  await reads(figure.locator('.sheet'), 'now cost 2,097,152, more than');
  await figure.getByRole('radio', { name: '8', exact: true }).check({ force: true });
  await reads(figure.locator('.cost'), '16,777,216');
  await close();
});

test('Fig 27: the true layout equals separate matrices, the halves go wrong', { skip: waits }, async () => {
  const { figure, noise, close } = await split('gate');
  await reads(figure.locator('.verdict'), 'Largest difference 0: the same arithmetic.');
  await reads(figure.locator('.sheet').first(), 'Q0: query rows 0–255, gate rows 256–511.');
  const colours = () => figure.locator('.strips rect').evaluateAll((list) => list.map((r) => r.getAttribute('fill')));
  const right = await colours();
  await figure.getByRole('radio', { name: 'as two halves' }).check({ force: true });
  await reads(figure.locator('.verdict'), /Largest difference 0\.\d+, in 8 of 8 heads: wrong/);
  const wrong = await colours();
  assert.deepEqual(wrong.slice(0, 40), right.slice(0, 40), 'the separate matrices stay');
  assert.notDeepEqual(wrong.slice(40), right.slice(40), 'the reading changes');
  await reads(figure.locator('.live'), 'rows 2,048–2,303, really Q4, for its gate');
  await reads(figure.locator('.sheet').last(), '1,024 × 2,048 = 2,097,152 parameters a layer, 12,582,912 in 6 layers, 1.7%');
  await figure.getByRole('spinbutton', { name: 'seed' }).fill('2');
  await figure.getByRole('spinbutton', { name: 'seed' }).press('Enter');
  await reads(figure.locator('.verdict'), 'Largest difference 1.325');
  assert.deepEqual(noise, []);
  await close();
});

test('Fig 27 asks for the rows of head 2’s gate and cuts between devices', { skip: waits }, async () => {
  const { figure, close } = await split('gate');
  await figure.getByRole('radio', { name: 'Q2' }).check({ force: true });
  await reads(figure.locator('.sheet').first(), 'Q2: query rows 1,024–1,279, gate rows ?.');
  await figure.locator('.predict').getByText('2,560–2,815').click();
  await reads(figure.locator('.predict'), 'Your guess: 2,560–2,815. 1,280–1,535');
  await reads(figure.locator('.sheet').first(), 'gate rows 1,280–1,535');
  await figure.getByRole('checkbox', { name: 'two devices' }).check();
  await reads(figure.locator('.sheet').first(), 'four whole heads');
  await figure.getByRole('button', { name: 'table' }).click();
  assert.equal(await figure.locator('.equivalent tbody tr').count(), 8);
  await close();
});

test('without a scene it shows the heads, and a scene may change', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-split&lang=zh-CN', lang: 'zh-CN' });
  const figure = page.locator('attn-split');
  await reads(figure.locator('.title'), '一个向量进，八个头出');
  await figure.evaluate((e) => e.setAttribute('scene', 'gate'));
  await reads(figure.locator('.verdict'), '最大差 0');
  await page.evaluate(() => {
    const it = document.querySelector('attn-split');
    it.remove();
    document.querySelector('main').append(it);
  });
  await reads(figure.locator('.verdict'), '最大差 0');
  await close();
});
