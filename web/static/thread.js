/**
 * The conversation on the page: its turns, and the questions that run in it or beside it.
 * @module thread
 */

import * as api from "./api.js";
import { byId, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { closePanel } from "./panel.js";
import { Running } from "./running.js";
import { TurnView } from "./turn.js";
import { welcome } from "./welcome.js";
import { list, text } from "./words.js";

/** A browser opens six connections to a server over HTTP/1.1; two are left for all else. */
const MOST_FOLLOWED = 4;

/** @typedef {{kind: "new"}|{kind: "c", id: string}|{kind: "j", job: string}} Place */
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
    this.showing = 0;
  }

  /** @param {Place} place Shows a place; turns that run there go on. */
  async show(place) {
    closePanel();
    this.place = place;
    const showing = (this.showing += 1);
    if (place.kind === "c") await this.#conversation(place.id, showing);
    else if (place.kind === "j") await this.#job(place.job, showing);
    else this.#fresh();
    if (showing === this.showing) this.hooks.changed();
  }

  /** @param {import("./contract.js").About} about What the server is; a greeting that stands is given again. */
  knows(about) {
    this.about = about;
    document.body.classList.toggle("unrated", about.remembers === false);
    if (this.place.kind === "new" && !this.turns().length) this.#fresh();
  }

  /** @param {string} question @param {string|null} preset */
  ask(question, preset) {
    this.preset = preset;
    const running = new Running(question, this.place.kind === "c" ? this.place.id : this.#shownConversation(), this.#doings);
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

  /** Questions that run and have no conversation yet. */
  pending() {
    return this.lives.filter((running) => running.conversation === null && running.job !== null && !running.view.finished).map((running) => ({ job: running.job ?? "", question: running.question }));
  }

  /** @returns {HTMLElement[]} */
  turns() {
    return [...this.host.querySelectorAll("article.turn")].map((turn) => /** @type {HTMLElement} */ (turn));
  }

  /** @param {string} id @param {number} showing */
  async #conversation(id, showing) {
    fill(this.host, el("p", { class: "loading" }, "Fetching the conversation…"));
    try {
      const [conversation, { jobs }] = await Promise.all([api.conversation(id), api.jobs()]);
      if (showing !== this.showing) return;
      fill(this.host, list(conversation.turns).map((turn) => this.#kept(turn)));
      for (const job of list(jobs).filter((known) => known.conversation === id)) this.#adopt(job);
      for (const running of this.lives.filter((known) => known.conversation === id)) this.#put(running);
      this.turns().at(-1)?.scrollIntoView({ block: "start" });
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (showing === this.showing) fill(this.host, this.#unreachable(error));
    }
  }

  /** @param {string} job @param {number} showing */
  async #job(job, showing) {
    fill(this.host, el("p", { class: "loading" }, "Finding the question…"));
    const running = this.lives.find((known) => known.job === job) ?? this.#adopt(await asked(job));
    if (showing !== this.showing) return;
    fill(this.host);
    this.#put(running);
  }

  #fresh() {
    this.lives = this.lives.filter((running) => running.job !== null);
    fill(this.host, welcome(this.about, (question) => this.hooks.write(question)));
  }

  /** @param {import("./contract.js").Job} job Returns what follows it already, or follows it. */
  #adopt(job) {
    const known = this.lives.find((running) => running.job === job.job);
    if (known) return known;
    const running = new Running(text(job.question), job.conversation, this.#doings);
    this.lives.push(running);
    running.attach(job.job);
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

  /** @param {api.Refusal} error */
  #unreachable(error) {
    const gone = error.status === 404;
    const again = el("button", { type: "button", class: "button", onclick: () => (error.status === 401 ? location.reload() : void this.show(this.place)) }, icon("again"), error.status === 401 ? "Load again" : "Try again");
    return el("div", { class: "notice", role: "alert" }, icon("warning"), el("div", {}, el("h3", {}, gone ? "There is no such conversation here" : "The conversation could not be fetched"), el("p", {}, error.message), el("div", { class: "row" }, again)));
  }

  /** The conversation of the turns on the page, when the address does not say it. */
  #shownConversation() {
    return this.lives.findLast((running) => running.conversation !== null && this.host.contains(running.view.element))?.conversation ?? null;
  }

  /** @type {import("./running.js").Hooks} */
  #doings = {
    accepted: (running) => {
      if (running.conversation === null && this.host.contains(running.view.element)) this.#move({ kind: "j", job: running.job ?? "" });
      this.hooks.changed();
    },
    answered: (running) => {
      if (running.conversation !== null && this.host.contains(running.view.element)) this.#move({ kind: "c", id: running.conversation });
      this.lives = this.lives.filter((other) => other !== running);
      this.hooks.listed();
    },
    ended: () => this.hooks.changed(),
    retry: (running, question) => {
      if (this.lives.includes(running)) running.view.element.remove();
      this.lives = this.lives.filter((other) => other !== running);
      this.ask(question, this.preset);
    },
  };

  /** @param {Place} place The address changes; what is shown stays. */
  #move(place) {
    this.place = place;
    this.hooks.moved(place);
  }
}

/**
 * Return what the server says about a job; of one that has ended only its name is left, and its events tell the rest.
 * @param {string} job
 * @returns {Promise<import("./contract.js").Job>}
 */
async function asked(job) {
  const nameless = { job, question: "", conversation: null };
  try {
    return list((await api.jobs()).jobs).find((known) => known.job === job) ?? nameless;
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    return nameless;
  }
}
