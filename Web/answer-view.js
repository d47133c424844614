// One answer on the page: its text as blocks, what is going on with it, and what can be done about it.

import { announce } from "/announce.js";
import { copyButton, readable } from "/copying.js";
import { button, element, setText } from "/dom.js";
import { linkElement } from "/inlines.js";
import { words } from "/language.js";
import { MemoryUsed } from "/memory-used.js";
import { Picture } from "/patch.js";
import { Versions } from "/versions.js";
import { stateOf } from "/words.js";

export class AnswerView {
  node;
  #step;
  #isLast;
  #actions;
  #picture;
  #drawn;
  #state;
  #text = element("div", { class: "answer-text" });
  #status = element("p", { class: "status" });
  #note = element("p", { class: "cut-note", hidden: true });
  #sources = element("ul", { class: "sources", hidden: true, "aria-label": words().sources });
  #memory = new MemoryUsed();
  #about = element("span", { class: "about" });
  #versions = new Versions("answer", (by) => this.#move(by));
  #copy;
  #copyMarkdown;
  #again;
  #resend;
  #back;

  constructor(step, actions) {
    this.#actions = actions;
    this.#picture = new Picture(this.#text);
    this.#copy = copyButton(() => readable(this.#text));
    this.#copyMarkdown = copyButton(() => this.#step.answer.text, words().copyMarkdown, "markdown");
    this.#again = button("again", words().tryAgain, () => actions.regenerate(this.#step));
    this.#resend = button("again", words().sendAgain, () => actions.resend(this.#step.entry));
    this.#back = button("edit", words().takeBack, () => actions.cancel(this.#step.entry));
    const foot = element(
      "div", { class: "foot" }, this.#versions.node, this.#again, this.#copy, this.#copyMarkdown, this.#resend, this.#back,
      this.#about);
    this.node = element(
      "article", { class: "answer", "aria-label": words().answer }, this.#note, this.#text, this.#sources, this.#status, foot,
      this.#memory.node);
  }

  /** Draws everything about the answer. */
  draw(step, isLast) {
    this.#step = step;
    this.#isLast = isLast;
    this.grow();
  }

  /** Draws what changed since the last frame. */
  grow() {
    const { answer, entry, turn } = this.#step;
    const state = stateOf(this.#step);
    // After a stop nothing grows on the page; what the server kept beyond it comes with the stored end.
    if (answer && state.name !== "stopping") this.#show(answer);
    if (state.name === this.#state && state.name === "streaming") return;
    setText(this.#status, state.words);
    this.#status.hidden = state.words === "";
    this.node.dataset.state = state.name;
    this.node.setAttribute("aria-busy", String(state.isRunning));
    this.node.classList.toggle("has-text", answer?.hasText ?? false);
    this.#note.hidden = !(answer?.droppedTurns > 0);
    if (!this.#note.hidden) setText(this.#note, words().droppedTurns(answer.droppedTurns));
    this.#drawSources(answer?.sources ?? []);
    this.#copy.hidden = this.#copyMarkdown.hidden = state.isRunning || !answer?.hasText;
    this.#again.hidden = state.isRunning || entry !== undefined || !(this.#isLast || state.canRetry);
    this.#resend.hidden = state.name !== "unsent" || entry.refusal.kind === "turn-conflict";
    this.#back.hidden = !entry || !(state.name === "unsent" || state.name === "waiting");
    setText(this.#about, state.isRunning ? "" : aboutModel(answer));
    this.#memory.draw(state.isRunning ? [] : answer?.sent.find((one) => one.memory)?.memory ?? []);
    const siblings = turn.answers ?? [];
    this.#versions.draw(answer ? siblings.indexOf(answer.id) : -1, siblings.length);
    if (this.#state !== undefined && this.#state !== state.name) announce(words().announcements[state.name]);
    else if (this.#state === undefined && entry) announce(words().announcements.asked);
    this.#state = state.name;
  }

  /** Gives back what the core holds for an answer that is not shown any more. */
  release() {
    this.#step.answer?.release();
  }

  #show(answer) {
    const isFirst = this.#drawn !== answer.core;
    if (isFirst) answer.core.speak();
    this.#drawn = answer.core;
    this.#picture.apply(answer.core.patch(isFirst));
    if (!isFirst) for (const sentence of answer.core.said) announce(sentence);
  }

  #drawSources(sources) {
    this.#sources.hidden = sources.length === 0;
    if (this.#sources.childElementCount === sources.length) return;
    this.#sources.replaceChildren(...sources.map(({ title, url }) => {
      const link = url ? linkElement(url, "") : element("span");
      link.append(title);
      return element("li", { dir: "auto" }, link);
    }));
  }

  #move(by) {
    const siblings = this.#step.turn.answers;
    const answer = siblings[siblings.indexOf(this.#step.answer.id) + by];
    if (answer) this.#actions.select(answer);
  }
}

/** Who answered, where, why it was not another model, and what was sent away for it. */
function aboutModel(answer) {
  if (!answer?.model) return "";
  const { model, placement, reason } = answer.model;
  const away = answer.sent.filter((one) => one.placement === "provider").reduce((sum, one) => sum + one.bytes, 0);
  const parts = [
    model, words().placements[placement], reason === "limit-reached" && words().weaker, away > 0 && words().sentThere(away),
  ];
  return words().by(parts.filter(Boolean));
}
