// When to try again: soon at first, then less often, never in step with everybody else. While the browser knows that
// it is offline nothing is tried; the moment it is back, everything is.

const first = 300;
const longest = 8_000;

export class Backoff {
  #tries = 0;
  #timer;
  #action;

  /** Runs `action` after the next delay. */
  schedule(action) {
    this.cancel();
    this.#action = action;
    waiting.add(this);
    if (!navigator.onLine) return;
    const ceiling = Math.min(longest, first * 2 ** this.#tries);
    this.#tries += 1;
    this.#timer = setTimeout(() => this.now(), ceiling * (0.5 + Math.random() / 2));
  }

  /** Runs the scheduled action at once, if there is one. */
  now() {
    const action = this.#action;
    this.cancel();
    action?.();
  }

  /** The line is good: the next failure starts from the shortest delay. */
  succeed() {
    this.#tries = 0;
  }

  cancel() {
    clearTimeout(this.#timer);
    this.#action = undefined;
    waiting.delete(this);
  }
}

const waiting = new Set();

function wake() {
  for (const backoff of [...waiting]) {
    backoff.succeed();
    backoff.now();
  }
}

window.addEventListener("online", wake);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && navigator.onLine) wake();
});
