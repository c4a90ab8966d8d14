/**
 * Light, dark, or as the system has it; the choice is kept in this browser.
 * @module theme
 */

import { byId, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { kept, keep } from "./kept.js";

const KEY = "heliograph.theme";
/** @type {("system"|"light"|"dark")[]} */
const THEMES = ["system", "light", "dark"];

/** Show the kept theme and connect the switch. */
export function startTheme() {
  let at = Math.max(0, THEMES.indexOf(/** @type {any} */ (kept(KEY))));
  const button = byId("theme");
  const show = () => {
    const theme = THEMES[at];
    document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-label", `Theme: ${theme}`);
    button.title = `Theme: ${theme}`;
    fill(button, icon(theme), el("span", { class: "unseen" }, theme));
  };
  button.addEventListener("click", () => {
    at = (at + 1) % THEMES.length;
    keep(KEY, THEMES[at]);
    show();
  });
  show();
}
