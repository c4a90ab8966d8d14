/**
 * The trace of a run: a tree of spans over a time line, and what each span was given and gave.
 * @module trace
 */

import * as api from "./api.js";
import { drawn, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { spanDetail } from "./span.js";
import { arranged, extraOf } from "./spantree.js";
import { count, duration, list, text } from "./words.js";

const ALL_OPEN_UP_TO = 40;

/** @typedef {import("./spantree.js").Branch} Branch */

/** The trace tab of an answer; it is fetched when it is first shown. */
export class TraceView {
  /** @param {string} run */
  constructor(run) {
    this.run = run;
    this.asked = false;
    this.element = el("section", { class: "trace", "aria-label": "Trace of this answer" });
    this.tree = el("div", { class: "tree", role: "tree", "aria-label": "Spans" });
    this.detail = el("div", { class: "detail-host" });
    /** @type {Branch[]} */
    this.branches = [];
    /** @type {Set<string>} */
    this.opened = new Set();
    this.chosen = "";
    this.focused = "";
    this.tree.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Fetch and show the trace, once. */
  async load() {
    if (this.asked) return;
    this.asked = true;
    fill(this.element, el("p", { class: "loading" }, "Fetching the trace…"));
    try {
      this.#show(list((await api.trace(this.run)).spans));
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      this.asked = false;
      fill(this.element, el("p", { class: "problem", role: "alert" }, icon("warning"), `The trace could not be fetched. ${error.message}`), el("button", { type: "button", class: "button", onclick: () => this.load() }, icon("again"), "Try again"));
    }
  }

  /** @param {import("./contract.js").Span[]} spans */
  #show(spans) {
    this.branches = arranged(spans);
    const small = spans.length <= ALL_OPEN_UP_TO;
    this.opened = new Set(this.branches.filter((branch) => branch.children > 0 && (small || branch.level === 1)).map((branch) => branch.id));
    this.focused = this.branches[0]?.id ?? "";
    const errors = spans.filter((span) => span.error).length;
    const total = this.branches.length ? duration(Math.max(...this.branches.map((branch) => branch.end)) - Math.min(...this.branches.map((branch) => branch.start))) : "";
    const words = [count(spans.length, "span"), total, errors > 0 && count(errors, "error")].filter(Boolean).join(" · ");
    fill(this.element, el("p", { class: "aside" }, words, el("span", { class: "run" }, " run ", el("bdi", {}, this.run))), this.tree, this.detail);
    this.#draw();
  }

  #draw() {
    const shown = this.#visible();
    const start = Math.min(...this.branches.map((branch) => branch.start));
    const whole = Math.max(...this.branches.map((branch) => branch.end)) - start || 1;
    fill(this.tree, shown.map((branch) => this.#row(branch, start, whole)));
  }

  #visible() {
    /** @type {Set<string>} */
    const shown = new Set();
    return this.branches.filter((branch) => {
      const there = branch.parent === null || (shown.has(branch.parent) && this.opened.has(branch.parent));
      if (there) shown.add(branch.id);
      return there;
    });
  }

  /** @param {Branch} branch @param {number} start @param {number} whole */
  #row(branch, start, whole) {
    const { span } = branch;
    const open = branch.children > 0 ? String(this.opened.has(branch.id)) : null;
    const seconds = duration(branch.end - branch.start);
    const extra = extraOf(span);
    const row = el(
      "div",
      { class: `span level-${Math.min(branch.level, 8)}${span.error ? " bad" : ""}`, role: "treeitem", "aria-level": branch.level, "aria-setsize": branch.siblings, "aria-posinset": branch.place, "aria-expanded": open, "aria-selected": String(this.chosen === branch.id), tabindex: this.focused === branch.id ? "0" : "-1" },
      el("span", { class: "span-name" }, el("span", { class: "twist", "aria-hidden": "true", onclick: (/** @type {Event} */ event) => this.#toggle(branch, event) }, branch.children > 0 && icon("right")), el("span", { class: "span-kind" }, text(span.kind)), " ", el("bdi", {}, text(span.name)), extra && el("span", { class: "extra" }, ` ${extra}`), span.glance && el("bdi", { class: "glance" }, ` ${text(span.glance)}`), span.error ? el("span", { class: "span-error" }, icon("cross"), " error") : null),
      bar((branch.start - start) / whole, (branch.end - branch.start) / whole, Boolean(span.error)),
      el("span", { class: "span-time" }, seconds),
    );
    row.addEventListener("click", () => this.#choose(branch));
    row.dataset.at = String(this.branches.indexOf(branch));
    return row;
  }

  /** @param {Branch} branch @param {Event} [event] */
  #toggle(branch, event) {
    event?.stopPropagation();
    if (!this.opened.delete(branch.id)) this.opened.add(branch.id);
    this.#focus(branch);
  }

  /** @param {Branch} branch */
  #focus(branch) {
    this.focused = branch.id;
    this.#draw();
    /** @type {HTMLElement|null} */ (this.tree.querySelector('[tabindex="0"]'))?.focus();
  }

  /** @param {Branch} branch */
  async #choose(branch) {
    this.chosen = branch.id;
    this.#focus(branch);
    const detail = await spanDetail(this.run, branch.span);
    if (this.chosen !== branch.id) return;
    fill(this.detail, detail);
    this.element.classList.add("with-detail");
    this.tree.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    this.detail.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const shown = this.#visible();
    const at = shown.findIndex((branch) => branch.id === this.focused);
    const branch = shown[at];
    const doing = branch && this.#doing(event.key, shown, at, branch);
    if (!doing) return;
    event.preventDefault();
    event.stopPropagation();
    doing();
  }

  /**
   * What a key does in the tree, as trees of the desktop have it.
   * @param {string} key @param {Branch[]} shown @param {number} at @param {Branch} branch
   * @returns {(() => void)|undefined}
   */
  #doing(key, shown, at, branch) {
    const open = this.opened.has(branch.id);
    const to = (/** @type {Branch|undefined} */ other) => () => other && this.#focus(other);
    switch (key) {
      case "ArrowDown": return to(shown[at + 1]);
      case "ArrowUp": return to(shown[at - 1]);
      case "Home": return to(shown[0]);
      case "End": return to(shown.at(-1));
      case "ArrowRight": return branch.children && !open ? () => this.#toggle(branch) : to(branch.children ? shown[at + 1] : undefined);
      case "ArrowLeft": return branch.children && open ? () => this.#toggle(branch) : to(shown.find((other) => other.id === branch.parent));
      case "Enter":
      case " ": return () => void this.#choose(branch);
      default: return undefined;
    }
  }
}

/**
 * Draw a span's stretch of the whole time; shares are of the whole.
 * @param {number} from @param {number} share @param {boolean} bad
 */
function bar(from, share, bad) {
  const percent = (/** @type {number} */ value) => `${(Math.min(Math.max(value, 0), 1) * 100).toFixed(2)}%`;
  return drawn(
    "svg",
    { class: bad ? "bar bad" : "bar", "aria-hidden": "true", height: "10" },
    drawn("rect", { class: "lane", x: "0", y: "4.5", width: "100%", height: "1" }),
    drawn("rect", { class: "stretch", x: percent(Math.min(from, 0.995)), y: "1", width: percent(Math.max(share, 0.005)), height: "8", rx: "2" }),
  );
}
