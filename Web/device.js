// Letting a terminal in: the address `#device`, the code that the terminal shows, and who asks.

import { call, Refusal } from "/api.js";
import { byID, setText } from "/dom.js";
import { addFragment } from "/fragment.js";
import { moment, words } from "/language.js";

let dialog;
let code;
let notify;

function wire() {
  dialog = byID("let-in");
  byID("let-in-form").onsubmit = (event) => {
    event.preventDefault();
    look(byID("let-in-code").value);
  };
  byID("let-in-yes").onclick = () => decide(true);
  byID("let-in-no").onclick = () => decide(false);
  byID("let-in-close").onclick = () => dialog.close();
  dialog.onclose = () => {
    if (location.hash.startsWith("#device")) history.replaceState(null, "", location.pathname);
  };
}

/** Opens the dialog where the address asks for it; the code is asked for, and never taken unseen. `say` tells the outcome. */
export async function offerDevice(say) {
  const match = /^#device(?:=([\w-]{0,16}))?$/u.exec(location.hash);
  if (!match) return;
  await addFragment("/let-in.html", wire);
  notify = say;
  show(false);
  byID("let-in-code").value = match[1] ?? "";
  if (!dialog.open) dialog.showModal();
  byID("let-in-code").focus();
}

function show(isAsking) {
  byID("let-in-form").hidden = isAsking;
  byID("let-in-question").hidden = !isAsking;
  setText(byID("let-in-error"), "");
}

async function look(typed) {
  try {
    const { device, address, asked_at: askedAt } = await call("POST", "/v1/device-requests", { code: typed });
    code = typed;
    setText(byID("let-in-device"), device);
    setText(byID("let-in-about"), words().people.asksFrom(address, moment(Date.parse(askedAt))));
    show(true);
    byID("let-in-no").focus();
  } catch (problem) {
    fail(problem);
  }
}

async function decide(approve) {
  try {
    await call("PUT", "/v1/device-requests", { code, approve });
    dialog.close();
    notify(approve ? words().people.isIn : words().people.isOut);
  } catch (problem) {
    show(false);
    fail(problem);
  }
}

function fail(problem) {
  const isWrong = problem instanceof Refusal && problem.status === 404;
  setText(byID("let-in-error"), isWrong ? words().people.noDevice : problem instanceof Refusal ? words().tryLater : words().unreachable);
}
