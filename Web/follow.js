// Follows one answer's log until its end: every connection asks for what comes after the last number held, so nothing
// is shown twice and nothing is missed.

import { hasEnded } from "/answer.js";
import { outcomes } from "/core.js";
import { keepLine } from "/line.js";

/**
 * Starts following. `changed` is called after every change of the answer (its `line` too), `gone` when the server no
 * longer has it. Returns `{ close }`.
 */
export function follow(answer, { changed, gone }) {
  function setLine(state) {
    if (answer.line === state) return;
    answer.line = state;
    changed(answer);
  }

  const line = keepLine({
    path: () => `/v1/answers/${answer.id}/events?after=${answer.core.seq}`,
    opened() {
      answer.core.reopen();
      setLine("live");
    },
    dropped: () => setLine(navigator.onLine ? "reconnecting" : "offline"),
    take(bytes) {
      const before = answer.seq;
      const outcome = answer.feed(bytes);
      // Only what moves the answer on counts as success: a line that brings nothing useful is not tried faster.
      if (answer.seq > before) {
        line.moved();
        answer.line = "live";
        changed(answer);
      }
      if (hasEnded(answer)) return "over";
      return outcome === outcomes.broken ? "again" : "more";
    },
    refused(refusal) {
      if (refusal.status !== 401) gone(answer);
      return false;
    },
  });
  return line;
}
