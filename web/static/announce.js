/**
 * What a screen reader says politely while things happen on the page.
 * @module announce
 */

import { byId, el } from "./dom.js";
import { short } from "./words.js";

const KEPT = 12;

/**
 * Say a sentence when the reader has nothing more urgent.
 * @param {string} sentence
 */
export function announce(sentence) {
  const log = byId("announcements");
  log.append(el("p", { dir: "auto" }, short(sentence, 400)));
  while (log.children.length > KEPT) log.firstElementChild?.remove();
}
