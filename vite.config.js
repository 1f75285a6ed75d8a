/** Builds the static page: web/pages -> build/site, with the wasm modules and the small models beside it. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import en from './web/locales/en.js';
import { makeText } from './web/lab/text.js';
import { themeCSS } from './web/widgets/parts/theme-css.js';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const SITE = at('build/site');

/** Writes the English text into the pages, so that they read before and without any script. */
function prefilledText() {
  const t = makeText('en', en);
  const escape = (/** @type {string} */ s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
  return {
    name: 'prefilled-text',
    transformIndexHtml: {
      order: /** @type {const} */ ('pre'),
      handler: (/** @type {string} */ html) => html
        .replace(/(<[^>]* data-t="([\w.]+)"[^>]*>)(?=<)/g, (_, tag, key) => tag + escape(t(key)))
        .replace(/content="" data-t-content="([\w.]+)"/g, (_, key) => `content="${escape(t(key))}" data-t-content="${key}"`)
        .replace(/aria-label="" data-t-label="([\w.]+)"/g, (_, key) => `aria-label="${escape(t(key))}" data-t-label="${key}"`),
    },
  };
}

/** Puts the palette into page.css where it says @palette. */
function palette() {
  return {
    name: 'palette',
    enforce: /** @type {const} */ ('pre'),
    transform: (/** @type {string} */ code, /** @type {string} */ id) => (id.endsWith('pages/page.css')
      ? code.replace('@palette;', themeCSS(':root')) : undefined),
  };
}

/** An index beside a single weights file: the engine asks for it first, and a 404 would show in the console. */
function writeIndex(/** @type {string} */ folder) {
  const [index, file] = [`${folder}/model.safetensors.index.json`, 'model.safetensors'];
  if (existsSync(index) || !existsSync(`${folder}/${file}`)) return;
  const bytes = readFileSync(`${folder}/${file}`);
  const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString());
  const names = Object.keys(header).filter((name) => name !== '__metadata__');
  writeFileSync(index, JSON.stringify({ weight_map: Object.fromEntries(names.map((name) => [name, file])) }));
}

/** Tells the pages what ships in web/models: a small trained model, recordings of runs. */
function shippedModels() {
  const recordings = existsSync(at('web/models/recordings')) ? readdirSync(at('web/models/recordings')) : [];
  const found = {
    'attn-small-model': existsSync(at('web/models/small/config.json')) ? 'models/small/' : '',
    'attn-small-twin': existsSync(at('web/models/small-ungated/config.json')) ? 'models/small-ungated/' : '',
    'attn-recordings': recordings.filter((name) => name.endsWith('.safetensors')).map((name) => `models/recordings/${name}`).join(' '),
  };
  const tags = Object.entries(found).filter(([, content]) => content)
    .map(([name, content]) => ({ tag: 'meta', attrs: { name, content }, injectTo: /** @type {const} */ ('head') }));
  return { name: 'shipped-models', transformIndexHtml: () => tags };
}

/** Copies what is fetched by address: wasm modules and model folders. */
function fetchedFiles() {
  let site = SITE;
  return {
    name: 'fetched-files',
    configResolved(/** @type {import('vite').ResolvedConfig} */ config) {
      site = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      mkdirSync(`${site}/wasm`, { recursive: true });
      for (const variant of ['scalar', 'simd', 'relaxed']) {
        // Where relaxed SIMD could not be built, the plain module answers in its place: no request goes unanswered.
        const built = at(`build/wasm/attn.${variant}.wasm`);
        cpSync(existsSync(built) ? built : at('build/wasm/attn.simd.wasm'), `${site}/wasm/attn.${variant}.wasm`);
      }
      cpSync(at('web/models'), `${site}/models`, { recursive: true });
      for (const name of readdirSync(`${site}/models`)) writeIndex(`${site}/models/${name}`);
    },
  };
}

export default defineConfig({
  root: at('web/pages'),
  base: './',
  plugins: [prefilledText(), palette(), shippedModels(), fetchedFiles()],
  worker: { format: 'es' },
  build: {
    outDir: SITE,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [at('web/pages/index.html'), at('web/pages/embed.html')],
      // One file for what several figures share: forty small ones cost a first visit more than the bytes they spare.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 3 }] } },
    },
  },
});
