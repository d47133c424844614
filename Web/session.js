// Signing in and out.

import { call, Refusal } from "/api.js";
import { confirm } from "/dialog.js";
import { byID, setText } from "/dom.js";
import { offerJoining, watchJoining } from "/joining.js";
import { words } from "/language.js";
import * as shelf from "/shelf.js";
import * as storage from "/storage.js";
import { drawWays, offered, outcome } from "/ways.js";

let redrawWays = () => {};

/** Makes this browser an account's; gives whether it was another's before. */
export function adopt(account) {
  // What another account left unsent here must not go out under this one.
  const isOther = storage.read("account") !== undefined && storage.read("account") !== account;
  if (isOther) forgetAccount();
  storage.write("account", account);
  return isOther;
}

/** Wires the form and the button. `signedIn(isOther)` after signing in, `leaving()` before everything is forgotten. */
export function watchSession({ signedIn, hasUnsent, leaving, notify }) {
  const enter = async (session) => signedIn(adopt(session?.account?.id ?? session?.account));
  watchJoining({ deviceName, joined: enter });
  redrawWays = (ways) => drawWays(ways, enter, deviceName);
  byID("sign-in-form").onsubmit = async (event) => {
    event.preventDefault();
    const error = byID("sign-in-error");
    setText(error, "");
    try {
      const session = await call("POST", "/v1/sessions", {
        name: byID("sign-in-name").value.trim(), password: byID("sign-in-password").value, device: deviceName(), cookie: true,
      });
      byID("sign-in-password").value = "";
      await enter(session);
    } catch (problem) {
      const isWrong = problem instanceof Refusal && problem.status === 401;
      setText(error, isWrong ? words().notAccepted : problem instanceof Refusal ? words().tryLater : words().unreachable);
    }
  };

  byID("sign-out").onclick = async () => {
    const { signOutTitle, signOutText, labels } = words();
    if (!(await confirm(signOutTitle, signOutText(hasUnsent()), labels.signOut))) return;
    try {
      await call("DELETE", "/v1/sessions/current");
    } catch (problem) {
      if (!(problem instanceof Refusal && problem.status === 401)) return notify(words().stillSignedIn);
    }
    leaving();
    forgetAccount();
    history.replaceState(null, "", "/");
    showSignIn();
  };
}

/** Shows the form, and nothing of any account. */
export function showSignIn() {
  byID("app").hidden = true;
  byID("sign-in").hidden = false;
  const ways = offered();
  offerJoining(ways);
  document.title = `${words().signInTitle} · Rejoinder`;
  if (location.hash === "#link-used") setText(byID("sign-in-error"), words().linkUsed);
  const said = outcome();
  if (said !== undefined) setText(byID("sign-in-error"), said);
  ways.then(redrawWays);
  // What could be read offline is not left to whoever opens this browser next.
  shelf.clear();
}

export function hideSignIn() {
  byID("sign-in").hidden = true;
  byID("app").hidden = false;
}

/** Leaves nothing of the account here; language and appearance are the browser's. */
function forgetAccount() {
  storage.clear(["language", "theme"]);
  shelf.clear();
}

/** What the list of devices calls this browser. */
export function deviceName() {
  const brand = navigator.userAgentData?.brands?.find(({ brand: name }) => !/not|chromium/iu.test(name))?.brand
    ?? /(Firefox|Edg|Chrome|Safari)\//u.exec(navigator.userAgent)?.[1] ?? "Browser";
  const system = navigator.userAgentData?.platform ?? /(Windows|Mac OS|Android|iPhone|iPad|Linux)/u.exec(navigator.userAgent)?.[1];
  return system ? `${brand}, ${system}` : brand;
}
