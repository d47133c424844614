// Puts the parts together: which conversation is open, who follows what, and what a person's gesture does.

import { announce } from "/announce.js";
import { hasEnded } from "/answer.js";
import { call, onSignedOut, Refusal } from "/api.js";
import { listen } from "/changes.js";
import { Composer } from "/composer.js";
import { confirm } from "/dialog.js";
import { byID, setText } from "/dom.js";
import { isDrawerOpen, setDrawer } from "/drawer.js";
import { follow } from "/follow.js";
import { onNextFrame } from "/frame.js";
import { isID, makeID } from "/ids.js";
import { Models } from "/models.js";
import { Outbox } from "/outbox.js";
import { Scrolling } from "/scrolling.js";
import { drawSidebar } from "/sidebar.js";
import * as storage from "/storage.js";
import { Transcript } from "/transcript.js";
import { Tree } from "/tree.js";
import { stateOf } from "/words.js";

// A browser grants a server about six lines for all tabs together: one for the feed, and few for answers.
const mostFollowed = 2;
// The list is fetched whole whenever it changes, up to what the server gives at once.
const mostListed = 200;

const trees = new Map();
const followers = new Map();
const chosenLeaves = new Map();
const deleted = new Set();
let conversations = [];
let listed = 50;
let current;
let missing = false;
let feed;
let outbox;
let isSignedIn = false;
let isLineUp = true;

const scrolling = new Scrolling();
const composer = new Composer({ submit, stop });
const models = new Models(redraw);
const transcript = new Transcript({ regenerate, edit: (turn) => composer.edit(turn), cancel, resend, select });

// Signing in and out

onSignedOut(showSignIn);

function showSignIn() {
  isSignedIn = false;
  feed?.close();
  feed = undefined;
  models.close();
  unfollowAll();
  byID("app").hidden = true;
  byID("sign-in").hidden = false;
  document.title = "Sign in · Rejoinder";
}

byID("sign-in-form").onsubmit = async (event) => {
  event.preventDefault();
  const error = byID("sign-in-error");
  setText(error, "");
  const body = {
    name: byID("sign-in-name").value.trim(), password: byID("sign-in-password").value, device: "Web browser",
    cookie: true,
  };
  try {
    const session = await call("POST", "/v1/sessions", body);
    byID("sign-in-password").value = "";
    const account = session?.account?.id ?? session?.account;
    // What another account left unsent here must not go out under this one.
    if (storage.read("account") !== undefined && storage.read("account") !== account) {
      storage.clear();
      trees.clear();
    }
    storage.write("account", account);
    await start();
  } catch (problem) {
    const isWrong = problem instanceof Refusal && problem.status === 401;
    setText(error, isWrong
      ? "This name and password do not belong together."
      : problem instanceof Refusal ? "The server did not accept this. Wait a little and try again." : "The server cannot be reached.");
  }
};

byID("sign-out").onclick = async () => {
  const unsent = outbox.isEmpty ? "" : " What is not sent yet is dropped.";
  if (!(await confirm("Sign out?", `This browser forgets everything of this account.${unsent}`, "Sign out"))) return;
  try {
    await call("DELETE", "/v1/sessions/current");
  } catch (problem) {
    if (!(problem instanceof Refusal && problem.status === 401)) {
      notify("You are still signed in: the server cannot be reached.");
      return;
    }
  }
  outbox.close();
  storage.clear();
  trees.clear();
  conversations = [];
  transcript.clear();
  history.replaceState(null, "", "/");
  showSignIn();
};

// Starting

async function start() {
  outbox ??= new Outbox({ changed: (id) => id === current && redraw(), accepted });
  let list;
  try {
    list = await fetchList();
  } catch (problem) {
    if (problem instanceof Refusal && problem.status === 401) return showSignIn();
    // Without a server the page still takes prompts; the feed's line keeps knocking and then loads the list.
    isLineUp = false;
  }
  isSignedIn = true;
  byID("sign-in").hidden = true;
  byID("app").hidden = false;
  if (list) takeList(list);
  outbox.reload();
  feed?.close();
  feed = listen(list?.cursor ?? 0, { hint, line: lineChanged, expired: listAfresh });
  openFromAddress();
  outbox.flush();
  models.refresh();
  drawLink();
  composer.focus();
}

function lineChanged(isUp) {
  const wasUp = isLineUp;
  isLineUp = isUp;
  drawLink();
  if (isUp && !wasUp) {
    refreshList();
    refreshTree(current);
    models.refresh();
    outbox.flush();
  }
}

function drawLink() {
  const link = byID("link");
  const words = !navigator.onLine ? "Offline" : isLineUp ? "" : "Reconnecting…";
  setText(link, words);
  link.hidden = words === "";
}
window.addEventListener("offline", () => { drawLink(); redraw(); });
window.addEventListener("online", () => { drawLink(); redraw(); outbox?.flush(); });

// The list

function takeList(list) {
  byID("older").hidden = !list.next || listed >= mostListed;
  conversations = (list.items ?? []).filter((item) => !deleted.has(item.id) && !item.archived);
  drawList();
}

function drawList() {
  drawSidebar(conversations, current, (id) => {
    history.pushState(null, "", `/c/${id}`);
    openFromAddress();
    setDrawer(false);
  });
  drawTitle();
}

const fetchList = () => call("GET", `/v1/conversations?limit=${listed}`);

byID("older").onclick = () => {
  listed = Math.min(mostListed, listed + 50);
  refreshList();
};

async function listAfresh() {
  const list = await fetchList();
  takeList(list);
  refreshTree(current);
  return list.cursor ?? 0;
}

const refreshList = gathered(async () => takeList(await fetchList()));

function hint({ kind, id, conversation, op }) {
  const subject = conversation ?? (kind === "conversation" ? id : undefined);
  if (kind === "conversation" && op === "delete") return forget(id);
  if (["conversation", "title", "turn"].includes(kind)) refreshList();
  if (subject !== undefined && subject === current) refreshTree(subject);
  else if (trees.has(subject)) trees.get(subject).isStale = true;
}

function forget(id) {
  deleted.add(id);
  conversations = conversations.filter((item) => item.id !== id);
  for (const answer of trees.get(id)?.answers.keys() ?? []) unfollow(answer);
  trees.delete(id);
  storage.remove(`draft.${id}`);
  outbox.removeAll(id);
  if (id === current) {
    history.replaceState(null, "", "/");
    openFromAddress();
    notify("That conversation was deleted.");
  }
  drawList();
}

/** Runs a fetch soon, once for all calls that come together, and once more for a call that came while it ran. */
function gathered(fetch) {
  let state = "idle";
  async function run() {
    state = "running";
    try {
      if (isSignedIn) await fetch();
    } catch {
      // The next hint, or the line coming back, asks again.
    }
    const isAskedAgain = state === "again";
    state = "idle";
    if (isAskedAgain) later();
  }
  function later() {
    if (state === "running") state = "again";
    if (state !== "idle") return;
    state = "scheduled";
    setTimeout(run, 60);
  }
  return later;
}

// The open conversation

window.addEventListener("popstate", openFromAddress);
byID("new-conversation").onclick = (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", "/");
  openFromAddress();
  setDrawer(false);
  composer.focus();
};

function openFromAddress() {
  const id = /^\/c\/([^/]+)$/.exec(location.pathname)?.[1];
  const next = id !== undefined && isID(id) ? id : undefined;
  if (next !== current || !byID("transcript").hasChildNodes()) {
    unfollowAll();
    transcript.clear();
    missing = false;
    notify("");
    current = next;
    composer.open(current);
    scrolling.follow();
  }
  drawList();
  redraw();
  if (current !== undefined) refreshTree(current);
}

const refreshOpen = gathered(async () => {
  const id = current;
  if (id === undefined) return;
  // What has only been asked here is not with the server yet, and looking for it would be in vain.
  const isOnlyHere = !treeOf(id).isLoaded && outbox.of(id).length > 0 && !conversations.some((item) => item.id === id);
  if (isOnlyHere) return;
  try {
    const json = await call("GET", `/v1/conversations/${id}`);
    if (deleted.has(id)) return;
    treeOf(id).merge(json, chosenLeaves.get(id));
    missing = false;
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    missing = [404, 410].includes(problem.status) && outbox.of(id).length === 0 && !treeOf(id).isLoaded;
  }
  if (id === current) redraw();
});

function refreshTree(id) {
  if (id !== undefined && id === current) refreshOpen();
}

function treeOf(id) {
  if (!trees.has(id)) trees.set(id, new Tree(id));
  return trees.get(id);
}

function redraw() {
  if (isSignedIn) onNextFrame(draw);
}

function draw() {
  const tree = current === undefined ? undefined : treeOf(current);
  const steps = tree ? tree.shown(outbox.of(current)) : [];
  transcript.draw(steps, tree);
  byID("welcome").hidden = current !== undefined;
  byID("delete-conversation").hidden = current === undefined || missing;
  if (missing) notify("There is no such conversation here. It may have been deleted, or it belongs to another account.");
  composer.setRunning(steps.length > 0 && stateOf(steps.at(-1)).isRunning && steps.at(-1).entry?.phase !== "waiting");
  composer.setNote(models.note);
  drawTitle();
  followShown(steps);
  scrolling.settle();
}

function drawTitle() {
  const listed = conversations.find((item) => item.id === current)?.title;
  const first = current === undefined ? undefined : outbox.of(current)[0]?.text?.slice(0, 80);
  const title = current === undefined ? "New conversation" : listed || trees.get(current)?.title || first || "Untitled";
  setText(byID("title"), title);
  document.title = current === undefined ? "Rejoinder" : `${title} · Rejoinder`;
}

function notify(text) {
  const notice = byID("notice");
  setText(notice, text);
  notice.hidden = text === "";
  announce(text);
}

// Following

function followShown(steps) {
  const running = steps.filter((step) => step.answer && !hasEnded(step.answer)).slice(-mostFollowed);
  const wanted = new Set(running.map((step) => step.answer.id));
  for (const id of followers.keys()) if (!wanted.has(id)) unfollow(id);
  for (const { answer } of running) {
    if (followers.has(answer.id)) continue;
    followers.set(answer.id, follow(answer, { changed: answerChanged, gone: answerGone }));
  }
}

function answerChanged(answer) {
  if (hasEnded(answer)) followers.delete(answer.id);
  redraw();
}

function answerGone(answer) {
  followers.delete(answer.id);
  refreshTree(current);
}

function unfollow(id) {
  followers.get(id)?.close();
  followers.delete(id);
}

function unfollowAll() {
  for (const id of [...followers.keys()]) unfollow(id);
}

// Gestures

function submit(text) {
  const isNew = current === undefined;
  const conversation = current ?? makeID();
  const tree = treeOf(conversation);
  const edited = composer.edited;
  // An unsent prompt at the end has no answer to go on from yet: first things first.
  if (tree.shown(outbox.of(conversation)).at(-1)?.entry) {
    return notify("The prompt before this one has not been sent yet. Take it back, or wait until it is.");
  }
  const entry = {
    kind: "turn", conversation, turn: makeID(), answer: makeID(), text, model: models.chosen ?? "auto", at: Date.now(),
    parent: edited ? edited.parent : tree.path().at(-1)?.answer.id ?? null,
  };
  notify("");
  composer.sent();
  if (isNew) {
    current = conversation;
    history.pushState(null, "", `/c/${conversation}`);
    composer.open(current);
  }
  outbox.add(entry);
  redraw();
  scrolling.follow();
  composer.focus();
}

function accepted(entry, answer) {
  chosenLeaves.delete(entry.conversation);
  treeOf(entry.conversation).adopt(entry, answer);
  if (!conversations.some((item) => item.id === entry.conversation)) {
    const title = entry.text?.split("\n")[0].slice(0, 80);
    conversations = [{ id: entry.conversation, title, updated_at: new Date().toISOString() }, ...conversations];
    drawList();
  }
  refreshList();
  if (storage.read(`stop.${entry.answer}`)) {
    treeOf(entry.conversation).answers.get(answer).isStopping = true;
    if (answer !== entry.answer) {
      storage.remove(`stop.${entry.answer}`);
      outbox.stop(answer);
    }
  }
  if (entry.conversation === current) redraw();
}

function stop() {
  const step = current === undefined ? undefined : treeOf(current).shown(outbox.of(current)).at(-1);
  if (!step) return;
  if (step.entry) {
    // It may be with the server already, so it is stopped there rather than forgotten here.
    outbox.stop(step.entry.answer);
  } else if (!hasEnded(step.answer)) {
    step.answer.isStopping = true;
    outbox.stop(step.answer.id);
  }
  redraw();
}

function regenerate({ turn }) {
  outbox.add({
    kind: "answer", conversation: current, turn: turn.id, answer: makeID(), model: models.chosen ?? "auto", at: Date.now(),
  });
  scrolling.follow();
}

function cancel(entry) {
  outbox.remove(entry.answer);
  storage.remove(`stop.${entry.answer}`);
  if (entry.kind === "turn") composer.restore(entry.text);
  if (treeOf(entry.conversation).turns.size === 0 && outbox.of(entry.conversation).length === 0) {
    const text = entry.text;
    history.replaceState(null, "", "/");
    openFromAddress();
    composer.restore(text);
  }
}

function resend(entry) {
  outbox.retry(entry.answer);
  redraw();
}

async function select(answer) {
  const id = current;
  const tree = treeOf(id);
  tree.leaf = tree.newestLeafBelow(answer);
  chosenLeaves.set(id, tree.leaf);
  redraw();
  try {
    await call("PATCH", `/v1/conversations/${id}`, { selected: tree.leaf });
    chosenLeaves.delete(id);
  } catch {
    // The choice holds on this page; the server learns of it with the next turn.
  }
}

byID("delete-conversation").onclick = async () => {
  const id = current;
  if (!(await confirm("Delete this conversation?", "It goes from all your devices, and a running answer is stopped.", "Delete"))) return;
  try {
    await call("DELETE", `/v1/conversations/${id}`);
  } catch (problem) {
    const isGone = problem instanceof Refusal && [404, 410].includes(problem.status);
    if (!isGone) return notify("It was not deleted: the server cannot be reached.");
  }
  forget(id);
};

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || byID("confirm").open) return;
  if (isDrawerOpen()) setDrawer(false);
  else if (composer.edited) composer.cancelEdit();
  else stop();
});

storage.onForeignChange((key) => {
  if (!isSignedIn) return;
  if (key === "") return location.reload();
  if (!key.startsWith("outbox.")) return;
  outbox.reload();
  redraw();
});

start();
