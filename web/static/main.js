/**
 * The page: its parts, and the address that says which conversation is shown.
 * `#/c/ID` is a conversation, `#/e/SHA` a piece of evidence that a program's answer links to, `#/b/BASE/ID` an
 * entity of a knowledge base or without an id the base; anything else is a new one.
 * @module main
 */

import * as api from "./api.js";
import { Composer } from "./composer.js";
import { ConversationList } from "./conversations.js";
import { byId, fill } from "./dom.js";
import { baseLinks } from "./explorer.js";
import { icon } from "./icons.js";
import { startKeys } from "./keys.js";
import { startPanel } from "./panel.js";
import { startSide } from "./side.js";
import { startTheme } from "./theme.js";
import { Thread } from "./thread.js";
import { text } from "./words.js";

const conversations = new ConversationList({ removed: left, renamed: changed });
const thread = new Thread({ changed, moved, listed: () => void conversations.refresh().then(changed), write: (question) => composer.write(question) });
const composer = new Composer({ ask: (question, preset) => thread.ask(question, preset), stop: () => thread.stop() });

startTheme();
startPanel();
const closeSide = startSide();
fill(byId("new"), icon("plus"), "New conversation");
fill(byId("keys"), icon("keys"));
fill(byId("panel-close"), icon("close"));
byId("new").addEventListener("click", fresh);
startKeys({ turns: () => thread.turns(), stop: () => thread.stop(), fresh, write: (letters) => composer.take(letters) });
window.addEventListener("hashchange", route);
void begin();

/** Show what the address names; whoever asks before the rest is known is not disturbed by it. */
async function begin() {
  route();
  try {
    const about = await api.about();
    thread.knows(about);
    composer.knows(about);
    fill(byId("bases"), baseLinks(about.bases));
    byId("version").textContent = text(about.version);
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    fill(byId("list-problem"), error.message);
  }
  await conversations.refresh();
  changed();
}

/** Show what the address names. */
function route() {
  if (location.hash && !location.hash.startsWith("#/")) return;
  closeSide();
  void thread.show(placeOf(location.hash));
}

/** @param {string} hash @returns {import("./thread.js").Place} */
function placeOf(hash) {
  const [kind, name, within] = hash.slice(2).split("/");
  const known = name ? decoded(name) : "";
  if (kind === "c" && known) return { kind, id: known };
  if (kind === "e" && known) return { kind, sha: known };
  if (kind === "b" && known) return { kind, base: known, id: within ? decoded(within) : null };
  return { kind: "new" };
}

/** @param {string} name */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}

/** @param {import("./thread.js").Place} place @returns {string} */
function nameOf(place) {
  if (place.kind === "c") return `c/${place.id}`;
  if (place.kind === "b") return `b/${place.base}`;
  return place.kind === "e" ? `e/${place.sha}` : "";
}

/** @param {import("./thread.js").Place} place */
function moved(place) {
  const name = nameOf(place).split("/");
  history.replaceState(null, "", `#/${name[0]}/${encodeURIComponent(name.slice(1).join("/").toWellFormed())}`);
  changed();
}

/** Show the state of what runs and where we are. */
function changed() {
  const { place } = thread;
  composer.show(thread.running() !== undefined, thread.turns().length > 0);
  conversations.show(nameOf(place), thread.answering());
  const title = place.kind === "c" ? conversations.titleOf(place.id) : thread.heading;
  document.title = title ? `${title} · Heliograph` : "Heliograph";
  byId("title").textContent = title || "New conversation";
  byId("title").classList.toggle("unseen", title === "");
}

/** Begin a new conversation: at once, for `hashchange` comes later, and would clear away what was asked meanwhile. */
function fresh() {
  if (nameOf(placeOf(location.hash))) history.pushState(null, "", "#/");
  closeSide();
  void thread.show({ kind: "new" });
  byId("question").focus();
}

/** @param {string} id A conversation that was deleted: leave it if it is the one shown. */
function left(id) {
  if (thread.place.kind === "c" && thread.place.id === id) fresh();
}
