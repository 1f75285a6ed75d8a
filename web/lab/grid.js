/** Keyboard travel in a grid of cells. */

/** @typedef {{ row: number, col: number }} Cell */

/**
 * Where a key leads from a cell; the cell itself when the key is none of the grid's.
 * @param {Cell} cell @param {{ rows: number, cols: number }} size @param {{ key: string, ctrlKey: boolean }} press
 * @returns {Cell}
 */
export function moveCell({ row, col }, { rows, cols }, { key, ctrlKey }) {
  const last = { row: rows - 1, col: cols - 1 };
  switch (key) {
    case 'ArrowUp': return { row: Math.max(0, row - 1), col };
    case 'ArrowDown': return { row: Math.min(last.row, row + 1), col };
    case 'ArrowLeft': return { row, col: Math.max(0, col - 1) };
    case 'ArrowRight': return { row, col: Math.min(last.col, col + 1) };
    case 'Home': return { row: ctrlKey ? 0 : row, col: 0 };
    case 'End': return { row: ctrlKey ? last.row : row, col: last.col };
    default: return { row, col };
  }
}

export const GRID_KEYS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);
