/**
 * The evidence panel: what a citation cites, where it stands, and whose it is.
 * @module evidence
 */

import * as api from "./api.js";
import { add, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { outwards, picture, webAddress } from "./links.js";
import { openPanel } from "./panel.js";
import { pathViews } from "./path.js";
import { withQuote } from "./quote.js";
import { list, modalitySign, text } from "./words.js";

/** @typedef {Partial<import("./contract.js").Citation> & {evidence: string}} Cited */

/** Counts openings, so that a slow reply to an older one is not shown over a newer. */
let openings = 0;

/**
 * Open the panel on one of the citations of an answer.
 * @param {Cited[]} citations @param {number} at @param {HTMLElement} by What gets the focus back.
 */
export async function openEvidence(citations, at, by) {
  const cited = citations[at];
  const opening = (openings += 1);
  const body = el("div", { class: "evidence" }, el("p", { class: "loading" }, "Fetching the evidence…"));
  openPanel(text(cited.title) || "Evidence", body, by, citations.length > 1 ? turner(citations, at, by) : null);
  try {
    const found = await api.evidence(cited.evidence, list(cited.rows));
    if (opening !== openings) return;
    show(body, found, cited);
    seekCited(body);
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    fill(body, el("p", { class: "problem", role: "alert" }, icon("warning"), `The evidence could not be fetched. ${error.message}`), again(citations, at, by));
  }
}

/** @param {Cited[]} citations @param {number} at @param {HTMLElement} by */
function again(citations, at, by) {
  return el("button", { type: "button", class: "button", onclick: () => openEvidence(citations, at, by) }, icon("again"), "Try again");
}

/** @param {Cited[]} citations @param {number} at @param {HTMLElement} by */
function turner(citations, at, by) {
  const turn = (/** @type {number} */ step) => () => openEvidence(citations, (at + step + citations.length) % citations.length, by);
  return el(
    "div",
    { class: "turner", role: "group", "aria-label": "Citations of this answer" },
    el("button", { type: "button", class: "icon-button", "aria-label": "Previous citation", onclick: turn(-1) }, icon("left")),
    el("span", {}, `${at + 1} of ${citations.length}`),
    el("button", { type: "button", class: "icon-button", "aria-label": "Next citation", onclick: turn(1) }, icon("right")),
  );
}

/**
 * Make a page of a piece of evidence: what a link in a program's answer opens.
 * @param {import("./contract.js").Evidence} found
 */
export function evidenceArticle(found) {
  const body = el("div", { class: "evidence" });
  show(body, found, { evidence: "" });
  return el("article", { class: "piece-page", "aria-label": "Evidence" }, el("h2", { dir: "auto" }, el("bdi", {}, text(found.title))), body);
}

/** @param {HTMLElement} body @param {import("./contract.js").Evidence} found @param {Cited} cited */
function show(body, found, cited) {
  const sign = modalitySign(found.modality);
  const path = list(found.path).map((name) => el("li", {}, el("bdi", {}, text(name))));
  fill(
    body,
    el("p", { class: "kind" }, icon(sign.icon), `Cited ${sign.word}`),
    path.length > 0 && el("ol", { class: "path", "aria-label": "Section" }, path),
    cited.computation ? el("p", { class: "computation" }, icon("sum"), el("span", {}, "Computed: ", el("bdi", {}, text(cited.computation)))) : null,
    pathViews(found.base),
    content(found, text(cited.quote)),
    origin(found),
  );
}

/** @param {Element} within Brings what is cited into sight: a path, with its row in sight within the table, or the words. */
export function seekCited(within) {
  const target = within.querySelector("mark") ?? within.querySelector(".cited");
  target?.scrollIntoView({ block: "center", inline: "nearest" });
  within.querySelector(".path-picture")?.closest(".evidence")?.scrollIntoView({ block: "start" });
}

/** @param {import("./contract.js").Evidence} found @param {string} quote */
function content(found, quote) {
  if (found.table) return table(found.table);
  if (found.image) return image(found.image, quote);
  return section(found.section, quote);
}

/** @param {{pieces: import("./contract.js").Piece[]}|undefined} found @param {string} quote */
function section(found, quote) {
  const pieces = list(found?.pieces).map((piece) => {
    const cited = piece.cited === true;
    const words = cited ? withQuote(piece.text, quote) : [text(piece.text)];
    const label = cited && el("span", { class: "unseen" }, "Cited: ");
    return el("p", { class: cited ? "cited" : "around", "data-kind": piece.kind === "list" ? "list" : "paragraph", dir: "auto" }, label, el("bdi", {}, words));
  });
  return el("div", { class: "section prose" }, pieces);
}

/** @param {import("./contract.js").Table} found */
function table(found) {
  const header = el("tr", {}, el("th", { scope: "col", class: "number" }, "Row"), list(found.header).map((name) => el("th", { scope: "col" }, el("bdi", {}, text(name)))));
  const rows = list(found.rows).map((row) =>
    el(
      "tr",
      { class: row.cited === true ? "cited" : null, "aria-current": row.cited === true ? "true" : null },
      el("th", { scope: "row", class: "number" }, row.cited === true && el("span", { class: "pointer" }, "cited "), text(row.number)),
      list(row.cells).map((cell) => el("td", { dir: "auto" }, text(cell))),
    ),
  );
  const caption = text(found.caption);
  const left = Number(found.left_out);
  return el(
    "div",
    { class: "table" },
    el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption || "Table" }, el("table", {}, el("caption", { dir: "auto" }, caption || "Table without a caption"), el("thead", {}, header), el("tbody", {}, rows))),
    left > 0 && el("p", { class: "aside" }, `${left.toLocaleString("en")} other rows are left out here.`),
  );
}

/** @param {import("./contract.js").Picture} found @param {string} quote */
function image(found, quote) {
  const shown = picture(found.src, found.alt || found.caption);
  const frame = el("div", { class: "frame" });
  add(frame, [shown ?? el("p", { class: "aside" }, icon("image"), text(found.reason) || "There is no picture to show.")]);
  shown?.addEventListener("error", () => fill(frame, el("p", { class: "aside" }, icon("image"), "The picture could not be loaded.")));
  return el("figure", { class: "cited" }, frame, el("figcaption", { dir: "auto" }, el("bdi", {}, withQuote(found.caption, quote))));
}

/** @param {import("./contract.js").Evidence} found */
function origin(found) {
  const url = webAddress(found.url);
  const entries = [
    ["Source", sourceOf(found.id)],
    ["Page", text(found.title)],
    ["Section", list(found.path).map(text).join(" › ")],
    ["Revision", text(found.revision)],
    ["Licence", text(found.licence)],
    ["Attribution", text(found.attribution)],
    ["Evidence", text(found.id)],
  ];
  return el(
    "footer",
    { class: "origin" },
    el("h3", {}, "Where this is from"),
    el("dl", {}, entries.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("bdi", {}, value))))),
    url ? outwards(found.url, `Open this revision on ${url.host}`) : el("p", { class: "aside" }, found.base ? "This page is made of a knowledge base and has no address on the web." : "This page is of an archive and has no address on the web."),
  );
}

/** @param {unknown} id @returns {string} The wiki that an evidence id names. */
function sourceOf(id) {
  const [named] = text(id).split(":", 1);
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}
