// The account's change feed: what other tabs and devices do. An entry is only a hint: it names an id, and whoever
// shows that id fetches it. While the page is out of sight the line is given back, because a browser grants a server
// only a few; the cursor makes coming back complete.

import { Backoff } from "/backoff.js";
import { call, Refusal } from "/api.js";
import * as storage from "/storage.js";

const hiddenGrace = 15_000;

/** Starts listening; `hint(change)` for every entry, `line(isUp)` as the connection comes and goes. */
export function listen({ hint, line, expired }) {
  const backoff = new Backoff();
  let source;
  let cursor = storage.read("cursor") ?? 0;
  let failures = 0;
  let hidden;
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
    storage.write("cursor", cursor);
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
      await call("GET", `/v1/changes?after=${cursor}`);
    } catch (error) {
      if (isClosed) return;
      if (error instanceof Refusal && error.kind === "cursor-expired") {
        moveTo(error.cursor ?? 0);
        expired();
      } else if (error instanceof Refusal && error.status === 401) {
        return;
      } else {
        return backoff.schedule(ask);
      }
    }
    if (!isClosed) connect();
  }

  function moveTo(next) {
    cursor = next;
    storage.write("cursor", cursor);
  }

  function seen() {
    clearTimeout(hidden);
    if (document.visibilityState === "hidden") hidden = setTimeout(disconnect, hiddenGrace);
    else if (!source && !isClosed) connect();
  }

  function close() {
    isClosed = true;
    clearTimeout(hidden);
    backoff.cancel();
    disconnect();
    document.removeEventListener("visibilitychange", seen);
    window.removeEventListener("offline", dropped);
  }

  document.addEventListener("visibilitychange", seen);
  window.addEventListener("offline", dropped);
  connect();
  return { close };
}
