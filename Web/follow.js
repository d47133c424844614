// Follows one answer's log until its end, whatever happens to the line: every connection asks for what comes after
// the last number held, so nothing is shown twice and nothing is missed.

import { apply, answerFromSnapshot, eventTypes, hasEnded } from "/answer.js";
import { Backoff } from "/backoff.js";
import { call, Refusal } from "/api.js";
import { onSight } from "/sight.js";

// A dead line can look like a silent one, and an event source hides the server's heartbeats: after this long without
// an event the log is asked for again, which costs one request and shows nothing.
const longestSilence = 25_000;

/**
 * Starts following. `changed` is called after every change of the answer (its `line` too), `gone` when the server no
 * longer has it. Returns `{ close }`.
 */
export function follow(answer, { changed, gone }) {
  const backoff = new Backoff();
  let source;
  let silence;
  let failures = 0;
  let acceptedGap;
  let isClosed = false;

  function setLine(line) {
    if (answer.line === line) return;
    answer.line = line;
    changed(answer);
  }

  function disconnect() {
    clearTimeout(silence);
    source?.close();
    source = undefined;
  }

  function connect() {
    disconnect();
    if (isClosed || hasEnded(answer)) return;
    source = new EventSource(`/v1/answers/${answer.id}/events?after=${answer.seq}`);
    source.onopen = () => {
      failures = 0;
      setLine("live");
      listenForSilence();
    };
    source.onerror = dropped;
    for (const type of eventTypes) source.addEventListener(type, received);
    listenForSilence();
  }

  function listenForSilence() {
    clearTimeout(silence);
    silence = setTimeout(connect, longestSilence);
  }

  function received(event) {
    listenForSilence();
    const seq = Number(event.lastEventId);
    let data;
    try {
      data = JSON.parse(event.data);
    } catch {
      return reopen();
    }
    const outcome = apply(answer, seq, event.type, data);
    if (outcome === "gap") {
      // A hole that is still there after a fresh start is an event of a type that this page does not listen for.
      const hole = `${answer.seq}-${seq}`;
      if (acceptedGap !== hole) {
        acceptedGap = hole;
        return reopen();
      }
      answer.seq = seq - 1;
      apply(answer, seq, event.type, data);
    } else if (outcome !== "applied") {
      return;
    }
    // Only what moves the answer on counts as success: a line that opens and brings nothing useful is not tried faster.
    backoff.succeed();
    answer.line = "live";
    if (hasEnded(answer)) {
      answer.endedAt ??= new Date().toISOString();
      close();
    }
    changed(answer);
  }

  function reopen() {
    disconnect();
    backoff.schedule(connect);
  }

  function dropped() {
    disconnect();
    if (isClosed) return;
    failures += 1;
    setLine(navigator.onLine ? "reconnecting" : "offline");
    // An event source says that it failed and never why; a plain request tells.
    if (failures >= 2 && navigator.onLine) backoff.schedule(ask);
    else backoff.schedule(connect);
  }

  async function ask() {
    try {
      const stored = answerFromSnapshot(await call("GET", `/v1/answers/${answer.id}`), answer.turn);
      if (isClosed) return;
      if (hasEnded(stored) && stored.seq >= answer.seq) {
        Object.assign(answer, stored, { line: "live" });
        close();
        changed(answer);
        return;
      }
    } catch (error) {
      if (isClosed) return;
      if (error instanceof Refusal && !error.isTemporary) {
        close();
        if (error.status !== 401) gone(answer);
        return;
      }
      return backoff.schedule(ask);
    }
    connect();
  }

  function leave() {
    backoff.cancel();
    disconnect();
  }

  function close() {
    isClosed = true;
    endSight();
    leave();
    window.removeEventListener("offline", dropped);
  }

  const endSight = onSight({ lost: leave, back: connect });
  window.addEventListener("offline", dropped);
  connect();
  return { close };
}
