// Taking everything along.

import { call } from "/api.js";
import { byID, element, setText } from "/dom.js";
import { words } from "/language.js";

/** Wires the button. */
export function watch() {
  byID("start-export").onclick = start;
}

/** Offers an archive where the server makes them. */
export async function show() {
  const section = byID("account-export");
  try {
    await call("GET", "/v1/tasks");
    section.hidden = false;
  } catch {
    section.hidden = true;
  }
}

async function start() {
  const { account } = words();
  const state = byID("export-state");
  setText(state, account.exportRunning);
  try {
    await finished(await call("POST", "/v1/exports", {}));
  } catch {
    setText(state, account.exportFailed);
  }
}

async function finished(task) {
  const { account } = words();
  let now = task;
  while (["queued", "running"].includes(now?.state)) {
    await new Promise((resolve) => { setTimeout(resolve, 1_000); });
    now = await call("GET", `/v1/tasks/${task.id}`);
  }
  if (now?.state !== "done") throw new Error("export");
  const link = element("a", { href: `/v1/tasks/${now.id}/result`, download: "" }, account.exportReady);
  byID("export-state").replaceChildren(link);
}
