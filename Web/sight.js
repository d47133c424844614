// A browser grants a server only about six lines for all of its tabs together. A tab that nobody sees gives its own
// back after a moment and takes them again when it is seen; the numbers it holds make coming back complete.

const grace = 15_000;

/** Calls `lost` once the page has been out of sight for a while, and `back` when it is seen again. Returns how to end it. */
export function onSight({ lost, back }) {
  let timer;
  let isLost = false;

  function changed() {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") {
      timer = setTimeout(() => {
        isLost = true;
        lost();
      }, grace);
    } else if (isLost) {
      isLost = false;
      back();
    }
  }

  document.addEventListener("visibilitychange", changed);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
  };
}
