/**
 * The conversation on the page: its turns, and the questions that run in it or beside it.
 * @module thread
 */

import * as api from "./api.js";
import { byId, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { evidenceArticle, seekCited } from "./evidence.js";
import { showUnanswered } from "./failures.js";
import { closePanel } from "./panel.js";
import { Running } from "./running.js";
import { TurnView } from "./turn.js";
import { welcome } from "./welcome.js";
import { list, text } from "./words.js";

/** A browser opens six connections to a server over HTTP/1.1; two are left for all else. */
const MOST_FOLLOWED = 4;

/** @typedef {{kind: "new"}|{kind: "c", id: string}|{kind: "e", sha: string}} Place */
/** @typedef {{changed: () => void, moved: (place: Place) => void, listed: () => void, write: (question: string) => void}} Hooks */

/** What is shown, and every question that this page has asked and not yet forgotten. */
export class Thread {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.host = byId("thread");
    /** @type {Place} */
    this.place = { kind: "new" };
    /** @type {Running[]} */
    this.lives = [];
    /** @type {import("./contract.js").About|null} */
    this.about = null;
    /** @type {string|null} */
    this.preset = null;
    this.heading = "";
    this.showing = 0;
  }

  /** @param {Place} place Shows a place; turns that run there go on. */
  async show(place) {
    closePanel();
    this.place = place;
    this.heading = "";
    const showing = (this.showing += 1);
    if (place.kind === "c") await this.#conversation(place.id, showing);
    else if (place.kind === "e") await this.#evidence(place.sha, showing);
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
    const running = new Running(question, this.place.kind === "c" ? this.place.id : null, this.#doings, instead);
    this.lives.push(running);
    this.#put(running);
    if (this.#followed() < MOST_FOLLOWED) void running.ask(preset);
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
    return this.lives.find((running) => !running.view.finished && this.host.contains(running.view.element));
  }

  #followed() {
    return this.lives.filter((running) => running.job !== null && !running.view.finished).length;
  }

  /** Conversations in which a question of this page runs. */
  answering() {
    return new Set(this.lives.flatMap((running) => (running.conversation !== null && !running.view.finished ? [running.conversation] : [])));
  }

  /** @returns {HTMLElement[]} */
  turns() {
    return [...this.host.querySelectorAll("article.turn")].map((turn) => /** @type {HTMLElement} */ (turn));
  }

  /** @param {string} id @param {number} showing */
  async #conversation(id, showing) {
    fill(this.host, el("p", { class: "loading" }, "Fetching the conversation…"));
    try {
      const conversation = await api.conversation(id);
      if (showing !== this.showing) return;
      fill(this.host, list(conversation.turns).map((turn) => ("ending" in turn ? this.#unanswered(turn, id) : this.#kept(turn))));
      for (const running of this.lives.filter((known) => known.conversation === id && !this.host.contains(known.view.element))) this.#put(running);
      this.turns().at(-1)?.scrollIntoView({ block: "start" });
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (showing === this.showing) fill(this.host, this.#unreachable(error, "There is no such conversation here", "The conversation could not be fetched"));
    }
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

  #fresh() {
    this.lives = this.lives.filter((running) => running.job !== null);
    fill(this.host, welcome(this.about, (question) => this.hooks.write(question)));
  }

  /**
   * Show a question without an answer: as this page knows it, as its job tells it, or as it was kept.
   * @param {import("./contract.js").Unanswered} question @param {string} conversation
   */
  #unanswered(question, conversation) {
    const known = this.lives.find((running) => running.job === question.question);
    if (known) return known.view.element;
    if (this.lives.some((running) => running.instead === question.question)) return null;
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
    this.lives.push(running);
    running.attach(job);
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
      for (const twin of this.lives.filter((other) => other !== running && other.job === running.job)) this.#drop(twin);
      if (running.conversation !== null && this.host.contains(running.view.element)) this.#move({ kind: "c", id: running.conversation });
      this.hooks.listed();
    },
    answered: (running) => {
      this.lives = this.lives.filter((other) => other !== running);
      this.hooks.listed();
    },
    forgotten: (running) => {
      const shown = this.host.contains(running.view.element);
      this.#drop(running);
      if (shown) void this.show(this.place);
      this.hooks.listed();
    },
    ended: () => this.hooks.changed(),
    retry: (running, question) => {
      const unanswered = this.lives.includes(running);
      if (unanswered) this.#drop(running);
      this.ask(question, this.preset, unanswered ? running.job ?? running.instead : null);
    },
  };

  /** @param {Running} running It is known no more, and not followed. */
  #drop(running) {
    running.close();
    running.view.element.remove();
    this.lives = this.lives.filter((other) => other !== running);
  }

  /** @param {Place} place The address changes; what is shown stays. */
  #move(place) {
    this.place = place;
    this.hooks.moved(place);
  }
}
