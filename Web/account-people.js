// The account's own password and devices, and for owners the accounts and invitations of the server.

import { change, list } from "/account-part.js";
import { call, Refusal } from "/api.js";
import { confirm } from "/dialog.js";
import { byID, element, setText } from "/dom.js";
import { moment, words } from "/language.js";

let self;

/** Wires the parts that have forms or buttons of their own. */
export function watch() {
  byID("password-form").onsubmit = changePassword;
  byID("sign-out-others").onclick = signOutOthers;
  byID("invite-form").onsubmit = invite;
}

/** Shows what the server offers of it. */
export async function show() {
  setText(byID("password-state"), "");
  byID("invite-made").hidden = true;
  const sections = ["password", "people", "invites"].map((part) => byID(`account-${part}`));
  try {
    self = await call("GET", "/v1/account");
  } catch {
    for (const section of sections) section.hidden = true;
    return showDevices();
  }
  byID("account-password").hidden = false;
  // For the browser's own keeper of passwords, which wants to know whose it is.
  byID("password-name").value = self.name;
  byID("password-current-row").hidden = !self.has_password;
  byID("password-current").required = self.has_password;
  byID("account-people").hidden = self.role !== "owner";
  byID("account-invites").hidden = self.may_invite !== true;
  await Promise.all([
    showDevices(), self.role === "owner" ? showAccounts() : undefined,
    self.may_invite === true ? showInvites() : undefined,
  ]);
}

/** A quiet button whose name says what it is about. */
function act(label, about, action) {
  return element("button", { class: "quiet", type: "button", onclick: action, "aria-label": `${label}: ${about}` }, label);
}

// Devices

function showDevices() {
  return list("devices", "/v1/sessions", ({ items }) => {
    byID("sign-out-others").hidden = items.filter(({ current }) => !current).length < 2;
    return items.map(deviceRow);
  });
}

function deviceRow({ id, device, current, last_seen_at: seen, created_at: created }) {
  const { account, people } = words();
  const about = current ? account.thisDevice : account.lastSeen(Date.parse(seen ?? created));
  const name = element("span", {}, element("bdi", {}, device));
  const row = element(
    "li", {}, name, element("small", { title: people.since(moment(Date.parse(created))) }, about),
    act(words().labels.rename, device, () => rename(name, id, device)));
  if (!current) row.append(act(account.signOutDevice, device, () => after(change("DELETE", `/v1/sessions/${id}`), showDevices)));
  return row;
}

function rename(place, id, device) {
  const field = element("input", { class: "rename", value: device, maxLength: 80, "aria-label": words().people.deviceName });
  let isOver = false;
  const end = async (takes) => {
    if (isOver) return;
    isOver = true;
    const name = field.value.trim();
    if (takes && name !== "" && name !== device) await change("PATCH", `/v1/sessions/${id}`, { device: name });
    await showDevices();
  };
  field.onkeydown = (event) => {
    // Enter may also end a word of an input method.
    if (event.isComposing || event.key !== "Enter" && event.key !== "Escape") return;
    // Escape takes the new name back and leaves the dialog open.
    event.preventDefault();
    end(event.key === "Enter");
  };
  field.onblur = () => end(true);
  place.replaceChildren(field);
  field.select();
}

async function signOutOthers() {
  const { people, account } = words();
  if (!(await confirm(people.othersTitle, people.othersText, account.signOutDevice))) return;
  await after(change("DELETE", "/v1/sessions?others=true"), showDevices);
}

/** Asks for a change; what is shown next is what the server holds, whatever came of it. */
async function after(asked, next) {
  await asked;
  return next();
}

// Password

async function changePassword(event) {
  event.preventDefault();
  const { people } = words();
  const state = byID("password-state");
  const fresh = byID("password-new").value;
  if (fresh !== byID("password-again").value) return setText(state, people.differ);
  setText(state, "");
  try {
    const current = self.has_password ? byID("password-current").value : undefined;
    await call("PUT", "/v1/account/password", { current, new: fresh });
    byID("password-form").reset();
    await show();
    setText(state, people.passwordSet);
  } catch (problem) {
    const isRefusal = problem instanceof Refusal;
    setText(state, isRefusal && problem.field === "current" ? people.wrongPassword
      : isRefusal && problem.field ? people.tooShort : isRefusal ? words().tryLater : words().unreachable);
  }
}

// Accounts

function showAccounts() {
  return list("people", "/v1/accounts", ({ items }) => items.map(accountRow));
}

function accountRow({ id, name, role, plan }) {
  const { people, labels } = words();
  const isSelf = id === self.id;
  const isOwner = role === "owner";
  const about = [isOwner ? people.owner : people.member, plan].filter(Boolean).join(" · ");
  const row = element(
    "li", {}, element("span", {}, element("bdi", {}, name), isSelf ? ` (${people.you})` : ""), element("small", {}, about));
  if (isSelf) return row;
  row.append(
    act(isOwner ? people.makeMember : people.makeOwner, name,
      () => after(change("PATCH", `/v1/accounts/${id}`, { role: isOwner ? "member" : "owner" }), showAccounts)),
    act(labels.delete, name, () => remove(id, name)));
  return row;
}

async function remove(id, name) {
  const { people, labels } = words();
  if (await confirm(people.deleteTitle(name), people.deleteText, labels.delete)) {
    await after(change("DELETE", `/v1/accounts/${id}`), showAccounts);
  }
}

// Invitations

function showInvites() {
  return list("invites", "/v1/invites", ({ items }) => items.map(inviteRow), true);
}

function inviteRow({ id, state, uses, used, expires_at: expires }) {
  const { people } = words();
  const isOpen = state === "open";
  const row = element(
    "li", {}, element("span", {}, isOpen ? people.openUntil(moment(Date.parse(expires))) : people.inviteStates[state] ?? state),
    element("small", {}, people.usedOf(used, uses)));
  if (isOpen) row.append(act(people.revoke, people.openUntil(moment(Date.parse(expires))), () => after(change("DELETE", `/v1/invites/${id}`), showInvites)));
  return row;
}

async function invite(event) {
  event.preventDefault();
  const made = byID("invite-made");
  try {
    const { path } = await call("POST", "/v1/invites", {
      uses: byID("invite-uses").valueAsNumber || 1, days: byID("invite-days").valueAsNumber || 7,
    });
    await showInvites();
    // Shown once: the server keeps a hash of it.
    byID("invite-link").value = location.origin + path;
    made.hidden = false;
    byID("invite-link").select();
  } catch {
    made.hidden = true;
  }
}
