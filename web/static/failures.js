/**
 * What went wrong, in words with a next step.
 * @module failures
 */

import { Refusal } from "./api.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { text } from "./words.js";

/** @typedef {import("./turn.js").TurnView} TurnView */

/** @type {Record<string, [string, string]>} */
const FAILED = {
  search_unavailable: ["No source could be searched", "Look at the sources above. A source that asked us to wait answers again later; an archive serves without a network."],
  model_unavailable: ["The language model does not answer", "Start its server, or ask with a preset that needs no model, then ask again."],
  store: ["The store could not be used", "Another program may hold it, or the disk is full: heliograph doctor tells. Then ask again."],
  not_found: ["Something that the question needs is not here", "Change the question and ask again."],
  usage: ["The question could not be asked like this", "Change it and ask again."],
  internal: ["Something went wrong on the server", "The trace has the step in which it did. Ask again, and report it if it comes back."],
};

/**
 * Show in a turn that a question was refused before any work began.
 * @param {TurnView} view @param {Refusal} refusal
 */
export function showRefusal(view, refusal) {
  if (refusal.status === 0) {
    view.ended("The server does not answer", ["Is ", el("code", {}, "heliograph serve"), " still running? The question is kept here: ask it again once it is."]);
  } else if (refusal.status === 401) {
    view.ended("This session has ended", `${refusal.message} Load the page again to begin a new one.`, el("button", { type: "button", class: "button", onclick: () => location.reload() }, icon("again"), "Load again"));
  } else if (refusal.status === 429) {
    view.ended("Too many questions at once", `${refusal.message} The question is kept here.`, whenOver(view, refusal.wait));
  } else {
    view.ended("The question was not accepted", refusal.message);
  }
}

/**
 * Show in a turn that its work failed.
 * @param {TurnView} view @param {{message?: string, code?: string, run?: string|null}} data
 */
export function showFailure(view, data) {
  const [heading, next] = Object.hasOwn(FAILED, text(data.code)) ? FAILED[text(data.code)] : FAILED.internal;
  if (data.run) view.run = text(data.run);
  view.ended(heading, [el("bdi", {}, text(data.message)), " ", next]);
}

/** @param {TurnView} view Shows in a turn that it was stopped. */
export function showStopped(view) {
  view.ended("Stopped", "The work was stopped before there was an answer.");
}

/** @param {TurnView} view Shows in a turn that its server ends. */
export function showServerEnded(view) {
  view.ended("This question has no answer", "The server was ended while it was being answered. Ask it again once it is back.");
}

/**
 * Show in a turn why a question of a conversation that is opened again has no answer.
 * @param {TurnView} view @param {import("./contract.js").Unanswered} question
 */
export function showUnanswered(view, question) {
  if (question.ending === "failed") showFailure(view, question);
  else if (question.ending === "stopped") showStopped(view);
  else view.ended("This question has no answer", "The server was ended while it was being answered, or what became of it could not be kept. Ask it again.");
}

/**
 * Make a button that asks again once the time is over, and counts it down until then.
 * @param {TurnView} view @param {number} seconds
 */
function whenOver(view, seconds) {
  const button = view.again();
  const over = Date.now() + seconds * 1000;
  const label = el("span", { role: "timer", "aria-live": "off" });
  const tick = () => {
    const left = Math.ceil((over - Date.now()) / 1000);
    button.disabled = left > 0;
    label.textContent = left > 0 ? `Possible in ${left} s` : "";
    if (left > 0) setTimeout(tick, 250);
  };
  tick();
  return [button, label];
}
