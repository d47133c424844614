// The conversation that is open: its tree, who follows its answers, and what a person's gestures do to it.

import { announce } from "/announce.js";
import { hasEnded } from "/answer.js";
import { call, Refusal } from "/api.js";
import { byID, setText } from "/dom.js";
import { follow } from "/follow.js";
import { gathered, onNextFrame } from "/frame.js";
import { makeID } from "/ids.js";
import { words } from "/language.js";
import { Outbox } from "/outbox.js";
import { Scrolling } from "/scrolling.js";
import * as shelf from "/shelf.js";
import * as storage from "/storage.js";
import { Transcript } from "/transcript.js";
import { Tree } from "/tree.js";
import { stateOf } from "/words.js";

// A browser grants a server about six lines for all tabs together: one for the feed, and few for answers.
const mostFollowed = 2;

export class Conversation {
  /** The id of the conversation that is open; nothing for one that does not exist yet. */
  id;
  #trees = new Map();
  #followers = new Map();
  #growing = new Set();
  #missing = false;
  #scrolling = new Scrolling();
  #composer;
  #transcript = new Transcript({
    regenerate: (step) => this.#regenerate(step), edit: (turn) => this.#composer.edit(turn),
    cancel: (entry) => this.#cancel(entry), resend: (entry) => this.#resend(entry), select: (answer) => this.#select(answer),
  }, this.#scrolling);
  #outbox = new Outbox({
    changed: (id) => { if (id === this.id) this.redraw(); }, accepted: (entry, answer) => this.#accepted(entry, answer),
  });
  #library;
  #models;
  #go;

  /** `go(id)` changes the address without opening what is there. */
  constructor(composer, library, models, go) {
    this.#composer = composer;
    composer.serve({
      submit: (text) => this.#submit(text), stop: () => this.stop(), editLast: (event) => this.#editLast(event),
    });
    this.#library = library;
    this.#models = models;
    this.#go = go;
    byID("temporary").onchange = () => byID("composer").classList.toggle("temporary", byID("temporary").checked);
  }

  get hasUnsent() {
    return !this.#outbox.isEmpty;
  }

  get isEditing() {
    return this.#composer.edited !== undefined;
  }

  cancelEdit() {
    this.#composer.cancelEdit();
  }

  focus() {
    this.#composer.focus();
  }

  /** Puts a text into the composer, in front of what is begun there. */
  insert(text) {
    this.#composer.restore(text);
  }

  /** Opens a conversation, or the place of a new one. */
  open(id) {
    if (id !== this.id || !byID("transcript").hasChildNodes()) {
      this.close();
      this.id = id;
      this.#composer.open(id);
      this.#scrolling.follow();
    }
    this.#draw();
    this.refresh(id);
  }

  /** Shows nothing and follows nothing. */
  close() {
    for (const id of [...this.#followers.keys()]) this.#unfollow(id);
    this.#transcript.clear();
    this.#missing = false;
    this.notify("");
  }

  /** Another tab put something into the outbox or took it out. */
  reload() {
    this.#outbox.reload();
    this.redraw();
  }

  flush() {
    this.#outbox.flush();
  }

  /** Something changed in a conversation. */
  hint(id) {
    this.refresh(id);
    if (id !== this.id) this.#trees.delete(id);
  }

  refresh(id = this.id) {
    if (id !== undefined && id === this.id) this.#refreshOpen();
  }

  /** Leaves nothing of a conversation. */
  forget(id) {
    for (const answer of this.#trees.get(id)?.answers.keys() ?? []) this.#unfollow(answer);
    this.#trees.delete(id);
    storage.remove(`draft.${id}`);
    this.#outbox.removeAll(id);
  }

  clear() {
    this.close();
    this.#outbox.close();
    this.#trees.clear();
  }

  notify(text) {
    const notice = byID("notice");
    setText(notice, text);
    notice.hidden = text === "";
    announce(text);
  }

  redraw() {
    onNextFrame(this.#drawSoon);
  }

  stop() {
    const step = this.#steps().at(-1);
    if (!step) return;
    if (step.entry) {
      // It may be with the server already, so it is stopped there rather than forgotten here.
      this.#outbox.stop(step.entry.answer);
    } else if (!hasEnded(step.answer)) {
      step.answer.isStopping = true;
      this.#outbox.stop(step.answer.id);
    }
    this.redraw();
  }

  // Loading

  #refreshOpen = gathered(async () => {
    const id = this.id;
    if (id === undefined) return;
    const tree = this.#tree(id);
    // What has only been asked here is not with the server yet, and looking for it would be in vain.
    if (!tree.isLoaded && this.#outbox.of(id).length > 0 && !this.#library.find(id)) return;
    const path = `/v1/conversations/${id}`;
    try {
      const json = await call("GET", path);
      if (this.#library.isGone(id)) return;
      const isFirst = !tree.isLoaded || tree.isKept;
      tree.merge(json, storage.read(`choice.${id}`));
      if (isFirst) this.#tellChoice(id);
      if (!json.temporary) shelf.keep(path, json);
      if (this.id === id && tree.isKept) this.notify("");
      tree.isKept = false;
      this.#missing = false;
    } catch (problem) {
      if (!(problem instanceof Refusal)) return this.#takeKept(tree, path);
      this.#missing = [404, 410].includes(problem.status) && this.#outbox.of(id).length === 0 && !tree.isLoaded;
    }
    if (id !== this.id) return;
    this.redraw();
    this.#composer.ready();
  }, 10);

  async #takeKept(tree, path) {
    if (tree.isLoaded) return;
    const json = await shelf.kept(path);
    if (tree.isLoaded || this.#outbox.of(tree.id).length > 0 && !json) return;
    if (json) {
      tree.merge(json, storage.read(`choice.${tree.id}`));
      tree.isKept = true;
    }
    if (tree.id !== this.id) return;
    this.notify(json ? words().offlineCopy : words().offlineNone);
    this.redraw();
    this.#composer.ready();
  }

  #tree(id) {
    if (!this.#trees.has(id)) this.#trees.set(id, new Tree(id));
    return this.#trees.get(id);
  }

  #steps() {
    return this.id === undefined ? [] : this.#tree(this.id).shown(this.#outbox.of(this.id));
  }

  // Drawing

  #drawSoon = () => this.#draw();

  #draw() {
    const tree = this.id === undefined ? undefined : this.#tree(this.id);
    const steps = this.#steps();
    this.#growing.clear();
    this.#transcript.draw(steps, tree);
    byID("welcome").hidden = this.id !== undefined;
    byID("delete-conversation").hidden = this.id === undefined || this.#missing;
    if (this.#missing) this.notify(words().noSuchConversation);
    const last = steps.at(-1);
    this.#composer.setRunning(last !== undefined && stateOf(last).isRunning && last.entry?.phase !== "waiting");
    this.#composer.setNote(this.#models.note);
    this.drawTitle();
    this.#followShown(steps);
    this.#scrolling.changed();
  }

  drawTitle() {
    const tree = this.#trees.get(this.id);
    const first = this.id === undefined ? undefined : this.#outbox.of(this.id)[0];
    const known = this.#library.find(this.id)?.title || tree?.title || first?.text?.slice(0, 80) || words().untitled;
    const title = this.id === undefined ? words().labels.newConversation : known;
    setText(byID("title"), title);
    const tab = this.id === undefined ? "Rejoinder" : `${title} · Rejoinder`;
    if (document.title !== tab) document.title = tab;
    const isTemporary = this.id === undefined
      ? byID("temporary").checked : this.#library.find(this.id)?.temporary ?? first?.temporary ?? tree?.isTemporary ?? false;
    byID("temporary-mark").hidden = this.id === undefined || !isTemporary;
    byID("composer").classList.toggle("temporary", isTemporary);
  }

  #growSoon = () => {
    for (const answer of this.#growing) this.#transcript.grow(answer);
    this.#growing.clear();
    this.#scrolling.changed();
  };

  // Following

  #followShown(steps) {
    const running = steps.filter((step) => step.answer && !hasEnded(step.answer)).slice(-mostFollowed);
    const wanted = new Set(running.map((step) => step.answer.id));
    for (const id of this.#followers.keys()) if (!wanted.has(id)) this.#unfollow(id);
    for (const { answer } of running) {
      if (this.#followers.has(answer.id)) continue;
      let name = stateOf({ answer }).name;
      const changed = () => {
        const now = stateOf({ answer }).name;
        // Text that grows is drawn by itself; anything else may change more than the answer.
        if (now === "streaming" && name === now) {
          this.#growing.add(answer);
          onNextFrame(this.#growSoon);
        } else {
          if (hasEnded(answer)) this.#followers.delete(answer.id);
          this.redraw();
        }
        name = now;
      };
      this.#followers.set(answer.id, follow(answer, { changed, gone: () => this.#answerGone(answer) }));
    }
  }

  #answerGone(answer) {
    this.#followers.delete(answer.id);
    this.refresh();
  }

  #unfollow(id) {
    this.#followers.get(id)?.close();
    this.#followers.delete(id);
  }

  // Gestures

  /** Gives whether the prompt was taken, or refused: false where it is not known yet what it goes on from. */
  #submit(text) {
    const isNew = this.id === undefined;
    const conversation = this.id ?? makeID();
    const tree = this.#tree(conversation);
    const edited = this.#composer.edited;
    // An unsent prompt at the end has no answer to go on from yet: first things first.
    if (tree.shown(this.#outbox.of(conversation)).at(-1)?.entry) {
      this.notify(words().firstThingsFirst);
      return true;
    }
    if (this.#missing) return true;
    if (!isNew && !tree.isLoaded) return false;
    const entry = {
      kind: "turn", conversation, turn: makeID(), answer: makeID(), text, model: this.#models.chosen ?? "auto",
      at: Date.now(), parent: edited ? edited.parent : tree.path().at(-1)?.answer.id ?? null,
      temporary: isNew && byID("temporary").checked ? true : undefined,
    };
    this.notify("");
    this.#composer.sent();
    if (isNew) {
      this.id = conversation;
      byID("temporary").checked = false;
      this.#go(conversation);
      this.#composer.open(conversation);
    }
    this.#outbox.add(entry);
    this.redraw();
    this.#scrolling.follow();
    this.#composer.focus();
    return true;
  }

  #accepted(entry, answer) {
    const { conversation } = entry;
    const tree = this.#tree(conversation);
    storage.remove(`choice.${conversation}`);
    tree.adopt(entry, answer);
    tree.isTemporary ||= entry.temporary ?? false;
    const title = entry.text?.split("\n")[0].slice(0, 80);
    this.#library.add({ id: conversation, title, updated_at: new Date().toISOString(), temporary: tree.isTemporary });
    this.#library.refresh();
    if (storage.read(`stop.${entry.answer}`)) {
      tree.answers.get(answer).isStopping = true;
      if (answer !== entry.answer) {
        storage.remove(`stop.${entry.answer}`);
        this.#outbox.stop(answer);
      }
    }
    if (conversation === this.id) this.redraw();
  }

  #regenerate({ turn }) {
    this.#outbox.add({
      kind: "answer", conversation: this.id, turn: turn.id, answer: makeID(), model: this.#models.chosen ?? "auto",
      at: Date.now(),
    });
    this.#scrolling.follow();
  }

  #cancel(entry) {
    this.#outbox.remove(entry.answer);
    storage.remove(`stop.${entry.answer}`);
    const isEmpty = this.#tree(entry.conversation).turns.size === 0 && this.#outbox.of(entry.conversation).length === 0;
    if (isEmpty) {
      this.#go(undefined);
      this.open(undefined);
    }
    if (entry.kind === "turn") this.#composer.restore(entry.text);
  }

  #resend(entry) {
    this.#outbox.retry(entry.answer);
    this.redraw();
  }

  #editLast(event) {
    const step = this.#steps().at(-1);
    if (!step?.answer) return;
    event.preventDefault();
    this.#composer.edit(step.turn);
  }

  async #select(answer) {
    const id = this.id;
    const tree = this.#tree(id);
    tree.leaf = tree.newestLeafBelow(answer);
    // The server may not hear of it before the page is left, and then the next page has to know.
    storage.write(`choice.${id}`, tree.leaf);
    this.redraw();
    await this.#tellChoice(id);
  }

  async #tellChoice(id) {
    const leaf = storage.read(`choice.${id}`);
    if (leaf === undefined) return;
    try {
      await call("PATCH", `/v1/conversations/${id}`, { selected: leaf }, { isLast: true });
    } catch (problem) {
      // It holds here, and is told again when the conversation is next opened, or with the next turn.
      if (!(problem instanceof Refusal)) return;
    }
    if (storage.read(`choice.${id}`) === leaf) storage.remove(`choice.${id}`);
  }
}
