/**
 * Words for what the server sends: names of closed sets, counts, durations; and any value as text.
 * @module words
 */

/** @typedef {{word: string, icon: import("./icons.js").IconName, kind: string, says: string}} Sign */

/**
 * The words of heliograph/types/verdicts.py. None is green or has a tick: a verdict never says that a claim is right.
 * @type {Record<string, Sign>}
 */
const VERDICTS = {
  quoted: { word: "Quoted", icon: "quote", kind: "plain", says: "in the words of its source" },
  supported: { word: "Supported", icon: "scales", kind: "plain", says: "a paraphrase, checked against the words of its source" },
  computed: { word: "Computed", icon: "sum", kind: "plain", says: "worked out from its source, and once more to check" },
  partial: { word: "Partly supported", icon: "half", kind: "warn", says: "its source says some of it" },
  unchecked: { word: "Not checked", icon: "ring", kind: "mute", says: "nothing was there to check it against" },
  unsupported: { word: "Not supported", icon: "cross", kind: "bad", says: "its source does not say so" },
};

/** @type {Record<string, Sign>} */
const SOURCES = {
  ok: { word: "answered", icon: "tick", kind: "good", says: "" },
  empty: { word: "found nothing", icon: "ring", kind: "mute", says: "" },
  rate_limited: { word: "asked us to wait", icon: "clock", kind: "warn", says: "" },
  failed: { word: "failed", icon: "cross", kind: "bad", says: "" },
};

/** @type {Record<string, {word: string, icon: import("./icons.js").IconName}>} */
const MODALITIES = {
  text: { word: "text", icon: "text" },
  table: { word: "table", icon: "table" },
  image: { word: "picture", icon: "image" },
};

/** @type {Record<string, string>} */
const STOPS = {
  sufficient: "the evidence was enough",
  given_up: "nothing more to search for",
  rounds_exhausted: "all rounds were used",
  no_new_evidence: "another round brought nothing new",
  repeated_query: "nothing new was left to search for",
  budget: "the budget was used up",
  nothing_found: "nothing was found",
};

/** @param {unknown} verdict @returns {Sign} */
export const verdictSign = (verdict) => own(VERDICTS, verdict) ?? VERDICTS.unchecked;

/** @param {unknown} status @returns {Sign} */
export const sourceSign = (status) => own(SOURCES, status) ?? SOURCES.failed;

/** @param {unknown} modality */
export const modalitySign = (modality) => own(MODALITIES, modality) ?? MODALITIES.text;

/** @param {unknown} reason @returns {string} */
export const stopWords = (reason) => own(STOPS, reason) ?? text(reason);

/**
 * Return any value as text: strings as they are, nothing as nothing, the rest as JSON.
 * @param {unknown} value
 * @returns {string}
 */
export function text(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
}

/**
 * Return a list as it is and anything else as an empty one.
 * @template T
 * @param {T[]|null|undefined} value
 * @returns {T[]}
 */
export const list = (value) => (Array.isArray(value) ? value : []);

/**
 * Return a number with its noun: `1 page`, `3 queries`.
 * @param {unknown} number @param {string} noun @param {string} [plural]
 */
export function count(number, noun, plural = `${noun}s`) {
  const value = Number(number);
  return Number.isFinite(value) ? `${value.toLocaleString("en")} ${value === 1 ? noun : plural}` : plural;
}

/**
 * Return a duration in words that fit it: `12 ms`, `2.4 s`, `3 min 5 s`.
 * @param {unknown} seconds
 */
export function duration(seconds) {
  const value = Number(seconds);
  if (!Number.isFinite(value)) return "";
  if (value < 0.9995) return `${Math.max(0, Math.round(value * 1000))} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

/**
 * Return the first letters of a text, cut at a word.
 * @param {unknown} value @param {number} most
 */
export function short(value, most) {
  const whole = text(value).replace(/\s+/g, " ").trim();
  return whole.length <= most ? whole : `${whole.slice(0, most).replace(/\s\S*$/, "")}…`;
}

/**
 * @template T
 * @param {Record<string, T>} table @param {unknown} key
 * @returns {T|undefined}
 */
function own(table, key) {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}
