// The language of the page: one catalogue each, English and Arabic so far. Plural forms, numbers and dates come from
// the browser's own `Intl`; a catalogue holds words only.

import * as storage from "/storage.js";

/** The languages there are, by their own names. */
export const languages = { en: "English", ar: "العربية" };

let catalogue;

/** The words of the language that is shown. */
export const words = () => catalogue;

/** Loads the language that was picked, or the first of the browser's that there is, and puts its words into the page. */
export async function loadLanguage() {
  const wanted = [storage.read("language"), ...navigator.languages.map((tag) => tag.split("-")[0])];
  const code = wanted.find((tag) => tag in languages) ?? "en";
  catalogue = (await import(code === "ar" ? "/words-ar.js" : "/words-en.js")).default;
  document.documentElement.lang = code;
  document.documentElement.dir = catalogue.direction;
  for (const node of document.querySelectorAll("[data-text]")) node.append(catalogue.labels[node.dataset.text]);
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", catalogue.labels[node.dataset.label]);
    if (node.localName === "button") node.title = catalogue.labels[node.dataset.label];
  }
  for (const node of document.querySelectorAll("[data-placeholder]")) {
    node.placeholder = catalogue.labels[node.dataset.placeholder];
  }
}

/** Picks a language for this browser; nothing stands for the browser's own. The page is loaded anew in it. */
export function pickLanguage(code) {
  if (code) storage.write("language", code);
  else storage.remove("language");
  location.reload();
}

/** The tag for `Intl`: the browser's own variety of the language that is shown. */
export function locale() {
  const code = document.documentElement.lang;
  return navigator.languages.find((tag) => tag.split("-")[0] === code) ?? code;
}

/** The form of a word that a number takes; `other` stands for every form that is not given. `#` is the number. */
export function counted(number, forms) {
  const form = forms[new Intl.PluralRules(locale()).select(number)] ?? forms.other;
  return form.replace("#", new Intl.NumberFormat(locale()).format(number));
}

export const percent = (share) => new Intl.NumberFormat(locale(), { style: "percent" }).format(share);

/** A moment: the time alone where it is today. */
export function moment(time) {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  const format = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(locale(), format).format(time);
}

/** A span of time in the largest unit that says enough. */
export function duration(seconds) {
  const [value, unit] = seconds < 90 ? [seconds, "second"]
    : seconds < 5400 ? [Math.round(seconds / 60), "minute"] : [Math.round(seconds / 3600), "hour"];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(value);
}
