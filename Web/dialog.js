// The one question that the page asks before something is gone.

import { byID, setText } from "/dom.js";

/** Asks, and gives whether the answer was yes. */
export function confirm(title, text, yes) {
  const dialog = byID("confirm");
  setText(byID("confirm-title"), title);
  setText(byID("confirm-text"), text);
  setText(byID("confirm-yes"), yes);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
  });
}
