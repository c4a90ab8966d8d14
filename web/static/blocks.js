/**
 * The parts of an answer that is more than a paragraph: headings, lists, tables, pictures, calculations.
 * @module blocks
 */

import { chip, claimItem } from "./claims.js";
import { add, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { picture } from "./links.js";
import { list, text } from "./words.js";

const DEEPEST = 5;

/**
 * Show the parts of an answer in their order.
 * @param {import("./contract.js").Answer} answer @param {import("./claims.js").Open} open
 * @returns {HTMLElement[]}
 */
export function blockViews(answer, open) {
  return list(answer.blocks).map((block) => el("section", { class: `part ${kindOf(block)}` }, view(block, answer, open)));
}

/** @param {import("./contract.js").Block} block @param {import("./contract.js").Answer} answer @param {import("./claims.js").Open} open */
function view(block, answer, open) {
  const said = list(block.claims).map((place) => list(answer.claims)[place]).filter(Boolean);
  const claims = said.length > 0 && el("ol", { class: block.kind === "list" ? "claims listed" : "claims" }, said.map((claim) => claimItem(claim, open)));
  switch (block.kind) {
    case "heading": return heading(block);
    case "table": return [claims, table(block, open)];
    case "figure": return [claims, figure(block.figure, open)];
    case "calculation": return [claims, computed(said, answer)];
    default: return claims;
  }
}

/** @param {import("./contract.js").Block} block The question is an h2, so a title is an h3. */
function heading(block) {
  const level = Math.min(DEEPEST, Math.max(1, Number(block.level) || 1) + 2);
  return el(level === 3 ? "h3" : level === 4 ? "h4" : "h5", { class: "part-title", dir: "auto" }, el("bdi", {}, text(block.text)));
}

/** @param {import("./contract.js").Block} block @param {import("./claims.js").Open} open */
function table(block, open) {
  const header = el("tr", {}, list(block.header).map((name) => el("th", { scope: "col" }, el("bdi", {}, text(name)))));
  const rows = list(block.rows).map((row) => el("tr", {}, list(row).map((cell) => el("td", { dir: "auto" }, el("bdi", {}, text(cell.text)), " ", list(cell.citations).map((citation) => chip(citation, open))))));
  const caption = text(block.text);
  return el("div", { class: "table" }, el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption || "Table" }, el("table", {}, caption && el("caption", { dir: "auto" }, caption), el("thead", {}, header), el("tbody", {}, rows))));
}

/** @param {import("./contract.js").ShownFigure|null} figure @param {import("./claims.js").Open} open */
function figure(figure, open) {
  if (!figure) return null;
  const shown = picture(figure.src, figure.caption);
  const frame = el("div", { class: "frame" });
  add(frame, [shown ?? missing()]);
  shown?.addEventListener("error", () => fill(frame, missing()));
  const owed = text(figure.licence);
  return el("figure", {}, frame, el("figcaption", { dir: "auto" }, el("bdi", {}, text(figure.caption)), " ", list(figure.citations).map((citation) => chip(citation, open)), owed && el("span", { class: "rights" }, " ", el("bdi", {}, owed))));
}

function missing() {
  return el("p", { class: "aside" }, icon("image"), "The picture could not be loaded.");
}

/** @param {import("./contract.js").Claim[]} said @param {import("./contract.js").Answer} answer */
function computed(said, answer) {
  const markers = new Set(said.flatMap((claim) => list(claim.citations).map((citation) => citation.marker)));
  const hows = list(answer.citations).filter((citation) => citation.computation && markers.has(citation.marker));
  return hows.map((citation) => el("p", { class: "computation" }, icon("sum"), el("span", {}, "Computed: ", el("bdi", {}, text(citation.computation)))));
}

/** @param {import("./contract.js").Block} block Its kind as a class; of anything else a paragraph. */
function kindOf(block) {
  return ["heading", "list", "table", "figure", "calculation"].includes(block.kind) ? `part-${block.kind}` : "part-paragraph";
}
