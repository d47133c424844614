// Copying: an answer as it reads, an answer as it was written, a block of code.

import { announce } from "/announce.js";
import { element, icon } from "/dom.js";
import { words } from "/language.js";

const shown = 2_000;

/** A button that copies what `text()` gives, and says that it did. */
export function copyButton(text, label = words().copy, picture = "copy") {
  const button = element("button", { class: "quiet", type: "button" }, icon(picture), label);
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(text());
      announce(words().copied);
      button.lastChild.data = words().copied;
    } catch {
      button.lastChild.data = words().copyByHand;
    }
    setTimeout(() => { button.lastChild.data = label; }, shown);
  };
  return button;
}

/** The text of a node as a person would copy it by hand: what cannot be selected is not part of it. */
export function readable(node) {
  const selection = getSelection();
  const held = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
  selection.selectAllChildren(node);
  const text = selection.toString();
  selection.removeAllRanges();
  for (const range of held) selection.addRange(range);
  return text.trim();
}
