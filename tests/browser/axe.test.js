/** Accessibility by axe-core: both languages, paper and board, desktop and the smallest phone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { drawn, openBrowser, seeAll, waits } from '../helpers/browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const open = openBrowser(after);

async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.flat().join(' ')} ${n.failureSummary}`));
  });
}

for (const [lang, theme, width] of [['en', 'light', 1280], ['zh-CN', 'dark', 1280], ['en', 'dark', 320], ['zh-CN', 'light', 320]]) {
  test(`no violation: ${lang}, ${theme}, ${width} px`, { skip: waits }, async () => {
    const { page, close } = await open({ lang: String(lang), theme, width: Number(width) });
    await seeAll(page);
    assert.deepEqual(await violations(page), []);
    for (const button of await page.locator('.tool').all()) {
      if (/table|表格/.test(await button.innerText())) await button.click();
    }
    await drawn(page);
    assert.deepEqual(await violations(page), [], 'with tables');
    await close();
  });
}
