// One event stream that is kept open whatever happens: it is asked for again after every break, from where the reader
// is, soon at first and then less often; it rests while nobody sees the page.

import { Refusal, stream } from "/api.js";
import { Backoff } from "/backoff.js";
import { onSight } from "/sight.js";

// The server sends a comment at least every ten seconds: a line that is silent for longer than two of them is dead.
const longestSilence = 25_000;

/**
 * Keeps a stream open. `path()` is asked for each connection; `opened` and `dropped` as the line comes and goes;
 * `take(bytes)` gives "more", "again" (ask anew) or "over"; `refused(refusal)` gives whether to go on. Returns
 * `{ close, isMoving }`: what moves a reader on makes the next try a quick one.
 */
export function keepLine({ path, opened, dropped, take, refused }) {
  const backoff = new Backoff();
  let connection;
  let isClosed = false;

  function disconnect() {
    connection?.abort();
    connection = undefined;
  }

  async function connect() {
    disconnect();
    if (isClosed) return;
    const own = new AbortController();
    connection = own;
    let silence;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => own.abort(), longestSilence);
    };
    try {
      listen();
      const reader = await stream(path(), own.signal);
      if (connection !== own) return;
      opened();
      for (;;) {
        const { value, done } = await reader.read();
        if (connection !== own) return;
        if (done) break;
        listen();
        const verdict = take(value);
        if (verdict === "over") return close();
        if (verdict === "again") break;
      }
    } catch (error) {
      if (connection !== own) return;
      if (error instanceof Refusal && !error.isTemporary) {
        if (!(await goesOn(error))) return close();
      }
    } finally {
      clearTimeout(silence);
      own.abort();
    }
    lost();
  }

  async function goesOn(refusal) {
    try {
      return await refused(refusal);
    } catch {
      return true;
    }
  }

  function lost() {
    disconnect();
    if (isClosed) return;
    dropped();
    backoff.schedule(connect);
  }

  function leave() {
    backoff.cancel();
    disconnect();
  }

  function close() {
    isClosed = true;
    endSight();
    leave();
    window.removeEventListener("offline", lost);
  }

  const endSight = onSight({ lost: leave, back: connect });
  window.addEventListener("offline", lost);
  connect();
  return { close, moved: () => backoff.succeed() };
}
