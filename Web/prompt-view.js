// One prompt on the page.

import { button, element } from "/dom.js";
import { textNodes } from "/inlines.js";
import { words } from "/language.js";
import { Versions } from "/versions.js";
import { stateOf } from "/words.js";

export class PromptView {
  node;
  #step;
  #siblings = [];
  #versions = new Versions("prompt", (by) => this.#move(by));
  #edit;
  #actions;

  constructor(turn, actions) {
    this.#actions = actions;
    const text = element("div", { class: "prompt-text", dir: "auto" }, ...textNodes(turn.text));
    this.#edit = button("edit", words().edit, () => actions.edit(this.#step.turn));
    this.node = element(
      "article", { class: "prompt", "aria-label": words().yourPrompt }, text,
      element("div", { class: "foot" }, this.#versions.node, this.#edit));
  }

  draw(step, tree) {
    this.#step = step;
    this.#siblings = tree.versions(step.turn);
    this.#versions.draw(this.#siblings.findIndex((turn) => turn.id === step.turn.id), this.#siblings.length);
    this.#edit.hidden = step.entry !== undefined || stateOf(step).isRunning;
  }

  release() {}

  #move(by) {
    const index = this.#siblings.findIndex((turn) => turn.id === this.#step.turn.id);
    const answer = this.#siblings[index + by]?.answers.at(-1);
    if (answer) this.#actions.select(answer);
  }
}
