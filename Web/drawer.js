// On a narrow screen the list of conversations is a drawer, out of the way and out of the tab order until it is asked for.

import { byID } from "/dom.js";

const wide = matchMedia("(min-width: 56rem)");

/** Opens or closes the list where the screen is narrow; a wide one always shows it. */
export function setDrawer(isOpen) {
  const isShown = isOpen && !wide.matches;
  document.body.classList.toggle("drawer-open", isShown);
  byID("scrim").hidden = !isShown;
  byID("open-sidebar").setAttribute("aria-expanded", String(isShown));
  byID("sidebar").inert = !wide.matches && !isShown;
  byID("main").inert = isShown;
  if (isShown) byID("close-sidebar").focus();
}
wide.onchange = () => setDrawer(false);
byID("open-sidebar").onclick = () => setDrawer(true);
byID("close-sidebar").onclick = () => { setDrawer(false); byID("open-sidebar").focus(); };
byID("scrim").onclick = () => setDrawer(false);

export function isDrawerOpen() {
  return document.body.classList.contains("drawer-open");
}
