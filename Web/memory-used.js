// Which of the remembered facts went along with an answer: a line under it that opens.

import { call } from "/api.js";
import { element, setText } from "/dom.js";
import { words } from "/language.js";

/** A line that says how many facts an answer was given, and which when it is opened. */
export class MemoryUsed {
  #summary = element("summary");
  #list = element("ul");
  #ids = [];
  node = element("details", { class: "memory-used", hidden: true }, this.#summary, this.#list);

  constructor() {
    this.node.ontoggle = () => { if (this.node.open) this.#show(); };
  }

  /** Draws the line for the ids of facts. */
  draw(ids) {
    this.#ids = ids;
    this.node.hidden = ids.length === 0;
    if (ids.length > 0) setText(this.#summary, words().memoryUsed(ids.length));
  }

  async #show() {
    let facts = [];
    try {
      facts = (await call("GET", "/v1/memory")).items;
    } catch {
      return this.#list.replaceChildren(element("li", {}, words().unreachable));
    }
    // What was deleted since is told by its absence: its words are nowhere any more.
    this.#list.replaceChildren(...this.#ids.map((id) =>
      element("li", { dir: "auto" }, facts.find((fact) => fact.id === id)?.text ?? words().factGone)));
  }
}
