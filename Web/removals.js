// Conversations that were deleted here. For a while that can be taken back; then, or when the page goes, it is sent.
// What could not be sent is remembered and sent as soon as it can be.

import { call, Refusal } from "/api.js";
import { Backoff } from "/backoff.js";
import * as storage from "/storage.js";

export class Removals {
  #held = new Set();
  #backoff = new Backoff();
  #sent;

  /** `sent(id)` when the server no longer has it. */
  constructor(sent) {
    this.#sent = sent;
    // Keeping the request alive is what sends it although the page is going.
    window.addEventListener("pagehide", () => {
      for (const id of this.#held) call("DELETE", `/v1/conversations/${id}`, undefined, { isLast: true }).catch(() => {});
    });
  }

  /** Whether a conversation was deleted here. */
  has(id) {
    return storage.read(`delete.${id}`) !== undefined;
  }

  /** Deletes, but may still be taken back. */
  hold(id) {
    storage.write(`delete.${id}`, id);
    this.#held.add(id);
  }

  undo(id) {
    storage.remove(`delete.${id}`);
    this.#held.delete(id);
  }

  /** Not to be taken back any more. */
  release(id) {
    if (this.#held.delete(id)) this.flush();
  }

  /** Sends what waits. */
  async flush() {
    this.#backoff.cancel();
    for (const id of storage.all("delete.")) {
      if (this.#held.has(id)) continue;
      try {
        await call("DELETE", `/v1/conversations/${id}`);
      } catch (problem) {
        if (!(problem instanceof Refusal) || problem.isTemporary) return this.#backoff.schedule(() => this.flush());
        if (problem.status === 401) return;
      }
      storage.remove(`delete.${id}`);
      this.#sent(id);
    }
  }

  close() {
    this.#backoff.cancel();
    this.#held.clear();
  }
}
