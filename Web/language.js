// The language of the page: one catalogue each, English and Arabic so far. Plural forms, numbers and dates come from
// the browser's own `Intl`; a catalogue holds words only.

import * as storage from "/storage.js";

/** The languages there are, by their own names; `early.js` picks one of them. */
export const languages = { en: "English", ar: "العربية" };

let catalogue;

/** The words of the language that is shown. */
export const words = () => catalogue;

/** Loads the words of the page's language, and puts them where they belong. */
export async function loadLanguage() {
  catalogue = (await import(`/words-${document.documentElement.lang}.js`)).default;
  fill(document);
}

/** Adds the words of signing in and of the account, which most visits do without. */
export async function moreWords() {
  if (catalogue.account) return;
  const more = (await import(`/account-${document.documentElement.lang}.js`)).default;
  catalogue = { ...catalogue, ...more, labels: { ...catalogue.labels, ...more.labels } };
}

/** Puts words where markup names them. */
export function fill(root) {
  const { labels } = catalogue;
  for (const node of root.querySelectorAll("[data-text]")) node.append(labels[node.dataset.text]);
  for (const node of root.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", labels[node.dataset.label]);
    if (node.localName === "button") node.title = labels[node.dataset.label];
  }
  for (const node of root.querySelectorAll("[data-placeholder]")) node.placeholder = labels[node.dataset.placeholder];
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

// Making one of the browser's formats takes longer than a frame on a slow device: each is made once.
const formats = new Map();

function format(kind, options) {
  const key = `${kind} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl[kind](locale(), options));
  return formats.get(key);
}

/** The form of a word that a number takes; `other` stands for every form that is not given. `#` is the number. */
export function counted(number, forms) {
  const form = forms[format("PluralRules").select(number)] ?? forms.other;
  return form.replace("#", format("NumberFormat").format(number));
}

export const percent = (share) => format("NumberFormat", { style: "percent" }).format(share);

/** A moment: the time alone where it is today. */
export function moment(time) {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return format("DateTimeFormat", isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }).format(time);
}

/** A span of time in the largest unit that says enough. */
export function duration(seconds) {
  const [value, unit] = seconds < 90 ? [seconds, "second"]
    : seconds < 5400 ? [Math.round(seconds / 60), "minute"] : [Math.round(seconds / 3600), "hour"];
  return format("NumberFormat", { style: "unit", unit, unitDisplay: "long" }).format(value);
}
