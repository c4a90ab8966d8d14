/**
 * Spans in the order of a tree: each behind its parent, children by their start.
 * @module spantree
 */

import { list, text } from "./words.js";

/**
 * @typedef {object} Branch
 * @property {string} id Of this page, not of the data: hostile or doubled ids do no harm.
 * @property {string|null} parent
 * @property {number} level From 1.
 * @property {number} place Among its siblings, from 1.
 * @property {number} siblings
 * @property {number} children
 * @property {number} start Seconds.
 * @property {number} end Seconds.
 * @property {import("./contract.js").Span} span
 */

/**
 * Arrange spans as a tree in one list; a span whose parent is unknown, or that is its own ancestor, is a root.
 * @param {import("./contract.js").Span[]} spans
 * @returns {Branch[]}
 */
export function arranged(spans) {
  const known = new Set(spans.map((span) => span.span));
  /** @type {Map<unknown, import("./contract.js").Span[]>} */
  const under = new Map();
  for (const span of spans) {
    const parent = known.has(/** @type {string} */ (span.parent)) ? span.parent : null;
    const siblings = under.get(parent);
    if (siblings) siblings.push(span);
    else under.set(parent, [span]);
  }
  /** @type {Branch[]} */
  const branches = [];
  const placed = new Set();
  const grow = (/** @type {import("./contract.js").Span[]} */ siblings, /** @type {string|null} */ parent, /** @type {number} */ level) => {
    const fresh = siblings.filter((span) => !placed.has(span));
    fresh.sort((one, other) => seconds(one.start) - seconds(other.start));
    fresh.forEach((span, at) => {
      placed.add(span);
      const children = (under.get(span.span) ?? []).filter((child) => !placed.has(child));
      const start = seconds(span.start);
      const id = `s${branches.length}`;
      branches.push({ id, parent, level, place: at + 1, siblings: fresh.length, children: children.length, start, end: Math.max(start, seconds(span.end) || start), span });
      grow(children, id, level + 1);
    });
  };
  grow(under.get(null) ?? [], null, 1);
  grow(spans.filter((span) => !placed.has(span)), null, 1);
  return branches;
}

/**
 * Say a span's tokens and retries, where it has any.
 * @param {import("./contract.js").Span} span
 */
export function extraOf(span) {
  return [tokenWords(span.tokens), Number(span.retries) > 0 && `${Number(span.retries)} retried`].filter(Boolean).join(" · ");
}

/** @param {unknown} tokens A number, or numbers by name. @returns {string} */
function tokenWords(tokens) {
  const all = typeof tokens === "object" && tokens !== null ? Object.values(tokens) : list([tokens]);
  const sum = all.map(Number).filter(Number.isFinite).reduce((one, other) => one + other, 0);
  return sum > 0 ? `${sum.toLocaleString("en")} tokens` : "";
}

/** @param {unknown} time Seconds, or a date as text. */
export function seconds(time) {
  if (typeof time === "number") return Number.isFinite(time) ? time : 0;
  const parsed = Date.parse(text(time)) / 1000;
  return Number.isFinite(parsed) ? parsed : 0;
}
