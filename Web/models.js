// Which models there are, whether they can answer yet, and which one is picked.

import { call } from "/api.js";
import { byID, element } from "/dom.js";
import * as storage from "/storage.js";
import { modelNote } from "/words.js";

const picker = byID("model");

export class Models {
  #reply;
  #timer;
  #changed;

  /** `changed` is called whenever there is something else to say about the models. */
  constructor(changed) {
    this.#changed = changed;
    picker.onchange = () => {
      storage.write("model", picker.value);
      this.refresh();
    };
  }

  /** Asks for the models, and again later for as long as the chosen one is not ready. */
  async refresh() {
    clearTimeout(this.#timer);
    try {
      this.#reply = await call("GET", "/v1/models");
    } catch {
      return;
    }
    this.#draw();
    const { items = [], default: first } = this.#reply;
    const state = items.find((item) => item.name === (this.chosen ?? first))?.state;
    if (state !== "ready") this.#timer = setTimeout(() => this.refresh(), state === "loading" ? 2_000 : 10_000);
    this.#changed();
  }

  close() {
    clearTimeout(this.#timer);
  }

  /** What there is to say about the model that will answer. */
  get note() {
    return modelNote(this.#reply, this.chosen);
  }

  /** The model picked by hand; nothing where there is no choice. */
  get chosen() {
    return picker.hidden || picker.value === "" ? undefined : picker.value;
  }

  #draw() {
    const names = (this.#reply.items ?? []).map((item) => item.name);
    picker.hidden = names.length < 2;
    if (names.join() !== [...picker.options].map((option) => option.value).join()) {
      picker.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    }
    const kept = storage.read("model");
    picker.value = names.includes(kept) ? kept : this.#reply.default;
  }
}
