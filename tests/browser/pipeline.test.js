/** Figures 8 and 28: the map of a block and the walk through its shapes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, reads, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** The figure alone. @param {'block' | 'shapes'} scene */
async function figure(scene, options = {}) {
  const opened = await open({ path: `embed.html?widget=attn-pipeline&scene=${scene}`, ...options });
  const pipeline = opened.page.locator('attn-pipeline');
  await pipeline.locator('figure').waitFor();
  return { ...opened, pipeline };
}

test('Fig 8 walks nine stops by button and keys, and says their shapes', { skip: waits }, async () => {
  const { page, pipeline, noise, close } = await figure('block');
  const here = pipeline.locator('.stop-card code');
  assert.equal(await pipeline.locator('.stops li').count(), 9);
  assert.equal(await here.innerText(), 'h [6, 1024]');
  await pipeline.getByRole('button', { name: 'Next step' }).click();
  await reads(here, 'q [6, 8, 256], k [6, 2, 256], v [6, 2, 256], gate [6, 8, 256]');
  await page.keyboard.press('End');
  await reads(pipeline.locator('.steps'), 'Step 9 of 9: W_O');
  await page.keyboard.press('ArrowLeft');
  await reads(here, 'o [6, 2048]');
  await pipeline.locator('.stops button').nth(4).click();
  await reads(here, 's [8, 6, 6]');
  assert.equal(await pipeline.locator('[aria-current=step]').innerText(), '5\nq·k / 16\none score per earlier word');
  await reads(pipeline.getByRole('status'), 'Step 5 of 9');
  assert.deepEqual(noise, []);
  await close();
});

test('Fig 8 counts what is kept once there is a guess, and T changes one side only', { skip: waits }, async () => {
  const { pipeline, close } = await figure('block');
  const kept = pipeline.locator('.grows td');
  assert.deepEqual(await kept.allInnerTexts(), ['?', '?']);
  await pipeline.locator('.predict').getByText('softmax', { exact: true }).click();
  await reads(kept.first(), '2 × 2 × 256 × 6 = 6,144');
  const linear = '16 × 128 × 128 + 3 × 6,144 = 280,576';
  assert.equal(await kept.nth(1).innerText(), linear);
  const tokens = pipeline.getByRole('spinbutton', { name: 'Tokens T' });
  await tokens.fill('275');
  await tokens.press('Enter');
  await reads(kept.first(), '2 × 2 × 256 × 275 = 281,600');
  assert.equal(await kept.nth(1).innerText(), linear);
  await reads(pipeline.locator('.predict'), 'from 275 words on');
  await close();
});

test('Fig 8 has a shorter way through the linear layer', { skip: waits }, async () => {
  const { pipeline, close } = await figure('block', { path: 'embed.html?widget=attn-pipeline&lang=zh-CN', lang: 'zh-CN' });
  await pipeline.getByRole('radio', { name: '线性 · 18 层' }).check({ force: true });
  await reads(pipeline.locator('.steps'), '共 7 步');
  await pipeline.locator('.stops button').nth(3).click();
  await reads(pipeline.locator('.stop-card code'), 'S [16, 128, 128]');
  await close();
});

test('Fig 28 is the chapter’s table, for any B and T', { skip: waits }, async () => {
  const { page, pipeline, close } = await figure('shapes');
  const shapes = () => pipeline.locator('.lines td.shape').allInnerTexts();
  assert.deepEqual((await shapes()).map((s) => s.replace(/\s+/g, ' ')), [
    '[1, 6, 4096] → [1, 6, 8, 512]', '[1, 6, 2, 256]', '[1, 6, 8, 256], [1, 6, 2, 256]', '[1, 8, 6, 256]', '[1, 8, 6, 6]',
    '[1, 8, 6, 256] → [1, 6, 2048]', '[1, 6, 2048]', '[1, 6, 1024]',
  ]);
  const batch = pipeline.getByRole('spinbutton', { name: 'Sentences B' });
  await batch.fill('3');
  await batch.press('Enter');
  await reads(pipeline.locator('.lines td.shape').nth(4), '[3, 8, 6, 6]');
  await pipeline.getByRole('button', { name: 'Next step' }).click();
  await page.keyboard.press('End');
  await reads(pipeline.locator('.side'), 'Stop 9 of the map');
  await close();
});

test('Fig 28 counts other models: one without a gate, a pasted config, and refuses one that does not add up', { skip: waits }, async () => {
  const { pipeline, noise, close } = await figure('shapes');
  await pipeline.getByRole('radio', { name: 'Qwen3-0.6B' }).check({ force: true });
  await reads(pipeline.locator('.lines'), '[1, 6, 16, 128]');
  assert.equal(await pipeline.locator('.lines tbody tr').count(), 7);
  await pipeline.getByRole('radio', { name: 'config.json' }).check({ force: true });
  const box = pipeline.getByRole('textbox', { name: 'Paste a config.json' });
  await box.fill('{ "hidden_size": 96, "num_attention_heads": 6, "num_key_value_heads": 4 }');
  await box.blur();
  await reads(pipeline.getByRole('alert'), 'num_key_value_heads: expected a divisor of num_attention_heads (6), found 4');
  await box.fill('{ "hidden_size": 96, "num_attention_heads": 6, "num_key_value_heads": 2 }');
  await box.blur();
  await reads(pipeline.locator('.lines'), '[1, 6, 2, 16]');
  assert.equal(await pipeline.getByRole('alert').count(), 0);
  await box.fill('<html>');
  await box.blur();
  await pipeline.getByRole('alert').getByRole('button', { name: 'Back to Qwen3.5-0.8B' }).click();
  await reads(pipeline.locator('.lines'), '[1, 6, 8, 512]');
  assert.deepEqual(noise, []);
  await close();
});
