// The prompt box: its draft survives everything, Enter sends, Shift and Enter breaks the line.

import { byID, setText } from "/dom.js";
import * as storage from "/storage.js";

export class Composer {
  #form = byID("composer");
  #prompt = byID("prompt");
  #send = byID("send");
  #stop = byID("stop");
  #note = byID("composer-note");
  #editing = byID("editing");
  #key = "draft.new";
  #isRunning = false;
  /** The turn that is being asked again in other words. */
  edited;

  /** `submit(text)` when a prompt is sent, `stop()` when the running answer is to stop, `editLast(event)` on ↑. */
  constructor({ submit, stop, editLast }) {
    this.#form.onsubmit = (event) => {
      event.preventDefault();
      const text = this.#prompt.value.trim();
      if (text === "" || this.#isRunning) return;
      submit(text);
    };
    this.#stop.onclick = () => {
      stop();
      this.focus();
    };
    this.#prompt.oninput = () => {
      this.#keep();
      this.#draw();
    };
    this.#prompt.onkeydown = (event) => {
      if (event.key === "ArrowUp" && this.#prompt.value === "" && !this.#isRunning) return editLast(event);
      // While an input method is composing, Enter belongs to it.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#form.requestSubmit();
    };
    byID("cancel-edit").onclick = () => this.cancelEdit();
  }

  /** Shows the draft of a conversation, or of one that does not exist yet. */
  open(conversation) {
    this.edited = undefined;
    this.#key = `draft.${conversation ?? "new"}`;
    this.#prompt.value = storage.read(this.#key) ?? "";
    this.#draw();
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
    this.#prompt.style.height = "auto";
    this.#prompt.style.height = `${this.#prompt.scrollHeight}px`;
  }
}
