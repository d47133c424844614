// However many pieces arrive, the page is drawn at most once a frame.

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
