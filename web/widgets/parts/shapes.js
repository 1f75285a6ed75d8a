/** Shapes of web/draw as live SVG. */
import { nothing, svg } from 'lit';
import { drawable } from '../../draw/shapes.js';

/** @param {import('../../draw/shapes.js').Shape[]} shapes */
export function drawn(shapes) {
  return shapes.filter(drawable).map((s) => {
    const fill = s.kind === 'image' ? nothing : s.fill ?? 'none';
    switch (s.kind) {
      case 'rect': return svg`<rect x=${s.x} y=${s.y} width=${s.w} height=${s.h} fill=${fill} stroke=${s.stroke ?? nothing}
        stroke-width=${s.width ?? nothing} stroke-dasharray=${s.dash ?? nothing} opacity=${s.opacity ?? nothing}></rect>`;
      case 'circle': return svg`<circle cx=${s.x} cy=${s.y} r=${s.r} fill=${fill} stroke=${s.stroke ?? nothing}
        stroke-width=${s.width ?? nothing} opacity=${s.opacity ?? nothing}></circle>`;
      case 'path': return svg`<path d=${s.d} fill=${fill} stroke=${s.stroke ?? nothing} stroke-width=${s.width ?? nothing}
        stroke-dasharray=${s.dash ?? nothing} opacity=${s.opacity ?? nothing} stroke-linejoin="round"></path>`;
      case 'text': return svg`<text x=${s.x} y=${s.y} fill=${fill} font-size=${s.size ?? 13} font-weight=${s.weight ?? nothing}
        text-anchor=${s.anchor ?? nothing} transform=${s.turn ? `rotate(${s.turn} ${s.x} ${s.y})` : nothing}
        stroke=${s.halo ?? nothing} stroke-width=${s.halo ? 4 : nothing} stroke-linejoin="round"
        paint-order="stroke">${s.text}</text>`;
      default: return nothing;
    }
  });
}
