// The switch between the versions of a prompt or an answer: ‹ 2/3 ›.

import { element, icon, setText } from "/dom.js";
import { words } from "/language.js";

export class Versions {
  node = element("div", { class: "versions", role: "group" });
  #count = element("span");
  #back = element("button", { class: "icon-button small", type: "button" }, icon("back"));
  #forth = element("button", { class: "icon-button small", type: "button" }, icon("forth"));

  /** `what` is "prompt" or "answer"; `move(by)` goes to the one before or after. */
  constructor(what, move) {
    this.node.setAttribute("aria-label", words().versionsOf[what]);
    this.#back.setAttribute("aria-label", words().previousVersion[what]);
    this.#forth.setAttribute("aria-label", words().nextVersion[what]);
    this.#back.onclick = () => move(-1);
    this.#forth.onclick = () => move(1);
    this.node.append(this.#back, this.#count, this.#forth);
  }

  draw(index, count) {
    this.node.hidden = count < 2 || index < 0;
    if (this.node.hidden) return;
    setText(this.#count, `${index + 1}/${count}`);
    this.#back.disabled = index <= 0;
    this.#forth.disabled = index >= count - 1;
  }
}
