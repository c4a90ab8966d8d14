/**
 * Keys: Escape closes; single letters work outside of text boxes and can be turned off.
 * @module keys
 */

import { showKeys } from "./dialogs.js";
import { kept, keep } from "./kept.js";
import { closePanel } from "./panel.js";

const KEY = "heliograph.keys";

/** @type {[string, string][]} */
const LISTED = [
  ["Enter", "Ask the question"],
  ["Shift + Enter", "New line in the question"],
  ["Escape", "Close the panel or a dialog"],
  ["/", "Go to the question box"],
  ["n", "New conversation"],
  [".", "Stop the running question"],
  ["j or k", "Next or previous question"],
  ["e", "Open the first citation of this answer"],
  ["[ or ]", "Previous or next citation in the panel"],
  ["c", "Copy this answer as Markdown"],
  ["t", "Show the trace of this answer, and back"],
  ["?", "This list"],
];

/** @typedef {{turns: () => HTMLElement[], stop: () => void, fresh: () => void, question: () => void}} Does */

/**
 * Listen to keys.
 * @param {Does} does
 */
export function startKeys(does) {
  let on = kept(KEY) !== "off";
  const list = () => showKeys(LISTED, on, (now) => {
    on = now;
    keep(KEY, now ? "on" : "off");
  });
  document.getElementById("keys")?.addEventListener("click", list);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return void (closePanel() && event.preventDefault());
    if (!on || typing(event.target)) return;
    const doing = event.key === "?" ? list : letter(event.key, does);
    if (!doing) return;
    event.preventDefault();
    doing();
  });
}

/** @param {string} key @param {Does} does @returns {(() => void)|undefined} */
function letter(key, does) {
  switch (key) {
    case "/": return does.question;
    case "n": return does.fresh;
    case ".": return does.stop;
    case "j": return () => step(does.turns(), 1);
    case "k": return () => step(does.turns(), -1);
    case "e": return () => press(here(does.turns()), ".claims .chip");
    case "c": return () => press(here(does.turns()), ".copy");
    case "t": return () => press(here(does.turns()), '[role="tab"][aria-selected="false"]');
    case "[": return () => press(document.getElementById("panel"), '.turner button[aria-label^="Previous"]');
    case "]": return () => press(document.getElementById("panel"), '.turner button[aria-label^="Next"]');
    default: return undefined;
  }
}

/** @param {HTMLElement[]} turns @param {number} by */
function step(turns, by) {
  const at = turns.findIndex((turn) => turn.contains(document.activeElement));
  const next = turns[at < 0 ? (by > 0 ? 0 : turns.length - 1) : Math.min(Math.max(at + by, 0), turns.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "start" });
}

/** @param {HTMLElement[]} turns The one that has the focus, else the last. */
function here(turns) {
  return turns.find((turn) => turn.contains(document.activeElement)) ?? turns.at(-1) ?? null;
}

/** @param {HTMLElement|null} within @param {string} selector */
function press(within, selector) {
  const found = /** @type {HTMLElement|null|undefined} */ (within?.querySelector(selector));
  found?.focus();
  found?.click();
}

/** @param {EventTarget|null} target */
function typing(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}
