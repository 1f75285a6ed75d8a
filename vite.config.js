/** Builds the static page: web/pages -> build/site, with the wasm modules and the small models beside it. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import arrival from './web/locales/arrival.js';
import en from './web/locales/en.js';
import { makeText } from './web/lab/text.js';
import { SOURCES } from './web/widgets/lazy.js';
import { themeCSS } from './web/widgets/parts/theme-css.js';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const SITE = at('build/site');

/** What stands in a figure's place until its script is here. */
const COMING = '<p class="coming"><span data-t="arrival.coming"></span> <a href="" data-t="arrival.reload"></a></p>';

/** Hidden until late.js finds that the page's script did not come: in every language, for none is chosen then. */
function lateBox() {
  const words = Object.entries(arrival).map(([lang, t]) => `<div lang="${lang}"><strong>▲ ${t['arrival.page']}</strong>` +
    `<p>${t['arrival.page.more']}</p><p><a href="">${t['arrival.reload']}</a></p></div>`);
  return `<div class="late" role="alert" hidden>${words.join('')}</div>`;
}

/** Writes the English text into the pages, so that they read before and without any script. */
function prefilledText() {
  const t = makeText('en', en);
  const escape = (/** @type {string} */ s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
  return {
    name: 'prefilled-text',
    transformIndexHtml: {
      order: /** @type {const} */ ('pre'),
      handler: (/** @type {string} */ html) => html
        .replace('<!-- late -->', lateBox())
        .replace(/(<(attn-[\w-]+)[^>]*>)<\/\2>/g, (place, tag, name) => (Object.hasOwn(SOURCES, name) ? `${tag}${COMING}</${name}>` : place))
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

/**
 * An import that failed is asked for under another name the next time: Firefox keeps the failure of a name for as long as
 * the page lives (Chromium asks again). What a chunk itself imports has come with the page, see `output` below.
 */
function importsAgain() {
  const again = 'const importAgain=(f,m=globalThis.attnImports??=new Map,n=m.get(f))=>' +
    'import(n?f+"?again="+n:f).catch(e=>{m.set(f,(n??0)+1);throw e});';
  const literal = /\bimport\(([`"'])(\.\/[^`"']+\.js)\1\)/g;
  return {
    name: 'imports-again',
    enforce: /** @type {const} */ ('post'),
    generateBundle(/** @type {unknown} */ _, /** @type {Record<string, any>} */ bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.code.match(literal)) continue;
        chunk.code = again + chunk.code.replace(literal, 'importAgain("$2")');
      }
    },
  };
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
      cpSync(at('web/pages/late.js'), `${site}/late.js`);
      cpSync(at('web/models'), `${site}/models`, { recursive: true });
      for (const name of readdirSync(`${site}/models`)) writeIndex(`${site}/models/${name}`);
    },
  };
}

export default defineConfig({
  root: at('web/pages'),
  base: './',
  plugins: [prefilledText(), palette(), shippedModels(), importsAgain(), fetchedFiles()],
  // a worker comes whole or not at all
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    outDir: SITE,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // the page brings its first figure and attn-model itself; other pages ask for them
      checks: { ineffectiveDynamicImport: false },
      input: [at('web/pages/index.html'), at('web/pages/embed.html')],
      // One file for what several figures share: forty small ones cost a first visit more than the bytes they spare, and
      // a figure then needs nothing but its own file and what came with the page.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
  },
});
