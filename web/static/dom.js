/**
 * Building elements: the only way anything comes onto the page.
 * Text is text and never markup; an attribute that could load, run or style something has no way in.
 * @module dom
 */

const PLAIN = new Set(["id", "role", "type", "title", "for", "name", "tabindex", "dir", "lang", "value", "rows", "scope"]);
const FLAGS = new Set(["hidden", "disabled", "open", "checked", "readonly"]);
const SVG = "http://www.w3.org/2000/svg";

/** @typedef {globalThis.Node|string|null|undefined|false|readonly unknown[]} Child An array holds children again. */
/** @typedef {{[name: string]: unknown}} Attributes */

/**
 * Make an element with attributes, listeners (`onclick: handler`) and children; strings become text nodes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(made, name, value);
  add(made, children);
  return made;
}

/**
 * Put children behind those that an element has.
 * @param {Element} parent @param {Child[]} children
 */
export function add(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(parent, child);
    else if (child instanceof Node || typeof child === "string") parent.append(child);
  }
}

/**
 * Give an element these children and no others.
 * @param {Element} parent @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
}

/**
 * Make a drawn element; attributes are our own, never data.
 * @param {string} tag @param {{[name: string]: string}} attributes @param {...SVGElement} children
 * @returns {SVGElement}
 */
export function drawn(tag, attributes, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Return the element of index.html with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found;
}

/** @param {HTMLElement} made @param {string} name @param {unknown} value */
function set(made, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "class") made.className = String(value);
  else if (name.startsWith("on") && typeof value === "function") made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
  else if (FLAGS.has(name)) made.toggleAttribute(name, true);
  else if (PLAIN.has(name) || name.startsWith("aria-") || name.startsWith("data-")) made.setAttribute(name, String(value));
  else throw new Error(`no attribute ${name} may be set here`);
}
