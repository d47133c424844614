// The path of a conversation on the page. Each prompt and each answer keeps its element as long as it is shown, so
// that growing text never disturbs a selection, a focus or the place where somebody reads.

import { announce, Reader } from "/announce.js";
import { byID, element, icon, setText } from "/dom.js";
import { Flow } from "/flow.js";
import { announcementFor, stateOf } from "/words.js";

export class Transcript {
  #root = byID("transcript");
  #prompts = new Map();
  #answers = new Map();
  #actions;

  /** `actions`: retry, regenerate, edit, cancel, resend, select. */
  constructor(actions) {
    this.#actions = actions;
  }

  clear() {
    this.#root.replaceChildren();
    this.#prompts.clear();
    this.#answers.clear();
  }

  /** Brings the page to the steps of the path. */
  draw(steps, tree) {
    const nodes = [];
    const prompts = new Set();
    const answers = new Set();
    steps.forEach((step, index) => {
      const isLast = index === steps.length - 1;
      prompts.add(step.turn.id);
      nodes.push(this.#drawPrompt(step, tree));
      const id = step.answer?.id ?? step.entry.answer;
      answers.add(id);
      nodes.push(this.#drawAnswer(id, step, tree, isLast));
    });
    for (const id of this.#prompts.keys()) if (!prompts.has(id)) this.#prompts.delete(id);
    for (const id of this.#answers.keys()) if (!answers.has(id)) this.#answers.delete(id);
    place(this.#root, nodes);
  }

  #drawPrompt(step, tree) {
    let view = this.#prompts.get(step.turn.id);
    if (!view) {
      view = new PromptView(step.turn, this.#actions);
      this.#prompts.set(step.turn.id, view);
    }
    view.draw(step, tree);
    return view.node;
  }

  #drawAnswer(id, step, tree, isLast) {
    let view = this.#answers.get(id);
    if (!view) {
      view = new AnswerView(step, this.#actions);
      this.#answers.set(id, view);
    }
    view.draw(step, tree, isLast);
    return view.node;
  }
}

/** Makes `nodes` the children of `root`, moving only what has to move. */
function place(root, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...root.children]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (root.children[index] !== node) root.insertBefore(node, root.children[index] ?? null);
  });
}

function button(label, picture, action) {
  return element("button", { class: "quiet", type: "button", onclick: action }, icon(picture), label);
}

/** The switch between versions: ‹ 2/3 ›. */
class Versions {
  node = element("div", { class: "versions", role: "group" });
  #count = element("span");
  #back = element("button", { class: "icon-button small", type: "button" }, icon("back"));
  #forth = element("button", { class: "icon-button small", type: "button" }, icon("forth"));

  constructor(what, move) {
    this.node.setAttribute("aria-label", `Versions of this ${what}`);
    this.#back.setAttribute("aria-label", `Previous version of this ${what}`);
    this.#forth.setAttribute("aria-label", `Next version of this ${what}`);
    this.#back.onclick = () => move(-1);
    this.#forth.onclick = () => move(1);
    this.node.append(this.#back, this.#count, this.#forth);
  }

  draw(index, count) {
    this.node.hidden = count < 2 || index < 0;
    setText(this.#count, `${index + 1}/${count}`);
    this.#back.disabled = index <= 0;
    this.#forth.disabled = index >= count - 1;
  }
}

class PromptView {
  node;
  #step;
  #siblings = [];
  #versions = new Versions("prompt", (by) => this.#move(by));
  #edit;
  #actions;

  constructor(turn, actions) {
    this.#actions = actions;
    const text = element("div", { class: "prompt-text", dir: "auto" }, turn.text);
    this.#edit = button("Edit", "edit", () => actions.edit(this.#step.turn));
    this.node = element(
      "article", { class: "prompt", "aria-label": "Your prompt" }, text,
      element("div", { class: "foot" }, this.#versions.node, this.#edit));
  }

  draw(step, tree) {
    this.#step = step;
    this.#siblings = tree.versions(step.turn);
    this.#versions.draw(this.#siblings.findIndex((turn) => turn.id === step.turn.id), this.#siblings.length);
    this.#edit.hidden = step.entry !== undefined || stateOf(step).isRunning;
  }

  #move(by) {
    const index = this.#siblings.findIndex((turn) => turn.id === this.#step.turn.id);
    const answer = this.#siblings[index + by]?.answers.at(-1);
    if (answer) this.#actions.select(answer);
  }
}

class AnswerView {
  node;
  #step;
  #actions;
  #flow;
  #state;
  #status = element("p", { class: "status" });
  #note = element("p", { class: "cut-note", hidden: true });
  #about = element("span", { class: "about" });
  #versions = new Versions("answer", (by) => this.#move(by));
  #copy;
  #again;
  #resend;
  #back;
  #reader;

  constructor(step, actions) {
    this.#actions = actions;
    const text = element("div", { class: "answer-text" });
    this.#flow = new Flow(text);
    this.#reader = new Reader(step.answer?.text.length ?? 0);
    this.#copy = button("Copy", "copy", () => this.#copyText());
    this.#again = button("Try again", "again", () => actions.regenerate(this.#step));
    this.#resend = button("Send again", "again", () => actions.resend(this.#step.entry));
    this.#back = button("Take back", "edit", () => actions.cancel(this.#step.entry));
    this.node = element(
      "article", { class: "answer", "aria-label": "Answer" }, this.#note, text, this.#status,
      element(
        "div", { class: "foot" }, this.#versions.node, this.#again, this.#copy, this.#resend, this.#back, this.#about));
  }

  draw(step, tree, isLast) {
    this.#step = step;
    const { answer, entry, turn } = step;
    const state = stateOf(step);
    const text = answer?.text ?? "";
    // After a stop nothing grows on the page; what the server kept beyond it comes with the stored end.
    if (state.name !== "stopping") this.#flow.show(text);
    setText(this.#status, state.words);
    this.#status.hidden = state.words === "";
    this.node.dataset.state = state.name;
    this.node.setAttribute("aria-busy", String(state.isRunning));
    this.node.classList.toggle("has-text", text !== "");

    this.#note.hidden = !(answer?.droppedTurns > 0);
    if (answer?.droppedTurns > 0) {
      setText(this.#note, answer.droppedTurns === 1
        ? "The oldest turn no longer fits the model and was left out."
        : `The oldest ${answer.droppedTurns} turns no longer fit the model and were left out.`);
    }

    this.#copy.hidden = state.isRunning || text === "";
    this.#again.hidden = state.isRunning || entry !== undefined || !(isLast || state.canRetry);
    this.#resend.hidden = state.name !== "unsent" || entry.refusal.kind === "turn-conflict";
    this.#back.hidden = !entry || !(state.name === "unsent" || state.name === "waiting");
    setText(this.#about, state.isRunning ? "" : aboutModel(answer));
    const siblings = turn.answers ?? [];
    this.#versions.draw(answer ? siblings.indexOf(answer.id) : -1, siblings.length);

    if (this.#state !== undefined && this.#state !== state.name) announce(announcementFor(state.name));
    else if (this.#state === undefined && entry) announce("Your prompt is being sent.");
    if (state.name === "streaming" || state.name === "done") this.#reader.grow(text, state.name === "done");
    this.#state = state.name;
  }

  #move(by) {
    const siblings = this.#step.turn.answers;
    const answer = siblings[siblings.indexOf(this.#step.answer.id) + by];
    if (answer) this.#actions.select(answer);
  }

  async #copyText() {
    try {
      await navigator.clipboard.writeText(this.#step.answer.text);
      announce("Copied.");
      this.#copy.lastChild.data = "Copied";
    } catch {
      this.#copy.lastChild.data = "Select the text to copy it";
    }
    setTimeout(() => { this.#copy.lastChild.data = "Copy"; }, 2_000);
  }
}

const placements = { device: "on this device", server: "on this server", provider: "at a provider" };

function aboutModel(answer) {
  if (!answer?.model) return "";
  const place = placements[answer.model.placement];
  const words = [answer.model.model, place];
  if (answer.model.reason === "limit-reached") words.push("for the limit of the stronger model is reached");
  // What was sent away is said with the answer that it was sent for.
  const away = (answer.sent ?? []).filter((one) => one.placement === "provider").reduce((sum, one) => sum + one.bytes, 0);
  if (away > 0) words.push(`${new Intl.NumberFormat().format(away)} bytes sent there`);
  return words.filter(Boolean).join(", ");
}
