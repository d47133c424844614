// Follow or stay: a reader at the bottom is taken along, a reader who went up is left alone and offered a way back.

import { byID } from "/dom.js";

const near = 48;

export class Scrolling {
  #scroller = byID("scroller");
  #jump = byID("jump");
  #isFollowing = true;
  #height = 0;

  constructor() {
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#jump.onclick = () => {
      this.follow();
      byID("prompt").focus({ preventScroll: true });
    };
    // A growing prompt box or a turned phone changes what is visible without a scroll.
    new ResizeObserver(() => this.settle()).observe(this.#scroller);
  }

  /** Goes to the end and stays there. */
  follow() {
    this.#isFollowing = true;
    this.settle();
  }

  /** To be called after the page changed. */
  settle() {
    const { scrollHeight, clientHeight } = this.#scroller;
    if (this.#isFollowing) this.#scroller.scrollTop = scrollHeight - clientHeight;
    this.#height = scrollHeight;
    this.#show();
  }

  #distance() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight;
  }

  #scrolled() {
    // Growth between our own scroll and its event is not somebody going up.
    if (this.#scroller.scrollHeight === this.#height || this.#distance() <= near) {
      this.#isFollowing = this.#distance() <= near;
    }
    this.#height = this.#scroller.scrollHeight;
    this.#show();
  }

  #show() {
    this.#jump.hidden = this.#isFollowing || this.#distance() <= near;
  }
}
