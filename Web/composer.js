// The prompt box: its draft survives everything, Enter sends, Shift and Enter breaks the line. It takes text before the
// rest of the page is there, and what is sent meanwhile goes out then.

import { byID, setText } from "/dom.js";
import * as storage from "/storage.js";

const growsItself = CSS.supports("field-sizing", "content");
const keyOf = (conversation) => `draft.${conversation ?? "new"}`;

export class Composer {
  #form = byID("composer");
  #prompt = byID("prompt");
  #send = byID("send");
  #stop = byID("stop");
  #note = byID("composer-note");
  #editing = byID("editing");
  #key = keyOf();
  #isRunning = false;
  #isSending = false;
  #actions;
  /** The turn that is being asked again in other words. */
  edited;

  constructor() {
    this.#form.onsubmit = (event) => {
      event.preventDefault();
      this.#isSending = true;
      this.#submit();
    };
    this.#stop.onclick = () => {
      this.#actions.stop();
      this.focus();
    };
    this.#prompt.oninput = () => {
      // Who goes on writing sends again.
      this.#isSending = false;
      this.#keep();
      this.#draw();
    };
    this.#prompt.onkeydown = (event) => {
      if (event.key === "ArrowUp" && this.#prompt.value === "" && !this.#isRunning) return this.#actions?.editLast(event);
      // While an input method is composing, Enter belongs to it.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#form.requestSubmit();
    };
    byID("cancel-edit").onclick = () => this.cancelEdit();
  }

  /**
   * Says who takes what is typed: `submit(text)` when a prompt is sent, which gives whether it could be taken yet,
   * `stop()` when the running answer is to stop, `editLast(event)` on ↑.
   */
  serve(actions) {
    this.#actions = actions;
  }

  /** Whether something was begun in a conversation, or in one that does not exist yet. */
  hasDraft(conversation) {
    return storage.read(keyOf(conversation)) !== undefined;
  }

  /** Shows the draft of a conversation, or of one that does not exist yet. */
  open(conversation) {
    const key = keyOf(conversation);
    // What was sent in another conversation is not sent in this one.
    if (key !== this.#key) this.#isSending = false;
    this.edited = undefined;
    this.#key = key;
    this.#prompt.value = storage.read(this.#key) ?? "";
    this.#draw();
    this.#submit();
  }

  /** What was sent before it could be taken is tried again. */
  ready() {
    this.#submit();
  }

  #submit() {
    if (!this.#isSending || !this.#actions) return;
    const text = this.#prompt.value.trim();
    this.#isSending = text !== "" && !this.#isRunning && !this.#actions.submit(text);
  }

  /** Empties the box: its text has been taken over by the outbox. */
  sent() {
    this.edited = undefined;
    this.#prompt.value = "";
    storage.remove(this.#key);
    this.#draw();
  }

  /** Puts a text back, in front of whatever was begun since. */
  restore(text) {
    const begun = this.#prompt.value;
    this.#prompt.value = begun === "" || begun === text ? text : `${text}\n\n${begun}`;
    this.#keep();
    this.#draw();
    this.focus();
  }

  edit(turn) {
    this.edited = turn;
    this.#prompt.value = turn.text;
    this.#draw();
    this.focus();
  }

  cancelEdit() {
    this.edited = undefined;
    this.#prompt.value = storage.read(this.#key) ?? "";
    this.#draw();
    this.focus();
  }

  focus() {
    this.#prompt.focus({ preventScroll: true });
  }

  /** Whether an answer runs here: stop takes the place of send. */
  setRunning(isRunning) {
    if (this.#isRunning === isRunning) return;
    this.#isRunning = isRunning;
    this.#draw();
  }

  setNote(text) {
    setText(this.#note, text);
  }

  #keep() {
    if (this.edited) return;
    if (this.#prompt.value === "") storage.remove(this.#key);
    else storage.write(this.#key, this.#prompt.value);
  }

  #draw() {
    this.#send.hidden = this.#isRunning;
    this.#stop.hidden = !this.#isRunning;
    this.#send.disabled = this.#prompt.value.trim() === "";
    this.#editing.hidden = this.edited === undefined;
    // Most browsers let the box grow by themselves, without measuring it.
    if (growsItself) return;
    this.#prompt.style.height = "auto";
    this.#prompt.style.height = `${this.#prompt.scrollHeight}px`;
  }
}
