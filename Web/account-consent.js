// What the person has decided about their words: each switch with what it means, and since when it is so.

import { change, list } from "/account-part.js";
import { element } from "/dom.js";
import { words } from "/language.js";

/** Shows the decisions as the server has them. */
export function show() {
  return list("consent", "/v1/consent", ({ version, ...topics }) => Object.entries(topics)
    .filter(([, decision]) => typeof decision === "object" && decision !== null)
    .map(([topic, decision]) => row(topic, decision, version)));
}

function row(topic, { on, days, version, at }, seen) {
  const { account, privacy } = words();
  const isSwitch = typeof on === "boolean";
  const box = element("input", isSwitch
    ? { type: "checkbox", role: "switch", checked: on } : { type: "number", min: 0, max: 36_500, value: days });
  box.onchange = async () => {
    const wanted = isSwitch ? box.checked : box.valueAsNumber;
    // It shows as set when the server has set it, and not before.
    if (isSwitch) box.checked = on;
    box.setAttribute("aria-busy", "true");
    // The decision is one about the version that is on the screen: what was decided elsewhere since is shown first.
    await change("PUT", "/v1/consent", { [topic]: wanted }, { "If-Match": `"${seen}"` });
    await show();
  };
  const meaning = privacy.meanings[topic]?.(isSwitch ? on : days);
  const since = at ? privacy.since(Date.parse(at), version) : privacy.neverDecided;
  const about = element("small", { id: `about-${topic}` }, [meaning, since].filter(Boolean).join(" "));
  box.setAttribute("aria-describedby", about.id);
  return element(
    "li", { class: "decision" }, element("label", { class: "switch" }, box, element("span", {}, account.consents[topic] ?? topic)),
    about);
}
