/** Saves bytes under a name, as if the reader had clicked a link. */
import { paintShapes } from '../../draw/canvas.js';
import { svgFile } from '../../draw/svg.js';

/** @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/**
 * @param {{ width: number, height: number, shapes: import('../../draw/shapes.js').Shape[] }} picture
 * @param {{ name: string, type: 'svg' | 'png', title: string, lang: string }} o  PNG at twice the size
 */
export async function savePicture(picture, { name, type, title, lang }) {
  if (type === 'svg') {
    saveBlob(new Blob([svgFile({ ...picture, title, lang })], { type: 'image/svg+xml' }), `${name}.svg`);
    return;
  }
  const canvas = document.createElement('canvas');
  canvas.width = picture.width * 2;
  canvas.height = picture.height * 2;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ctx.scale(2, 2);
  paintShapes(ctx, picture.shapes);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  if (blob) saveBlob(/** @type {Blob} */ (blob), `${name}.png`);
}
