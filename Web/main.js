// Puts the parts together: who is signed in, which address is open, and what other devices did.

import { onSignedOut, Refusal } from "/api.js";
import { listen } from "/changes.js";
import { Conversation } from "/conversation.js";
import { isPossible, loadCore } from "/core.js";
import { byID, setText } from "/dom.js";
import { offerDevice, watchDevice } from "/device.js";
import { setDrawer } from "/drawer.js";
import { isID } from "/ids.js";
import { watchKeyboard } from "/keyboard.js";
import { loadLanguage, words } from "/language.js";
import { Library } from "/library.js";
import { Models } from "/models.js";
import { adopt, hideSignIn, showSignIn, watchSession } from "/session.js";
import * as storage from "/storage.js";
import { enteredAccount, outcome } from "/ways.js";
import { keepWorker } from "/worker.js";

// Fetched when it is first opened.
let account;
let isSignedIn = false;
let isLineUp = true;
let feed;
let library;
let models;
let conversation;

async function boot() {
  // Both take their time, and neither waits for the other.
  const core = isPossible ? loadCore() : Promise.reject();
  core.catch(() => {});
  await loadLanguage();
  try {
    await core;
  } catch {
    setText(byID("no-core"), isPossible && navigator.onLine ? words().coreBroken : words().noCore);
    byID("no-core").hidden = false;
    return;
  }
  library = new Library({
    open, hidden: (id) => { if (id === conversation.id) open(undefined); }, forgotten: forget,
    notify: (text) => conversation.notify(text), isSignedIn: () => isSignedIn, drawn: () => conversation?.drawTitle(),
  });
  models = new Models(() => conversation.redraw());
  conversation = new Conversation(library, models, (id) => {
    history.pushState(null, "", id === undefined ? "/" : `/c/${id}`);
    library.show(id);
  });
  onSignedOut(signedOut);
  watchSession({
    signedIn: async (isOther) => { if (isOther) conversation.clear(); await start(); },
    hasUnsent: () => conversation.hasUnsent, leaving: leave, notify: (text) => conversation.notify(text),
  });
  watchKeyboard({
    stop: () => conversation.stop(), isEditing: () => conversation.isEditing, cancelEdit: () => conversation.cancelEdit(),
    newConversation: begin, focusPrompt: () => conversation.focus(),
  });
  watchDevice({ isSignedIn: () => isSignedIn, notify: (text) => conversation.notify(text) });
  watchPage();
  const entered = await enteredAccount();
  if (entered !== undefined) adopt(entered);
  await start();
  keepWorker();
}

// Signing in and out

function signedOut() {
  isSignedIn = false;
  feed?.close();
  feed = undefined;
  models.close();
  conversation.close();
  showSignIn();
}

function leave() {
  signedOut();
  conversation.clear();
  library.clear();
}

async function start() {
  isSignedIn = true;
  let list;
  try {
    list = await library.fetch();
    isLineUp = true;
  } catch (problem) {
    if (problem instanceof Refusal && problem.status === 401) return;
    // Without a server the page still reads and takes prompts; the feed's line keeps knocking and then loads the list.
    isLineUp = false;
  }
  hideSignIn();
  if (list) library.take(list);
  else await library.takeKept();
  conversation.reload();
  feed?.close();
  feed = listen(list?.cursor ?? 0, { hint, line: lineChanged, expired: listAfresh });
  openFromAddress();
  conversation.flush();
  library.flush();
  models.refresh();
  drawLink();
  conversation.focus();
  if (location.hash.startsWith("#invite=")) {
    history.replaceState(null, "", location.pathname);
    conversation.notify(words().people.alreadyIn);
  }
  offerDevice();
  const said = outcome();
  if (said !== undefined) conversation.notify(said);
}

// The line

function lineChanged(isUp) {
  const wasUp = isLineUp;
  isLineUp = isUp;
  drawLink();
  if (!isUp || wasUp) return;
  library.refresh();
  conversation.refresh();
  models.refresh();
  conversation.flush();
  library.flush();
}

function drawLink() {
  const link = byID("link");
  setText(link, !navigator.onLine ? words().link.offline : isLineUp ? "" : words().link.reconnecting);
  link.hidden = link.textContent === "";
}

async function listAfresh() {
  const list = await library.fetch();
  library.take(list);
  conversation.refresh();
  return list.cursor ?? 0;
}

function hint({ kind, id, conversation: subject, op }) {
  account?.accountChanged(kind);
  if (kind === "conversation" && op === "delete") return forget(id);
  if (["conversation", "title", "turn"].includes(kind)) library.refresh();
  const changed = subject ?? (kind === "conversation" ? id : undefined);
  if (changed !== undefined) conversation.hint(changed);
}

function forget(id) {
  const wasOpen = id === conversation.id;
  conversation.forget(id);
  library.forget(id);
  if (!wasOpen) return;
  open(undefined, true);
  conversation.notify(words().wasDeleted);
}

// Addresses

function open(id, replaces = false) {
  const path = id === undefined ? "/" : `/c/${id}`;
  if (location.pathname !== path) history[replaces ? "replaceState" : "pushState"](null, "", path);
  openFromAddress();
  setDrawer(false);
}

function openFromAddress() {
  const id = /^\/c\/([^/]+)$/.exec(location.pathname)?.[1];
  const known = id !== undefined && isID(id) ? id : undefined;
  library.show(known);
  conversation.open(known);
}

function begin() {
  open(undefined);
  conversation.focus();
}

function watchPage() {
  window.addEventListener("popstate", openFromAddress);
  window.addEventListener("offline", () => { drawLink(); conversation.redraw(); });
  window.addEventListener("online", () => { drawLink(); conversation.redraw(); conversation.flush(); library.flush(); });
  byID("new-conversation").onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    begin();
  };
  byID("open-review").onclick = review;
  byID("open-account").onclick = openAccount;
  byID("delete-conversation").onclick = () => library.remove(conversation.id);
  storage.onForeignChange((key) => {
    if (!isSignedIn) return;
    if (key === "") return location.reload();
    if (key.startsWith("outbox.")) conversation.reload();
    if (key.startsWith("delete.")) library.draw();
  });
}

/** Nobody who only talks waits for what works on a text: it is fetched when it is wanted. */
async function openAccount() {
  try {
    account = await import("/account.js");
  } catch {
    return conversation.notify(words().unreachable);
  }
  await account.showAccount();
}

async function review() {
  try {
    const { showReview } = await import("/review.js");
    setDrawer(false);
    await showReview((text) => conversation.insert(text));
  } catch {
    conversation.notify(words().unreachable);
  }
}

boot();
