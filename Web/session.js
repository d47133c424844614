// Whose page this is: the account that this browser holds, and leaving it.

import { call, Refusal } from "/api.js";
import { confirm } from "/dialog.js";
import { byID } from "/dom.js";
import { words } from "/language.js";
import * as shelf from "/shelf.js";
import * as storage from "/storage.js";

/** Makes this browser an account's; gives whether it was another's before. */
export function adopt(account) {
  // What another account left unsent here must not go out under this one.
  const isOther = storage.read("account") !== undefined && storage.read("account") !== account;
  if (isOther) forgetAccount();
  storage.write("account", account);
  return isOther;
}

/** Wires the button. `leaving()` once the session is over and this browser is to know nothing of the account. */
export function watchSignOut({ hasUnsent, leaving, notify }) {
  byID("sign-out").onclick = async () => {
    const { signOutTitle, signOutText, labels } = words();
    if (!(await confirm(signOutTitle, signOutText(hasUnsent()), labels.signOut))) return;
    try {
      await call("DELETE", "/v1/sessions/current");
    } catch (problem) {
      if (!(problem instanceof Refusal && problem.status === 401)) return notify(words().stillSignedIn);
    }
    leaving();
  };
}

/** Leaves nothing of the account here; language and appearance are the browser's. */
export function forgetAccount() {
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
