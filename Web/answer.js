// An answer as the page holds it. The fold over its log happens in the core; here is what the last fold said, and what
// only this page knows: how its line is, and whether a stop is on its way.

import { CoreAnswer } from "/core.js";

const endStates = new Set(["done", "stopped", "interrupted", "refused", "failed"]);

export function hasEnded(answer) {
  return endStates.has(answer.state);
}

/** The text of content parts. */
export function textOf(parts) {
  return (parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("");
}

export class Answer {
  id;
  turn;
  state = "queued";
  seq = 0;
  hasText = false;
  droppedTurns = 0;
  sources = [];
  /** What was sent away for it, as the server told: places and bytes. */
  sent = [];
  reason; status; model; withdrawal; resetsAt; retryAfter; endedAt;
  line = "live";
  isStopping = false;
  #stored;
  #core;

  constructor(id, turn) {
    this.id = id;
    this.turn = turn;
    this.#stored = { id, turn, state: "queued", seq: 0, content: [] };
  }

  static stored(json, turn) {
    const answer = new Answer(json.id, json.turn ?? turn);
    answer.take(json);
    return answer;
  }

  /** Takes what the server stored, which stands for all events up to its number. */
  take(json) {
    this.#stored = { ...json, turn: this.turn };
    this.state = json.state ?? "queued";
    this.seq = json.seq ?? 0;
    this.hasText = (json.content ?? []).some((part) => part.type === "text" && part.text !== "");
    this.reason = json.reason ?? undefined;
    this.model = json.model ? { model: json.model, placement: json.placement, reason: json.model_reason } : undefined;
    this.sent = json.sent ?? [];
    this.resetsAt = json.resets_at;
    this.retryAfter = json.retry_after;
    this.endedAt = json.ended_at ?? undefined;
    this.withdrawal = json.withdrawn?.reason ?? json.withdrawn ?? undefined;
    this.status = undefined;
    if (this.#core) this.#core.load(this.#stored);
  }

  /** The core's part of it, from the first time that it is shown or followed. */
  get core() {
    if (!this.#core) {
      this.#core = new CoreAnswer();
      this.#core.load(this.#stored);
    }
    return this.#core;
  }

  get text() {
    return this.#core ? this.#core.text : textOf(this.#stored.content);
  }

  /** Feeds bytes of the log, and takes over what they came to. */
  feed(bytes) {
    const outcome = this.core.feed(bytes);
    const head = this.core.head;
    this.state = head.state;
    this.seq = head.seq;
    this.hasText = head.has_text;
    this.droppedTurns = head.dropped_turns;
    this.sources = head.sources;
    this.reason = head.reason;
    this.withdrawal = head.withdrawal;
    this.status = head.phase ? { phase: head.phase, position: head.position } : undefined;
    this.model = head.model ? { model: head.model, placement: head.placement, reason: head.model_reason } : this.model;
    this.resetsAt = head.resets_at;
    this.retryAfter = head.retry_after;
    if (hasEnded(this)) this.endedAt ??= new Date().toISOString();
    return outcome;
  }

  /** Gives the core's memory back; what is stored can be loaded again. */
  release() {
    if (!this.#core || !hasEnded(this)) return;
    this.#stored = {
      ...this.#stored, state: this.state, seq: this.seq, reason: this.reason, content: [{ type: "text", text: this.text }],
    };
    this.#core.close();
    this.#core = undefined;
  }
}
