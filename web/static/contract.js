/**
 * The shapes that the server sends: types only, for editors and `tsc --checkJs`.
 * Nothing here is trusted to be as it says: what shows a value takes it as text.
 * @module contract
 */

/** @typedef {"quoted"|"supported"|"computed"|"partial"|"unsupported"|"unchecked"} Verdict */
/** @typedef {"text"|"table"|"image"} Modality */
/** @typedef {{text: string}|{tag: string, nodes: Node[]}} Node One sentence of sanitised Markdown. */
/**
 * @typedef {object} Citation
 * @property {number} marker
 * @property {Verdict} [verdict] Of this citation for the claim that bears it.
 * @property {string} evidence The SHA-256 of the evidence id.
 * @property {Modality} modality
 * @property {string} title
 * @property {string} section
 * @property {string} quote
 * @property {string} url
 * @property {string} [revision]
 * @property {string} [licence]
 * @property {string} [attribution]
 * @property {string|null} [computation]
 * @property {number[]} [rows] Of a base, that it is computed of.
 */
/** @typedef {{number: number, text: string, nodes: Node[], verdict: Verdict, citations: Citation[]}} Claim */
/** @typedef {{name: string, status: "ok"|"empty"|"rate_limited"|"failed", detail: string}} Source */
/** @typedef {{number: number, queries: string[], documents: string[], evidence: number, sufficient: boolean, missing: string[]}} Round */
/** @typedef {{id: string, modality: Modality, title: string, section: string, score: number}} Found */
/** @typedef {{text: string, citations: Citation[]}} ShownCell */
/** @typedef {{src: string, caption: string, licence: string, citations: Citation[]}} ShownFigure */
/** @typedef {{kind: string, claims: number[], text: string, level: number, header: string[], rows: ShownCell[][], figure: ShownFigure|null}} Block */
/**
 * @typedef {object} Answer
 * @property {string} run
 * @property {string} question
 * @property {boolean} abstained
 * @property {string} mode
 * @property {string} text
 * @property {Claim[]} claims
 * @property {string} [hedge] "Perhaps: " where confidence in the answer is low.
 * @property {string[]} perhaps_unanswered What the last round still missed of an answer that is given.
 * @property {string} stop_reason
 * @property {Round[]} rounds
 * @property {Citation[]} citations
 * @property {Source[]} sources
 * @property {string[]} notes
 * @property {Record<string, number>} usage
 * @property {number} seconds
 * @property {string} markdown
 * @property {string} [form]
 * @property {Block[]} [blocks] None where the answer is one paragraph: then its claims are shown.
 * @property {{text: string, met: boolean}[]} [needs]
 * @property {string[]} [not_found]
 * @property {{text: string, verdict: Verdict, reason: string}[]} [not_said]
 */
/** @typedef {{number: number, typed: string, asked: string, run: string, thumb: "up"|"down"|null, answer: Answer|null, text?: string, problem?: string}} Turn */
/**
 * @typedef {object} Unanswered A question without an answer.
 * @property {string} question Its name; `job` is the same as long as the server knows its job.
 * @property {string} typed
 * @property {string} asked
 * @property {string} run
 * @property {string|null} job
 * @property {"open"|"failed"|"stopped"} ending
 * @property {string} message
 * @property {string} code
 */
/** @typedef {{id: string, title: string, started: number, questions: number}} Listed */
/** @typedef {{id: string, title: string, started: number, questions: number, turns: (Turn|Unanswered)[]}} Conversation */
/** @typedef {{job: string}} Job One that has not ended. */
/** @typedef {{version: string, mode: string, model: string, presets: string[], preset: string|null, sources: string[], bases?: string[], rounds: number, longest_question: number, remembers: boolean}} About */
/** @typedef {{kind: string, text: string, cited: boolean}} Piece */
/** @typedef {{number: number, cells: string[], cited: boolean}} Row */
/** @typedef {{caption: string, header: string[], rows: Row[], left_out: number}} Table */
/** @typedef {{src: string|null, caption: string, alt: string, reason: string}} Picture */
/** @typedef {{name: string, type: string, id: string|null}} PathNode */
/** @typedef {{relation: string, forward: boolean|null, text: string, found: boolean|null}} PathStep `found` is null where no base was asked. */
/** @typedef {{nodes: PathNode[], steps: PathStep[]}} StatedPath */
/** @typedef {{name: string, served: string|null, computed: boolean, paths: StatedPath[]}} StatedPaths */
/** @typedef {{id: string, type: string, name: string}} NamedEntity */
/** @typedef {NamedEntity & {text: string}} ListedEntity */
/** @typedef {NamedEntity & {said: string}} Neighbour */
/** @typedef {{relation: string, words: string, direction: "out"|"in", total: number, neighbours: Neighbour[]}} JoinedBy */
/** @typedef {NamedEntity & {aliases: string[], attributes: {name: string, value: string}[], text: string, cut: boolean, relations: JoinedBy[]}} FoundEntity */
/** @typedef {{name: string, types: {type: string, entities: number, may_answer: boolean}[], schema: {source: string, relation: string, target: string, triples: number}[], left_out: number, remarks: string[]}} Base */
/**
 * @typedef {object} Evidence
 * @property {string} id
 * @property {Modality} modality
 * @property {string} title
 * @property {string[]} path
 * @property {string} url
 * @property {string} revision
 * @property {string} licence
 * @property {string} attribution
 * @property {{pieces: Piece[]}} [section]
 * @property {Table} [table]
 * @property {Picture} [image]
 * @property {StatedPaths} [base] Of a row that a knowledge base states.
 */
/**
 * @typedef {object} Span
 * @property {string} span
 * @property {string|null} parent
 * @property {string} kind
 * @property {string} name
 * @property {string} glance
 * @property {number|string} start Seconds.
 * @property {number|string|null} end
 * @property {unknown} error
 * @property {unknown} tokens
 * @property {number} retries
 * @property {string[]} shows
 */
/** @typedef {{prompt?: {role: string, content: string}[], reply?: string, documents?: {id: string, score: number, text: string}[], input?: unknown, output?: unknown}} SpanDetail */

export {};
