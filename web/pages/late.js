/**
 * Runs after the page's own script, which says that it has begun. Where that script did not come, the page says so in
 * its HTML; a file of its own, which shares nothing with the others, so that it does not fail with them.
 */
if (!('begun' in document.documentElement.dataset)) {
  const box = /** @type {HTMLElement} */ (document.querySelector('body > .late'));
  for (const coming of document.querySelectorAll('.coming')) {
    const copy = /** @type {HTMLElement} */ (box.cloneNode(true));
    copy.removeAttribute('role');
    copy.hidden = false;
    coming.replaceWith(copy);
  }
  box.hidden = false;
  addEventListener('online', () => location.reload());
}
