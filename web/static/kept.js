/**
 * Choices kept in this browser; a browser that keeps nothing still shows the page.
 * @module kept
 */

/** @param {string} key @returns {string|null} */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}
