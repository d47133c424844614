// The conversations of the account as this page knows them: fetched, changed, searched and shown in the list.

import { announce } from "/announce.js";
import { call, Unreachable } from "/api.js";
import { byID } from "/dom.js";
import { gathered } from "/frame.js";
import { words } from "/language.js";
import { Removals } from "/removals.js";
import { endSearch, onSearch } from "/search.js";
import * as shelf from "/shelf.js";
import { drawSidebar } from "/sidebar.js";
import { offerUndo } from "/toast.js";

// The list is fetched whole whenever it changes, up to what the server gives at once.
const mostListed = 200;

export class Library {
  #items = [];
  #hits;
  #listed = 50;
  #isArchive = false;
  #gone = new Set();
  #callbacks;
  #current;
  #removals = new Removals((id) => this.#callbacks.forgotten(id));
  /** Asks for the list, once for all calls that come together. */
  refresh = gathered(async () => this.take(await this.fetch()));

  /** `callbacks`: open(id), hidden(id), forgotten(id), notify(text), isSignedIn(). */
  constructor(callbacks) {
    this.#callbacks = callbacks;
    onSearch(() => this.#items, (hits) => {
      this.#hits = hits;
      if (hits) announce(hits.length === 0 ? words().noHits : words().hits(hits.length));
      this.draw();
    });
    byID("older").onclick = () => {
      this.#listed = Math.min(mostListed, this.#listed + 50);
      this.refresh();
    };
    byID("show-archive").onclick = () => {
      this.#isArchive = !this.#isArchive;
      byID("show-archive").setAttribute("aria-pressed", String(this.#isArchive));
      this.draw();
    };
  }

  /** The list from the server; from the shelf where there is no line. Refusals pass through. */
  async fetch() {
    if (!this.#callbacks.isSignedIn()) throw new Unreachable();
    const path = `/v1/conversations?limit=${this.#listed}`;
    const list = await call("GET", path);
    shelf.keep("/v1/conversations", { ...list, items: list.items.filter((item) => !item.temporary) });
    return list;
  }

  /** What the list was when there was a line. */
  async takeKept() {
    const list = await shelf.kept("/v1/conversations");
    if (list) this.take(list);
  }

  take(list) {
    byID("older").hidden = !list.next || this.#listed >= mostListed;
    this.#items = (list.items ?? []).filter((item) => !this.#gone.has(item.id));
    this.draw();
  }

  find(id) {
    return this.#items.find((item) => item.id === id);
  }

  /** A conversation that was only just begun here. */
  add(item) {
    if (!this.find(item.id)) this.#items = [item, ...this.#items];
    this.draw();
  }

  isGone(id) {
    return this.#gone.has(id) || this.#removals.has(id);
  }

  show(current) {
    this.#current = current;
    this.draw();
  }

  draw() {
    const here = this.#items.filter((item) => !this.#removals.has(item.id));
    const archived = here.filter((item) => item.archived);
    if (archived.length === 0) this.#isArchive = false;
    byID("show-archive").hidden = archived.length === 0;
    byID("show-archive").setAttribute("aria-pressed", String(this.#isArchive));
    drawSidebar({
      items: this.#isArchive ? archived : here.filter((item) => !item.archived), isArchive: this.#isArchive,
      hits: this.#hits?.filter((hit) => !this.isGone(hit.id)).map((hit) => ({ ...this.find(hit.id), ...hit })),
    }, this.#current, {
      open: this.#callbacks.open, redraw: () => this.draw(), remove: (id, title) => this.remove(id, title),
      patch: (id, change) => this.patch(id, change),
    });
    this.#callbacks.drawn?.();
  }

  /** Changes title, pin or archive: here at once, taken back where the server does not take it. */
  async patch(id, change) {
    const item = this.find(id);
    const before = item && { ...item };
    if (item) Object.assign(item, change);
    if (change.archived && item) announce(words().archived(item.title ?? words().untitled));
    this.draw();
    try {
      await call("PATCH", `/v1/conversations/${id}`, change);
    } catch {
      if (item) Object.assign(item, before);
      this.draw();
      this.#callbacks.notify(words().notChanged);
    }
  }

  /** Deletes, with a way back until it is sent. */
  remove(id, title = this.find(id)?.title ?? words().untitled) {
    this.#removals.hold(id);
    this.draw();
    this.#callbacks.hidden(id);
    offerUndo(words().deleted(title), () => {
      this.#removals.undo(id);
      this.draw();
      this.#callbacks.open(id);
    }, () => this.#removals.release(id));
  }

  /** Somebody deleted it, here or elsewhere. */
  forget(id) {
    this.#gone.add(id);
    this.#items = this.#items.filter((item) => item.id !== id);
    shelf.drop(`/v1/conversations/${id}`);
    this.draw();
  }

  /** Sends deletions that wait. */
  flush() {
    this.#removals.flush();
  }

  clear() {
    this.#items = [];
    this.#hits = undefined;
    this.#removals.close();
    this.#gone.clear();
    endSearch();
    this.draw();
  }
}
