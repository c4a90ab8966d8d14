/**
 * The list of conversations: open, rename, export, delete, and in which of them a question is being answered.
 * @module conversations
 */

import * as api from "./api.js";
import { announce } from "./announce.js";
import { confirmed } from "./dialogs.js";
import { byId, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { download, inside } from "./links.js";
import { count, list, text } from "./words.js";

/** @typedef {{removed: (id: string) => void, renamed: (id: string, title: string) => void}} Hooks */

/** The list at the side of the page. */
export class ConversationList {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {import("./contract.js").Listed[]} */
    this.listed = [];
    /** @type {Set<string>} */
    this.answering = new Set();
    this.current = "";
    this.problem = "";
    this.editing = false;
    this.fetching = 0;
    /** @type {Set<string>} */
    this.opened = new Set();
  }

  /** Fetch the list anew; of replies that overtake each other the one to the last request counts. */
  async refresh() {
    const fetching = (this.fetching += 1);
    try {
      const { conversations } = await api.conversations();
      if (fetching !== this.fetching) return;
      this.listed = list(conversations);
      this.problem = "";
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (fetching !== this.fetching) return;
      this.problem = `The list could not be fetched. ${error.message}`;
    }
    this.draw();
  }

  /** @param {string} current The place shown, as `c/ID`. @param {Set<string>} answering Conversations in which a question runs. */
  show(current, answering) {
    const same = current === this.current && answering.size === this.answering.size && [...answering].every((id) => this.answering.has(id));
    this.current = current;
    this.answering = answering;
    if (!same) this.draw();
  }

  /** Put the list onto the page, but not over a title that is being written; what was open or had the focus keeps it. */
  draw() {
    if (this.editing) return;
    const had = /** @type {HTMLElement|null} */ (document.activeElement)?.dataset.key;
    const entries = this.listed.map((listed) => this.#entry(listed));
    fill(byId("conversations"), entries);
    byId("no-conversations").hidden = entries.length > 0 || this.problem !== "";
    fill(byId("list-problem"), this.problem);
    const keyed = [.../** @type {NodeListOf<HTMLElement>} */ (byId("conversations").querySelectorAll("[data-key]"))];
    if (had) keyed.find((one) => one.dataset.key === had)?.focus();
  }

  /** @param {string} id @returns {string} */
  titleOf(id) {
    return text(this.listed.find((listed) => listed.id === id)?.title);
  }

  /** @param {string[]} place @param {string} title @param {string} about */
  #link(place, title, about) {
    const link = inside(place, el("span", { class: "entry-title", dir: "auto" }, title || "Without a title"), el("span", { class: "entry-about" }, about));
    link.dataset.key = place.join("/");
    if (place.join("/") === this.current) link.setAttribute("aria-current", "page");
    return link;
  }

  /** @param {import("./contract.js").Listed} listed */
  #entry(listed) {
    const id = text(listed.id);
    const title = text(listed.title);
    const row = el("div", { class: "entry-tools", hidden: !this.opened.has(id) });
    const more = el("button", { type: "button", class: "icon-button more", "data-key": `more ${id}`, "aria-expanded": String(this.opened.has(id)), "aria-label": `Rename, export or delete: ${title}` }, icon("more"));
    const about = [this.answering.has(id) ? "being answered" : count(listed.questions, "question"), dayOf(listed.started)];
    const entry = el("li", { class: "entry" }, this.#link(["c", id], title, about.filter(Boolean).join(" · ")), more, row);
    more.addEventListener("click", () => {
      row.hidden = !row.hidden;
      if (!this.opened.delete(id)) this.opened.add(id);
      more.setAttribute("aria-expanded", String(!row.hidden));
    });
    fill(
      row,
      el("button", { type: "button", class: "quiet", onclick: () => this.#edit(entry, id, title) }, "Rename"),
      download(api.exportPath(id, "md"), "Markdown"),
      download(api.exportPath(id, "json"), "JSON"),
      el("button", { type: "button", class: "quiet danger", onclick: () => this.#remove(id, title) }, "Delete"),
    );
    return entry;
  }

  /** @param {HTMLElement} entry @param {string} id @param {string} title */
  #edit(entry, id, title) {
    const input = el("input", { type: "text", class: "rename", "aria-label": "New title", dir: "auto" });
    input.value = title;
    input.maxLength = 80;
    const form = el("form", { class: "rename-form" }, input, el("button", { type: "submit", class: "button small" }, "Save"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#rename(id, input.value.trim() || title);
    });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#redraw(id);
    });
    this.editing = true;
    fill(entry, form);
    input.select();
  }

  /** @param {string} id @param {string} title */
  async #rename(id, title) {
    try {
      const renamed = await api.rename(id, title);
      this.listed = this.listed.map((listed) => (listed.id === id ? { ...listed, title: text(renamed?.title) || title } : listed));
      this.hooks.renamed(id, this.titleOf(id));
      announce("Renamed.");
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      this.problem = `It could not be renamed. ${error.message}`;
    }
    this.#redraw(id);
  }

  /** @param {string} id @param {string} title */
  async #remove(id, title) {
    if (!(await confirmed("Delete this conversation?", ["“", el("bdi", {}, title), "” and its answers leave the list. The runs behind them stay until they are purged."], "Delete"))) return this.#focus(id);
    try {
      await api.remove(id);
      this.listed = this.listed.filter((listed) => listed.id !== id);
      this.hooks.removed(id);
      announce("Deleted.");
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      this.problem = `It could not be deleted. ${error.message}`;
    }
    this.draw();
    byId("new").focus();
    return undefined;
  }

  /** @param {string} id Draws the list and puts the focus where it was. */
  #redraw(id) {
    this.editing = false;
    this.draw();
    this.#focus(id);
  }

  /** @param {string} id */
  #focus(id) {
    const keyed = [.../** @type {NodeListOf<HTMLElement>} */ (byId("conversations").querySelectorAll("[data-key]"))];
    keyed.find((one) => one.dataset.key === `more ${id}`)?.focus();
  }
}

/** @param {unknown} seconds */
function dayOf(seconds) {
  const day = new Date(Number(seconds) * 1000);
  return Number.isNaN(day.getTime()) ? "" : day.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}
