// The list of conversations on the page: the newest first, under headings of age; or what a search found.

import { byID, element, icon } from "/dom.js";
import { words } from "/language.js";
import { openMenu } from "/menu.js";
import { ageGroup } from "/words.js";

const root = byID("conversations");
let renamed;

/**
 * Draws the list: `items`, or the `hits` of a search. `actions`: open(id), patch(id, change), remove(id, title),
 * redraw().
 */
export function drawSidebar({ items, hits, isArchive }, current, actions) {
  // Somebody who is typing a title is not interrupted; the list is drawn when that is over.
  if (renamed?.isConnected) return;
  const held = document.activeElement?.closest?.("[data-id]");
  const control = held && [...held.querySelectorAll("a, button")].indexOf(document.activeElement);
  const groups = hits ? new Map([["hits", hits]]) : isArchive ? new Map([["archived", items]]) : byAge(items);
  root.replaceChildren(...[...groups].filter(([, list]) => list.length > 0)
    .map(([name, list]) => group(words().groups[name], list, current, actions)));
  if (hits?.length === 0) root.append(element("p", { class: "aside-note" }, words().noHits));
  byID("no-conversations").hidden = hits !== undefined || isArchive || items.length > 0;
  // Redrawing must not throw a keyboard back to the top of the page.
  if (!held) return;
  const again = root.querySelector(`[data-id="${held.dataset.id}"]`);
  again?.querySelectorAll("a, button")[control]?.focus({ preventScroll: true });
}

function byAge(items) {
  const groups = new Map([["pinned", items.filter((item) => item.pinned)]]);
  for (const item of items) {
    if (item.pinned) continue;
    const name = ageGroup(item.updated_at);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups;
}

function group(name, items, current, actions) {
  return element(
    "section", { "aria-label": name }, element("h2", {}, name),
    element("ul", {}, ...items.map((item) => row(item, item.id === current, actions))));
}

function row(item, isCurrent, actions) {
  const title = item.title || words().untitled;
  const link = element("a", { class: "conversation", href: `/c/${item.id}`, title }, element("bdi", {}, ...marked(title, item.titleRanges)));
  if (item.temporary) link.prepend(icon("temporary"));
  if (item.snippet) link.append(element("small", { dir: "auto" }, ...marked(item.snippet.text, item.snippet.ranges)));
  if (isCurrent) link.setAttribute("aria-current", "page");
  const more = element("button", {
    class: "icon-button small more-button", type: "button", "aria-label": words().actionsOf(title), "aria-haspopup": "menu",
    "aria-expanded": "false",
  }, icon("more"));
  const node = element("li", { class: "row" }, link, more);
  node.dataset.id = item.id;
  const rename = () => startRename(node, item, actions);
  link.onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    actions.open(item.id);
  };
  link.onkeydown = (event) => {
    if (event.key === "F2") rename();
    else if (event.key === "Delete") actions.remove(item.id, title);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event, link);
  };
  more.onclick = () => openMenu(more, menuOf(item, title, rename, actions));
  node.oncontextmenu = (event) => {
    event.preventDefault();
    more.click();
  };
  return node;
}

function menuOf(item, title, rename, actions) {
  const { labels } = words();
  return [
    { picture: "edit", label: labels.rename, action: rename },
    { picture: "pin", label: item.pinned ? labels.unpin : labels.pin, action: () => actions.patch(item.id, { pinned: !item.pinned }) },
    {
      picture: "archive", label: item.archived ? labels.unarchive : labels.archive,
      action: () => actions.patch(item.id, { archived: !item.archived }),
    },
    ...(item.memory === undefined || item.temporary ? [] : [{
      picture: "memory", label: item.memory ? labels.leaveMemory : labels.useMemory,
      action: () => actions.patch(item.id, { memory: !item.memory }),
    }]),
    { picture: "delete", label: labels.delete, isDangerous: true, action: () => actions.remove(item.id, title) },
  ];
}

function step(event, link) {
  const links = [...root.querySelectorAll(".conversation")];
  const next = links[links.indexOf(link) + (event.key === "ArrowDown" ? 1 : -1)];
  event.preventDefault();
  next?.focus();
}

/** A text with what was searched for marked in it; ranges are pairs of places, in order. */
function marked(text, ranges = []) {
  const nodes = [];
  let at = 0;
  for (const [start, end] of ranges) {
    nodes.push(text.slice(at, start), element("mark", {}, text.slice(start, end)));
    at = end;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}

function startRename(node, item, actions) {
  const field = element("input", {
    class: "rename", dir: "auto", value: item.title ?? "", maxLength: 200, "aria-label": words().labels.titleField,
  });
  const end = (isKept) => {
    if (!renamed) return;
    renamed = undefined;
    const title = field.value.trim();
    field.replaceWith(...held);
    held[0].focus({ preventScroll: true });
    if (isKept && title !== "" && title !== item.title) actions.patch(item.id, { title });
    else actions.redraw();
  };
  field.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.isComposing) end(true);
    else if (event.key === "Escape") end(false);
  };
  field.onblur = () => end(true);
  const held = [...node.childNodes];
  renamed = field;
  node.replaceChildren(field);
  field.focus();
  field.select();
}
