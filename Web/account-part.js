// What the parts of the account have in common: a list that the server may not offer, a change that is shown as made
// only when the server has made it, and the one line that says why something was not.

import { call, Refusal } from "/api.js";
import { byID, setText } from "/dom.js";
import { words } from "/language.js";

/** Says something about what was just done, for eyes and screen readers. */
export function say(text) {
  setText(byID("account-note"), text);
  byID("account-note").hidden = text === "";
}

/**
 * Shows a part's list where the server offers it: `rows(reply)` gives its rows. Without any the part is hidden, unless
 * `isKept` says that an empty one has something to say too.
 */
export async function list(name, path, rows, isKept = false) {
  const section = byID(`account-${name}`);
  try {
    const made = rows(await call("GET", path));
    replaceRows(section.querySelector("ul"), made);
    section.hidden = made.length === 0 && !isKept;
  } catch {
    section.hidden = true;
  }
}

/** Puts new rows in, and the keyboard back to where it was: the same control of the same row, or what is next to it. */
export function replaceRows(node, rows) {
  const old = [...node.children];
  const at = old.findIndex((row) => row.contains(document.activeElement));
  const control = at < 0 ? -1 : controls(old[at]).indexOf(document.activeElement);
  node.replaceChildren(...rows);
  if (at < 0) return;
  const row = rows[Math.min(at, rows.length - 1)];
  const left = row ? controls(row) : [];
  (left[Math.min(Math.max(control, 0), left.length - 1)] ?? byID("close-account")).focus({ preventScroll: true });
}

function controls(row) {
  return [...row.querySelectorAll("button:not([hidden]), input, a")];
}

/**
 * Asks the server for a change and gives its reply; undefined where it was not made, and the reason is said. Nothing
 * is drawn here: what is shown next is what the server holds.
 */
export async function change(method, path, body, fields) {
  say("");
  try {
    return (await call(method, path, body, { fields })) ?? true;
  } catch (problem) {
    say(whyNot(problem));
    return undefined;
  }
}

/** Why something was not done. */
export function whyNot(problem) {
  const { account, privacy } = words();
  if (!(problem instanceof Refusal)) return account.notReached;
  return privacy.refusals[problem.kind] ?? account.notMade;
}
