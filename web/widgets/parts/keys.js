/** Keys a figure must not take: with these held down they belong to the browser, as Alt+Left does. */

/** @param {KeyboardEvent} event */
export const foreign = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;
