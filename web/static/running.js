/**
 * The life of a question: asked, followed event by event, stopped, ended.
 * @module running
 */

import { announce } from "./announce.js";
import * as api from "./api.js";
import { chosenForm } from "./composer.js";
import { el } from "./dom.js";
import { showFailure, showRefusal, showServerEnded, showStopped } from "./failures.js";
import { icon } from "./icons.js";
import { follow } from "./stream.js";
import { TurnView } from "./turn.js";
import { count, list, text, verdictSign } from "./words.js";

/**
 * @typedef {object} Hooks
 * @property {(running: Running) => void} accepted The server gave it a job, and a conversation where it had none.
 * @property {(running: Running) => void} answered It has an answer.
 * @property {(running: Running) => void} forgotten The server knows its job no more: what became of it stands in its conversation.
 * @property {(running: Running) => void} gone What it is asked instead of is not there any more: its conversation has another question, or an answer, in its place.
 * @property {(running: Running) => void} ended It has ended in any way.
 * @property {(running: Running, job: string) => void} reconnect Somebody wants it to be followed again.
 * @property {(running: Running, question: string) => void} retry
 */

/** A question on its way. */
export class Running {
  /** @param {string} question @param {string|null} conversation @param {Hooks} hooks @param {string|null} [instead] A question without an answer in whose place it is asked. */
  constructor(question, conversation, hooks, instead = null) {
    this.question = question;
    this.instead = instead;
    this.conversation = conversation;
    this.hooks = hooks;
    /** @type {string|null} */
    this.job = null;
    this.view = new TurnView(question, (again) => hooks.retry(this, again));
    this.wanted = true;
    this.held = false;
    this.close = () => {};
  }

  /** The question without an answer that a conversation keeps for it, by its name. */
  get kept() {
    return this.job ?? this.instead;
  }

  /** @param {string|null} preset Asks the server; a refusal is shown in the turn. */
  async ask(preset) {
    try {
      const accepted = await api.ask({ question: this.question, conversation: this.conversation, preset, form: chosenForm(), instead: this.instead });
      this.job = accepted.job;
      this.conversation = accepted.conversation;
      this.hooks.accepted(this);
      this.attach(accepted.job);
      if (!this.wanted) await this.stop();
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (error.code === "gone") return this.hooks.gone(this);
      showRefusal(this.view, error);
      this.hooks.ended(this);
    }
    return undefined;
  }

  /** @param {string} job Follows a job from its first event. */
  attach(job) {
    this.job = job;
    this.held = false;
    this.close();
    this.view.restart();
    this.close = follow(job, {
      event: (name, data) => this.#event(name, data),
      open: () => this.view.waiting(""),
      waiting: () => this.view.waiting("The connection broke. Trying again; nothing is lost."),
      lost: () => void this.#lost(job),
    });
  }

  /** @param {string} job Waits with following a job: this page follows as many as it may. */
  hold(job) {
    this.job = job;
    this.held = true;
    this.view.restart();
    this.view.steps.say("Being answered");
    this.view.waiting("This page follows as many questions as it may. Once one of them has ended, or was stopped, the steps of this one are shown.");
  }

  /** Stop the work; the turn ends when the server says that it has. */
  async stop() {
    this.wanted = false;
    this.view.steps.say("Stopping…");
    if (this.job === null) return;
    try {
      await api.stop(this.job);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      this.view.waiting(`It could not be stopped. ${error.message}`);
    }
    if (this.held) this.attach(this.job); // its last event comes at once, and frees the connection
  }

  /** @param {string} name @param {any} data */
  #event(name, data) {
    const { view } = this;
    switch (name) {
      case "queued": return this.#say(Number(data.before) > 0 ? `Waiting: ${count(data.before, "question comes", "questions come")} first` : "Next in line");
      case "started": return this.#started(data);
      case "progress": return view.steps.progress(text(data.text));
      case "queries": return this.#say(`Round ${text(data.round)}: searching`, () => view.steps.queries(data.round, data.queries));
      case "sources": return view.steps.sources(data.round, data.sources);
      case "documents": return this.#say(`Round ${text(data.round)}: reading ${count(list(data.documents).length, "page")}`, () => view.steps.documents(data.round, list(data.documents).map((page) => text(page?.title))));
      case "evidence": return this.#say(`Round ${text(data.round)}: ${count(data.count, "piece")} of evidence`, () => view.steps.evidence(data.round, data.count, data.best));
      case "verdict": return this.#say(data.sufficient === true ? "Writing the answer" : `Round ${text(data.round)}: something is missing`, () => view.steps.verdict(data.round, data.sufficient, data.missing));
      case "claim": return this.#claim(data);
      case "answer": return this.#answered(data);
      case "failed": return this.#over("The question failed.", () => showFailure(view, data));
      case "stopped": return this.#over("Stopped.", () => (data.by_server === true ? showServerEnded(view) : showStopped(view)));
      default: return undefined;
    }
  }

  /** @param {string} words @param {() => void} [show] */
  #say(words, show) {
    show?.();
    if (this.wanted) this.view.steps.say(words);
    announce(words);
  }

  /** @param {any} data */
  #started(data) {
    this.view.run = text(data.run);
    this.view.understood(text(data.asked), list(data.open_words).length ? list(data.open_words).map(text).join(", ") : typeof data.open_words === "string" ? data.open_words : "");
    this.#say("Understanding the question");
  }

  /** @param {import("./contract.js").Claim} claim */
  #claim(claim) {
    this.view.claim(claim);
    announce(`${verdictSign(claim.verdict).word}: ${text(claim.text)}`);
  }

  /** @param {{conversation?: string, answer?: import("./contract.js").Answer}} data */
  #answered(data) {
    const { answer } = data;
    if (!answer || typeof answer !== "object") return this.#over("The question failed.", () => showFailure(this.view, { message: "The answer could not be read." }));
    this.conversation = data.conversation || this.conversation;
    this.view.answered(answer, null);
    this.hooks.answered(this);
    return this.#over(answer.abstained === true ? `No answer. ${text(answer.text)}` : `The answer is complete: ${count(list(answer.claims).length, "claim")}.`);
  }

  /** @param {string} words @param {() => void} [show] */
  #over(words, show) {
    show?.();
    announce(words);
    this.hooks.ended(this);
  }

  /**
   * Find out why the server refused the stream.
   * @param {string} job
   */
  async #lost(job) {
    try {
      const { jobs } = await api.jobs();
      if (jobs.some((known) => known.job === job)) return void setTimeout(() => this.attach(job), 2000);
      return this.hooks.forgotten(this);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      if (error.status === 401) showRefusal(this.view, error);
      else this.view.ended("The server does not answer", ["Is ", el("code", {}, "heliograph serve"), " still running?"], [this.#reconnect(job), this.view.again()]);
      return this.hooks.ended(this);
    }
  }

  /** @param {string} job */
  #reconnect(job) {
    return el("button", { type: "button", class: "button", onclick: () => this.hooks.reconnect(this, job) }, icon("again"), "Connect again");
  }
}
