// The devices that are signed in, each of which any other can sign out.

import { change, list } from "/account-part.js";
import { element } from "/dom.js";
import { words } from "/language.js";

/** The rows carry their own buttons. */
export function watch() {}

/** Shows the devices. */
export function show() {
  return list("devices", "/v1/sessions", ({ items }) => items.map(row));
}

function row({ id, device, current, created_at: created }) {
  const { account } = words();
  const seen = Date.parse(created ?? "");
  const out = element("button", { class: "quiet", type: "button", hidden: current }, account.signOutDevice);
  out.onclick = async () => {
    await change("DELETE", `/v1/sessions/${id}`);
    await show();
  };
  const about = current ? account.thisDevice : Number.isNaN(seen) ? "" : account.lastSeen(seen);
  return element("li", {}, element("span", {}, element("bdi", {}, device ?? "")), element("small", {}, about), out);
}
