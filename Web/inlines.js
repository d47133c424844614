// What stands inside a paragraph: text, links, and images that are not loaded. A text never reorders what is around
// it, and a link says where it really leads.

import { element, icon } from "/dom.js";
import { words } from "/language.js";

// Characters that turn the direction of what follows. In prose only overrides are tamed, since the isolates are how
// honest text in two directions is written; in code all of them are, and shown.
const overrides = /[\u202a-\u202e]/u;
const controls = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/u;
const schemes = new Set(["http:", "https:", "mailto:"]);

/** A text as nodes, with what would turn its direction kept from doing so. */
export function textNodes(text, isCode = false) {
  const tamed = isCode ? controls : overrides;
  if (!tamed.test(text)) return [text];
  return text.split(new RegExp(`(${tamed.source})`, "u")).filter((piece) => piece !== "").map((piece) => {
    if (!tamed.test(piece)) return piece;
    const code = `U+${piece.codePointAt(0).toString(16).toUpperCase()}`;
    return element("bdi", { class: "control", "data-code": code, title: words().hiddenCharacter(code) }, piece);
  });
}

/** The address that may be linked to, or nothing. The core has checked it already; a second look costs nothing. */
function address(text) {
  try {
    const url = new URL(text);
    return schemes.has(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** A link out of here: it tells nobody where it was, and the page it leads to gets no hold of this one. */
export function linkElement(href, title) {
  const url = address(href);
  if (!url) return element("span");
  const link = element("a", {
    href: url.href, target: "_blank", rel: "noopener noreferrer nofollow ugc", title: title || undefined,
  });
  link.finish = () => {
    const host = disguised(url, link.textContent.trim());
    if (host) link.append(element("bdi", { class: "host", dir: "ltr" }, ` (${host})`));
  };
  return link;
}

/** The host to show where the words of a link name another one, or where its letters are not what they seem. */
function disguised(url, text) {
  if (url.host === "") return undefined;
  if (url.host.split(".").some((label) => label.startsWith("xn--")) || url.username !== "") return url.host;
  if (!/^(?:[a-z][a-z+.-]*:\/\/)?[^\s/@]+\.[^\s/@]{2,}(?:[/?#]\S*)?$/iu.test(text)) return undefined;
  try {
    const named = new URL(/^[a-z][a-z+.-]*:\/\//iu.test(text) ? text : `https://${text}`);
    return named.host.replace(/^www\./, "") === url.host.replace(/^www\./, "") ? undefined : url.host;
  } catch {
    return url.host;
  }
}

/**
 * Where an image would be. Loading it would tell its server who reads this and when, so that is left to a click, which
 * opens it by itself: this page never loads anything from elsewhere.
 */
export function imagePlaceholder(source, title) {
  const url = address(source);
  if (!url) return element("span");
  const link = element("a", {
    class: "image", href: url.href, target: "_blank", rel: "noopener noreferrer nofollow ugc", title: title || undefined,
  }, icon("image"));
  link.finish = () => {
    if (link.textContent.trim() === "") link.append(words().image);
    link.append(element("bdi", { class: "host", dir: "ltr" }, url.host));
  };
  return link;
}

/** A cell of a table; its row decides whether it is a heading. */
export function cellElement(alignment) {
  return element("td", { dir: "auto", class: alignment ? `align-${alignment}` : undefined });
}

/** The direction of the first letter that has one. */
export function directionOf(text) {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter) ? "rtl" : "ltr";
}
