// Follow or stay: a reader at the end is taken along, a reader who went up is left alone and offered a way back. The
// core decides; here is what is measured and moved.

import { scroll } from "/core.js";
import { byID } from "/dom.js";

export class Scrolling {
  #scroller = byID("scroller");
  #jump = byID("jump");

  constructor() {
    this.#scroller.addEventListener("scroll", () => {
      scroll.moved(this.#scroller.scrollTop);
      this.#show();
    }, { passive: true });
    this.#jump.onclick = () => {
      this.follow();
      byID("prompt").focus({ preventScroll: true });
    };
    // A growing prompt box or a turned phone changes what is visible without a scroll.
    new ResizeObserver(() => this.settle()).observe(this.#scroller);
  }

  get isFollowing() {
    return scroll.isFollowing;
  }

  /** Goes to the end and stays there. */
  follow() {
    scroll.jump();
    this.settle();
  }

  /** To be called after the page changed. */
  settle(growthAbove = 0) {
    const { scrollHeight, clientHeight, scrollTop } = this.#scroller;
    const offset = scroll.resized(scrollHeight, clientHeight, growthAbove);
    if (Math.abs(offset - scrollTop) >= 1 && (this.isFollowing || growthAbove !== 0)) this.#scroller.scrollTop = offset;
    this.#show();
  }

  /** Something above what the reader sees became longer by `height`. */
  grewAbove(height) {
    this.settle(height);
  }

  #show() {
    this.#jump.hidden = this.isFollowing;
  }
}
