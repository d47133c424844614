// The ways to sign in beside a name and a password. What the server does not offer, or this browser cannot do here, is
// not shown.

import { call, Refusal } from "/api.js";
import { byID, element, setText } from "/dom.js";
import { words } from "/language.js";
import { canUsePasskeys, signInByPasskey } from "/passkeys.js";

/** What the server offers; nothing where it cannot be asked. */
export async function offered() {
  try {
    return await call("GET", "/v1/sign-in");
  } catch {
    return undefined;
  }
}

/** Draws the buttons under the form, for what is offered. `enter(session)` is called after signing in, `device()` names this browser. */
export function drawWays(ways, enter, device) {
  const place = byID("other-ways");
  const { ways: said } = words();
  const buttons = [];
  if (canUsePasskeys(ways)) {
    const button = element("button", { class: "secondary", type: "button" }, said.passkeySignIn);
    button.onclick = () => trySignIn(button, enter, device);
    buttons.push(button);
  } else if (ways?.passkeys) {
    const link = element("a", { href: ways.passkeys.origin }, element("bdi", {}, ways.passkeys.origin));
    buttons.push(element("p", { class: "hint" }, said.passkeysElsewhere, " ", link));
  }
  if (ways?.oidc) {
    buttons.push(element("a", { class: "secondary", href: ways.oidc.url }, said.signInWith(ways.oidc.name)));
  }
  place.replaceChildren(...buttons);
  place.hidden = buttons.length === 0;
}

async function trySignIn(button, enter, device) {
  const error = byID("sign-in-error");
  setText(error, "");
  button.disabled = true;
  try {
    const session = await signInByPasskey(device());
    if (session) await enter(session);
  } catch (problem) {
    const isUnknown = problem instanceof Refusal && problem.status === 401;
    setText(error, isUnknown ? words().ways.passkeyRefused : problem instanceof Refusal ? words().tryLater : words().unreachable);
  } finally {
    button.disabled = false;
  }
}
