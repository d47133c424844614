// The page behind its front: puts the parts together, who is signed in, which address is open, what other devices did.

import { onSignedOut, Refusal } from "/api.js";
import { Backoff } from "/backoff.js";
import { listen } from "/changes.js";
import { Conversation } from "/conversation.js";
import { isPossible, loadCore } from "/core.js";
import { byID, setText } from "/dom.js";
import { setDrawer } from "/drawer.js";
import { isID } from "/ids.js";
import { watchKeyboard } from "/keyboard.js";
import { words } from "/language.js";
import { Library } from "/library.js";
import { Models } from "/models.js";
import { rehearse } from "/rehearsal.js";
import { adopt, forgetAccount, watchSignOut } from "/session.js";
import * as storage from "/storage.js";
import { keepWorker } from "/worker.js";

// What an address may ask for behind its `#`.
const arrivals = /^#(?:signed-in$|link-used$|identity-|invite=|device)/u;

// Fetched when it is first opened.
let account;
let isSignedIn = false;
let isLineUp = true;
let feed;
let library;
let models;
let conversation;
const signInAgain = new Backoff();

/** Starts everything behind the prompt box, which may hold a text already. */
export async function start(composer) {
  try {
    if (!isPossible) throw new Error("no WebAssembly");
    await loadCore();
  } catch {
    setText(byID("no-core"), isPossible && navigator.onLine ? words().coreBroken : words().noCore);
    byID("no-core").hidden = false;
    byID("app").hidden = true;
    return;
  }
  library = new Library({
    open, hidden: (id) => { if (id === conversation.id) open(undefined); }, forgotten: forget,
    notify: (text) => conversation.notify(text), isSignedIn: () => isSignedIn, drawn: () => conversation?.drawTitle(),
  });
  models = new Models(() => conversation.redraw());
  conversation = new Conversation(composer, library, models, (id) => {
    // The list and the address may take longer than a frame on a slow device; what was asked is on the page before them.
    setTimeout(() => {
      if (conversation.id !== id) return;
      setAddress(id, "pushState");
      library.show(id);
    });
  });
  onSignedOut(signedOut);
  watchSignOut({ hasUnsent: () => conversation.hasUnsent, leaving: leave, notify: (text) => conversation.notify(text) });
  watchKeyboard({
    stop: () => conversation.stop(), isEditing: () => conversation.isEditing, cancelEdit: () => conversation.cancelEdit(),
    newConversation: begin, focusPrompt: () => conversation.focus(),
  });
  watchPage();
  if (arrivals.test(location.hash)) {
    const entered = await (await import("/arrival.js")).enteredAccount();
    if (entered !== undefined) adopt(entered);
  }
  await enter();
  keepWorker();
  rehearse();
}

// Signing in and out

function signedOut() {
  if (!isSignedIn) return;
  isSignedIn = false;
  feed?.close();
  feed = undefined;
  models.close();
  conversation.close();
  byID("app").hidden = true;
  askToSignIn();
}

async function askToSignIn() {
  try {
    const { showSignIn } = await import("/sign-in.js");
    await showSignIn(async (isOther) => {
      if (isOther) conversation.clear();
      await enter();
    });
  } catch {
    // The server, which has just said that somebody has to sign in, went away before it could give the card.
    signInAgain.schedule(askToSignIn);
  }
}

function leave() {
  conversation.clear();
  library.clear();
  forgetAccount();
  history.replaceState(null, "", "/");
  signedOut();
}

async function enter() {
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
  showApp();
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
  await arrive();
}

function showApp() {
  const card = byID("sign-in");
  if (card) card.hidden = true;
  const app = byID("app");
  app.hidden = false;
  app.removeAttribute("aria-busy");
  for (const part of app.querySelectorAll(".waits")) part.inert = false;
  // Where the screen is narrow the list waits for its button.
  setDrawer(false);
  // Who has begun to write is not disturbed.
  if (!app.contains(document.activeElement)) conversation.focus();
}

async function arrive() {
  if (!isSignedIn || !arrivals.test(location.hash)) return;
  try {
    await (await import("/arrival.js")).arrive((text) => conversation.notify(text));
  } catch {
    conversation.notify(words().unreachable);
  }
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

function setAddress(id, how) {
  const path = id === undefined ? "/" : `/c/${id}`;
  if (location.pathname !== path) history[how](null, "", path);
}

function open(id, replaces = false) {
  setAddress(id, replaces ? "replaceState" : "pushState");
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
  window.addEventListener("hashchange", arrive);
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

/** Nobody who only talks waits for the account, or for what works on a text: they are fetched when they are wanted. */
async function openAccount() {
  try {
    account = await import("/account.js");
    await account.showAccount();
  } catch {
    conversation.notify(words().unreachable);
  }
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
