/** Fig 1: three tokens by hand. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bring, openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** The page, its first figure in sight and drawn. */
async function opened() {
  const found = await open();
  await bring(found.page, 'attn-toy[figure="1"]');
  return found;
}

const shares = (page) => page.locator('attn-toy tbody').first().locator('output').allTextContents();
const output = (page) => page.locator('attn-toy[figure="1"] .out').textContent();

test('shows the chapter’s numbers at first', { skip: waits }, async () => {
  const { page, close } = await opened();
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  assert.deepEqual(await shares(page), ['0.045', '0.768', '0.187']);
  const rows = await page.locator('attn-toy[figure="1"] tbody tr').allInnerTexts();
  assert.match(rows[1], /4\.00\s+2\.83/);
  assert.match(rows[2], /2\.00\s+1\.41/);
  assert.equal(await page.locator('attn-toy[figure="1"] tfoot output').textContent(), '1.000');
  await close();
});

test('a typed query changes every number rightly', { skip: waits }, async () => {
  const { page, close } = await opened();
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  const field = page.locator('attn-toy[figure="1"] .caption').getByRole('spinbutton').nth(1);
  await field.fill('−4');
  await field.press('Enter');
  await reads(page.locator('attn-toy[figure="1"] tbody output').first(), '0.768');
  assert.deepEqual(await shares(page), ['0.768', '0.045', '0.187']);
  assert.equal(await output(page), '1.723, 0.277');
  await reads(page.locator('attn-toy[figure="1"] .predict'), 'A score of 0 beats two negative ones');
  await field.fill('much');
  await field.press('Enter');
  assert.equal(await field.inputValue(), '−4');
  await close();
});

test('the handle is moved by keys and by the pointer', { skip: waits }, async () => {
  const { page, close } = await open();
  const handle = page.locator('attn-toy[figure="1"] .handle');
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  await handle.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.locator('attn-toy[figure="1"] .handle[aria-valuetext="(1, 3.9)"]').waitFor();
  const box = await page.locator('attn-toy[figure="1"] .looking svg').boundingBox();
  const at = (x, y) => [box.x + ((x + 4.34) / 8.68) * box.width, box.y + ((4.34 - y) / 8.68) * box.height];
  await page.mouse.move(...at(1, 3.9));
  await page.mouse.down();
  await page.mouse.move(...at(-2, 1), { steps: 4 });
  await page.mouse.up();
  await page.locator('attn-toy[figure="1"] .handle[aria-valuetext="(−2, 1)"]').waitFor();
  await close();
});

test('steps build the columns one at a time', { skip: waits }, async () => {
  const { page, close } = await opened();
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  await page.locator('attn-toy[figure="1"] .next').click();
  await reads(page.locator('attn-toy[figure="1"] .steps'), 'Step 1 of 4: the scores');
  assert.deepEqual((await shares(page)).map((s) => s.trim()), ['', '', '']);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await shares(page), ['0.045', '0.768', '0.187']);
  assert.equal((await output(page)).trim(), '');
  await page.keyboard.press('End');
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  await close();
});

test('a tapped token asks instead; reset gives the default back', { skip: waits }, async () => {
  const { page, close } = await opened();
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  await page.locator('attn-toy[figure="1"]').getByRole('button', { name: 'Answer for 今天' }).click();
  await reads(page.locator('attn-toy[figure="1"] .out'), '1.000, 1.000');
  await page.locator('attn-toy[figure="1"]').getByRole('button', { name: 'reset' }).click();
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  await close();
});

test('the table says the same as the picture, and the sentence is announced', { skip: waits }, async () => {
  const { page, close } = await opened();
  assert.equal(await page.locator('attn-toy[figure="1"] .live').textContent(), '', 'what nobody moved is not read out');
  for (const token of ['今天', '不错']) await page.locator('attn-toy[figure="1"]').getByRole('button', { name: `Answer for ${token}` }).click();
  await reads(page.locator('attn-toy[figure="1"] .live'), 'Row 不错: most on 天气, 0.768. Output (0.277, 1.723).');
  await page.locator('attn-toy[figure="1"]').getByRole('button', { name: 'table' }).click();
  const cells = await page.locator('attn-toy[figure="1"] .equivalent tbody tr').nth(1).locator('th, td').allTextContents();
  assert.deepEqual(cells, ['天气', '0, 1', '4.000', '2.828', '0.768', '0, 2']);
  await close();
});

test('images are saved as PNG and SVG', { skip: waits }, async () => {
  const { page, close } = await opened();
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  for (const [type, start] of [['PNG', '\x89PNG'], ['SVG', '<svg']]) {
    await page.locator('attn-toy[figure="1"]').getByRole('button', { name: 'image' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'), page.locator('attn-toy[figure="1"]').getByRole('button', { name: type }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `attn-f1-share.${type.toLowerCase()}`);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    assert.ok(Buffer.concat(chunks).toString('latin1').startsWith(start));
  }
  await close();
});

test('removed, kept in hand and added again, it goes on', { skip: waits }, async () => {
  const { page, noise, close } = await opened();
  await reads(page.locator('attn-toy[figure="1"] .out'), '0.277, 1.723');
  await page.evaluate(() => {
    const toy = document.querySelector('attn-toy');
    toy.remove();
    document.querySelector('main').append(toy);
  });
  await page.locator('attn-toy[figure="1"]').scrollIntoViewIfNeeded();
  const field = page.locator('attn-toy[figure="1"] .caption').getByRole('spinbutton').nth(1);
  await field.fill('0');
  await field.press('Enter');
  await reads(page.locator('attn-toy[figure="1"] .out'), '1.000, 1.000');
  assert.deepEqual(noise, []);
  await close();
});

test('scene is an attribute', { skip: waits }, async () => {
  const { page, close } = await open({ path: 'embed.html?widget=attn-toy&scene=blank' });
  await reads(page.locator('attn-toy .out'), '1.000, 1.000');
  assert.deepEqual(await shares(page), ['0.333', '0.333', '0.333']);
  await page.locator('attn-toy').evaluate((e) => e.setAttribute('scene', 'share'));
  await reads(page.locator('attn-toy .out'), '0.277, 1.723');
  await close();
});
