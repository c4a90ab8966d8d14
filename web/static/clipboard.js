/**
 * Copying text; where the browser does not let a page copy, the text is shown to be copied by hand.
 * @module clipboard
 */

import { byId, el, fill } from "./dom.js";

/**
 * Copy a text and tell whether it was; if not, it is shown in a dialog.
 * @param {string} words @param {HTMLElement} by What gets the focus back.
 */
export async function copyText(words, by) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    byHand(words, by);
    return false;
  }
}

/** @param {string} words @param {HTMLElement} by */
function byHand(words, by) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const area = el("textarea", { readonly: true, rows: 12, "aria-label": "The answer as Markdown" });
  area.value = words;
  const close = el("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Close");
  fill(dialog, el("h2", { id: "dialog-title" }, "Copy by hand"), el("p", {}, "This browser does not let the page copy. The text is selected: press Ctrl and C."), area, el("div", { class: "row" }, close));
  dialog.addEventListener("close", () => by.focus(), { once: true });
  dialog.showModal();
  area.select();
}
