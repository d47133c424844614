// The text of an answer on the page. Paragraphs that are complete are never touched again; only the last one grows,
// so a long answer costs no more per piece than a short one, and each paragraph finds its own direction.

import { element } from "/dom.js";

export class Flow {
  #root;
  #shown = "";
  #open = "";
  #node;

  constructor(root) {
    this.#root = root;
  }

  /** Shows `text`; what extends the text shown is appended, anything else is drawn afresh. */
  show(text) {
    if (text === this.#shown) return;
    if (text.startsWith(this.#shown)) {
      this.#append(text.slice(this.#shown.length));
    } else {
      this.#root.replaceChildren();
      this.#open = "";
      this.#node = undefined;
      this.#append(text);
    }
    this.#shown = text;
  }

  #append(piece) {
    this.#open += piece;
    for (;;) {
      const end = /\n[ \t]*\n/.exec(this.#open);
      if (!end) break;
      this.#draw(this.#open.slice(0, end.index));
      this.#node = undefined;
      this.#open = this.#open.slice(end.index).replace(/^(?:[ \t]*\n)+/, "");
    }
    if (this.#open.trim() !== "") this.#draw(this.#open);
  }

  #draw(text) {
    if (!this.#node) {
      if (text.trim() === "") return;
      this.#node = document.createTextNode("");
      this.#root.append(element("p", { dir: "auto" }, this.#node));
    }
    const held = this.#node.data;
    if (text.startsWith(held)) this.#node.appendData(text.slice(held.length));
    else this.#node.data = text;
  }
}
