// Account and settings: language, appearance, and whatever of the account the server offers. A part that it does not
// offer is not there.

import { call } from "/api.js";
import { byID, element, setText } from "/dom.js";
import { languages, pickLanguage, words } from "/language.js";
import { deviceName } from "/session.js";
import * as storage from "/storage.js";
import { drawAccountWays } from "/ways.js";

const dialog = byID("account");

/** Wires the dialog. */
export function watchAccount() {
  const { labels, shortcuts } = words();
  byID("open-account").onclick = show;
  byID("close-account").onclick = () => dialog.close();
  // A press beside the dialog closes it, as Escape does.
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  fill(byID("pick-language"), { "": labels.languageOwn, ...languages }, storage.read("language") ?? "", pickLanguage);
  const themes = { "": labels.themeSystem, light: labels.themeLight, dark: labels.themeDark };
  fill(byID("pick-theme"), themes, storage.read("theme") ?? "", pickTheme);
  byID("shortcuts").append(...shortcuts.flatMap(([keys, what]) => [
    element("dt", { dir: "ltr" }, ...keys.split(" ").map((key) => element("kbd", {}, key))), element("dd", {}, what),
  ]));
  byID("start-export").onclick = startExport;
}

function fill(select, choices, picked, choose) {
  select.replaceChildren(...Object.entries(choices).map(([value, name]) => element("option", { value }, name)));
  select.value = picked;
  select.onchange = () => choose(select.value);
}

function pickTheme(theme) {
  if (theme === "") {
    storage.remove("theme");
    delete document.documentElement.dataset.theme;
  } else {
    storage.write("theme", theme);
    document.documentElement.dataset.theme = theme;
  }
}

async function show() {
  dialog.showModal();
  await Promise.all([
    part("limits", "/v1/limits", limitRow), part("devices", "/v1/sessions", deviceRow), part("consent", "/v1/consent", consentRow),
    part("memory", "/v1/memory", memoryRow), offerExport(),
    drawAccountWays(deviceName),
  ]);
}

/** Shows one part where the server offers it and there is something in it. */
async function part(name, path, row) {
  const section = byID(`account-${name}`);
  try {
    const items = itemsOf(await call("GET", path));
    section.querySelector("ul").replaceChildren(...items.map((item) => row(item, () => part(name, path, row))));
    section.hidden = items.length === 0;
  } catch {
    section.hidden = true;
  }
}

/** A list as the server gives it: bare, under `items`, or the decisions of a consent by their names. */
function itemsOf(reply) {
  if (Array.isArray(reply)) return reply;
  if (Array.isArray(reply?.items)) return reply.items;
  return Object.entries(reply ?? {}).filter(([, value]) => typeof value === "object")
    .map(([topic, value]) => ({ topic, ...value, seen: reply.version }));
}

function limitRow({ capability, plan, limit, remaining, resets_at: resetsAt }) {
  const { account } = words();
  const meter = element("meter", { min: 0, max: limit, value: remaining, low: limit / 5, optimum: limit, "aria-label": capability });
  const until = resetsAt ? ` · ${account.resets(Date.parse(resetsAt))}` : "";
  return element(
    "li", {}, element("span", {}, element("bdi", {}, capability), plan ? ` (${plan})` : ""), meter,
    element("small", {}, `${account.remaining(remaining, limit)}${until}`));
}

function deviceRow({ id, device, name, current, is_current: isCurrent, last_seen_at: lastSeen, created_at: created }, again) {
  const { account } = words();
  const isHere = current ?? isCurrent ?? false;
  const seen = Date.parse(lastSeen ?? created ?? "");
  const out = element("button", { class: "quiet", type: "button", hidden: isHere }, account.signOutDevice);
  out.onclick = () => change("DELETE", `/v1/sessions/${id}`, undefined, again);
  const about = isHere ? account.thisDevice : Number.isNaN(seen) ? "" : account.lastSeen(seen);
  return element("li", {}, element("span", {}, element("bdi", {}, device ?? name ?? "")), element("small", {}, about), out);
}

function consentRow({ topic, on, days, seen }, again) {
  const isSwitch = typeof on === "boolean";
  const box = element("input", isSwitch
    ? { type: "checkbox", role: "switch", checked: on } : { type: "number", min: 0, max: 36_500, value: days });
  // The decision is one about the version that is on the screen: what was decided elsewhere since is shown first.
  box.onchange = () => change("PUT", "/v1/consent", { [topic]: isSwitch ? box.checked : box.valueAsNumber }, again, {
    "If-Match": `"${seen}"`,
  });
  const label = element("span", {}, words().account.consents[topic] ?? topic);
  return element("li", {}, element("label", { class: "switch" }, box, label));
}

function memoryRow({ id, text, content }, again) {
  const forget = element("button", { class: "quiet", type: "button" }, words().account.forget);
  forget.onclick = () => change("DELETE", `/v1/memory/${id}`, undefined, again);
  return element("li", {}, element("span", { dir: "auto" }, text ?? content ?? ""), forget);
}

async function change(method, path, body, again, fields) {
  try {
    await call(method, path, body, { fields });
  } catch {
    // What is shown next is what the server holds.
  }
  again();
}

// Export

async function offerExport() {
  const section = byID("account-export");
  try {
    await call("GET", "/v1/tasks");
    section.hidden = false;
  } catch {
    section.hidden = true;
  }
}

async function startExport() {
  const { account } = words();
  const state = byID("export-state");
  setText(state, account.exportRunning);
  try {
    const task = await call("POST", "/v1/exports", {});
    await finished(task);
  } catch {
    setText(state, account.exportFailed);
  }
}

async function finished(task) {
  const { account } = words();
  let now = task;
  while (["queued", "running"].includes(now?.state)) {
    await new Promise((resolve) => { setTimeout(resolve, 1_000); });
    now = await call("GET", `/v1/tasks/${task.id}`);
  }
  if (now?.state !== "done") throw new Error("export");
  const link = element("a", { href: `/v1/tasks/${now.id}/result`, download: "" }, account.exportReady);
  byID("export-state").replaceChildren(link);
}
