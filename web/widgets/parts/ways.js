/** Ways to silence the reader has found so far, in whichever figure: the blank sheet lists them. */

/** @typedef {'sink' | 'plusOne' | 'gate'} Way */

/** @type {Set<Way>} */
const found = new Set();
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {Way} way */
export function foundWay(way) {
  if (found.has(way)) return;
  found.add(way);
  for (const listener of listeners) listener();
}

/** @param {Way} way */
export const isFound = (way) => found.has(way);

/** Draws a lit host again when a way is found. */
export class Ways {
  /** @param {import('lit').ReactiveControllerHost} host */
  constructor(host) {
    host.addController(this);
    this.update = () => host.requestUpdate();
  }

  hostConnected() { listeners.add(this.update); }
  hostDisconnected() { listeners.delete(this.update); }
}
