/**
 * Claims of an answer: the sentence, its verdict in the margin, and a chip for each citation.
 * @module claims
 */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { list, modalitySign, text, verdictSign } from "./words.js";

const TAGS = new Set(["strong", "em", "code"]);
const DEEPEST = 12;

/** @typedef {(citation: import("./contract.js").Citation, opener: HTMLElement) => void} Open */

/**
 * Show one claim.
 * @param {import("./contract.js").Claim} claim @param {Open} open
 * @returns {HTMLLIElement}
 */
export function claimItem(claim, open) {
  const words = list(claim.nodes).length ? list(claim.nodes).map((node) => sentence(node, 0)) : [text(claim.text)];
  return el(
    "li",
    { class: "claim" },
    el("p", { class: "words", dir: "auto" }, el("bdi", {}, words), " ", list(claim.citations).map((citation) => chip(citation, open))),
    " ",
    verdict(claim.verdict),
  );
}

/**
 * Show a verdict by its word and its icon.
 * @param {unknown} given
 */
export function verdict(given) {
  const sign = verdictSign(given);
  return el("span", { class: `verdict ${sign.kind}`, title: `${sign.word}: ${sign.says}` }, icon(sign.icon), el("span", {}, sign.word));
}

/**
 * Make the chip that opens what a citation cites.
 * @param {import("./contract.js").Citation} citation @param {Open} open
 */
export function chip(citation, open) {
  const modality = modalitySign(citation.modality);
  const weak = citation.verdict !== undefined && !["quoted", "supported", "computed"].includes(citation.verdict);
  const where = [citation.title, citation.section].map(text).filter(Boolean).join(", ");
  const judged = citation.verdict === undefined ? "" : `; ${verdictSign(citation.verdict).word.toLowerCase()}`;
  return el(
    "button",
    {
      class: weak ? "chip weak" : "chip",
      type: "button",
      "aria-label": `Citation ${text(citation.marker)}: ${modality.word}, ${where}${judged}`,
      title: where,
      onclick: (/** @type {Event} */ event) => open(citation, /** @type {HTMLElement} */ (event.currentTarget)),
    },
    icon(modality.icon),
    el("span", {}, text(citation.marker)),
    weak && el("span", { class: "chip-sign" }, icon(verdictSign(citation.verdict).icon)),
  );
}

/**
 * Turn a node of sanitised Markdown into text or one of five elements; of anything else only its text is left.
 * @param {any} node @param {number} depth
 * @returns {import("./dom.js").Child}
 */
function sentence(node, depth) {
  if (typeof node !== "object" || node === null || depth > DEEPEST) return "";
  if (!("tag" in node)) return text(node.text);
  const inner = list(node.nodes).map((child) => sentence(child, depth + 1));
  return TAGS.has(node.tag) ? el(node.tag, {}, inner) : inner;
}
