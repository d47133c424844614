// What the keyboard does wherever the focus is.

import { byID } from "/dom.js";
import { isDrawerOpen, setDrawer } from "/drawer.js";

const isWritten = (node) => node.matches?.("input, textarea, select, [contenteditable]");

/** `actions`: stop, isEditing, cancelEdit, newConversation, focusPrompt. */
export function watchKeyboard({ stop, isEditing, cancelEdit, newConversation, focusPrompt }) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") {
      if (isDrawerOpen()) setDrawer(false);
      else if (isEditing()) cancelEdit();
      else stop();
    } else if (isCommand && event.key.toLowerCase() === "k") {
      event.preventDefault();
      setDrawer(true);
      byID("search").focus();
      byID("search").select();
    } else if (event.altKey && event.code === "KeyN") {
      event.preventDefault();
      newConversation();
    } else if (event.key === "/" && !isCommand && !event.altKey && !isWritten(event.target)) {
      event.preventDefault();
      focusPrompt();
    }
  });
}
