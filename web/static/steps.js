/**
 * The steps of a question, round by round, as they happen or as the answer's record has them.
 * @module steps
 */

import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { count, duration, list, modalitySign, sourceSign, text } from "./words.js";

const FIRST_QUERIES = 8;

/** Rounds with what was searched for, who answered, what was read, what was found, and what is missing. */
export class Steps {
  /** @param {(found: import("./contract.js").Found, opener: HTMLElement) => void} open Shows a piece of evidence. */
  constructor(open) {
    this.open = open;
    /** @type {Map<string, Map<string, HTMLElement>>} */
    this.rounds = new Map();
    this.summary = el("span", { class: "summary-words" }, "Starting");
    this.now = el("p", { class: "now", dir: "auto" });
    this.host = el("ol", { class: "rounds" });
    this.element = el("details", { class: "steps", open: true }, el("summary", {}, el("span", { class: "beacon", "aria-hidden": "true" }), this.summary), this.now, this.host);
  }

  /** @param {string} words What is happening now. */
  say(words) {
    this.summary.textContent = words;
  }

  /** @param {string} words A line of progress. */
  progress(words) {
    this.now.textContent = words;
  }

  /** @param {unknown} round @param {string[]} queries */
  queries(round, queries) {
    const all = list(queries).map((query) => el("li", { class: "query" }, el("bdi", {}, text(query))));
    const hidden = all.slice(FIRST_QUERIES);
    const rest = el("button", { type: "button", class: "quiet small" }, `and ${hidden.length} more`);
    rest.addEventListener("click", () => {
      rest.closest("li")?.replaceWith(...hidden);
    });
    const shown = el("ul", { class: "queries" }, all.slice(0, FIRST_QUERIES), hidden.length > 0 && el("li", {}, rest));
    this.#put(round, "queries", "search", "Searched for", shown);
  }

  /** @param {unknown} round @param {import("./contract.js").Source[]} sources */
  sources(round, sources) {
    this.#put(round, "sources", "source", "Sources", sourceList(sources));
  }

  /** @param {unknown} round @param {string[]} titles */
  documents(round, titles) {
    const names = list(titles).map((title) => el("li", {}, el("bdi", {}, text(title))));
    this.#put(round, "documents", "page", "Read", names.length ? el("ul", { class: "inline" }, names) : el("p", {}, "nothing new"));
  }

  /** @param {unknown} round @param {unknown} number @param {import("./contract.js").Found[]} best */
  evidence(round, number, best) {
    const pieces = list(best).map((found) => el("li", {}, this.#piece(found)));
    const body = [el("p", {}, count(number, "piece"), pieces.length > 0 && "; the best:"), pieces.length > 0 && el("ul", { class: "best" }, pieces)];
    this.#put(round, "evidence", "found", "Evidence", ...body);
  }

  /** @param {unknown} round @param {unknown} sufficient @param {string[]} missing */
  verdict(round, sufficient, missing) {
    const lacking = list(missing).map((what) => el("li", {}, el("bdi", {}, text(what))));
    const words = sufficient === true ? "The evidence is enough." : "Not enough yet.";
    const open = sufficient === true ? " Still open:" : " Missing:";
    const body = [el("p", {}, words, lacking.length > 0 && open), lacking.length > 0 && el("ul", { class: "inline missing" }, lacking)];
    this.#put(round, "verdict", sufficient === true ? "tick" : "scales", "Verdict", el("div", { class: "verdict-step" }, ...body));
  }

  /**
   * Close the steps over an answer, and fill in what no event had told.
   * @param {import("./contract.js").Answer} answer
   */
  close(answer) {
    for (const round of list(answer.rounds)) this.#complete(round);
    const rounds = list(answer.rounds);
    const pages = new Set(rounds.flatMap((round) => list(round.documents).map(text))).size;
    const queries = rounds.reduce((sum, round) => sum + list(round.queries).length, 0);
    this.say([count(rounds.length, "round"), count(queries, "query", "queries"), count(pages, "page"), duration(answer.seconds)].filter(Boolean).join(" · "));
    this.end();
  }

  /** End what moves; an end without an answer leaves the steps open to read. */
  end() {
    this.now.textContent = "";
    this.element.classList.add("done");
  }

  /** @param {import("./contract.js").Round} round */
  #complete(round) {
    const has = this.rounds.get(String(round.number));
    if (!has?.has("queries")) this.queries(round.number, round.queries);
    if (!has?.has("documents")) this.documents(round.number, round.documents);
    if (!has?.has("evidence")) this.evidence(round.number, round.evidence, []);
    if (!has?.has("verdict")) this.verdict(round.number, round.sufficient, round.missing);
  }

  /** @param {import("./contract.js").Found} found */
  #piece(found) {
    const sign = modalitySign(found.modality);
    const where = [found.title, found.section].map(text).filter(Boolean).join(" › ");
    const score = Number(found.score);
    return el(
      "button",
      { type: "button", class: "piece", onclick: (/** @type {Event} */ event) => this.open(found, /** @type {HTMLElement} */ (event.currentTarget)) },
      icon(sign.icon),
      el("span", { class: "unseen" }, `${sign.word}: `),
      el("bdi", {}, where),
      Number.isFinite(score) && el("span", { class: "score" }, el("span", { class: "unseen" }, ", score "), score.toFixed(2)),
    );
  }

  /** @param {unknown} round @param {string} what @param {import("./icons.js").IconName} sign @param {string} label @param {...import("./dom.js").Child} body */
  #put(round, what, sign, label, ...body) {
    const rows = this.#round(String(round));
    let row = rows.get(what);
    if (!row) {
      row = el("div", { class: "step" }, icon(sign), el("h4", {}, label), el("div", { class: "step-body" }));
      rows.set(what, row);
      this.host.lastElementChild?.append(row);
    }
    fill(/** @type {Element} */ (row.lastElementChild), ...body);
  }

  /** @param {string} round */
  #round(round) {
    let rows = this.rounds.get(round);
    if (!rows) {
      rows = new Map();
      this.rounds.set(round, rows);
      this.host.append(el("li", { class: "round" }, el("h3", {}, el("bdi", {}, `Round ${round}`))));
    }
    return rows;
  }
}

/**
 * List sources, each with its state in words.
 * @param {import("./contract.js").Source[]} sources
 */
export function sourceList(sources) {
  const items = list(sources).map((source) => {
    const sign = sourceSign(source.status);
    const detail = text(source.detail);
    return el("li", { class: `source ${sign.kind}` }, icon(sign.icon), el("bdi", {}, text(source.name)), ` ${sign.word}`, detail && el("span", { class: "detail" }, ": ", el("bdi", {}, detail)));
  });
  return el("ul", { class: "sources" }, items);
}
