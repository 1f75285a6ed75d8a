/** Shapes -> the text of an SVG file. */
import { FONTS } from './palette.js';
import { drawable } from './shapes.js';

/** What XML cannot hold: control characters, non-characters, halves of a pair. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The picture of a control character, the number of any other. @param {string} c */
function named(c) {
  const code = /** @type {number} */ (c.codePointAt(0));
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `‹U+${code.toString(16).toUpperCase()}›`;
}

/** @param {string} text */
const escape = (text) => text.replace(NOT_XML, named)
  .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);

/** @param {Record<string, string | number | undefined>} pairs */
function attributes(pairs) {
  return Object.entries(pairs).filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`).join('');
}

/** @param {import('./shapes.js').Style} s */
const style = (s) => ({
  fill: s.fill ?? 'none', stroke: s.stroke, 'stroke-width': s.width, 'stroke-dasharray': s.dash, opacity: s.opacity,
});

/** @param {import('./shapes.js').Shape} s */
function element(s) {
  switch (s.kind) {
    case 'rect': return `<rect${attributes({ x: s.x, y: s.y, width: s.w, height: s.h, ...style(s) })}/>`;
    case 'circle': return `<circle${attributes({ cx: s.x, cy: s.y, r: s.r, ...style(s) })}/>`;
    case 'path': return `<path${attributes({ d: s.d, ...style(s) })}/>`;
    case 'image': {
      const at = { x: s.x, y: s.y, width: s.w, height: s.h, 'image-rendering': 'pixelated' };
      return `<image${attributes({ ...at, href: s.canvas.toDataURL() })}/>`;
    }
    default: {
      const turn = s.turn ? `rotate(${s.turn} ${s.x} ${s.y})` : undefined;
      const halo = s.halo ? { stroke: s.halo, 'stroke-width': 4, 'paint-order': 'stroke' } : {};
      return `<text${attributes({
        x: s.x, y: s.y, fill: s.fill, 'text-anchor': s.anchor, 'font-size': s.size ?? 13, 'font-weight': s.weight,
        'font-family': FONTS[s.font ?? 'sans'], transform: turn, ...halo,
      })}>${escape(s.text)}</text>`;
    }
  }
}

/**
 * @param {{ width: number, height: number, shapes: import('./shapes.js').Shape[], title?: string, lang?: string }} picture
 */
export function svgFile({ width, height, shapes, title = '', lang = 'en' }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:lang="${lang}" width="${width}" height="${height}" `
    + `viewBox="0 0 ${width} ${height}" role="img"><title>${escape(title)}</title>`
    + `${shapes.filter(drawable).map(element).join('')}</svg>\n`;
}
