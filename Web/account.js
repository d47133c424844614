// Account and settings, fetched when they are first opened. Each part is a module of its own with an element of its own,
// and is there where the server offers it; a new part is one line in the list below. A part may `watch` what it is made
// of once, and `show` what the server has each time.

import * as audit from "/account-audit.js";
import * as closing from "/account-closing.js";
import * as consent from "/account-consent.js";
import * as exporting from "/account-export.js";
import * as importing from "/account-import.js";
import * as limits from "/account-limits.js";
import * as looks from "/account-looks.js";
import * as memory from "/account-memory.js";
import { say } from "/account-part.js";
import * as people from "/account-people.js";
import * as ways from "/account-ways.js";
import { byID, element } from "/dom.js";
import { addFragment } from "/fragment.js";

const parts = [looks, people, ways, consent, memory, audit, limits, exporting, importing, closing];
let dialog;

function wire() {
  dialog = byID("account");
  byID("close-account").onclick = () => dialog.close();
  // A press beside the dialog closes it, as Escape does.
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  for (const group of dialog.querySelectorAll(".account-group")) {
    const heading = group.querySelector("h3");
    const jump = element("button", { class: "quiet", type: "button" }, heading.textContent);
    jump.onclick = () => {
      heading.focus({ preventScroll: true });
      group.scrollIntoView({ block: "start" });
    };
    byID("account-jumps").append(element("li", {}, jump));
  }
  for (const part of parts) part.watch?.();
}

/** The account's change feed told of something that an open dialog may show. */
export function accountChanged(kind) {
  if (!dialog?.open) return;
  if (kind === "memory" || kind === "consent") memory.show();
  if (kind === "consent") consent.show();
}

/** Opens the dialog; rejects where it cannot be had. */
export async function showAccount() {
  await addFragment("/account.html", wire);
  say("");
  dialog.showModal();
  await Promise.all(parts.map((part) => part.show?.()));
  drawGroups();
}

/** A group of which the server offers nothing is not there either. */
function drawGroups() {
  const jumps = byID("account-jumps").children;
  dialog.querySelectorAll(".account-group").forEach((group, index) => {
    const isEmpty = [...group.querySelectorAll("section")].every((section) => section.hidden);
    group.hidden = isEmpty;
    jumps[index].hidden = isEmpty;
  });
}
