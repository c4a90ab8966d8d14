/**
 * One span in full: prompt, reply, documents, or input and output as they were recorded.
 * @module span
 */

import * as api from "./api.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { extraOf, seconds } from "./spantree.js";
import { duration, list, text } from "./words.js";

/**
 * Fetch a span and show it, or why it cannot be.
 * @param {string} run @param {import("./contract.js").Span} span
 * @returns {Promise<import("./dom.js").Child>}
 */
export async function spanDetail(run, span) {
  try {
    return shown(span, await api.span(run, span.span));
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    return el("p", { class: "problem", role: "alert" }, icon("warning"), `The span could not be fetched. ${error.message}`);
  }
}

/** @param {import("./contract.js").Span} span @param {import("./contract.js").SpanDetail} detail */
function shown(span, detail) {
  const facts = [text(span.kind), duration(seconds(span.end) - seconds(span.start)), extraOf(span)];
  return el(
    "section",
    { class: "span-detail", "aria-label": "Chosen span" },
    el("h3", { dir: "auto" }, text(span.name)),
    el("p", { class: "aside" }, facts.filter(Boolean).join(" · ")),
    span.error ? block("Error", text(span.error), "bad") : null,
    list(detail.prompt).map((message) => block(`Prompt: ${text(message?.role)}`, text(message?.content))),
    detail.reply ? block("Reply", text(detail.reply)) : null,
    list(detail.documents).length > 0 && documents(list(detail.documents)),
    rest("Input", detail.input),
    rest("Output", detail.output),
  );
}

/** @param {{id: string, score: number, text: string}[]} found */
function documents(found) {
  const items = found.map((document) => {
    const score = Number(document?.score);
    return el("li", {}, el("p", { class: "aside" }, el("bdi", {}, text(document?.id)), Number.isFinite(score) && ` · ${score.toFixed(3)}`), el("p", { dir: "auto" }, text(document?.text)));
  });
  return el("div", { class: "block" }, el("h4", {}, "Documents"), el("ol", {}, items));
}

/** @param {string} heading @param {unknown} value */
function rest(heading, value) {
  return text(value) ? el("details", { class: "block" }, el("summary", {}, heading), el("pre", { dir: "auto", tabindex: "0" }, text(value))) : null;
}

/** @param {string} heading @param {string} words @param {string} [kind] */
function block(heading, words, kind = "") {
  return el("div", { class: `block ${kind}` }, el("h4", {}, heading), el("pre", { dir: "auto", tabindex: "0" }, words));
}
