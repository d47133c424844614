// Registers the service worker, which makes the page open without a line, and keeps what it holds up to date.

/** To be called once the page works: nothing of this is needed to use it. */
export async function keepWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(address(), { type: "classic" });
    const { active } = await navigator.serviceWorker.ready;
    if (navigator.onLine) active.postMessage("refresh");
  } catch {
    // A browser that forbids workers has a page that needs a line.
  }
}

/** The one script address that this page ever asks for by value: the policy gives it and nothing else. */
function address() {
  const path = "/offline.js";
  if (!globalThis.trustedTypes) return path;
  return trustedTypes.createPolicy("rejoinder-worker", { createScriptURL: () => path }).createScriptURL("");
}
