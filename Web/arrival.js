// What an address asks for behind its `#`: somebody came in by a link or back from a provider's page, holds an
// invitation, or wants to let a terminal in.

import { moreWords, words } from "/language.js";
import { offered } from "/ways.js";

/** The account that a link or a provider's page led into, where that is what happened just now. */
export async function enteredAccount() {
  if (location.hash !== "#signed-in") return undefined;
  forget();
  return (await offered())?.account;
}

/** What coming here led to, in words; each is said once. */
export function arrival() {
  const name = location.hash.slice(1);
  const said = name === "link-used" ? words().linkUsed : words().ways.outcomes[name];
  if (said !== undefined) forget();
  return said;
}

/** Does what the address asks for, for somebody who is signed in. */
export async function arrive(notify) {
  await moreWords();
  if (location.hash.startsWith("#invite=")) {
    forget();
    notify(words().people.alreadyIn);
  }
  if (location.hash.startsWith("#device")) await (await import("/device.js")).offerDevice(notify);
  const said = arrival();
  if (said !== undefined) notify(said);
}

function forget() {
  history.replaceState(null, "", location.pathname);
}
