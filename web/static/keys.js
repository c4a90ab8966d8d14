/**
 * Keys: Escape closes; single letters work outside of text boxes and can be turned off.
 * Whatever else is typed goes into the question box, and so does a letter that another follows at once: it begins a word.
 * @module keys
 */

import { showKeys } from "./dialogs.js";
import { byId } from "./dom.js";
import { kept, keep } from "./kept.js";
import { closePanel } from "./panel.js";

const KEY = "heliograph.keys";
/** Milliseconds in which a further letter makes a word of a key. */
const PAUSE = 500;
/** Keys that begin words, too. */
const LETTERS = new Set(["n", "e", "c", "t", "j", "k"]);
/** Of these, those that only move the focus: they need not wait, and may follow one another. */
const STEPS = new Set(["j", "k"]);
/** Keys that no word goes on with. */
const NO_PART_OF_WORDS = new Set(["/", "[", "]"]);

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

/** @typedef {{turns: () => HTMLElement[], stop: () => void, fresh: () => void, write: (letters: string) => void}} Does */

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
  const word = new Word();
  document.getElementById("keys")?.addEventListener("click", list);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return void (word.take(), closePanel() && event.preventDefault());
    if (typing(event.target)) return;
    const covered = byId("main").inert; // the question box is out of reach
    if (!covered && word.goesOn(event.key)) return does.write(word.take()); // the browser writes this key behind it
    const act = !on ? undefined : event.key === "?" ? list : letter(event.key, does);
    if (!act) return covered || !writes(event.key) ? undefined : does.write("");
    event.preventDefault();
    word.end();
    if (LETTERS.has(event.key) && !covered) word.begin(event.key, act);
    else act();
  });
}

/** The letter of a key that may begin a word: it acts unless another follows at once. */
class Word {
  constructor() {
    this.begun = "";
    this.timer = 0;
    this.act = () => {};
  }

  /** @param {string} key @param {() => void} act */
  begin(key, act) {
    this.begun = key;
    if (STEPS.has(key)) act();
    else this.act = act;
    this.timer = setTimeout(() => this.end(), PAUSE);
  }

  /** There is no word: do what the key does. */
  end() {
    const { act } = this;
    this.take();
    act();
  }

  /** Return the letter, which does nothing any more. */
  take() {
    const { begun } = this;
    clearTimeout(this.timer);
    this.begun = "";
    this.act = () => {};
    return begun;
  }

  /** @param {string} key */
  goesOn(key) {
    return this.begun !== "" && writes(key) && !NO_PART_OF_WORDS.has(key) && !(STEPS.has(this.begun) && STEPS.has(key));
  }
}

/** @param {string} key Whether it writes something; a blank alone scrolls, or presses a button. */
function writes(key) {
  return [...key].length === 1 ? key !== " " : key === "Dead" || key === "Process";
}

/** @param {string} key @param {Does} does @returns {(() => void)|undefined} */
function letter(key, does) {
  switch (key) {
    case "/": return () => does.write("");
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
