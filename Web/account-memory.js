// What is remembered of the person, and what a model proposes to remember: theirs to accept, reword and delete.

import { change, replaceRows } from "/account-part.js";
import { call } from "/api.js";
import { confirm } from "/dialog.js";
import { byID, element, setText } from "/dom.js";
import { words } from "/language.js";

const section = () => byID("account-memory");

/** Wires the field for a new fact and the button that deletes all. */
export function watch() {
  const { privacy } = words();
  const field = element("input", {
    id: "new-fact", dir: "auto", maxLength: 200, autocomplete: "off", "aria-label": privacy.newFact, placeholder: privacy.newFact,
  });
  const form = element("form", { class: "line-form" }, field, element("button", { class: "secondary", type: "submit" }, privacy.remember));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (field.value.trim() === "") return;
    if (await change("POST", "/v1/memory", { text: field.value })) field.value = "";
    await show();
  };
  const clear = element("button", { id: "forget-all", class: "quiet", type: "button" }, privacy.forgetAll);
  clear.onclick = async () => {
    if (!(await confirm(privacy.forgetAllTitle, privacy.forgetAllText, privacy.forgetAll))) return;
    await change("DELETE", "/v1/memory");
    await show();
  };
  section().append(form, clear);
}

/** Shows the facts, proposals first. */
export async function show() {
  const { account, privacy } = words();
  try {
    const { on, items } = await call("GET", "/v1/memory");
    const proposed = items.filter((fact) => fact.state === "proposed");
    replaceRows(section().querySelector("ul"), [...proposed, ...items.filter((fact) => fact.state !== "proposed")].map(row));
    setText(section().querySelector("p"), [on ? "" : privacy.memoryOff, items.length > 0 ? "" : account.nothingRemembered].filter(Boolean).join(" "));
    section().querySelector("p").hidden = on && items.length > 0;
    section().querySelector("form").hidden = !on;
    byID("forget-all").hidden = items.length === 0;
    section().hidden = false;
  } catch {
    section().hidden = true;
  }
}

function row(fact) {
  const { account, privacy } = words();
  const isProposed = fact.state === "proposed";
  const text = element("span", {}, element("bdi", {}, fact.text));
  const from = fact.conversation && element("a", { class: "quiet", href: `/c/${fact.conversation}` }, privacy.whereFrom);
  const node = element("li", { class: isProposed ? "proposed" : "" }, text);
  if (isProposed) text.append(" ", element("small", {}, privacy.proposed));
  if (from) node.append(from);
  const act = (label, action) => {
    const button = element("button", { class: "quiet", type: "button", "aria-label": `${label}: ${fact.text}` }, label);
    button.onclick = action;
    node.append(button);
  };
  const path = `/v1/memory/${fact.id}`;
  if (isProposed) act(privacy.accept, () => changed("PATCH", path, { state: "accepted" }));
  else act(words().edit, () => startEdit(node, fact, path));
  act(isProposed ? privacy.decline : account.forget, () => changed("DELETE", path));
  return node;
}

async function changed(method, path, body) {
  await change(method, path, body);
  await show();
}

/** Puts a field in the place of a fact; Enter keeps what is in it, Escape what was. */
function startEdit(node, fact, path) {
  const { labels, privacy } = words();
  const field = element("input", { dir: "auto", maxLength: 200, value: fact.text, "aria-label": privacy.factField });
  const keep = element("button", { class: "quiet", type: "submit" }, privacy.keepFact);
  const cancel = element("button", { class: "quiet", type: "button", onclick: show }, labels.cancel);
  const form = element("form", { class: "line-form" }, field, keep, cancel);
  form.onsubmit = async (event) => {
    event.preventDefault();
    await changed("PATCH", path, { text: field.value });
  };
  field.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    // The dialog stays: only the field goes.
    event.preventDefault();
    event.stopPropagation();
    show();
  };
  node.replaceChildren(form);
  field.focus();
  field.select();
}
