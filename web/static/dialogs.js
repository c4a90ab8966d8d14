/**
 * Dialogs: a question to confirm, and the list of shortcuts.
 * @module dialogs
 */

import { byId, el, fill } from "./dom.js";

/**
 * Ask before something that cannot be undone; the focus is on the harmless answer.
 * @param {string} heading @param {import("./dom.js").Child} words @param {string} action
 * @returns {Promise<boolean>}
 */
export function confirmed(heading, words, action) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const no = el("button", { type: "button", class: "button", onclick: () => dialog.close("no") }, "Keep it");
  const yes = el("button", { type: "button", class: "button danger", onclick: () => dialog.close("yes") }, action);
  fill(dialog, el("h2", { id: "dialog-title" }, heading), el("p", {}, words), el("div", { class: "row" }, no, yes));
  dialog.returnValue = "no";
  dialog.showModal();
  no.focus();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true }));
}

/**
 * Show the keys and the switch that turns the single letters off.
 * @param {[string, string][]} keys @param {boolean} on @param {(on: boolean) => void} change
 */
export function showKeys(keys, on, change) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const box = el("input", { type: "checkbox", id: "single-keys", checked: on, onchange: () => change(box.checked) });
  const rows = keys.map(([key, what]) => el("div", {}, el("dt", {}, key.split(" ").map((part) => (part === "+" || part === "or" ? ` ${part} ` : el("kbd", {}, part)))), el("dd", {}, what)));
  const close = el("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Close");
  fill(dialog, el("h2", { id: "dialog-title" }, "Keys"), el("dl", { class: "keys" }, rows), el("p", { class: "aside" }, "Anything else that you type goes into the question box, wherever you are on the page."), el("p", { class: "check" }, box, el("label", { for: "single-keys" }, "Use the single-letter keys (outside of text boxes)")), el("div", { class: "row" }, close));
  dialog.showModal();
  close.focus();
}
