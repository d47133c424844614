// What happened to the account, as sentences, newest first.

import { call } from "/api.js";
import { byID, element } from "/dom.js";
import { moment, words } from "/language.js";

const section = () => byID("account-audit");
const pageSize = 8;
let next;

/** Wires the button for older lines. */
export function watch() {
  byID("audit-more").onclick = () => load(next);
}

/** Shows the newest lines. */
export async function show() {
  section().querySelector("ul").replaceChildren();
  await load();
}

async function load(before) {
  try {
    const page = await call("GET", `/v1/account/audit?limit=${pageSize}${before ? `&before=${before}` : ""}`);
    section().querySelector("ul").append(...page.items.map(row));
    next = page.next;
    byID("audit-more").hidden = !next;
    section().hidden = false;
  } catch {
    section().hidden = section().querySelector("li") === null;
  }
}

function row({ at, event, detail }) {
  const { events, decided } = words().privacy;
  const said = event === "consent-changed" ? decided(...(detail ?? "").split(" ")) : events[event]?.(detail ?? "") ?? event;
  return element("li", {}, element("span", { dir: "auto" }, said), element("small", {}, moment(Date.parse(at))));
}
