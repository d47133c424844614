// The path of a conversation on the page. Each prompt and each answer keeps its element as long as it is shown, so that
// growing text never disturbs a selection, a focus or the place where somebody reads. Of a long path only the end is
// there; more comes as the reader goes up.

import { AnswerView } from "/answer-view.js";
import { byID, element } from "/dom.js";
import { words } from "/language.js";
import { PromptView } from "/prompt-view.js";

// How many steps are drawn at first, and how many more each time. A step is a prompt and its answer.
const page = 16;
// A reader at the end gets a short page back once it has grown beyond this.
const most = 3 * page;

export class Transcript {
  #root = byID("transcript");
  #scroller = byID("scroller");
  #views = new Map();
  #actions;
  #steps = [];
  #tree;
  #start = 0;
  #more = element("button", { class: "quiet more", type: "button" });
  #scrolling;

  /** `actions`: regenerate, edit, cancel, resend, select. */
  constructor(actions, scrolling) {
    this.#actions = actions;
    this.#scrolling = scrolling;
    this.#more.onclick = () => this.#showMore();
    new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.#showMore();
    }, { root: this.#scroller, rootMargin: "800px 0px 0px 0px" }).observe(this.#more);
    window.addEventListener("beforeprint", () => {
      this.#start = 0;
      this.#place();
    });
  }

  clear() {
    for (const view of this.#views.values()) view.release();
    this.#root.replaceChildren();
    this.#views.clear();
    this.#steps = [];
    this.#tree = undefined;
  }

  /** Brings the page to the steps of the path. */
  draw(steps, tree) {
    const isOther = tree !== this.#tree || this.#steps.length === 0;
    const added = steps.length - this.#steps.length;
    this.#tree = tree;
    this.#steps = steps;
    if (isOther || steps.length <= this.#start) this.#start = Math.max(0, steps.length - page);
    if (added > 0 && steps.length - this.#start > most && this.#scrolling.isFollowing) {
      this.#start = steps.length - page;
    }
    this.#place();
  }

  /** Draws what one answer has grown by. */
  grow(answer) {
    this.#views.get(`answer.${answer.id}`)?.grow();
  }

  #place() {
    const nodes = [];
    const seen = new Set();
    if (this.#start > 0) {
      this.#more.textContent = words().earlierMessages(2 * this.#start);
      nodes.push(this.#more);
    }
    const show = (key, make, ...how) => {
      if (!this.#views.has(key)) this.#views.set(key, make());
      const view = this.#views.get(key);
      view.draw(...how);
      seen.add(key);
      nodes.push(view.node);
    };
    this.#steps.slice(this.#start).forEach((step, index, shown) => {
      show(`prompt.${step.turn.id}`, () => new PromptView(step.turn, this.#actions), step, this.#tree);
      const id = step.answer?.id ?? step.entry.answer;
      show(`answer.${id}`, () => new AnswerView(step, this.#actions), step, index === shown.length - 1);
    });
    for (const [key, view] of this.#views) {
      if (seen.has(key)) continue;
      view.release();
      this.#views.delete(key);
    }
    place(this.#root, nodes);
  }

  #showMore() {
    if (this.#start === 0) return;
    this.#start = Math.max(0, this.#start - page);
    // What the reader sees stays where it is; what is above it grows.
    const anchor = this.#root.querySelector(".prompt");
    const before = anchor.getBoundingClientRect().top;
    this.#place();
    this.#scrolling.grewAbove(anchor.getBoundingClientRect().top - before);
  }
}

/** Makes `nodes` the children of `root`, moving only what has to move. */
function place(root, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...root.children]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (root.children[index] !== node) root.insertBefore(node, root.children[index] ?? null);
  });
}
