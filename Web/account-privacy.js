// What the person has decided about their words, and what is remembered of them.

import { change, list } from "/account-part.js";
import { element } from "/dom.js";
import { words } from "/language.js";

/** The rows carry their own switches. */
export function watch() {}

/** Shows the decisions and the memory. */
export function show() {
  return Promise.all([consent(), memory()]);
}

function consent() {
  return list("consent", "/v1/consent", ({ version, ...topics }) => Object.entries(topics)
    .filter(([, decision]) => typeof decision === "object").map(([topic, decision]) => consentRow(topic, decision, version)));
}

function consentRow(topic, { on, days }, seen) {
  const isSwitch = typeof on === "boolean";
  const box = element("input", isSwitch
    ? { type: "checkbox", role: "switch", checked: on } : { type: "number", min: 0, max: 36_500, value: days });
  // The decision is one about the version that is on the screen: what was decided elsewhere since is shown first.
  box.onchange = async () => {
    await change("PUT", "/v1/consent", { [topic]: isSwitch ? box.checked : box.valueAsNumber }, { "If-Match": `"${seen}"` });
    await consent();
  };
  const label = element("span", {}, words().account.consents[topic] ?? topic);
  return element("li", {}, element("label", { class: "switch" }, box, label));
}

function memory() {
  return list("memory", "/v1/memory", ({ items }) => items.map(memoryRow));
}

function memoryRow({ id, text }) {
  const forget = element("button", { class: "quiet", type: "button" }, words().account.forget);
  forget.onclick = async () => {
    await change("DELETE", `/v1/memory/${id}`);
    await memory();
  };
  return element("li", {}, element("span", { dir: "auto" }, text), forget);
}
