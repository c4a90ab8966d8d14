/**
 * Icons, drawn as strokes in the colour of the words beside them; words always say what they mean.
 * @module icons
 */

import { drawn } from "./dom.js";

const PATHS = {
  tick: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4 12 12 M12 4 4 12",
  ring: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11",
  half: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11 M8 2.5v11 M10 4.5v7 M12 6v4",
  quote: "M3 4.5h3.5v4H3z M6.5 8.5c0 2-1 3-2.5 3.5 M9.5 4.5H13v4H9.5z M13 8.5c0 2-1 3-2.5 3.5",
  sum: "M12 4.5V3H4l4.5 5L4 13h8v-1.5",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11 M8 5v3.2l2 1.3",
  text: "M3 4h10 M3 7h10 M3 10h10 M3 13h6",
  table: "M2.5 3.5h11v9h-11z M2.5 6.5h11 M6.5 3.5v9",
  image: "M2.5 3.5h11v9h-11z M3 11.5l3.2-3.3 2.3 2.2 1.9-1.7 2.8 2.8 M10.8 6.2h.01",
  outwards: "M9.5 3H13v3.5 M13 3 7.5 8.5 M11 9.5V13H3V5h3.5",
  up: "M5 7v6H2.5V7z M5 7l2.6-4.6c1 0 1.6.7 1.4 1.7L8.6 6.5h3.6c.9 0 1.5.8 1.3 1.7l-.9 3.7c-.2.7-.7 1.1-1.4 1.1H5",
  down: "M5 9V3H2.5v6z M5 9l2.6 4.6c1 0 1.6-.7 1.4-1.7L8.6 9.5h3.6c.9 0 1.5-.8 1.3-1.7l-.9-3.7C12.4 3.4 11.9 3 11.2 3H5",
  copy: "M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3",
  again: "M13 8a5 5 0 1 1-1.6-3.7 M13 2.5v3h-3",
  stop: "M4.5 4.5h7v7h-7z",
  send: "M8 13V3.5 M3.8 7.5 8 3.3l4.2 4.2",
  close: "M4 4 12 12 M12 4 4 12",
  plus: "M8 3v10 M3 8h10",
  menu: "M2.5 4.5h11 M2.5 8h11 M2.5 11.5h11",
  more: "M3.5 8h.01 M8 8h.01 M12.5 8h.01",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 1 0 0-8.4 M10.2 10.2 13.5 13.5",
  page: "M4 2.5h5.5L12.5 5.5v8h-8.5z M9.5 2.5v3h3",
  found: "M8 2.5 9.6 6l3.9.4-2.9 2.6.8 3.8L8 10.9 4.6 12.8l.8-3.8L2.5 6.4 6.4 6z",
  scales: "M8 2.5v11 M5 13.5h6 M3 4.5h10 M3 4.5 1.5 9h3z M13 4.5 11.5 9h3z",
  source: "M3 4.5c0-2.4 10-2.4 10 0v7c0 2.4-10 2.4-10 0z M3 4.5c0 2.4 10 2.4 10 0 M3 8c0 2.4 10 2.4 10 0",
  warning: "M8 2.5 14 13H2z M8 6.5v3 M8 11.3h.01",
  left: "M10 3.5 5.5 8l4.5 4.5",
  right: "M6 3.5 10.5 8 6 12.5",
  light: "M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6 M8 1.8v1.2 M8 13v1.2 M1.8 8H3 M13 8h1.2 M3.6 3.6l.9.9 M11.5 11.5l.9.9 M3.6 12.4l.9-.9 M11.5 4.5l.9-.9",
  dark: "M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5z",
  system: "M2.5 3.5h11v7.5h-11z M6 13.5h4",
  graph: "M4 3.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6 M12 9.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6 M5.6 6 10.4 9.9",
  keys: "M2 4.5h12v7H2z M4.5 7h.01 M7 7h.01 M9.5 7h.01 M11.8 7h.01 M5.5 9.3h5",
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * Draw an icon that screen readers pass over.
 * @param {IconName} name
 * @returns {SVGElement}
 */
export function icon(name) {
  return drawn("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, drawn("path", { d: PATHS[name] }));
}
