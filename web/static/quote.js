/**
 * Marking a quote in the text that it was taken from.
 * @module quote
 */

import { el } from "./dom.js";
import { text } from "./words.js";

/** @type {Record<string, string>} */
const SAME = { "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "\u00a0": " " };

/**
 * Return where a quote stands in a text, as code units, or null; spaces, quotes and dashes of other kinds are the same.
 * @param {string} whole @param {string} quote
 * @returns {[number, number]|null}
 */
export function placeOf(whole, quote) {
  const there = folded(whole);
  const sought = folded(quote).letters.trim();
  const at = sought ? there.letters.indexOf(sought) : -1;
  return at < 0 ? null : [there.places[at], there.places[at + sought.length - 1] + 1];
}

/**
 * Return a text with the quote marked in it.
 * @param {unknown} value @param {unknown} quote
 * @returns {import("./dom.js").Child[]}
 */
export function withQuote(value, quote) {
  const whole = text(value);
  const place = placeOf(whole, text(quote));
  if (!place) return [whole];
  const [start, end] = place;
  return [whole.slice(0, start), el("mark", {}, whole.slice(start, end)), whole.slice(end)];
}

/** @param {string} value @returns {{letters: string, places: number[]}} */
function folded(value) {
  let letters = "";
  const places = [];
  for (let at = 0; at < value.length; at += 1) {
    const letter = SAME[value[at]] ?? value[at];
    if (/\s/.test(letter)) {
      if (letters.endsWith(" ")) continue;
      letters += " ";
    } else {
      letters += letter;
    }
    places.push(at);
  }
  return { letters, places };
}
