// Creating an account: by an invitation, which is in the page's address, or where anybody may.

import { call, Refusal } from "/api.js";
import { byID, setText } from "/dom.js";
import { words } from "/language.js";

// What the server offered when the form was last shown.
let known;

const inAddress = () => /^#invite=([\w-]{1,64})$/u.exec(location.hash)?.[1];

/** Wires the form; `joined(session)` once the account is there and signed in. */
export function watchJoining({ deviceName, joined }) {
  byID("to-join").onclick = () => show(true);
  byID("to-sign-in").onclick = () => show(false);
  byID("join-form").onsubmit = async (event) => {
    event.preventDefault();
    setText(byID("join-error"), "");
    const password = byID("join-password").value;
    if (password !== byID("join-again").value) {
      byID("join-again").focus();
      return setText(byID("join-error"), words().people.differ);
    }
    try {
      const session = await call("POST", "/v1/accounts", {
        name: byID("join-name").value.trim(), password, invite: inAddress(), device: deviceName(), cookie: true,
      });
      for (const field of ["join-password", "join-again"]) byID(field).value = "";
      history.replaceState(null, "", "/");
      await joined(session);
    } catch (problem) {
      setText(byID("join-error"), explained(problem));
    }
  };
  window.addEventListener("hashchange", () => { if (!byID("sign-in").hidden) offerJoining(known); });
}

/** Shows the form where there is an invitation, and the way to it where anybody may create an account by what is offered. */
export async function offerJoining(offered) {
  known = offered;
  const code = inAddress();
  if (code === undefined) {
    show(false);
    byID("to-join").hidden = true;
    // A server that does not say takes no accounts this way.
    byID("to-join").hidden = (await offered)?.registration !== "open";
    return;
  }
  show(true);
  setText(byID("join-note"), "");
  byID("join-form").hidden = false;
  try {
    const { state } = await call("POST", "/v1/invites/look", { invite: code });
    const { invites } = words().people;
    setText(byID("join-note"), state === "open" ? words().people.invited : invites[state] ?? invites.unknown);
    byID("join-form").hidden = state !== "open";
    if (state === "open") byID("join-name").focus();
  } catch {
    setText(byID("join-note"), words().unreachable);
  }
}

function show(isJoining) {
  byID("sign-in-card").hidden = isJoining;
  byID("join-card").hidden = !isJoining;
  setText(byID("join-note"), "");
}

function explained(problem) {
  const { people } = words();
  if (!(problem instanceof Refusal)) return words().unreachable;
  if (problem.status === 409) return people.nameTaken;
  if (problem.field === "password") return people.tooShort;
  if (problem.field === "name") return people.badName;
  if (problem.field === "invite") return people.invites.unknown;
  return words().tryLater;
}
