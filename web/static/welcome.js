/**
 * What an empty conversation shows: what this is, what it reads, and questions to begin with.
 * @module welcome
 */

import { el } from "./dom.js";
import { list, text } from "./words.js";

const DEMO = [
  "How near to the centre of Jupiter did the probe come whose picture revealed the plume of Pele?",
  "How many years of uninterrupted sunshine does a pole of Uranus get?",
  "How many kilograms of lunar samples did the six Apollo landings bring home altogether?",
];

/**
 * Greet; questions are offered for the demo archive only, since of another it is not known what it holds.
 * @param {import("./contract.js").About|null} about @param {(question: string) => void} write
 */
export function welcome(about, write) {
  const sources = list(about?.sources).map(text);
  const questions = (about?.preset === "demo" || sources.some((name) => name === "demo" || name === "zim:demo")) ? DEMO : [];
  const offered = questions.map((question) => el("li", {}, el("button", { type: "button", class: "offer", onclick: () => write(question) }, question)));
  return el(
    "section",
    { class: "welcome" },
    el("h2", {}, "Ask, and see what the answer rests on"),
    el("p", {}, "Every claim is checked against the paragraph, the table row or the picture that it cites before you see it. Open a citation to read it where it stands."),
    sources.length > 0 && el("p", { class: "aside" }, "Reads ", el("bdi", {}, sources.join(", ")), about?.mode === "llm" ? [" · answers by ", el("bdi", {}, text(about.model) || "a language model")] : " · answers by quoting, without a language model"),
    offered.length > 0 && el("ul", { class: "offers", "aria-label": "Questions to begin with" }, offered),
  );
}
