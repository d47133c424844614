// What was asked and is not yet with the server. An entry is stored before the first request and goes when the server
// has answered; a reload, a killed server or a lost reply only means that the same ids are sent again.

import { Backoff } from "/backoff.js";
import { call, Refusal } from "/api.js";
import * as storage from "/storage.js";

/**
 * An entry is `{ answer, turn, conversation, kind: "turn" | "answer", parent, text, model, at, temporary?, refusal? }`,
 * known by its answer's id. `phase` is "sending" or "waiting" and is not stored.
 */
export class Outbox {
  #entries = new Map();
  #backoff = new Backoff();
  #isFlushing = false;
  #callbacks;

  constructor(callbacks) {
    this.#callbacks = callbacks;
    this.reload();
  }

  /** Reads what is stored, another tab's entries too. */
  reload() {
    const stored = new Map(storage.all("outbox.").map((entry) => [entry.answer, entry]));
    for (const [id, entry] of stored) {
      const held = this.#entries.get(id);
      this.#entries.set(id, { ...entry, phase: held?.phase ?? "waiting" });
    }
    for (const id of this.#entries.keys()) if (!stored.has(id)) this.#entries.delete(id);
  }

  /** The unsent entries of a conversation, oldest first. */
  of(conversation) {
    return this.#ordered().filter((entry) => entry.conversation === conversation);
  }

  get isEmpty() {
    return this.#entries.size === 0;
  }

  add(entry) {
    storage.write(`outbox.${entry.answer}`, entry);
    this.#entries.set(entry.answer, { ...entry, phase: navigator.onLine ? "sending" : "waiting" });
    this.#callbacks.changed(entry.conversation);
    this.flush();
  }

  /** Takes an entry back; a request already on its way may still arrive and is then simply shown. */
  remove(id) {
    const entry = this.#entries.get(id);
    storage.remove(`outbox.${id}`);
    this.#entries.delete(id);
    if (entry) this.#callbacks.changed(entry.conversation);
  }

  removeAll(conversation) {
    for (const entry of this.of(conversation)) this.remove(entry.answer);
  }

  /** Sends a refused entry once more, under the same ids: a refused request left nothing behind. */
  retry(id) {
    const entry = this.#entries.get(id);
    if (!entry) return;
    delete entry.refusal;
    this.#store(entry);
    this.flush();
  }

  /** Remembers to stop an answer, also across a reload or while offline. */
  stop(answer) {
    storage.write(`stop.${answer}`, answer);
    this.flush();
  }

  close() {
    this.#backoff.cancel();
    this.#entries.clear();
  }

  /** Sends everything that waits, in order. */
  async flush() {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#backoff.cancel();
    try {
      for (let entry = this.#next(); entry; entry = this.#next()) {
        if (!(await this.#send(entry))) break;
      }
      for (const answer of storage.all("stop.")) {
        if (!(await this.#deliverStop(answer))) break;
      }
    } finally {
      this.#isFlushing = false;
    }
  }

  #ordered() {
    return [...this.#entries.values()].sort((one, other) => one.at - other.at);
  }

  #next() {
    return this.#ordered().find((entry) => !entry.refusal);
  }

  #store(entry) {
    const { phase, ...stored } = entry;
    storage.write(`outbox.${entry.answer}`, stored);
  }

  #setPhase(entry, phase) {
    if (entry.phase === phase) return;
    entry.phase = phase;
    this.#callbacks.changed(entry.conversation);
  }

  async #send(entry) {
    this.#setPhase(entry, navigator.onLine ? "sending" : "waiting");
    const [path, body] = entry.kind === "turn"
      ? [
          `/v1/conversations/${entry.conversation}/turns/${entry.turn}`,
          {
            parent: entry.parent, answer: entry.answer, content: [{ type: "text", text: entry.text }],
            model: entry.model, options: {},
          },
        ]
      : [`/v1/turns/${entry.turn}/answers/${entry.answer}`, { model: entry.model, options: {} }];
    try {
      // A conversation that is to go by itself says so before its first words.
      if (entry.temporary) await call("PUT", `/v1/conversations/${entry.conversation}`, { temporary: true });
      const reply = await call("PUT", path, body);
      if (!this.#entries.has(entry.answer)) return true;
      storage.remove(`outbox.${entry.answer}`);
      this.#entries.delete(entry.answer);
      this.#callbacks.accepted(entry, idOf(reply?.answer) ?? entry.answer);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        this.#setPhase(entry, "waiting");
        return false;
      }
      if (error instanceof Refusal && !error.isTemporary) {
        entry.refusal = { kind: error.kind, resetsAt: error.resetsAt, retryAfter: error.retryAfter };
        if (this.#entries.has(entry.answer)) this.#store(entry);
        this.#callbacks.changed(entry.conversation);
        return true;
      }
      this.#setPhase(entry, "waiting");
      this.#backoff.schedule(() => this.flush());
      return false;
    }
  }

  async #deliverStop(answer) {
    // The turn itself is still on its way: its stop goes after it.
    if (this.#entries.has(answer)) return true;
    try {
      await call("POST", `/v1/answers/${answer}/stop`);
    } catch (error) {
      if (!(error instanceof Refusal) || error.isTemporary) {
        this.#backoff.schedule(() => this.flush());
        return false;
      }
      if (error.status === 401) return false;
    }
    storage.remove(`stop.${answer}`);
    return true;
  }
}

function idOf(value) {
  return typeof value === "string" ? value : value?.id;
}
