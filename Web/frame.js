// However many pieces arrive, the page is drawn at most once a frame; and what is fetched because something changed is
// fetched once for all changes that come together.

const pending = new Set();
let isScheduled = false;

/** Runs each distinct `draw` once before the next frame. */
export function onNextFrame(draw) {
  pending.add(draw);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    const draws = [...pending];
    pending.clear();
    for (const run of draws) run();
  });
}

/** Runs a fetch soon, once for all calls that come together, and once more for a call that came while it ran. */
export function gathered(fetch, delay = 60) {
  let state = "idle";
  async function run() {
    state = "running";
    try {
      await fetch();
    } catch {
      // The next hint, or the line coming back, asks again.
    }
    const isAskedAgain = state === "again";
    state = "idle";
    if (isAskedAgain) later();
  }
  function later() {
    if (state === "running") state = "again";
    if (state !== "idle") return;
    state = "scheduled";
    setTimeout(run, delay);
  }
  return later;
}
