// An answer as a fold over its numbered log: the same rules as the server's and the Swift client's. Nothing here
// touches the page or the network.

/** The event types of the protocol that an event source must listen for. */
export const eventTypes = [
  "status", "text", "reasoning", "source", "attachment", "tool", "model", "compaction", "withdrawn", "usage",
  "snapshot", "end",
];

const endStates = new Set(["done", "stopped", "interrupted", "refused", "failed"]);

/** An answer before its first event. */
export function makeAnswer(id, turn) {
  return {
    id, turn, state: "queued", reason: undefined, seq: 0, text: "", status: undefined, model: undefined,
    usage: undefined, droppedTurns: 0, withdrawal: undefined, resetsAt: undefined, retryAfter: undefined,
    endedAt: undefined, line: "live", isStopping: false,
  };
}

/** An answer as the server stored it, standing for all events up to its `seq`. */
export function answerFromSnapshot(json, turn) {
  const answer = makeAnswer(json.id, json.turn ?? turn);
  answer.state = json.state ?? "queued";
  answer.reason = json.reason ?? undefined;
  answer.text = textOf(json.content);
  answer.seq = json.seq ?? 0;
  answer.model = typeof json.model === "string" ? { model: json.model, placement: json.placement, reason: json.model_reason } : json.model ?? undefined;
  answer.usage = json.usage ?? undefined;
  answer.sent = json.sent ?? [];
  answer.resetsAt = json.resets_at;
  answer.retryAfter = json.retry_after;
  answer.endedAt = json.ended_at ?? undefined;
  answer.withdrawal = json.withdrawn?.reason ?? json.withdrawn ?? undefined;
  // A running answer without content gives no ground to stand on: the log is read from its start.
  if (!hasEnded(answer) && answer.text === "") answer.seq = 0;
  return answer;
}

/** The text of content parts. */
export function textOf(parts) {
  return (parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("");
}

export function hasEnded(answer) {
  return endStates.has(answer.state);
}

/**
 * Applies one event: "applied", "duplicate" (held already), "gap" (one is missing before it) or "afterEnd".
 * Only "applied" changes anything.
 */
export function apply(answer, seq, type, data) {
  if (!(seq > answer.seq)) return "duplicate";
  if (hasEnded(answer)) return "afterEnd";
  if (type !== "snapshot" && seq !== answer.seq + 1) return "gap";
  answer.seq = seq;
  fold(answer, type, data);
  return "applied";
}

function fold(answer, type, data) {
  switch (type) {
    case "status":
      answer.status = data;
      if (data.phase !== "queued") answer.state = "streaming";
      break;
    case "text":
      answer.state = "streaming";
      answer.status = undefined;
      answer.text += data.text;
      break;
    case "model": answer.model = data; break;
    case "compaction": answer.droppedTurns = data.dropped_turns; break;
    case "withdrawn":
      answer.withdrawal = data.reason;
      answer.text = "";
      break;
    case "snapshot":
      answer.state = "streaming";
      answer.text = textOf(data.content);
      break;
    case "usage": answer.usage = data; break;
    case "end":
      answer.state = endStates.has(data.state) ? data.state : "failed";
      answer.reason = data.reason;
      answer.resetsAt = data.resets_at;
      answer.retryAfter = data.retry_after;
      answer.status = undefined;
      break;
    case "reasoning":
    case "tool":
      answer.state = "streaming";
      break;
    default: break;
  }
}
