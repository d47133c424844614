// Taking everything along.

import { finished, offer } from "/account-task.js";
import { call } from "/api.js";
import { byID, element, setText } from "/dom.js";
import { words } from "/language.js";

/** Wires the button. */
export function watch() {
  byID("start-export").onclick = start;
}

/** Offers an archive where the server makes them, and to take a file where it does: both are tasks of it. */
export function show() {
  return offer("export", "import");
}

async function start() {
  const { account } = words();
  const state = byID("export-state");
  byID("start-export").disabled = true;
  setText(state, account.exportRunning);
  try {
    const task = await finished(byID("account-export"), await call("POST", "/v1/exports", {}), account.exportRunning);
    if (task.state !== "done") throw new Error(task.reason);
    const link = element("a", { href: `/v1/tasks/${task.id}/result`, download: "" }, account.exportReady);
    state.replaceChildren(link);
  } catch {
    setText(state, account.exportFailed);
  }
  byID("start-export").disabled = false;
}
