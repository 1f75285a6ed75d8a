/** Keys a figure must not take: with these held down they belong to the browser, as Alt+Left does. */

/** @param {KeyboardEvent} event */
export const foreign = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;

/** Space on a slider, which plays; the page must not scroll. @param {KeyboardEvent} event */
export function plays(event) {
  if (event.key !== ' ' || foreign(event) || !/** @type {Element} */ (event.target).matches('[type=range]')) return false;
  event.preventDefault();
  return !event.repeat;
}
