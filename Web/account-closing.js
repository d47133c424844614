// The two ways of leaving: emptying the account, and closing it for good. Neither happens by a slip.

import { change, say } from "/account-part.js";
import { confirm } from "/dialog.js";
import { byID, element } from "/dom.js";
import { words } from "/language.js";
import * as shelf from "/shelf.js";
import * as storage from "/storage.js";

/** Wires both. */
export function watch() {
  const { labels, privacy } = words();
  const empty = element("button", { id: "delete-all", class: "secondary", type: "button" }, privacy.deleteAll);
  empty.onclick = async () => {
    if (!(await confirm(privacy.deleteAllTitle, privacy.deleteAllText, labels.delete))) return;
    const isGone = await change("DELETE", "/v1/conversations");
    // A server that remembers nothing has nothing to forget.
    if (isGone && !byID("account-memory").hidden) await change("DELETE", "/v1/memory");
    if (isGone) say(privacy.deletedAll);
  };
  const name = element("input", {
    id: "close-name", autocomplete: "off", autocapitalize: "none", spellcheck: false, "aria-label": privacy.closeName,
    placeholder: privacy.closeName,
  });
  const form = element("form", { class: "line-form" }, name, element("button", { class: "danger", type: "submit" }, privacy.close));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (name.value.trim() === "") return;
    if (!(await confirm(privacy.closeTitle, privacy.closeText, privacy.close))) return;
    if (!(await change("DELETE", "/v1/accounts/current", { name: name.value.trim() }))) return;
    storage.clear(["language", "theme"]);
    shelf.clear();
    location.replace("/");
  };
  byID("account-closing").append(empty, element("p", {}, privacy.closeText), form);
}
