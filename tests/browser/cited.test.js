/** What the two chapters print and measure stands on the page, in both languages, and cited figures name their source. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, seeAll, waits } from '../helpers/browser.js';

const open = openBrowser(after);

/** Name of a figure of the chapters -> how the page may print it. */
const PRINTED = {
  'the ratio 1 : 16.9 : 4.1': /1 : 16\.9 : 4\.1/,
  'shares and output of the toy': /0\.045[^]*0\.768[^]*0\.187[^]*0\.277, 1\.723/,
  'sink shares of the two models': /55%[^]*12%|12%[^]*55%/,
  '20 of 28 layers': /20[^0-9]{1,40}28|28[^0-9]{1,40}20/,
  '40 to 77 %': /40%–77%/,
  'value length 0.07 to 0.23': /0\.07–0\.23/,
  'the paper’s pair 46.7 -> 4.8 %': /46\.7%/,
  'and its end': /4\.8%/,
  'gate 0.056, 4.46 -> 0.34, 8 %': /0\.056[^]*4\.46[^]*0\.34[^]*8%/,
  'layer 15: mean 0.12, 55 % below 0.1': /0\.12[^]{0,40}55%|55%[^]{0,40}0\.12/,
  'six layers, 0.07 to 0.19': /0\.07[^]{0,12}0\.19/,
  'initializer 0.02': /0\.02[^0-9][^]{0,30}initializer_range/,
  'thirty variants': /[Tt]hirty|三十/,
  'the classic head size': /1,024 \/ 8 = 128/,
  'glueing the heads': /\[5, 256\] × 8[^]{0,12}\[5, 2048\]/,
  'groups of 4 to 8': /4 to 8|4 到 8/,
  'who uses MQA': /PaLM[^]*Falcon-7B/,
  'who uses GQA': /Llama 3/,
  'cost of the gate': /12,582,912[^]*1\.7%/,
  'merged matrices as a reason': /gate_up_proj/,
  'low rank': /524,288[^]*1,048,576|1,048,576[^]*524,288/,
};

/** The layer-3 matrix as printed, row by row. */
const MATRIX = [[1, 0, 0, 0, 0, 0], [0.07, 0.93, 0, 0, 0, 0], [0.01, 0.97, 0.02, 0, 0, 0], [0, 0.23, 0.76, 0, 0, 0],
  [0.05, 0.01, 0, 0.43, 0.5, 0], [0, 0, 0.13, 0.21, 0.06, 0.6]];

/** All text on the page, shadow trees included. */
const textOf = (page) => page.evaluate(() => {
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.localName === 'style' || node.localName === 'script') return '';
    const inside = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(read).join('');
    return node.nodeType === Node.ELEMENT_NODE && getComputedStyle(node).display !== 'inline' ? `${inside}\n` : inside;
  };
  return read(document.body);
});

for (const lang of ['en', 'zh-CN']) {
  test(`the chapters' figures stand on the page, ${lang}`, { skip: waits }, async () => {
    const { page, close } = await open({ lang });
    await seeAll(page);
    await page.locator('attn-profile[scene="sink"] .predict button.link').click();
    await page.locator('attn-profile[scene="sink"] .predict button.link').waitFor({ state: 'detached' });
    const text = await textOf(page);
    for (const [name, printed] of Object.entries(PRINTED)) assert.match(text, printed, name);
    const book = page.locator('attn-layer .book attn-heatmap');
    const { data, rows } = await book.evaluate((map) => ({ data: [...map.matrix.data], rows: map.matrix.rows }));
    MATRIX.flat().forEach((x, i) => assert.ok(Math.abs(data[i] - x) < 1e-6, `row ${Math.floor(i / rows)}`));
    const cited = await page.evaluate(() => {
      const all = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
      return all(document).filter((e) => e.matches('.cited')).map((e) => e.textContent.trim());
    });
    assert.ok(cited.length >= 8, `${cited.length} cited passages`);
    for (const words of cited) assert.match(words, /Transformer by Hand|arXiv|Miller/, words);
    await close();
  });
}
