// The list of conversations, newest first, under headings of age.

import { byID, element } from "/dom.js";
import { ageGroup } from "/words.js";

const root = byID("conversations");

/** Draws the list; `open` is called with the id of the conversation that is picked. */
export function drawSidebar(conversations, current, open) {
  const held = document.activeElement?.closest?.(".conversation")?.dataset.id;
  const pinned = conversations.filter((item) => item.pinned);
  const groups = new Map(pinned.length > 0 ? [["Pinned", pinned]] : []);
  for (const item of conversations) {
    if (item.pinned) continue;
    const name = ageGroup(item.updated_at);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  root.replaceChildren(...[...groups].map(([name, items]) => group(name, items, current, open)));
  byID("no-conversations").hidden = conversations.length > 0;
  // Redrawing must not throw a keyboard back to the top of the page.
  if (held) root.querySelector(`[data-id="${held}"]`)?.focus({ preventScroll: true });
}

function group(name, items, current, open) {
  const list = element("ul");
  for (const item of items) {
    const link = element(
      "a", { class: "conversation", href: `/c/${item.id}`, dir: "auto", title: item.title || "Untitled" },
      item.title || "Untitled");
    link.dataset.id = item.id;
    if (item.id === current) link.setAttribute("aria-current", "page");
    link.onclick = (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      open(item.id);
    };
    list.append(element("li", {}, link));
  }
  return element("section", { "aria-label": name }, element("h2", {}, name), list);
}
