// What is left of each limit, as the server last said.

import { list } from "/account-part.js";
import { element } from "/dom.js";
import { words } from "/language.js";

/** Shows the limits that there are. */
export function show() {
  return list("limits", "/v1/limits", (limits) => limits.map(row));
}

function row({ capability, plan, limit, remaining, resets_at: resetsAt }) {
  const { account } = words();
  const meter = element("meter", { min: 0, max: limit, value: remaining, low: limit / 5, optimum: limit, "aria-label": capability });
  const until = resetsAt ? ` · ${account.resets(Date.parse(resetsAt))}` : "";
  return element(
    "li", {}, element("span", {}, element("bdi", {}, capability), plan ? ` (${plan})` : ""), meter,
    element("small", {}, `${account.remaining(remaining, limit)}${until}`));
}
