// Rewrite, sort, group and read out: a text goes to the server, what comes back is looked at change by change, and
// nothing of it is used before it is accepted. The server validates, also what a person writes in a change's place.
// This module and its words are fetched when they are first needed.

import { call, Refusal } from "/api.js";
import { byID, element, icon, setText } from "/dom.js";
import { addStyles } from "/fragment.js";
import { makeID } from "/ids.js";
import { words as pageWords } from "/language.js";
import { changeRow } from "/review-change.js";
import { operations } from "/review-operations.js";

const patience = 180_000;

let words;
let dialog;
let form;
let state;

/** Opens the dialog; `insert(text)` puts what was accepted into the composer. */
export async function showReview(insert) {
  if (!dialog) {
    words = (await import(`/review-${document.documentElement.lang}.js`)).default;
    await Promise.all([addStyles("/account.css"), addStyles("/review.css")]);
    build(insert);
  }
  choose(state.operation);
  dialog.showModal();
}

function build(insert) {
  state = { operation: "rewrite", run: undefined, proposal: undefined };
  const close = element("button", { class: "icon-button", type: "button", title: pageWords().labels.close, "aria-label": pageWords().labels.close });
  close.append(icon("close"));
  form = element("form", { id: "review-form", autocomplete: "off" });
  dialog = element(
    "dialog", { id: "review", class: "account review", "aria-labelledby": "review-title" },
    element("header", { class: "account-head" }, element("h2", { id: "review-title" }, words.title), close),
    element(
      "div", { class: "account-body" }, choices(), form,
      element("p", { id: "review-state", class: "review-state", role: "status" }),
      element("section", { id: "review-changes", hidden: true })));
  close.onclick = () => dialog.close();
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  // Escape leaves what is under way first, and the dialog after it.
  dialog.addEventListener("cancel", (event) => {
    if (!state.run && !state.proposal) return;
    event.preventDefault();
    discard(words.discarded);
  });
  dialog.addEventListener("close", () => discard(""));
  form.onsubmit = (event) => {
    event.preventDefault();
    propose();
  };
  state.insert = ({ text }) => { dialog.close(); insert(text); };
  document.body.append(dialog);
}

function choices() {
  const options = Object.keys(operations).map((name) => element(
    "label", {}, element("input", { type: "radio", name: "review-operation", value: name, onchange: () => choose(name) }),
    element("span", {}, words.operations[name])));
  return element("fieldset", { class: "review-choices" }, element("legend", { class: "visually-hidden" }, words.title), ...options);
}

/** Shows the fields of an operation. */
function choose(name) {
  discard("");
  state.operation = name;
  dialog.querySelector(`input[value="${name}"]`).checked = true;
  const fields = operations[name].fields.map((field) => labelled(field));
  form.replaceChildren(
    ...fields, element("p", { id: "review-boundary", class: "review-boundary" }, words.boundary(location.host)),
    element(
      "div", { class: "review-row" },
      element("button", { id: "review-propose", class: "primary", type: "submit", "aria-describedby": "review-boundary" }, words.propose),
      element("button", { id: "review-cancel", class: "secondary", type: "button", hidden: true, onclick: () => discard(words.discarded) }, words.stop)));
}

function labelled({ name, choices: offered, rows }) {
  const id = `review-${name}`;
  const input = offered
    ? element("select", { id }, ...offered.map((value) => element("option", { value }, words.tones[value] ?? value)))
    : element("textarea", { id, rows, dir: "auto", required: true });
  if (!offered) input.oninput = () => { if (state.proposal) discard(words.outdated); };
  return element("label", { for: id }, element("span", {}, words.fields[`${state.operation}.${name}`] ?? words.fields[name]), input);
}

const valueOf = (name) => byID(`review-${name}`).value;

// One proposal

async function propose() {
  discard("");
  const operation = operations[state.operation];
  const request = operation.request(valueOf);
  if (!request) return say(words.nothing);
  const run = { key: makeID() };
  state.run = run;
  busy(true);
  say(words.working);
  try {
    const reply = await call("PUT", `/v1/assist/${operation.name}/${run.key}`, request, { timeout: patience });
    if (state.run !== run) return;
    if (reply.refused !== undefined) throw new Failure(words.failures.refusedInWords);
    if (reply.truncated) throw new Failure(words.failures.truncated);
    const proposal = { operation, request, output: reply.output, edits: {} };
    proposal.review = await reviewed(proposal);
    if (state.run !== run) return;
    state.run = undefined;
    state.proposal = proposal;
    draw();
  } catch (problem) {
    if (state.run !== run) return;
    state.run = undefined;
    discard(reason(problem));
  } finally {
    if (!state.run) busy(false);
  }
}

class Failure extends Error {}

/** What the server makes of the proposal and of what was written in its changes' places. */
async function reviewed({ operation, request, output, edits }) {
  const reply = await call("POST", `/v1/assist/${operation.name}/review`, { request, output, edits });
  if (reply.failure !== undefined) throw new Failure(words.failures[reply.failure] ?? words.failures.other);
  return reply;
}

function reason(problem) {
  if (problem instanceof Failure) return problem.message;
  if (!(problem instanceof Refusal)) return pageWords().unreachable;
  if (problem.kind === "invalid-request") return words.tooMuch;
  return pageWords().refusals[problem.kind] ?? pageWords().refusals.other;
}

/** Lets go of what was proposed, or of what is under way, and says why. */
function discard(why) {
  const { run } = state;
  state.run = undefined;
  state.proposal = undefined;
  if (run) call("POST", `/v1/answers/${run.key}/stop`, {}).catch(() => {});
  const section = byID("review-changes");
  section.replaceChildren();
  section.hidden = true;
  busy(false);
  say(why);
}

function say(text) {
  setText(byID("review-state"), text);
}

function busy(isBusy) {
  const button = byID("review-propose");
  if (!button) return;
  button.disabled = isBusy;
  byID("review-cancel").hidden = !isBusy;
  form.setAttribute("aria-busy", String(isBusy));
}

// Deciding

function draw() {
  const { proposal } = state;
  const { operation, review } = proposal;
  const real = review.changes.filter((change) => change.before !== change.after);
  // What costs much when it is wrong is never chosen for a person.
  proposal.chosen = new Set(review.risky ? [] : real.map((change) => change.id));
  const rows = (operation.showsAll ? review.changes : real).map((change) => row(change));
  if (real.length === 0 && !operation.showsAll) return discard(words.unchanged);
  say(words.found(real.length, review.risky));
  const list = element("ul", { class: "review-list" }, ...rows);
  const use = (name, action) => element("button", { class: name === "use" ? "primary" : "secondary", type: "button", onclick: () => action(accepted()) }, words[name]);
  const actions = [use("use", state.insert), use("copy", copy), use("download", download)];
  proposal.actions = actions;
  const section = byID("review-changes");
  section.replaceChildren(
    element("h3", { id: "review-heading", tabIndex: -1 }, words.heading), list,
    element(
      "div", { class: "review-row" }, ...actions,
      element("button", { class: "quiet", type: "button", onclick: () => discard(words.discarded) }, words.discard)));
  section.hidden = false;
  refresh();
  byID("review-heading").focus();
}

function row(change) {
  const { proposal } = state;
  return changeRow(change, {
    words, operation: proposal.operation, request: proposal.request, isChosen: proposal.chosen.has(change.id),
    choose: (isChosen) => {
      proposal.chosen[isChosen ? "add" : "delete"](change.id);
      refresh();
    },
    edit: (text) => edit(change, text),
  });
}

/** Puts a person's words in place of a change; gives why they cannot stand, or nothing. */
async function edit(change, text) {
  const { proposal } = state;
  const edits = { ...proposal.edits, [change.id]: text };
  let review;
  try {
    review = await reviewed({ ...proposal, edits });
  } catch (problem) {
    return reason(problem);
  }
  if (state.proposal !== proposal) return undefined;
  const refusal = review.refused[change.id];
  if (refusal !== undefined) return words.failures[refusal] ?? words.failures.other;
  proposal.edits = edits;
  proposal.review = review;
  proposal.chosen.add(change.id);
  const now = review.changes.find((other) => other.id === change.id);
  const fresh = row(now);
  [...byID("review-changes").querySelectorAll("li")].find((item) => item.dataset.change === change.id).replaceWith(fresh);
  fresh.querySelector("button").focus();
  refresh();
  return undefined;
}

function refresh() {
  const { proposal } = state;
  for (const button of proposal.actions) button.disabled = chosen(proposal).length === 0;
}

const chosen = ({ review, chosen: names }) => review.changes.filter((change) => names.has(change.id) && change.before !== change.after);

const accepted = () => state.proposal.operation.result(state.proposal.request, chosen(state.proposal));

async function copy({ text }) {
  try {
    await navigator.clipboard.writeText(text);
    say(words.copied);
  } catch {
    say(words.notCopied);
  }
}

function download({ text, type, file }) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  say(words.downloaded);
}
