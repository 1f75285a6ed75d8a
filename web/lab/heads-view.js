/** Two heads' maps of one layer, on one scale, and what they say in words. */
import { difference, mapDistance, rowDistance, sharedScale } from './heads.js';
import { headMatrix, topOfRow } from './layer.js';
import { tokenName } from './tokens.js';

/** @typedef {import('./text.js').Text} Text */

export class HeadsView {
  /**
   * @param {{ shape: number[], data: Float32Array }} probs (H, T, T)
   * @param {{ heads: number[], pieces: import('./tokens.js').Piece[], scale: import('./heads.js').Scale, hideFirst: boolean }} o
   */
  constructor(probs, { heads, pieces, scale, hideFirst }) {
    this.probs = probs;
    this.heads = heads;
    this.names = pieces.map(tokenName);
    this.scale = scale;
    this.hideFirst = hideFirst;
    this.maps = heads.map((h) => headMatrix(probs, h));
    this.range = sharedScale(this.maps, scale, hideFirst);
    this.shades = this.maps.map((map) => this.range.shadeOf(map));
    /** First minus second, null with one head. */
    this.apart = heads.length === 2 ? difference(this.maps[0], this.maps[1]) : null;
    /** Mean distance of the rows, NaN with one head. */
    this.meanDistance = heads.length === 2 ? mapDistance(this.maps[0], this.maps[1]) : Number.NaN;
  }

  /** Is it the view of these? @param {HeadsView['probs']} probs @param {{ heads: number[], scale: string, hideFirst: boolean }} o */
  is(probs, { heads, scale, hideFirst }) {
    return probs === this.probs && heads.join() === this.heads.join() && scale === this.scale && hideFirst === this.hideFirst;
  }

  /** How far the two rows are apart. @param {number} i */
  distance(i) { return this.apart ? rowDistance(this.maps[0], this.maps[1], i) : Number.NaN; }

  /** The key row i looks at most. @param {number} n which head @param {number} i */
  top(n, i) { return topOfRow(this.maps[n], i).col; }

  /** The same in a few words, beside the head. @param {Text} t @param {number} n which head @param {number} i */
  mostly(t, n, i) {
    const { col, share } = topOfRow(this.maps[n], i);
    return t(Number.isFinite(share) ? 'heads.mostly' : 'heads.mostly.none', {
      row: this.names[i], col: this.names[col], share: t.fixed(share),
    });
  }

  /** @param {Text} t @param {number} n which head @param {number} i */
  rowWords(t, n, i) {
    const { col, share } = topOfRow(this.maps[n], i);
    return t(Number.isFinite(share) ? 'layer.row' : 'layer.row.none', {
      head: this.heads[n], row: this.names[i], col: this.names[col], share: t.fixed(share),
    });
  }

  /** @param {Text} t @param {number} n which head @param {number} i @param {number} j */
  cellWords(t, n, i, j) {
    const names = { row: this.names[i], col: this.names[j] };
    if (j > i) return t('mask.hidden', names);
    const { data, cols } = this.maps[n];
    return `Q${this.heads[n]}: ${t('layer.cell', { ...names, value: t.fixed(data[i * cols + j]) })}`;
  }

  /** @param {Text} t @param {number} i @param {number} j */
  apartWords(t, i, j) {
    if (j > i || !this.apart) return this.cellWords(t, 0, i, j);
    const { data, cols } = this.apart;
    return t('layer.cell', { row: this.names[i], col: this.names[j], value: t.signed(data[i * cols + j]) });
  }
}
