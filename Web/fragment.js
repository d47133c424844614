// Parts of the page that most visits never show, fetched when one of them is first wanted: its markup, its styles and
// its words.

import { element } from "/dom.js";
import { fill, moreWords } from "/language.js";

const fragments = new Map();

/**
 * Puts a file of markup at the end of the page, in the language that is shown, and lets `wire()` give it its meaning:
 * once, however often it is asked for. Rejects where the file cannot be had, and then the next call tries again.
 */
export function addFragment(path, wire) {
  if (!fragments.has(path)) {
    fragments.set(path, added(path, wire).catch((problem) => {
      fragments.delete(path);
      throw problem;
    }));
  }
  return fragments.get(path);
}

async function added(path, wire) {
  const [parts] = await Promise.all([markup(path), addStyles("/account.css"), moreWords()]);
  for (const part of parts) fill(part);
  document.body.append(...parts);
  wire();
}

const styles = new Map();

/** Adds a file of styles, once. Without it the page is plain and works all the same. */
export function addStyles(path) {
  if (!styles.has(path)) styles.set(path, styled(path));
  return styles.get(path);
}

function styled(path) {
  const link = element("link", { rel: "stylesheet", href: path });
  return new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      styles.delete(path);
      resolve();
    };
    document.head.append(link);
  });
}

/** The elements of a file. The browser reads it as a document of its own, in which nothing runs. */
function markup(path) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "document";
    request.onload = () => request.status === 200 ? resolve([...request.response.body.children]) : reject(new Error(path));
    request.onerror = () => reject(new Error(path));
    request.send();
  });
}
