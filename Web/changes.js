// The account's change feed: what other tabs and devices do. An entry is only a hint: it names an id, and whoever
// shows that id fetches it.

import { Backoff } from "/backoff.js";
import { call, Refusal } from "/api.js";
import { onSight } from "/sight.js";

/**
 * Starts listening after a cursor; `hint(change)` for every entry, `line(isUp)` as the connection comes and goes.
 * `expired` lists afresh when the feed no longer reaches back that far, and gives the cursor to go on from.
 */
export function listen(cursor, { hint, line, expired }) {
  const backoff = new Backoff();
  let source;
  let failures = 0;
  let isClosed = false;

  function disconnect() {
    source?.close();
    source = undefined;
  }

  function connect() {
    disconnect();
    if (isClosed) return;
    source = new EventSource(`/v1/changes?after=${cursor}`);
    source.onopen = () => {
      failures = 0;
      backoff.succeed();
      line(true);
    };
    source.onerror = dropped;
    source.onmessage = received;
    source.addEventListener("change", received);
  }

  function received(event) {
    let change;
    try {
      change = JSON.parse(event.data);
    } catch {
      return;
    }
    const reached = Number(change.cursor ?? event.lastEventId);
    if (reached <= cursor) return;
    cursor = reached;
    hint(change);
  }

  function dropped() {
    disconnect();
    if (isClosed) return;
    failures += 1;
    line(false);
    backoff.schedule(failures >= 2 && navigator.onLine ? ask : connect);
  }

  async function ask() {
    try {
      await askWhy();
    } catch (error) {
      const isOver = isClosed || (error instanceof Refusal && error.status === 401);
      if (!isOver) backoff.schedule(ask);
      return;
    }
    if (!isClosed) connect();
  }

  async function askWhy() {
    try {
      await call("GET", `/v1/changes?after=${cursor}&limit=1`);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "cursor-expired") throw error;
      cursor = await expired();
    }
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
