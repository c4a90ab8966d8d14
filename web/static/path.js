/**
 * Paths of a knowledge base as small pictures: entities are boxes, relations are arrows between them.
 * A picture is as wide as its place and grows downwards, so that its words keep their size.
 * @module path
 */

import { drawn, el } from "./dom.js";
import { icon } from "./icons.js";
import { inside } from "./links.js";
import { count, list, short, text } from "./words.js";

/** Characters of a line in a box, and of a relation beside its arrow. */
const LINE = 38;
/** Lines of a name. */
const LINES = 2;
const ROW = 19;
const GAP = 40;
const PAD = 8;
/** Pictures that are not folded up. */
const MOST = 3;
/** Where arrows run. */
const LANE = 22;

/**
 * Show the paths of a row, what their relations say, and how they are known; nothing for what is no path.
 * @param {import("./contract.js").StatedPaths|undefined} base
 */
export function pathViews(base) {
  if (!base) return null;
  const paths = list(base.paths);
  const lost = paths.some((path) => list(path.steps).some((step) => step.found === false));
  const how = base.computed === true ? "Computed by the plan over the base; each row is a path." : "A relation of the base.";
  return el(
    "section",
    { class: "stated-paths", "aria-label": paths.length > 1 ? "Paths" : "Path" },
    paths.slice(0, MOST).map((path) => figure(path, base)),
    paths.length > MOST && el("details", { class: "references" }, el("summary", {}, count(paths.length - MOST, "more path")), paths.slice(MOST).map((path) => figure(path, base))),
    el("p", { class: lost ? "kind warn" : "kind" }, icon(lost ? "warning" : "graph"), el("span", {}, how, " ", paths.length > 0 && looked(base, lost))),
  );
}

/** @param {import("./contract.js").StatedPaths} base @param {boolean} lost */
function looked(base, lost) {
  if (!text(base.served)) return "The base is not read here: which way a relation goes is shown only where the row says it.";
  return lost ? "The base as it is now does not have all of it." : "The base has each of its relations.";
}

/** @param {import("./contract.js").StatedPath} path @param {import("./contract.js").StatedPaths} base */
function figure(path, base) {
  const said = list(path.steps).map((step) => text(step.text)).filter(Boolean);
  const served = text(base.served);
  const links = list(path.nodes).filter((node) => served && text(node.id));
  return el(
    "figure",
    { class: "path-picture" },
    /** @type {HTMLElement} */ (/** @type {unknown} */ (picture(path))),
    el(
      "figcaption",
      {},
      said.map((words) => el("p", { dir: "auto" }, el("bdi", {}, `“${words}”`))),
      links.length > 0 && el("p", { class: "aside" }, "Look into ", links.map((node, place) => [place > 0 && ", ", inside(["b", served, text(node.id)], el("bdi", {}, text(node.name)))])),
    ),
  );
}

/**
 * Draw a path; its words are read out as sentences.
 * @param {import("./contract.js").StatedPath} path
 */
export function picture(path) {
  const nodes = list(path.nodes);
  const steps = list(path.steps);
  const parts = [];
  let top = 1;
  for (const [place, node] of nodes.entries()) {
    if (place > 0) {
      parts.push(arrow(steps[place - 1], top));
      top += GAP;
    }
    const drawnBox = box(node, top, place === 0);
    parts.push(drawnBox.element);
    top += drawnBox.height;
  }
  return drawn("svg", { class: "path-svg", role: "img", "aria-label": sentences(path), width: "100%", height: String(top + 1) }, ...parts);
}

/**
 * Say a path in words, each relation in the direction in which it holds.
 * @param {import("./contract.js").StatedPath} path
 */
export function sentences(path) {
  const names = list(path.nodes).map((node) => (text(node.type) ? `${text(node.name)} (${text(node.type)})` : text(node.name)));
  const said = list(path.steps).map((step, place) => {
    const [here, there] = [names[place], names[place + 1]];
    const lost = step.found === false ? ", which is not in the base now" : "";
    if (step.forward === true) return `${here}, ${text(step.relation)}, ${there}${lost}`;
    if (step.forward === false) return `${there}, ${text(step.relation)}, ${here}${lost}`;
    return `${here} and ${there}, ${text(step.relation)}${lost}`;
  });
  return `Path: ${said.join("; ")}`;
}

/** @param {import("./contract.js").PathNode} node @param {number} top @param {boolean} first */
function box(node, top, first) {
  const name = lines(text(node.name));
  const kind = text(node.type);
  const height = 2 * PAD + ROW * name.length + (kind ? ROW - 3 : 0);
  const words = name.map((line, place) => said(line, 14, top + PAD + 14 + ROW * place, "path-name"));
  if (kind) words.push(said(short(kind, LINE), 14, top + height - PAD - 4, "path-type"));
  const frame = drawn("rect", { x: "1", y: String(top), width: "99%", height: String(height), rx: "8" });
  return { element: drawn("g", { class: first ? "path-node first" : "path-node" }, frame, ...words), height };
}

/** @param {import("./contract.js").PathStep|undefined} step @param {number} top */
function arrow(step, top) {
  const [begin, end] = [top + 3, top + GAP - 3];
  const lost = step?.found === false;
  const parts = [drawn("path", { class: "path-line", d: `M${LANE} ${begin}V${end}` })];
  if (step?.forward === true) parts.push(drawn("path", { class: "path-head", d: `M${LANE - 4.5} ${end - 8}L${LANE} ${end}L${LANE + 4.5} ${end - 8}z` }));
  if (step?.forward === false) parts.push(drawn("path", { class: "path-head", d: `M${LANE - 4.5} ${begin + 8}L${LANE} ${begin}L${LANE + 4.5} ${begin + 8}z` }));
  const words = short(step?.relation, LINE) + (lost ? " (not in the base now)" : "");
  return drawn("g", { class: lost ? "path-step lost" : "path-step" }, ...parts, said(words, LANE + 14, top + GAP / 2 + 4, "path-relation"));
}

/** @param {string} words @param {number} x @param {number} y @param {string} kind */
function said(words, x, y, kind) {
  const made = drawn("text", { class: kind, x: String(x), y: String(y) });
  made.textContent = words;
  return made;
}

/** @param {string} name Broken between words; what is too long ends in an ellipsis. */
function lines(name) {
  const found = [""];
  for (const word of short(name, LINE * LINES).split(" ")) {
    const last = found[found.length - 1];
    const more = last ? `${last} ${word}` : word;
    if (more.length <= LINE || !last) found[found.length - 1] = more;
    else found.push(word);
  }
  return found.slice(0, LINES).map((line, place) => (line.length > LINE || (place === LINES - 1 && found.length > LINES) ? `${line.slice(0, LINE - 1)}…` : line));
}
