// Follow or stay: a reader at the end is taken along, a reader who went up is left alone and offered a way back. The
// core decides; here is what is measured and moved.

import { scroll } from "/core.js";
import { byID } from "/dom.js";

export class Scrolling {
  #scroller = byID("scroller");
  #jump = byID("jump");
  // It calls once the frame has been laid out, when measuring costs nothing: also where a growing prompt box or a turned
  // phone changes what is visible.
  #layout = new ResizeObserver(() => this.#settle());

  constructor() {
    this.#scroller.addEventListener("scroll", () => {
      scroll.moved(this.#scroller.scrollTop);
      this.#show();
    }, { passive: true });
    this.#jump.onclick = () => {
      this.follow();
      byID("prompt").focus({ preventScroll: true });
    };
    this.#layout.observe(this.#scroller);
  }

  get isFollowing() {
    return scroll.isFollowing;
  }

  /** Goes to the end and stays there. */
  follow() {
    scroll.jump();
    this.changed();
  }

  /** To be called when the page changed: the view is brought to its place in the same frame. */
  changed() {
    // Whoever begins to observe is called after the next layout.
    this.#layout.unobserve(this.#scroller);
    this.#layout.observe(this.#scroller);
  }

  /** Something above what the reader sees became longer by `height`. */
  grewAbove(height) {
    this.#settle(height);
  }

  #settle(growthAbove = 0) {
    const { scrollHeight, clientHeight, scrollTop } = this.#scroller;
    const offset = scroll.resized(scrollHeight, clientHeight, growthAbove);
    if (Math.abs(offset - scrollTop) >= 1 && (this.isFollowing || growthAbove !== 0)) this.#scroller.scrollTop = offset;
    this.#show();
  }

  #show() {
    this.#jump.hidden = this.isFollowing;
  }
}
