// Passkeys and providers that sign the account in. What the server does not offer, or this browser cannot do here, is
// not shown.

import { call } from "/api.js";
import { confirm } from "/dialog.js";
import { byID, element, setText } from "/dom.js";
import { words } from "/language.js";
import { addPasskey, canUsePasskeys } from "/passkeys.js";
import { deviceName } from "/session.js";
import { offered } from "/ways.js";

/** Shows passkeys and identities. */
export async function show() {
  const ways = await offered();
  await Promise.all([drawPasskeys(ways), drawIdentities(ways)]);
}

async function drawPasskeys(ways) {
  const section = byID("account-passkeys");
  const again = () => drawPasskeys(ways);
  try {
    const { items } = await call("GET", "/v1/passkeys");
    section.querySelector("ul").replaceChildren(...items.map((item) => passkeyRow(item, again)));
    const isHere = canUsePasskeys(ways);
    byID("add-passkey").hidden = !isHere;
    byID("add-passkey").onclick = () => add(deviceName(), again);
    drawElsewhere(byID("passkeys-elsewhere"), isHere ? undefined : ways?.passkeys?.origin);
    section.hidden = !ways?.passkeys && items.length === 0;
  } catch {
    section.hidden = true;
  }
}

function drawElsewhere(note, origin) {
  note.hidden = origin === undefined;
  if (note.hidden) return;
  note.replaceChildren(words().ways.passkeysElsewhere, " ", element("a", { href: origin }, element("bdi", {}, origin)));
}

function passkeyRow({ id, name, created_at: created, last_used_at: used, synced }, again) {
  const { ways: said } = words();
  const field = element("input", { type: "text", value: name, maxLength: 64, required: true, dir: "auto", "aria-label": said.passkeyName });
  field.onchange = () => change("PATCH", `/v1/passkeys/${id}`, { name: field.value }, again);
  const about = [used ? said.lastUsed(Date.parse(used)) : said.added(Date.parse(created)), ...(synced ? [said.synced] : [])];
  const remove = element("button", { class: "quiet", type: "button", "aria-label": said.removeNamed(name) }, said.remove);
  remove.onclick = async () => {
    if (!(await confirm(said.removePasskey, said.removePasskeyText(name), said.remove))) return;
    await change("DELETE", `/v1/passkeys/${id}`, undefined, again);
    byID("add-passkey").focus();
  };
  return element("li", {}, field, element("small", {}, about.join(" · ")), remove);
}

async function add(name, again) {
  const state = byID("passkey-state");
  setText(state, "");
  try {
    const made = await addPasskey(name);
    if (made) setText(state, words().ways.passkeyAdded);
  } catch (problem) {
    setText(state, problem.name === "InvalidStateError" ? words().ways.passkeyThere : words().ways.passkeyNotAdded);
  }
  again();
}

async function drawIdentities(ways) {
  const section = byID("account-identities");
  const again = () => drawIdentities(ways);
  try {
    const { items } = await call("GET", "/v1/identities");
    section.querySelector("ul").replaceChildren(...items.map((item) => identityRow(item, again)));
    const provider = ways?.oidc;
    const link = byID("link-identity");
    link.hidden = !provider || new URL(provider.url).origin !== location.origin;
    if (provider) setText(link, words().ways.link(provider.name));
    link.onclick = () => startLinking();
    section.hidden = items.length === 0 && link.hidden;
  } catch {
    section.hidden = true;
  }
}

function identityRow({ id, provider, name, last_used_at: used }, again) {
  const { ways: said } = words();
  const unlink = element("button", { class: "quiet", type: "button" }, said.unlink);
  unlink.onclick = () => change("DELETE", `/v1/identities/${id}`, undefined, again);
  const who = element("span", {}, element("bdi", {}, provider), ...(name ? [" · ", element("bdi", {}, name)] : []));
  return element("li", {}, who, element("small", {}, used ? said.lastUsed(Date.parse(used)) : ""), unlink);
}

async function startLinking() {
  try {
    const { location: address } = await call("POST", "/v1/identities", {});
    location.assign(address);
  } catch {
    setText(byID("identity-state"), words().ways.outcomes["identity-failed"]);
  }
}

async function change(method, path, body, again) {
  try {
    await call(method, path, body);
  } catch {
    // What is shown next is what the server holds.
  }
  await again();
}
