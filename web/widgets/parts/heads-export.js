/** Two heads' maps as text: the most looked-at keys of each row, and every share. */
import { topKeys } from '../../lab/heads.js';

/** @typedef {import('../../lab/text.js').Text} Text */
/** @typedef {{ heads: number[], maps: import('../../lab/heads.js').Square[], names: string[] }} Exported */

/** Keys named in each row of the table. */
const TOP = 5;

/** @param {Text} t @param {Exported} o @returns {import('./cards.js').Table} */
export function headsTable(t, { heads, maps, names }) {
  const places = Array.from({ length: TOP }, (_, i) => i);
  const rows = heads.flatMap((head, n) => names.map((name, i) => {
    const top = topKeys(maps[n], i, TOP);
    return [`Q${head}`, name, ...places.map((p) => (top[p] ? `${names[top[p].col]} ${t.fixed(top[p].share)}` : ''))];
  }));
  return {
    caption: t('heads.title'), columns: [t('head.legend'), t('heads.row'), ...places.map((p) => t('heads.place', { n: p + 1 }))], rows,
  };
}

/** All numbers as they are; what a row cannot see stays empty. @param {Text} t @param {Exported} o @returns {import('./cards.js').Table} */
export function headsFile(t, { heads, maps, names }) {
  const rows = heads.flatMap((head, n) => names.map((name, i) => {
    const { data, cols } = maps[n];
    return [`Q${head}`, name, ...Array.from(data.subarray(i * cols, (i + 1) * cols), (v, j) => (j > i ? '' : String(v)))];
  }));
  return { caption: t('heads.title'), columns: [t('head.legend'), t('heads.row'), ...names], rows };
}
