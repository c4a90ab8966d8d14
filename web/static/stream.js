/**
 * The events of one job, in order and each once, over as many connections as it takes.
 * The browser reconnects by itself and sends the number of the last event that it saw.
 * @module stream
 */

import { eventsPath } from "./api.js";

const NAMES = ["queued", "started", "progress", "queries", "sources", "documents", "evidence", "verdict", "claim", "answer", "failed", "stopped"];
const LAST = new Set(["answer", "failed", "stopped"]);

/**
 * @typedef {object} Listener
 * @property {(name: string, data: any) => void} event
 * @property {() => void} open A connection stands.
 * @property {() => void} waiting It broke and is being tried again.
 * @property {() => void} lost It was refused: nothing more will come by itself.
 */

/**
 * Follow a job until its last event.
 * @param {string} job @param {Listener} listener
 * @returns {() => void} What ends it before.
 */
export function follow(job, listener) {
  const source = new EventSource(eventsPath(job));
  let seen = -1;
  source.onopen = () => listener.open();
  source.onerror = () => (source.readyState === EventSource.CLOSED ? listener.lost() : listener.waiting());
  for (const name of NAMES) {
    source.addEventListener(name, (event) => {
      const number = Number.parseInt(event.lastEventId, 10);
      if (number <= seen) return;
      if (Number.isFinite(number)) seen = number;
      if (LAST.has(name)) source.close();
      listener.event(name, parsed(event.data));
    });
  }
  return () => source.close();
}

/** @param {string} data @returns {object} */
function parsed(data) {
  try {
    const value = JSON.parse(data);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
