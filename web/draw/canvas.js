/** Shapes -> pixels. */
import { drawable } from './shapes.js';
import { fontOf } from './text-width.js';

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {import('./shapes.js').Shape[]} shapes
 */
export function paintShapes(ctx, shapes) {
  for (const shape of shapes.filter(drawable)) {
    ctx.save();
    paintShape(ctx, shape);
    ctx.restore();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./shapes.js').Shape} s */
function paintShape(ctx, s) {
  if (s.kind === 'image') {
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(s.canvas, s.x, s.y, s.w, s.h);
    return;
  }
  ctx.globalAlpha = s.opacity ?? 1;
  if (s.kind === 'text') {
    paintText(ctx, s);
    return;
  }
  const outline = new Path2D(s.kind === 'path' ? s.d : undefined);
  if (s.kind === 'rect') outline.rect(s.x, s.y, s.w, s.h);
  if (s.kind === 'circle') outline.arc(s.x, s.y, s.r, 0, 2 * Math.PI);
  if (s.fill && s.fill !== 'none') {
    ctx.fillStyle = s.fill;
    ctx.fill(outline);
  }
  if (s.stroke) {
    ctx.strokeStyle = s.stroke;
    ctx.lineWidth = s.width ?? 1;
    ctx.setLineDash(s.dash ? s.dash.split(' ').map(Number) : []);
    ctx.stroke(outline);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./shapes.js').Text} s */
function paintText(ctx, s) {
  ctx.translate(s.x, s.y);
  if (s.turn) ctx.rotate((s.turn * Math.PI) / 180);
  ctx.font = fontOf(s);
  ctx.textAlign = s.anchor === 'middle' ? 'center' : s.anchor ?? 'start';
  if (s.halo) {
    ctx.strokeStyle = s.halo;
    ctx.lineWidth = 4;
    ctx.lineJoin = 'round';
    ctx.strokeText(s.text, 0, 0);
  }
  ctx.fillStyle = s.fill ?? '#000';
  ctx.fillText(s.text, 0, 0);
}
