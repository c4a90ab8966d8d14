/**
 * Tabs as screen readers know them: arrows move, the panel of the chosen tab is shown.
 * @module tabs
 */

import { el } from "./dom.js";

let made = 0;

/** @typedef {{name: string, panel: HTMLElement, shown?: () => void}} Tab */

/**
 * Make a row of tabs over panels; the first is chosen.
 * @param {string} label @param {Tab[]} tabs
 * @returns {{element: HTMLElement, choose: (number: number) => void}}
 */
export function tabList(label, tabs) {
  const buttons = tabs.map((tab, number) => {
    const id = `tab-${++made}`;
    Object.assign(tab.panel, { id: `${id}-panel`, role: "tabpanel" });
    tab.panel.setAttribute("aria-labelledby", id);
    return el("button", { id, type: "button", role: "tab", "aria-controls": `${id}-panel`, onclick: () => choose(number) }, tab.name);
  });
  const element = el("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: (/** @type {KeyboardEvent} */ event) => move(event, buttons) }, buttons);

  /** @param {number} chosen */
  function choose(chosen) {
    buttons.forEach((button, number) => {
      button.setAttribute("aria-selected", String(number === chosen));
      button.tabIndex = number === chosen ? 0 : -1;
      tabs[number].panel.hidden = number !== chosen;
    });
    tabs[chosen].shown?.();
  }
  choose(0);
  return { element, choose };
}

/** @param {KeyboardEvent} event @param {HTMLButtonElement[]} buttons */
function move(event, buttons) {
  const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  if (!(event.key in steps) || at < 0) return;
  event.preventDefault();
  const next = buttons[(at + steps[event.key] + buttons.length) % buttons.length];
  next.focus();
  next.click();
}
