/**
 * Requests to the server: JSON in, JSON out, and one kind of error.
 * @module api
 */

/** Something that the server refused, or a server that did not answer (status 0). */
export class Refusal extends Error {
  /** @param {number} status @param {string} code @param {string} message @param {number} wait Seconds until it may be asked again, 0 for none. */
  constructor(status, code, message, wait = 0) {
    super(message);
    this.status = status;
    this.code = code;
    this.wait = wait;
  }
}

/** @returns {Promise<import("./contract.js").About>} */
export const about = () => call("GET", "/api/about");

/** @param {{question: string, conversation: string|null, preset: string|null, form: string|null, instead: string|null}} asked @returns {Promise<{job: string, conversation: string}>} */
export const ask = (asked) => call("POST", "/api/questions", asked);

/** @returns {Promise<{jobs: import("./contract.js").Job[]}>} */
export const jobs = () => call("GET", "/api/jobs");

/** @param {string} job */
export const stop = (job) => call("DELETE", `/api/jobs/${part(job)}`);

/** @returns {Promise<{conversations: import("./contract.js").Listed[]}>} */
export const conversations = () => call("GET", "/api/conversations");

/** @param {string} id @returns {Promise<import("./contract.js").Conversation>} */
export const conversation = (id) => call("GET", `/api/conversations/${part(id)}`);

/** @param {string} id @param {string} title */
export const rename = (id, title) => call("PATCH", `/api/conversations/${part(id)}`, { title });

/** @param {string} id */
export const remove = (id) => call("DELETE", `/api/conversations/${part(id)}`);

/** @param {string} id @param {"md"|"json"} format */
export const exportPath = (id, format) => `/api/conversations/${part(id)}/export?format=${format}`;

/** @param {string} sha @param {number[]} [rows] Those that are cited of a table. @returns {Promise<import("./contract.js").Evidence>} */
export const evidence = (sha, rows = []) => call("GET", `/evidence/${part(sha)}${rows.length ? `?${new URLSearchParams(rows.map((row) => ["row", String(row)]))}` : ""}`);

/** @param {string} run @returns {Promise<{run: string, spans: import("./contract.js").Span[]}>} */
export const trace = (run) => call("GET", `/api/runs/${part(run)}/trace`);

/** @param {string} run @param {string} span @returns {Promise<import("./contract.js").SpanDetail>} */
export const span = (run, span) => call("GET", `/api/runs/${part(run)}/spans/${part(span)}`);

/** @param {string} run @param {"up"|"down"|null} thumb */
export const rate = (run, thumb) => call("POST", `/api/runs/${part(run)}/rating`, { thumb });

/** @param {string} base @returns {Promise<import("./contract.js").Base>} */
export const base = (base) => call("GET", `/api/bases/${part(base)}`);

/** @param {string} base @param {string} query @param {string} type @param {number} offset @param {number} limit @returns {Promise<{entities: import("./contract.js").ListedEntity[], more: boolean}>} */
export const entities = (base, query, type, offset, limit) => call("GET", `/api/bases/${part(base)}/entities?${asked({ query, type, offset, limit })}`);

/** @param {string} base @param {string} id @returns {Promise<import("./contract.js").FoundEntity>} */
export const entity = (base, id) => call("GET", `/api/bases/${part(base)}/entity?${asked({ id })}`);

/** @param {string} base @param {string} id @param {string} relation @param {string} direction @param {number} offset @param {number} limit @returns {Promise<{total: number, neighbours: import("./contract.js").Neighbour[]}>} */
export const neighbours = (base, id, relation, direction, offset, limit) => call("GET", `/api/bases/${part(base)}/neighbours?${asked({ id, relation, direction, offset, limit })}`);

/** @param {string} job */
export const eventsPath = (job) => `/api/jobs/${part(job)}/events`;

/** @param {unknown} value One part of a path; dots alone would climb. */
function part(value) {
  const escaped = encodeURIComponent(String(value).toWellFormed());
  return /^\.+$/.test(escaped) ? "%00" : escaped;
}

/** @param {Record<string, string|number>} fields What stands behind the question mark. */
function asked(fields) {
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
}

/**
 * @param {string} method @param {string} path @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function call(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin", redirect: "error" });
  } catch {
    throw new Refusal(0, "unreachable", "The server does not answer.");
  }
  if (!response.ok) throw await refused(response);
  return response.status === 204 ? null : read(response);
}

/** @param {Response} response */
async function read(response) {
  try {
    return await response.json();
  } catch {
    throw new Refusal(response.status, "unreadable", "The server's reply could not be read.");
  }
}

/** @param {Response} response @returns {Promise<Refusal>} */
async function refused(response) {
  let error;
  try {
    ({ error } = await response.json());
  } catch {
    error = null;
  }
  const message = typeof error?.message === "string" && error.message ? error.message : `The server refused this (${response.status}).`;
  const code = typeof error?.code === "string" ? error.code : "refused";
  return new Refusal(response.status, code, message, waitOf(response.headers.get("Retry-After")));
}

/** @param {string|null} header Seconds or a date. */
function waitOf(header) {
  if (!header) return 0;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3600) : 0;
}
