/**
 * What stands under an answer: its references, how the sources fared, notes, and what to do with it.
 * @module answer
 */

import * as api from "./api.js";
import { announce } from "./announce.js";
import { copyText } from "./clipboard.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { sourceList } from "./steps.js";
import { count, list, modalitySign, stopWords, text, verdictSign } from "./words.js";

/** @typedef {{open: import("./claims.js").Open, retry: () => void}} Does */

/**
 * Make the foot of an answer.
 * @param {import("./contract.js").Answer} answer @param {"up"|"down"|null} thumb @param {Does} does
 */
export function answerFoot(answer, thumb, does) {
  const notes = list(answer.notes).map((note) => el("li", {}, el("bdi", {}, text(note))));
  const missing = list(answer.perhaps_unanswered).map(text).join(", ");
  return [
    missing && el("p", { class: "lacking" }, icon("half"), el("span", {}, "Asked for and perhaps not answered: ", el("bdi", {}, missing))),
    unfound(answer),
    needs(answer),
    unsaid(answer),
    notes.length > 0 && el("ul", { class: "notes", "aria-label": "Notes" }, notes),
    references(answer, does),
    actions(answer, thumb, does),
  ];
}

/** @param {import("./contract.js").Answer} answer */
function unfound(answer) {
  const named = list(answer.not_found).map(text).filter(Boolean).join("; ");
  return named && el("p", { class: "lacking" }, icon("half"), el("span", {}, "Not found: ", el("bdi", {}, named)));
}

/** @param {import("./contract.js").Answer} answer What was asked for in all; one need is the question, which stands above. */
function needs(answer) {
  const all = list(answer.needs);
  if (all.length < 2) return null;
  const open = all.filter((need) => need.met !== true).length;
  const items = all.map((need) => el("li", { class: need.met === true ? "mute" : "warn" }, icon(need.met === true ? "tick" : "ring"), el("span", {}, el("span", { class: "unseen" }, need.met === true ? "Met: " : "Open: "), el("bdi", {}, text(need.text)))));
  return el("details", { class: "references needs" }, el("summary", {}, `${count(all.length, "need")}, ${open ? `${open} open` : "all met"}`), el("ul", {}, items));
}

/** @param {import("./contract.js").Answer} answer */
function unsaid(answer) {
  const items = list(answer.not_said).map((claim) => el("li", {}, el("bdi", {}, text(claim.text)), ` (${[verdictSign(claim.verdict).word.toLowerCase(), text(claim.reason)].filter(Boolean).join(": ")})`));
  return items.length > 0 && el("details", { class: "references unsaid" }, el("summary", {}, `Not said: ${count(items.length, "claim")} did not pass the check`), el("ul", {}, items));
}

/** @param {import("./contract.js").Answer} answer @param {Does} does */
function references(answer, does) {
  const items = list(answer.citations).map((citation) => {
    const sign = modalitySign(citation.modality);
    const where = [citation.title, citation.section].map(text).filter(Boolean).join(" › ");
    const rights = [citation.licence, citation.attribution].map(text).filter(Boolean).join(", ");
    const open = (/** @type {Event} */ event) => does.open(citation, /** @type {HTMLElement} */ (event.currentTarget));
    return el(
      "li",
      {},
      el("span", { class: "marker" }, text(citation.marker)),
      el("div", {}, el("button", { type: "button", class: "reference", onclick: open }, icon(sign.icon), el("span", { class: "unseen" }, `Open ${sign.word}: `), el("bdi", {}, where)), rights && el("p", { class: "rights" }, el("bdi", {}, rights))),
    );
  });
  const ended = text(answer.stop_reason) && `Stopped because ${stopWords(answer.stop_reason)}.`;
  const how = answer.mode === "llm" ? "Written by a language model; each claim was checked against what it cites." : "Quoted and computed from the sources, without a language model.";
  return el(
    "details",
    { class: "references" },
    el("summary", {}, items.length ? count(items.length, "reference") : "About this answer"),
    items.length > 0 && el("ol", {}, items),
    list(answer.sources).length > 0 && sourceList(answer.sources),
    el("p", { class: "aside" }, `${how} A verdict says how a claim stands to its source; whether it answers the question is yours to judge. ${ended}`),
  );
}

/** @param {import("./contract.js").Answer} answer @param {"up"|"down"|null} thumb @param {Does} does */
function actions(answer, thumb, does) {
  const copy = el("button", { type: "button", class: "quiet copy" }, icon("copy"), el("span", {}, "Copy as Markdown"));
  copy.addEventListener("click", () => copied(copy, text(answer.markdown)));
  return el(
    "div",
    { class: "actions row", role: "group", "aria-label": "This answer" },
    copy,
    el("button", { type: "button", class: "quiet again", onclick: does.retry }, icon("again"), "Ask again"),
    thumbs(text(answer.run), thumb),
  );
}

/** @param {HTMLElement} button @param {string} markdown */
async function copied(button, markdown) {
  if (!(await copyText(markdown, button))) return;
  announce("Copied as Markdown with references.");
  fill(button, icon("tick"), el("span", {}, "Copied"));
  setTimeout(() => fill(button, icon("copy"), el("span", {}, "Copy as Markdown")), 2500);
}

/** @param {string} run @param {"up"|"down"|null} given */
function thumbs(run, given) {
  let now = given;
  const said = el("span", { class: "aside", role: "status" });
  const buttons = /** @type {const} */ (["up", "down"]).map((thumb) => el("button", { type: "button", class: "icon-button", "data-thumb": thumb, "aria-label": thumb === "up" ? "Good answer" : "Bad answer", onclick: () => press(thumb) }, icon(thumb)));
  const show = () => buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.thumb === now)));
  const press = async (/** @type {"up"|"down"} */ thumb) => {
    const wanted = now === thumb ? null : thumb;
    try {
      await api.rate(run, wanted);
      now = wanted;
      said.textContent = wanted ? "Noted" : "Taken back";
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      said.textContent = `Not noted: ${error.message}`;
    }
    show();
  };
  show();
  return el("span", { class: "thumbs" }, buttons, said);
}
