/**
 * Addresses: the only place that sets `href` or `src`, and only after parsing.
 * @module links
 */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { text } from "./words.js";

const PICTURE = /^\/images\/[0-9a-f]{8,64}$/;

/**
 * Return an address as parsed if it is a whole http or https one without a user name, else null.
 * @param {unknown} value
 * @returns {URL|null}
 */
export function webAddress(value) {
  if (typeof value !== "string" || !URL.canParse(value)) return null;
  const url = new URL(value);
  const plain = (url.protocol === "https:" || url.protocol === "http:") && !url.username && !url.password;
  return plain ? url : null;
}

/**
 * Make a link that opens elsewhere and tells the other side nothing, or null where the address is none of the web.
 * @param {unknown} value @param {string} label
 * @returns {HTMLAnchorElement|null}
 */
export function outwards(value, label) {
  const url = webAddress(value);
  if (!url) return null;
  const link = el("a", { class: "outwards" }, label, icon("outwards"), el("span", { class: "unseen" }, " (opens in a new tab)"));
  link.href = url.href;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}

/**
 * Make a link that saves a file which our server makes.
 * @param {string} path @param {string} label
 * @returns {HTMLAnchorElement}
 */
export function download(path, label) {
  const link = el("a", { class: "quiet" }, label);
  link.href = path;
  link.download = "";
  return link;
}

/**
 * Make a picture that our own server serves, or null for any other address.
 * @param {unknown} source @param {unknown} alt
 * @returns {HTMLImageElement|null}
 */
export function picture(source, alt) {
  if (typeof source !== "string" || !PICTURE.test(source)) return null;
  const made = document.createElement("img");
  made.alt = text(alt);
  made.decoding = "async";
  made.src = source;
  return made;
}

/**
 * Make a link to a place of this page: `#/` and parts, each escaped.
 * @param {string[]} parts @param {...import("./dom.js").Child} children
 * @returns {HTMLAnchorElement}
 */
export function inside(parts, ...children) {
  const link = el("a", {}, ...children);
  link.href = `#/${parts.map((part) => encodeURIComponent(part.toWellFormed())).join("/")}`;
  return link;
}
