/**
 * The explorer of knowledge bases: what a base holds, its entities by words, and an entity with its neighbours.
 * @module explorer
 */

import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { inside } from "./links.js";
import { count, list, text } from "./words.js";

/** Neighbours or entities that are fetched at once. */
const AT_ONCE = 20;

/**
 * Fetch and show a base, or an entity of it.
 * @param {string} base @param {string|null} id
 * @returns {Promise<{heading: string, element: HTMLElement}>}
 */
export async function explorerView(base, id) {
  const told = await api.base(base);
  if (id === null) return { heading: `Knowledge base ${base}`, element: basePage(base, told) };
  const found = await api.entity(base, id);
  return { heading: text(found.name), element: entityPage(base, told, found) };
}

/**
 * Make the links to the bases of a server.
 * @param {unknown} bases
 */
export function baseLinks(bases) {
  const names = list(/** @type {string[]} */ (bases)).map(text);
  if (!names.length) return null;
  return [el("p", { class: "aside", id: "bases-title" }, "Knowledge bases"), el("ul", { "aria-labelledby": "bases-title" }, names.map((name) => el("li", { class: "entry" }, inside(["b", name], el("bdi", {}, name)))))];
}

/** @param {string} base @param {import("./contract.js").Base} told */
function basePage(base, told) {
  const results = el("div", { class: "results" });
  const search = searchForm(base, told, results);
  const kinds = list(told.types).map((kind) =>
    el("li", {}, el("button", { type: "button", class: "button small", onclick: () => search.of(text(kind.type)) }, el("bdi", {}, text(kind.type)), el("span", { class: "aside" }, ` ${Number(kind.entities).toLocaleString("en")}`))),
  );
  const rows = list(told.schema).map((kind) => el("tr", {}, [kind.source, kind.relation, kind.target].map((name) => el("td", { dir: "auto" }, text(name))), el("td", { class: "figure" }, Number(kind.triples).toLocaleString("en"))));
  const header = el("tr", {}, ["From", "Relation", "To", "How many"].map((name) => el("th", { scope: "col" }, name)));
  const left = Number(told.left_out);
  return el(
    "article",
    { class: "piece-page explorer", "aria-label": "Knowledge base" },
    el("h2", { dir: "auto" }, "Knowledge base ", el("bdi", {}, base)),
    search.element,
    results,
    el("h3", {}, "Types of entities"),
    el("ul", { class: "row kinds" }, kinds),
    el("h3", {}, "Relations"),
    el("div", { class: "table" }, el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Relations" }, el("table", {}, el("thead", {}, header), el("tbody", {}, rows))), left > 0 && el("p", { class: "aside" }, `${left.toLocaleString("en")} rarer kinds are left out here.`)),
    list(told.remarks).length > 0 && el("ul", { class: "notes", "aria-label": "Remarks" }, list(told.remarks).map((line) => el("li", {}, el("bdi", {}, text(line))))),
  );
}

/** @param {string} base @param {import("./contract.js").Base} told @param {import("./contract.js").FoundEntity} found */
function entityPage(base, told, found) {
  const results = el("div", { class: "results" });
  const also = list(found.aliases).map(text).join(", ");
  const paragraphs = text(found.text).split("\n").filter((line) => line.trim());
  return el(
    "article",
    { class: "piece-page explorer", "aria-label": "Entity" },
    el("p", { class: "aside" }, inside(["b", base], "Knowledge base ", el("bdi", {}, base))),
    searchForm(base, told, results).element,
    results,
    el("h2", { dir: "auto" }, el("bdi", {}, text(found.name))),
    el("p", { class: "aside" }, el("bdi", {}, text(found.type)), also && [", also called ", el("bdi", {}, also)], " · id ", el("bdi", {}, text(found.id))),
    paragraphs.length > 0 && el("div", { class: "section prose" }, paragraphs.map((line) => el("p", { dir: "auto" }, el("bdi", {}, line)))),
    found.cut === true && el("p", { class: "aside" }, "The rest of the document is left out here."),
    list(found.attributes).length > 0 && attributes(found),
    list(found.relations).map((relation) => relationView(base, found, relation)),
    list(found.relations).length === 0 && el("p", { class: "aside" }, "No relation joins anything to it."),
  );
}

/** @param {import("./contract.js").FoundEntity} found */
function attributes(found) {
  const rows = list(found.attributes).map((each) => el("div", {}, el("dt", {}, el("bdi", {}, text(each.name))), el("dd", {}, el("bdi", {}, text(each.value)))));
  return [el("h3", {}, "Attributes"), el("dl", { class: "attributes" }, rows)];
}

/** @param {string} base @param {import("./contract.js").FoundEntity} found @param {import("./contract.js").JoinedBy} joined */
function relationView(base, found, joined) {
  const out = joined.direction === "out";
  const words = el("bdi", {}, text(joined.words));
  const reads = el("span", { class: "unseen" }, out ? ` from ${text(found.name)} to` : ` to ${text(found.name)} from`);
  const shown = el("ul", { class: "neighbours" });
  const more = el("button", { type: "button", class: "button small" });
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const total = Number(joined.total);
  const put = (/** @type {import("./contract.js").Neighbour[]} */ neighbours) => {
    shown.append(...list(neighbours).map((each) => entry(base, each, each.said)));
    const left = total - shown.childElementCount;
    more.textContent = `Show ${Math.min(AT_ONCE, left)} more of ${left.toLocaleString("en")}`;
    more.hidden = left <= 0;
  };
  more.addEventListener("click", async () => {
    const at = shown.childElementCount;
    more.disabled = true;
    problem.hidden = true;
    try {
      put((await api.neighbours(base, text(found.id), text(joined.relation), text(joined.direction), at, AT_ONCE)).neighbours);
      /** @type {HTMLElement|null|undefined} */ (shown.children[at]?.querySelector("a"))?.focus();
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      fill(problem, icon("warning"), error.message);
      problem.hidden = false;
    } finally {
      more.disabled = false;
    }
  });
  put(joined.neighbours);
  return el("section", { class: "relation" }, el("h3", {}, out ? [words, " →"] : ["← ", words], reads, el("span", { class: "aside" }, ` ${total.toLocaleString("en")}`)), shown, problem, more);
}

/** @param {string} base @param {import("./contract.js").NamedEntity} found @param {unknown} said */
function entry(base, found, said) {
  const words = text(said);
  return el("li", {}, inside(["b", base, text(found.id)], el("bdi", {}, text(found.name))), " ", el("span", { class: "aside" }, el("bdi", {}, text(found.type))), words && el("p", { class: "said", dir: "auto" }, el("bdi", {}, words)));
}

/**
 * Make the form that searches a base; what it finds is put into `results`.
 * @param {string} base @param {import("./contract.js").Base} told @param {HTMLElement} results
 */
function searchForm(base, told, results) {
  const words = el("input", { type: "search", id: "explore-words", "aria-label": "Name or words of an entity" });
  words.placeholder = "Name or words";
  const kind = el("select", { "aria-label": "Type" }, el("option", { value: "" }, "any type"), list(told.types).map((each) => el("option", { value: text(each.type) }, text(each.type))));
  let asking = 0;
  const ask = async (/** @type {number} */ offset) => {
    const asked = (asking += 1);
    if (offset === 0) fill(results, el("p", { class: "loading" }, "Searching…"));
    try {
      const found = await api.entities(base, words.value, kind.value, offset, AT_ONCE);
      if (asked === asking) show(found, offset);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (asked === asking) fill(results, el("p", { class: "problem", role: "alert" }, icon("warning"), error.message));
    }
  };
  const show = (/** @type {{entities: import("./contract.js").ListedEntity[], more: boolean}} */ found, /** @type {number} */ offset) => {
    const before = offset > 0 ? [...results.querySelectorAll(".neighbours > li")] : [];
    const items = [...before, ...list(found.entities).map((each) => entry(base, each, each.text))];
    const more = found.more === true && el("button", { type: "button", class: "button small", onclick: () => ask(items.length) }, "Show more");
    fill(results, el("p", { class: "aside", role: "status" }, items.length ? `${count(items.length, "entity", "entities")}${found.more === true ? ", and more" : ""}` : "No entity has a word of this."), el("ul", { class: "neighbours" }, items), more);
    /** @type {HTMLElement|null|undefined} */ (offset > 0 ? items[offset]?.querySelector("a") : null)?.focus();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void ask(0);
  };
  const element = el("form", { class: "explore", role: "search", "aria-label": "Entities", onsubmit: submit }, words, kind, el("button", { type: "submit", class: "button" }, icon("search"), "Search"));
  const of = (/** @type {string} */ type) => {
    words.value = "";
    kind.value = type;
    void ask(0);
    words.focus();
  };
  return { element, of };
}
