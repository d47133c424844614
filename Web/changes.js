// The account's change feed: what other tabs and devices do. An entry is only a hint: it names an id, and whoever
// shows that id fetches it.

import { CoreFeed } from "/core.js";
import { keepLine } from "/line.js";

/**
 * Starts listening after a cursor; `hint(change)` for every entry, `line(isUp)` as the connection comes and goes.
 * `expired` lists afresh when the feed no longer reaches back that far, and gives the cursor to go on from.
 */
export function listen(cursor, { hint, line, expired }) {
  let feed;

  const kept = keepLine({
    path: () => `/v1/changes?after=${cursor}`,
    opened() {
      feed?.close();
      feed = new CoreFeed();
      kept.moved();
      line(true);
    },
    dropped: () => line(false),
    take(bytes) {
      for (const change of feed.take(bytes)) {
        if (!(change.cursor > cursor)) continue;
        cursor = change.cursor;
        hint(change);
      }
      return "more";
    },
    async refused(refusal) {
      if (refusal.kind !== "cursor-expired") return refusal.status !== 401;
      cursor = await expired();
      return true;
    },
  });
  return kept;
}
