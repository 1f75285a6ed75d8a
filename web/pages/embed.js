/** One figure in an iframe: embed.html?widget=attn-toy&lang=zh-CN&theme=dark&… ; other parameters become attributes. */
import { arrive, defineNearby, SOURCES } from '../widgets/lazy.js';
import { sayComing } from '../widgets/parts/arrival.js';
import { query, setTheme, wantedLanguage } from './start.js';

const OWN = new Set(['widget', 'lang', 'theme']);

document.documentElement.lang = wantedLanguage();
setTheme(query.get('theme'));
const asked = query.get('widget') ?? 'attn-toy';
const name = asked.startsWith('attn-') ? asked : `attn-${asked}`;
const widget = Object.hasOwn(SOURCES, name) ? name : 'attn-toy';
const element = document.createElement(widget);
for (const [attribute, value] of query) {
  if (!OWN.has(attribute) && /^[a-z-]+$/.test(attribute) && !attribute.startsWith('on')) element.setAttribute(attribute, value);
}
document.querySelector('main')?.replaceChildren(element);
sayComing(element);
arrive(widget);
defineNearby(document, [element]);

/** The page around learns the height, so that it can size the frame. */
new ResizeObserver(() => {
  const height = Math.ceil(element.getBoundingClientRect().height) + 32;
  parent.postMessage({ type: 'attn-height', widget, height }, '*');
}).observe(element);

document.documentElement.dataset.begun = '';
