// Tells a screen reader what happens: states as sentences, and a growing answer sentence by sentence, never by piece.

import { byID } from "/dom.js";

const interval = 1_200;
const queue = [];
let timer;

/** Puts a sentence into the live region, in order. */
export function announce(sentence) {
  if (!sentence || queue.at(-1) === sentence) return;
  queue.push(sentence);
  timer ??= setTimeout(speak, 50);
}

function speak() {
  byID("announcer").textContent = queue.splice(0).join(" ");
  timer = setTimeout(() => {
    timer = undefined;
    if (queue.length > 0) speak();
  }, interval);
}

/** Announces the whole sentences of a text as it grows. */
export class Reader {
  #said;

  /** Begins behind the text that is on the page already. */
  constructor(length) {
    this.#said = length;
  }

  grow(text, isComplete) {
    const rest = text.slice(this.#said);
    const end = isComplete ? rest.length : lastSentenceEnd(rest);
    if (end === 0) return;
    this.#said += end;
    announce(rest.slice(0, end).trim());
  }
}

function lastSentenceEnd(text) {
  let end = 0;
  for (const match of text.matchAll(/[.!?…]["'”’)\]]*\s|[。！？]|\n/gu)) end = match.index + match[0].length;
  return end;
}
