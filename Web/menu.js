// A menu of actions at a button: opened by it, gone with Escape, a press outside or a choice; arrows go through it.

import { element, icon } from "/dom.js";

let menu;
let opener;

/** Opens a menu at a button. `items` are `{ picture, label, action, isDangerous? }`. */
export function openMenu(button, items) {
  closeMenu();
  opener = button;
  menu = element("div", { class: "menu", role: "menu", popover: "auto" }, ...items.map(({ picture, label, action, isDangerous }) =>
    element("button", {
      class: isDangerous ? "menu-item dangerous" : "menu-item", type: "button", role: "menuitem",
      onclick: () => { closeMenu(); action(); },
    }, icon(picture), label)));
  menu.onkeydown = moved;
  menu.ontoggle = ({ newState }) => { if (newState === "closed") closeMenu(); };
  (button.closest("nav, main") ?? document.body).append(menu);
  menu.showPopover();
  place(button.getBoundingClientRect());
  button.setAttribute("aria-expanded", "true");
  menu.firstElementChild.focus();
}

export function closeMenu() {
  if (!menu) return;
  const gone = menu;
  const hadFocus = gone.contains(document.activeElement) || document.activeElement === document.body;
  menu = undefined;
  opener.setAttribute("aria-expanded", "false");
  gone.remove();
  if (hadFocus && opener.isConnected) opener.focus({ preventScroll: true });
}

function place(button) {
  const { width, height } = menu.getBoundingClientRect();
  const isRightToLeft = document.documentElement.dir === "rtl";
  const left = isRightToLeft ? button.left : button.right - width;
  const isAbove = button.bottom + height > innerHeight - 8;
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.top = `${isAbove ? Math.max(8, button.top - height) : button.bottom}px`;
}

function moved(event) {
  const items = [...menu.children];
  const at = items.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
  if (event.key === "Tab") return closeMenu();
  if (event.key === "Escape") {
    event.stopPropagation();
    return closeMenu();
  }
  if (next === undefined) return;
  event.preventDefault();
  items[next % items.length].focus();
}
