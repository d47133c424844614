// One conversation: its turns and answers as a tree, and the one path through it that is shown.

import { Answer, hasEnded, textOf } from "/answer.js";

export class Tree {
  id;
  title;
  /** The answer at the end of the path that is shown. */
  leaf;
  turns = new Map();
  answers = new Map();
  isLoaded = false;
  /** Whether it goes by itself. */
  isTemporary = false;
  #byParent = new Map();
  #grouped = 0;

  constructor(id) {
    this.id = id;
  }

  /** Takes the server's view in. What is held and further along stays; a leaf chosen here stays until it is stored. */
  merge(json, chosenLeaf) {
    this.title = json.title ?? this.title;
    this.isTemporary = json.temporary ?? this.isTemporary;
    // The turns below are made anew.
    this.#grouped = 0;
    for (const turn of json.turns ?? []) {
      const held = this.turns.get(turn.id);
      const answers = held ? held.answers : [];
      for (const answer of turn.answers ?? []) {
        this.#mergeAnswer(answer, turn.id);
        if (!answers.includes(answer.id)) answers.push(answer.id);
      }
      this.turns.set(turn.id, {
        id: turn.id, parent: turn.parent ?? null, text: textOf(turn.content), createdAt: turn.created_at, answers,
      });
    }
    const last = json.path?.at(-1);
    // It may have been deleted elsewhere.
    const chosen = this.answers.has(chosenLeaf) ? chosenLeaf : undefined;
    this.leaf = chosen ?? idOf(last?.answer) ?? json.selected ?? this.leaf ?? this.#newestLeaf();
    this.isLoaded = true;
  }

  #mergeAnswer(json, turn) {
    const held = this.answers.get(json.id);
    if (!held) {
      this.answers.set(json.id, Answer.stored(json, turn));
    } else if (!hasEnded(held) && hasEnded(json)) {
      // The same object goes on: a follower may hold it.
      held.take(json);
      held.line = "live";
    } else {
      // The log does not tell what was sent for it, and that may have come since.
      held.sent = json.sent ?? held.sent;
    }
  }

  /** An accepted entry of the outbox, before the server's view has been fetched. */
  adopt(entry, answer) {
    if (!this.turns.has(entry.turn)) {
      this.turns.set(entry.turn, {
        id: entry.turn, parent: entry.parent ?? null, text: entry.text, createdAt: new Date(entry.at).toISOString(),
        answers: [],
      });
    }
    const turn = this.turns.get(entry.turn);
    if (!turn.answers.includes(answer)) turn.answers.push(answer);
    if (!this.answers.has(answer)) this.answers.set(answer, new Answer(answer, entry.turn));
    this.leaf = answer;
    this.isLoaded = true;
  }

  #newestLeaf() {
    return [...this.turns.values()].at(-1)?.answers.at(-1);
  }

  /** The steps `{ turn, answer }` from the first turn to `leaf`. */
  path(leaf = this.leaf) {
    const steps = [];
    const seen = new Set();
    for (let id = leaf; id && !seen.has(id); ) {
      seen.add(id);
      const answer = this.answers.get(id);
      const turn = answer && this.turns.get(answer.turn);
      if (!turn) break;
      steps.push({ turn, answer });
      id = turn.parent;
    }
    return steps.reverse();
  }

  /**
   * The path with the unsent entries on it, each where it hangs: `{ turn, answer, entry? }`. An entry without an
   * answer of its own yet carries none.
   */
  shown(entries) {
    let steps = this.path();
    for (const entry of entries) {
      if (entry.kind === "answer") {
        const index = steps.findIndex((step) => step.turn.id === entry.turn);
        if (index < 0) continue;
        steps = [...steps.slice(0, index), { turn: steps[index].turn, entry }];
      } else {
        const index = entry.parent === null ? -1 : steps.findIndex((step) => step.answer?.id === entry.parent);
        steps = [...steps.slice(0, index + 1), { turn: { ...entry, id: entry.turn, answers: [] }, entry }];
      }
    }
    return steps;
  }

  /** The turns that share a turn's parent: the versions of a prompt. */
  versions(turn) {
    return this.#below(turn.parent ?? null);
  }

  /** The newest leaf at or below an answer: where choosing that answer leads. */
  newestLeafBelow(answer) {
    let leaf = answer;
    for (;;) {
      const next = this.#below(leaf).at(-1)?.answers.at(-1);
      if (!next) return leaf;
      leaf = next;
    }
  }

  #below(answer) {
    // Turns are only ever added, and merged ones keep their parent.
    if (this.#grouped !== this.turns.size) {
      this.#grouped = this.turns.size;
      this.#byParent = Map.groupBy(this.turns.values(), (turn) => turn.parent ?? null);
    }
    return this.#byParent.get(answer) ?? [];
  }
}

function idOf(value) {
  return typeof value === "string" ? value : value?.id;
}
