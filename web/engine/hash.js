/**
 * XXH32 (Yann Collet's xxHash, 32 bit): a checksum that finds flipped bits and short files at memory speed.
 * It is no defence against an attacker; that is what https and pinned revisions are for.
 */
const P1 = 0x9e3779b1, P2 = 0x85ebca77, P3 = 0xc2b2ae3d, P4 = 0x27d4eb2f, P5 = 0x165667b1;
const { imul } = Math;
const rotl = (x, r) => (x << r) | (x >>> (32 - r));
const round = (lane, word) => imul(rotl(lane + imul(word, P2), 13), P1);

/**
 * @param {Uint8Array} bytes
 * @param {number} [seed]
 * @returns {number} 0 … 2^32-1
 */
export function xxh32(bytes, seed = 0) {
  const n = bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, n);
  let at = 0;
  let h;
  if (n >= 16) {
    let a = (seed + P1 + P2) | 0, b = (seed + P2) | 0, c = seed | 0, d = (seed - P1) | 0;
    for (; at + 16 <= n; at += 16) {
      a = round(a, view.getInt32(at, true));
      b = round(b, view.getInt32(at + 4, true));
      c = round(c, view.getInt32(at + 8, true));
      d = round(d, view.getInt32(at + 12, true));
    }
    h = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18);
  } else {
    h = seed + P5;
  }
  h = (h + n) | 0;
  for (; at + 4 <= n; at += 4) h = imul(rotl(h + imul(view.getInt32(at, true), P3), 17), P4);
  for (; at < n; at++) h = imul(rotl(h + imul(bytes[at], P5), 11), P1);
  h = imul(h ^ (h >>> 15), P2);
  h = imul(h ^ (h >>> 13), P3);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Eight hex digits. @param {Uint8Array} bytes */
export const hashHex = (bytes) => xxh32(bytes).toString(16).padStart(8, '0');
