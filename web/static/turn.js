/**
 * One question and what became of it: its steps, its answer with the trace beside it, or why there is none.
 * @module turn
 */

import { answerFoot } from "./answer.js";
import { blockViews } from "./blocks.js";
import { claimItem } from "./claims.js";
import { el, fill } from "./dom.js";
import { openEvidence } from "./evidence.js";
import { icon } from "./icons.js";
import { Steps } from "./steps.js";
import { tabList } from "./tabs.js";
import { TraceView } from "./trace.js";
import { list, text } from "./words.js";

/** The view of a turn; what happens to it comes from outside. */
export class TurnView {
  /** @param {string} typed @param {(question: string) => void} retry Asks a question again. */
  constructor(typed, retry) {
    this.typed = typed;
    this.retry = retry;
    this.run = "";
    this.finished = false;
    /** @type {import("./contract.js").Citation[]} */
    this.citations = [];
    this.asked = el("p", { class: "asked", hidden: true });
    this.steps = new Steps((found, by) => openEvidence([{ evidence: found.id, title: found.title }], 0, by));
    this.claims = el("ol", { class: "claims", "aria-label": "Claims of the answer" });
    this.parts = el("div", { class: "parts" });
    this.unsure = el("div", {});
    this.notice = el("div", { class: "notices" });
    this.foot = el("div", { class: "foot" });
    this.tabs = el("div", { class: "tab-host" });
    this.body = el("div", { class: "answer" }, this.steps.element, this.unsure, this.claims, this.parts, this.notice, this.foot);
    this.element = el(
      "article",
      { class: "turn", "aria-label": "Question and answer", tabindex: "-1" },
      el("h2", { class: "question", dir: "auto" }, el("span", { class: "unseen" }, "Question: "), el("bdi", {}, typed)),
      this.asked,
      this.tabs,
      this.body,
    );
  }

  /** @param {string} asked The question as it stands alone. @param {string} open What of it is not known. */
  understood(asked, open) {
    const parts = [];
    if (asked && asked !== this.typed) parts.push("Understood as: ", el("bdi", {}, asked));
    if (open) parts.push(parts.length ? " " : "", el("span", { class: "open-words" }, "Not known what is meant by: ", el("bdi", {}, open)));
    fill(this.asked, ...parts);
    this.asked.hidden = parts.length === 0;
  }

  /** Begin again: the events come anew from the first. */
  restart() {
    this.finished = false;
    this.citations = [];
    fill(this.claims);
    fill(this.parts);
    fill(this.unsure);
    this.steps.element.hidden = false;
    this.waiting("");
  }

  /** @param {import("./contract.js").Claim} claim The next one of the answer. */
  claim(claim) {
    this.claims.append(claimItem(claim, this.#open));
    this.citations.push(...list(claim.citations).filter((citation) => !this.citations.some((known) => known.marker === citation.marker)));
  }

  /** @param {import("./contract.js").Answer} answer @param {"up"|"down"|null} thumb */
  answered(answer, thumb) {
    this.run = text(answer.run);
    this.citations = list(answer.citations);
    const parts = blockViews(answer, this.#open);
    fill(this.parts, parts);
    fill(this.unsure, text(answer.hedge) && el("p", { class: "lacking" }, icon("half"), `${text(answer.hedge)}this may not be what was asked for.`));
    fill(this.claims, parts.length === 0 && list(answer.claims).map((claim) => claimItem(claim, this.#open)));
    this.steps.close(answer);
    this.steps.element.open = false;
    this.#end();
    if (answer.abstained === true) this.#abstained(answer);
    else if (!parts.length && !list(answer.claims).length) this.claims.append(el("li", { class: "claim" }, el("p", { class: "words", dir: "auto" }, el("bdi", {}, text(answer.text)))));
    fill(this.foot, answerFoot(answer, thumb, { open: this.#open, retry: () => this.retry(this.typed) }));
    this.#withTrace();
  }

  /**
   * Say why there is no answer and what to do next.
   * @param {string} heading @param {import("./dom.js").Child} words @param {import("./dom.js").Child} actions
   */
  ended(heading, words, actions = this.again()) {
    this.steps.say(heading);
    this.steps.end();
    this.steps.element.hidden = this.steps.rounds.size === 0;
    this.#end();
    fill(this.notice, el("div", { class: "notice", role: "alert" }, icon("warning"), el("div", {}, el("h3", {}, heading), el("p", { dir: "auto" }, words), el("div", { class: "row" }, actions))));
    if (this.run) this.#withTrace();
  }

  /** @param {import("./dom.js").Child} words A line while the work goes on, such as a connection that broke. */
  waiting(words) {
    fill(this.notice, words && el("p", { class: "waiting", role: "status" }, icon("clock"), words));
  }

  /** A button that asks the question again. */
  again() {
    return el("button", { type: "button", class: "button again", onclick: () => this.retry(this.typed) }, icon("again"), "Ask again");
  }

  #end() {
    this.finished = true;
    this.element.classList.add("finished");
    this.waiting("");
  }

  /** @param {import("./contract.js").Answer} answer */
  #abstained(answer) {
    const next = "Ask it in other words, name the thing in full, or look at the steps above for what was missing.";
    fill(
      this.notice,
      el("div", { class: "notice calm" }, icon("ring"), el("div", {}, el("h3", {}, "No answer: the evidence does not carry one"), el("p", { dir: "auto" }, el("bdi", {}, text(answer.text))), el("p", { class: "aside" }, next))),
    );
    this.steps.element.open = true;
  }

  #withTrace() {
    if (this.tabs.childElementCount || !this.run) return;
    const trace = new TraceView(this.run);
    this.body.after(trace.element);
    const { element } = tabList("Answer or trace", [
      { name: this.citations.length || this.claims.childElementCount ? "Answer" : "Result", panel: this.body },
      { name: "Trace", panel: trace.element, shown: () => trace.load() },
    ]);
    this.tabs.append(element);
  }

  /** @param {Partial<import("./contract.js").Citation> & {evidence: string}} citation @param {HTMLElement} by */
  #open = (citation, by) => {
    const at = this.citations.findIndex((known) => known.marker === citation.marker);
    openEvidence(at < 0 ? [citation] : this.citations, Math.max(at, 0), by);
  };
}
