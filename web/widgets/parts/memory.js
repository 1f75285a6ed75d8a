/** What a browser keeps for the reader. Storage is refused in private windows and sandboxed frames; then nothing is kept. */

/** @param {string} key @returns {string | null} */
export function recalled(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} value null forgets @returns {boolean} was it kept */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
