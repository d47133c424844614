// Language, appearance and the keys: what this browser keeps for itself.

import { byID, element } from "/dom.js";
import { languages, pickLanguage, words } from "/language.js";
import * as storage from "/storage.js";

/** Wires the choices. */
export function watch() {
  const { labels, shortcuts } = words();
  fill(byID("pick-language"), { "": labels.languageOwn, ...languages }, storage.read("language") ?? "", pickLanguage);
  const themes = { "": labels.themeSystem, light: labels.themeLight, dark: labels.themeDark };
  fill(byID("pick-theme"), themes, storage.read("theme") ?? "", pickTheme);
  byID("shortcuts").append(...shortcuts.flatMap(([keys, what]) => [
    element("dt", { dir: "ltr" }, ...keys.split(" ").map((key) => element("kbd", {}, key))), element("dd", {}, what),
  ]));
}

function fill(select, choices, picked, choose) {
  select.replaceChildren(...Object.entries(choices).map(([value, name]) => element("option", { value }, name)));
  select.value = picked;
  select.onchange = () => choose(select.value);
}

function pickTheme(theme) {
  if (theme === "") {
    storage.remove("theme");
    delete document.documentElement.dataset.theme;
  } else {
    storage.write("theme", theme);
    document.documentElement.dataset.theme = theme;
  }
}
