// Letting a terminal in: the address `#device`, the code that the terminal shows, and who asks.

import { call, Refusal } from "/api.js";
import { byID, setText } from "/dom.js";
import { moment, words } from "/language.js";

const dialog = byID("let-in");
let code;

/** Wires the dialog. */
export function watchDevice({ isSignedIn, notify }) {
  byID("let-in-form").onsubmit = (event) => {
    event.preventDefault();
    look(byID("let-in-code").value);
  };
  byID("let-in-yes").onclick = () => decide(true, notify);
  byID("let-in-no").onclick = () => decide(false, notify);
  byID("let-in-close").onclick = () => dialog.close();
  dialog.onclose = () => {
    if (location.hash.startsWith("#device")) history.replaceState(null, "", location.pathname);
  };
  window.addEventListener("hashchange", () => { if (isSignedIn()) offerDevice(); });
}

/** Opens the dialog where the address asks for it; the code is asked for, and never taken unseen. */
export function offerDevice() {
  const match = /^#device(?:=([\w-]{0,16}))?$/u.exec(location.hash);
  if (!match) return;
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

async function decide(approve, notify) {
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
