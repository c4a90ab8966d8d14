/**
 * The questions that this page has asked or taken up and not yet forgotten, and which of them it follows.
 * @module lives
 */

/** @typedef {import("./running.js").Running} Running */

/** A browser opens six connections to a server over HTTP/1.1, for all its pages; two are left for all else. */
export const MOST_FOLLOWED = 4;

/** Questions in the order in which this page came to know them. */
export class Lives {
  constructor() {
    /** @type {Running[]} */
    this.all = [];
  }

  /** Whether no further question can be followed: one that is being asked will be. */
  get full() {
    return this.all.filter((running) => !running.view.finished && !running.held).length >= MOST_FOLLOWED;
  }

  /** @param {string} conversation @returns {Running[]} */
  of(conversation) {
    return this.all.filter((running) => running.conversation === conversation);
  }

  /** Conversations in which a question of this page runs. */
  answering() {
    return new Set(this.all.flatMap((running) => (running.conversation !== null && !running.view.finished ? [running.conversation] : [])));
  }

  /** @param {Running} running @param {string} job Follows it, or holds it until another has ended. */
  follow(running, job) {
    if (this.full) running.hold(job);
    else running.attach(job);
    if (!this.all.includes(running)) this.all.push(running);
  }

  /** Follow what was held, as far as others have ended. */
  next() {
    for (const running of this.all) if (running.held && running.job !== null && !this.full) running.attach(running.job);
  }

  /** Forget what this page alone knows, and shows no more. */
  tidy() {
    this.all = this.all.filter((running) => running.job !== null || !running.view.finished);
  }

  /** @param {...Running} dropped They are known no more, not followed, and not shown. */
  drop(...dropped) {
    this.all = this.all.filter((running) => !dropped.includes(running));
    for (const running of dropped) {
      running.close();
      running.view.element.remove();
    }
    this.next();
  }
}
