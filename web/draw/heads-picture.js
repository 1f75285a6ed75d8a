/** Two maps side by side, each under its head, for a saved image. */
import { headColour, parseHex, textOn } from './colour.js';
import { matrixPicture } from './matrix-picture.js';
import { PALETTE } from './palette.js';
import { moved, rect, text } from './shapes.js';

const HEAD = 44;
const GAP = 32;

/**
 * @param {import('./palette.js').Theme} theme
 * @param {{ heads: number[], maps: { rows: number, cols: number, data: Float32Array }[], names: string[] }} shown
 * @param {{ words: string[], shades: ((value: number, i: number, j: number) => number)[], config: { heads: number, kvHeads: number },
 *   masked: (i: number, j: number) => boolean, format: (value: number) => string }} o  words: what stands beside each head
 */
export function headsPicture(theme, { heads, maps, names }, { words, shades, config, masked, format }) {
  const paper = theme === 'forced' ? 'light' : theme;
  let x = 0;
  let height = 0;
  const shapes = maps.flatMap((map, n) => {
    const picture = matrixPicture(paper, map, { names, masked, format, shade: shades[n] });
    const colour = headColour(heads[n], config.heads, config.kvHeads, paper);
    const at = x;
    x += Math.max(picture.width, 8 * words[n].length + 56) + GAP;
    height = Math.max(height, picture.height + HEAD);
    return [
      rect(at, 0, 44, 28, { fill: colour }),
      text(at + 22, 19, `Q${heads[n]}`, { fill: textOn(parseHex(colour)), weight: 600, anchor: 'middle' }),
      text(at + 56, 19, words[n], { fill: PALETTE[paper].ink }),
      ...moved(picture.shapes, at, HEAD),
    ];
  });
  return { width: x - GAP, height, shapes };
}
