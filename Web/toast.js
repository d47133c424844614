// A sentence at the edge of the page about something that can still be taken back.

import { byID, setText } from "/dom.js";

const toast = byID("toast");
let timer;
let ended = () => {};

/** Says a sentence for a while, with a way back; `over` is called once it has gone without being used. */
export function offerUndo(sentence, undo, over, milliseconds = 7_000) {
  finish();
  setText(byID("toast-text"), sentence);
  toast.hidden = false;
  ended = over;
  byID("toast-action").onclick = () => {
    ended = () => {};
    finish();
    undo();
  };
  // Somebody who is about to press the button is not hurried.
  const wait = () => { timer = setTimeout(() => toast.matches(":hover, :focus-within") ? wait() : finish(), milliseconds); };
  wait();
}

function finish() {
  clearTimeout(timer);
  toast.hidden = true;
  const over = ended;
  ended = () => {};
  over();
}
