// A task of the server that somebody waits for: an export or an import, with how far it is.

import { call } from "/api.js";
import { byID, setText } from "/dom.js";
import { percent } from "/language.js";

const ended = new Set(["done", "failed", "cancelled"]);

/** Waits for a task's end, showing how far it is in a section's `progress` and `[role=status]`. */
export async function finished(section, task, running) {
  const bar = section.querySelector("progress");
  let now = task;
  while (!ended.has(now?.state)) {
    bar.hidden = false;
    if (now.total > 0) {
      bar.value = now.done / now.total;
      setText(section.querySelector("[role=status]"), `${running} ${percent(Math.floor(20 * bar.value) / 20)}`);
    } else {
      bar.removeAttribute("value");
      setText(section.querySelector("[role=status]"), running);
    }
    await new Promise((resolve) => { setTimeout(resolve, 500); });
    now = await call("GET", `/v1/tasks/${task.id}`);
  }
  bar.hidden = true;
  return now;
}

/** Shows sections where the server has tasks. */
export async function offer(...names) {
  const isOffered = await call("GET", "/v1/tasks").then(() => true, () => false);
  for (const name of names) byID(`account-${name}`).hidden = !isOffered;
}
