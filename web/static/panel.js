/**
 * The panel beside the conversation: focus goes into it and comes back to what opened it.
 * On a narrow screen it covers the page, which is then out of reach.
 * @module panel
 */

import { byId, el, fill } from "./dom.js";

const NARROW = window.matchMedia("(max-width: 1100px)");

/** @type {HTMLElement|null} */
let opener = null;

/**
 * Open the panel under a heading; `by` gets the focus back when it closes.
 * @param {string} heading @param {import("./dom.js").Child} body @param {HTMLElement} by
 * @param {import("./dom.js").Child} [tools] Buttons beside the heading.
 */
export function openPanel(heading, body, by, tools = null) {
  const panel = byId("panel");
  if (!panel.contains(by)) opener = by;
  fill(byId("panel-tools"), tools);
  const title = el("h2", { id: "panel-title", tabindex: "-1", dir: "auto" }, heading);
  byId("panel-title").replaceWith(title);
  fill(byId("panel-body"), body);
  panel.hidden = false;
  document.body.classList.add("with-panel");
  shield();
  title.focus({ preventScroll: true });
}

/** Close the panel if it is open and tell whether it was. */
export function closePanel() {
  const panel = byId("panel");
  if (panel.hidden) return false;
  panel.hidden = true;
  document.body.classList.remove("with-panel");
  shield();
  const back = opener?.isConnected ? opener : byId("question");
  opener = null;
  back.focus();
  return true;
}

/** Connect the button that closes it, and follow the width of the window. */
export function startPanel() {
  byId("panel-close").addEventListener("click", closePanel);
  NARROW.addEventListener("change", shield);
}

/** Put the page behind the panel out of reach where the panel covers it. */
function shield() {
  const covered = NARROW.matches && !byId("panel").hidden;
  for (const id of ["skip", "top", "side", "main"]) byId(id).inert = covered;
  byId("panel").setAttribute("role", covered ? "dialog" : "complementary");
  if (covered) byId("panel").setAttribute("aria-modal", "true");
  else byId("panel").removeAttribute("aria-modal");
}
