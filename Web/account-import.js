// Bringing conversations along, from here or from other products, and what could not be taken of them.

import { say, whyNot } from "/account-part.js";
import { finished } from "/account-task.js";
import { upload } from "/api.js";
import { byID, element, setText } from "/dom.js";
import { words } from "/language.js";

const section = () => byID("account-import");
const mostShown = 50;

/** Wires the choice of a file. */
export function watch() {
  const { privacy } = words();
  const file = element("input", { id: "import-file", type: "file", accept: ".gz,.json,.jsonl,application/json,application/gzip" });
  file.onchange = () => { if (file.files[0]) start(file); };
  section().insertBefore(element("label", { class: "file secondary" }, privacy.importChoose, file), section().querySelector("progress"));
}

async function start(file) {
  const { privacy } = words();
  const state = section().querySelector("[role=status]");
  say("");
  section().querySelector("ul").replaceChildren();
  setText(state, privacy.importSending);
  file.disabled = true;
  try {
    const task = await finished(section(), await upload("/v1/imports", file.files[0]), privacy.importRunning);
    if (task.state === "done") setText(state, privacy.imported(task.report));
    else setText(state, privacy.importFailures[task.reason] ?? privacy.importFailed);
    drawFaults(task.report);
  } catch (problem) {
    setText(state, privacy.importFailed);
    say(whyNot(problem));
  }
  file.value = "";
  file.disabled = false;
}

/** Names each part that was left out: by its place in the file, and by its own name where it has one. */
function drawFaults(report) {
  const { fault, faults, faultsMore } = words().privacy;
  const shown = (report?.faults ?? []).slice(0, mostShown);
  const rows = shown.map(({ value, id, reason }) => element("li", { dir: "auto" }, fault(value, id, faults[reason] ?? reason)));
  const more = (report?.left_out ?? 0) - shown.length;
  if (more > 0) rows.push(element("li", {}, faultsMore(more)));
  section().querySelector("ul").replaceChildren(...rows);
}
