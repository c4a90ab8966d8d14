/**
 * The list of conversations as a drawer, where the window has no room for it.
 * @module side
 */

import { byId, fill } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Connect the button that opens the drawer.
 * @returns {() => void} What closes it.
 */
export function startSide() {
  const button = byId("side-button");
  const show = (/** @type {boolean} */ open) => {
    document.body.classList.toggle("with-side", open);
    button.setAttribute("aria-expanded", String(open));
  };
  fill(button, icon("menu"));
  button.addEventListener("click", () => {
    const open = !document.body.classList.contains("with-side");
    show(open);
    if (open) byId("new").focus();
  });
  byId("shade").addEventListener("click", () => show(false));
  byId("side").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !document.body.classList.contains("with-side")) return;
    event.preventDefault();
    show(false);
    button.focus();
  });
  return () => show(false);
}
