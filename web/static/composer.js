/**
 * The question box: Enter asks, Shift and Enter begin a line, and a running question can be stopped.
 * @module composer
 */

import { byId, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { kept, keep } from "./kept.js";
import { list, text } from "./words.js";

const PRESET = "heliograph.preset";

/** @returns {string|null} The form that answers are wanted in, short, long or report; null where the server decides. */
export const chosenForm = () => /** @type {HTMLSelectElement} */ (byId("form")).value || null;

/** @typedef {{ask: (question: string, preset: string|null) => void, stop: () => void}} Does */

/** The form at the foot of the page. */
export class Composer {
  /** @param {Does} does */
  constructor(does) {
    this.does = does;
    this.box = /** @type {HTMLTextAreaElement} */ (byId("question"));
    this.send = /** @type {HTMLButtonElement} */ (byId("send"));
    this.stop = /** @type {HTMLButtonElement} */ (byId("stop"));
    this.preset = /** @type {HTMLSelectElement} */ (byId("preset"));
    this.longest = 2000;
    this.busy = false;
    fill(this.send, icon("send"), el("span", { class: "unseen" }, "Ask"));
    fill(this.stop, icon("stop"), el("span", {}, "Stop"));
    byId("composer").addEventListener("submit", (event) => this.#submit(event));
    this.stop.addEventListener("click", () => does.stop());
    this.box.addEventListener("keydown", (event) => this.#key(event));
    this.box.addEventListener("input", () => this.#count());
    this.preset.addEventListener("change", () => keep(PRESET, this.preset.value));
  }

  /** @param {import("./contract.js").About} about */
  knows(about) {
    this.longest = Number(about.longest_question) || this.longest;
    const presets = list(about.presets).map(text);
    const chosen = [kept(PRESET), about.preset].find((name) => presets.includes(text(name)));
    fill(this.preset, presets.map((name) => new Option(name, name)));
    if (chosen) this.preset.value = text(chosen);
    byId("preset-choice").hidden = presets.length < 2;
  }

  /** @param {boolean} busy A question of this conversation runs. @param {boolean} further There are turns before. */
  show(busy, further) {
    const stopped = document.activeElement === this.stop;
    if (this.busy && !busy) this.#count(); // that a question is running is no longer so
    this.busy = busy;
    this.stop.hidden = !busy;
    this.send.hidden = busy;
    this.box.placeholder = further ? "Ask a follow-up" : "Ask a question";
    if (stopped && !busy) this.box.focus();
  }

  /** @param {string} question Puts words into the box, to be changed. */
  write(question) {
    this.box.value = question;
    this.#count();
    this.box.focus();
  }

  /** @param {string} letters Writes where the cursor is, and takes the focus for what is typed next. */
  take(letters) {
    this.box.focus();
    this.box.setRangeText(letters, this.box.selectionStart, this.box.selectionEnd, "end");
    this.#count();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    this.#submit(event);
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const question = this.box.value.trim();
    if (this.busy) return this.#say("A question is running: stop it, or wait for its answer.");
    if (!question) return this.#say("Type a question first.");
    if ([...question].length > this.longest) return this.#say(`A question has at most ${this.longest.toLocaleString("en")} characters.`);
    this.box.value = "";
    this.#count();
    return this.does.ask(question, byId("preset-choice").hidden ? null : this.preset.value);
  }

  #count() {
    const length = [...this.box.value].length;
    const over = length > this.longest;
    this.#say(length > this.longest * 0.9 ? `${length.toLocaleString("en")} of ${this.longest.toLocaleString("en")} characters` : "");
    this.box.setAttribute("aria-invalid", String(over));
  }

  /** @param {string} words */
  #say(words) {
    byId("composer-says").textContent = words;
  }
}
