/**
 * The conversation on the page: its turns, and the questions that run in it or beside it.
 * @module thread
 */

import { announce } from "./announce.js";
import * as api from "./api.js";
import { byId, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { evidenceArticle, seekCited } from "./evidence.js";
import { explorerView } from "./explorer.js";
import { showUnanswered } from "./failures.js";
import { Lives, MOST_FOLLOWED } from "./lives.js";
import { closePanel } from "./panel.js";
import { Running } from "./running.js";
import { TurnView } from "./turn.js";
import { welcome } from "./welcome.js";
import { list, text } from "./words.js";

/** @typedef {{kind: "new"}|{kind: "c", id: string}|{kind: "e", sha: string}|{kind: "b", base: string, id: string|null}} Place */
/** @typedef {{changed: () => void, moved: (place: Place) => void, listed: () => void, write: (question: string) => void}} Hooks */

/** What is shown; questions of other conversations go on beside it. */
export class Thread {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.host = byId("thread");
    /** @type {Place} */
    this.place = { kind: "new" };
    this.lives = new Lives();
    /** @type {import("./contract.js").About|null} */
    this.about = null;
    /** @type {string|null} */
    this.preset = null;
    this.heading = "";
    this.showing = 0;
  }

  /** @param {Place} place Shows a place; turns that run there go on. @param {import("./dom.js").Child} [remark] What is said below a conversation. */
  async show(place, remark = null) {
    closePanel();
    this.place = place;
    this.heading = "";
    const showing = (this.showing += 1);
    if (place.kind === "c") await this.#conversation(place.id, showing, remark);
    else if (place.kind === "e") await this.#evidence(place.sha, showing);
    else if (place.kind === "b") await this.#explorer(place.base, place.id, showing);
    else this.#fresh();
    if (showing === this.showing) this.hooks.changed();
  }

  /** @param {import("./contract.js").About} about What the server is; a greeting that stands is given again. */
  knows(about) {
    this.about = about;
    document.body.classList.toggle("unrated", about.remembers === false);
    if (this.place.kind === "new" && !this.turns().length) this.#fresh();
  }

  /** @param {string} question @param {string|null} preset @param {string|null} [instead] A question without an answer in whose place it is asked. */
  ask(question, preset, instead = null) {
    this.preset = preset;
    this.heading = "";
    if (this.place.kind !== "c") this.showing += 1; // what is still being fetched would take its place; a conversation has it below
    const running = new Running(question, this.place.kind === "c" ? this.place.id : null, this.#doings, instead);
    const { full } = this.lives;
    this.lives.all.push(running);
    this.#put(running);
    if (!full) void running.ask(preset);
    else running.view.ended(`${MOST_FOLLOWED} questions of this page are running`, "Each keeps a connection, of which a browser has few. Wait for one to end, or stop one, and ask again.");
    this.hooks.changed();
    running.view.element.scrollIntoView({ block: "start" });
  }

  /** Stop what runs here. */
  stop() {
    void this.running()?.stop();
  }

  /** @returns {Running|undefined} The question that runs in the conversation shown. */
  running() {
    return this.lives.all.find((running) => !running.view.finished && this.host.contains(running.view.element));
  }

  /** Conversations in which a question of this page runs. */
  answering() {
    return this.lives.answering();
  }

  /** @returns {HTMLElement[]} */
  turns() {
    return [...this.host.querySelectorAll("article.turn")].map((turn) => /** @type {HTMLElement} */ (turn));
  }

  /** @param {string} id @param {number} showing @param {import("./dom.js").Child} remark */
  async #conversation(id, showing, remark) {
    fill(this.host, el("p", { class: "loading" }, "Fetching the conversation…"));
    const idle = this.lives.of(id).filter((running) => running.held || running.view.finished);
    try {
      const turns = list((await api.conversation(id)).turns);
      if (showing !== this.showing) return;
      this.#forget(idle, turns);
      fill(this.host, turns.map((turn) => ("ending" in turn ? this.#unanswered(turn, id) : this.#kept(turn))));
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (showing !== this.showing) return;
      if (error.status === 404) this.#forget(idle, []);
      fill(this.host, this.#unreachable(error, "There is no such conversation here", "The conversation could not be fetched"));
    }
    this.#complete(id, remark);
  }

  /**
   * Put below a conversation what this page knows of it beside, and what is to be said.
   * @param {string} id @param {import("./dom.js").Child} remark
   */
  #complete(id, remark) {
    const missing = this.lives.of(id).filter((running) => !this.host.contains(running.view.element));
    this.host.append(...missing.map((running) => running.view.element));
    this.turns().at(-1)?.scrollIntoView({ block: "start" });
    if (!remark) return;
    const line = el("p", { class: "waiting", dir: "auto" }, icon("again"), el("span", {}, remark));
    this.host.append(line);
    line.scrollIntoView({ block: "end" });
  }

  /**
   * Drop what had ended here and is not kept any more: it was answered, or asked again, elsewhere.
   * @param {Running[]} idle @param {(import("./contract.js").Turn|import("./contract.js").Unanswered)[]} turns
   */
  #forget(idle, turns) {
    const kept = new Set(turns.map((turn) => ("ending" in turn ? turn.question : null)));
    this.lives.drop(...idle.filter((running) => running.kept !== null && !kept.has(running.kept)));
  }

  /** @param {string} sha @param {number} showing */
  async #evidence(sha, showing) {
    this.heading = "Evidence";
    fill(this.host, el("p", { class: "loading" }, "Fetching the evidence…"));
    try {
      const found = await api.evidence(sha);
      if (showing !== this.showing) return;
      this.heading = text(found.title);
      fill(this.host, evidenceArticle(found));
      seekCited(this.host);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (showing === this.showing) fill(this.host, this.#unreachable(error, "There is no such evidence here", "The evidence could not be fetched"));
    }
  }

  /** @param {string} base @param {string|null} id @param {number} showing */
  async #explorer(base, id, showing) {
    this.heading = base;
    fill(this.host, el("p", { class: "loading" }, "Fetching the knowledge base…"));
    try {
      const { heading, element } = await explorerView(base, id);
      if (showing !== this.showing) return;
      this.heading = heading;
      fill(this.host, element);
      byId("main").scrollTo({ top: 0 });
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (showing === this.showing) fill(this.host, this.#unreachable(error, "There is no such entity or knowledge base here", "The knowledge base could not be fetched"));
    }
  }

  #fresh() {
    this.lives.tidy();
    fill(this.host, welcome(this.about, (question) => this.hooks.write(question)));
  }

  /**
   * Show a question without an answer: as this page knows it, as its job tells it, or as it was kept.
   * @param {import("./contract.js").Unanswered} question @param {string} conversation
   */
  #unanswered(question, conversation) {
    const known = this.lives.all.find((running) => running.job === question.question);
    if (known) return known.view.element;
    if (this.lives.all.some((running) => running.instead === question.question)) return null;
    if (question.job && question.ending === "open") return this.#adopt(question.job, text(question.typed), conversation).view.element;
    const view = new TurnView(text(question.typed), (typed) => {
      view.element.remove();
      this.ask(typed, this.preset, question.question);
    });
    view.understood(text(question.asked), "");
    view.run = text(question.run);
    showUnanswered(view, question);
    return view.element;
  }

  /** @param {string} job @param {string} question @param {string} conversation */
  #adopt(job, question, conversation) {
    const running = new Running(question, conversation, this.#doings);
    this.lives.follow(running, job);
    return running;
  }

  /** @param {Running} running */
  #put(running) {
    if (!this.turns().length) fill(this.host);
    this.host.append(running.view.element);
  }

  /** @param {import("./contract.js").Turn} turn */
  #kept(turn) {
    const view = new TurnView(text(turn.typed), (question) => this.ask(question, this.preset));
    view.understood(text(turn.asked), "");
    if (turn.answer) view.answered(turn.answer, turn.thumb);
    else view.ended("The record of this answer is gone", [el("bdi", {}, text(turn.text)), el("br"), el("span", { class: "aside" }, text(turn.problem))]);
    return view.element;
  }

  /** @param {api.Refusal} error @param {string} gone @param {string} unfetched */
  #unreachable(error, gone, unfetched) {
    const again = el("button", { type: "button", class: "button", onclick: () => (error.status === 401 ? location.reload() : void this.show(this.place)) }, icon("again"), error.status === 401 ? "Load again" : "Try again");
    return el("div", { class: "notice", role: "alert" }, icon("warning"), el("div", {}, el("h3", {}, error.status === 404 ? gone : unfetched), el("p", {}, error.message), el("div", { class: "row" }, again)));
  }

  /** @type {import("./running.js").Hooks} */
  #doings = {
    accepted: (running) => {
      this.#part(running, this.lives.all.filter((other) => other !== running && other.job === running.job));
      if (running.conversation !== null && this.host.contains(running.view.element)) this.#move({ kind: "c", id: running.conversation });
      this.hooks.listed();
    },
    answered: (running) => {
      this.lives.all = this.lives.all.filter((other) => other !== running);
      this.hooks.listed();
    },
    forgotten: (running) => this.#anew(running, null),
    gone: (running) => {
      announce("Not asked again: it was answered, or asked again, elsewhere.");
      this.#anew(running, ["“", el("bdi", {}, running.question), "” was not asked again: meanwhile it was answered, or asked again, elsewhere. This is the conversation as it is now."]);
    },
    ended: () => {
      this.lives.next();
      this.hooks.changed();
    },
    reconnect: (running, job) => this.lives.follow(running, job),
    retry: (running, question) => {
      const unanswered = this.lives.all.includes(running);
      if (unanswered) this.lives.drop(running);
      this.ask(question, this.preset, unanswered ? running.kept : null);
    },
  };

  /**
   * Drop what was taken up from the conversation before the reply to the asking came; where that is shown, the question stands in its place.
   * @param {Running} running @param {Running[]} twins
   */
  #part(running, twins) {
    twins.find((twin) => this.host.contains(twin.view.element))?.view.element.replaceWith(running.view.element);
    this.lives.drop(...twins);
  }

  /**
   * Drop a question of which the server knows more than this page, and show its conversation as it is now.
   * @param {Running} running @param {import("./dom.js").Child} remark
   */
  #anew(running, remark) {
    const shown = this.host.contains(running.view.element);
    this.lives.drop(running);
    if (shown) void this.show(this.place, remark);
    this.hooks.listed();
  }

  /** @param {Place} place The address changes; what is shown stays. */
  #move(place) {
    this.place = place;
    this.hooks.moved(place);
  }
}
