// Every state in words. One value, `stateOf`, decides what is said, offered and announced about an answer.

const reasons = {
  "upstream-closed": "The model's side broke off.",
  "upstream-unreachable": "The model could not be reached.",
  "upstream-timeout": "The model stopped sending.",
  "server-stopped": "The server was stopped in between.",
  "server-crashed": "The server went down in between.",
  "limit-reached": "A limit is reached.",
  "upstream-limit": "The model's provider is at its limit.",
  "content-filter": "The model declined to answer this.",
  "context-too-large": "This is more text than the model can read at once.",
  "empty-answer": "The model gave an empty answer.",
  "model-unavailable": "The model is not available.",
  "upstream-rejected": "The model did not accept the request.",
  "upstream-unauthorized": "The server is not allowed to use this model.",
  "upstream-malformed": "The model's reply could not be read.",
  "upstream-failed": "The model failed.",
  "storage-failed": "The server could not store the answer.",
  "internal-error": "Something went wrong inside the server.",
};

const refusals = {
  "limit-reached": "A limit is reached.",
  "queue-full": "Too many answers are waiting already.",
  "context-too-large": "This is more text than the model can read at once.",
  "payload-too-large": "This is too much text for one prompt.",
  "model-unavailable": "The model is not available.",
  "turn-conflict": "The server holds another prompt under this number.",
  conflict: "Another answer to this is still running.",
  deleted: "This conversation was deleted.",
  "not-found": "The server does not know this conversation.",
  "invalid-request": "The server could not read this.",
};

const phases = {
  starting: "Starting the model…",
  thinking: "Thinking…",
  searching: "Searching…",
  reading: "Reading…",
  writing: "Writing…",
};

/**
 * What is going on with one step of the path: `{ name, words, isRunning, canRetry }`. `name` is one of sending,
 * waiting, unsent, queued, preparing, streaming, reconnecting, offline, stopping, done, stopped, interrupted, refused,
 * failed, withdrawn.
 */
export function stateOf(step) {
  const { entry, answer } = step;
  if (entry) {
    if (entry.refusal) {
      const words = refusals[entry.refusal.kind] ?? "The server declined this.";
      return make("unsent", `Not sent. ${words}${untilWords(entry.refusal)}`);
    }
    return entry.phase === "waiting"
      ? make("waiting", navigator.onLine ? "The server cannot be reached. This is sent as soon as it can." : "You are offline. This is sent as soon as you are back.", true)
      : make("sending", "Sending…", true);
  }
  switch (answer.state) {
    case "done":
      if (answer.withdrawal !== undefined) return make("withdrawn", "A safety check took this answer back.", false, true);
      return make("done", answer.reason === "length" ? "It reached the length limit here." : "");
    case "stopped": return make("stopped", "Stopped.", false, true);
    case "interrupted": return make("interrupted", `Interrupted. ${reasons[answer.reason] ?? ""}`.trim(), false, true);
    case "refused":
      if (answer.withdrawal !== undefined) return make("withdrawn", "A safety check took this answer back.", false, true);
      return make("refused", `Declined. ${reasons[answer.reason] ?? ""}${untilWords(answer)}`.trim(), false, true);
    case "failed": return make("failed", `It did not work. ${reasons[answer.reason] ?? ""}`.trim(), false, true);
    default: break;
  }
  if (answer.isStopping) return make("stopping", "Stopped.", true);
  if (answer.line === "offline") {
    return make("offline", "You are offline. The answer goes on; you pick it up when you are back.", true);
  }
  if (answer.line === "reconnecting") return make("reconnecting", "The line dropped. Rejoining…", true);
  if (answer.text !== "") return make("streaming", "", true);
  if (answer.state === "queued") {
    const position = answer.status?.position;
    return make("queued", position > 1 ? `Waiting for the model, number ${position} in line.` : "Waiting for the model.", true);
  }
  return make("preparing", phases[answer.status?.phase] ?? "Starting…", true);
}

function make(name, words, isRunning = false, canRetry = false) {
  return { name, words, isRunning, canRetry };
}

function untilWords({ resetsAt, resets_at: wire, retryAfter }) {
  const moment = Date.parse(resetsAt ?? wire ?? "");
  if (!Number.isNaN(moment)) {
    const isToday = new Date(moment).toDateString() === new Date().toDateString();
    const format = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    return ` It lifts at ${new Intl.DateTimeFormat(undefined, format).format(moment)}.`;
  }
  return retryAfter > 0 ? ` Try again in ${duration(retryAfter)}.` : "";
}

function duration(seconds) {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

const announcements = {
  waiting: "Your prompt waits until the server can be reached.",
  unsent: "Your prompt was not sent.",
  queued: "Sent. The answer is waiting for the model.",
  streaming: "The answer is being written.",
  reconnecting: "The line dropped. The text stays and the answer is being rejoined.",
  offline: "You are offline. The text stays.",
  done: "The answer is complete.",
  stopped: "The answer was stopped.",
  stopping: "The answer was stopped.",
  interrupted: "The answer was interrupted. Its text stays.",
  refused: "The answer was declined.",
  failed: "The answer failed.",
  withdrawn: "The answer was taken back by a safety check.",
};

/** A sentence for someone who listens, or nothing where the change is not worth hearing. */
export function announcementFor(name) {
  return announcements[name];
}

/** What the composer says about the models. */
export function modelNote(models, chosen) {
  if (!models) return "";
  const name = chosen ?? models.default;
  const model = models.items?.find((item) => item.name === name) ?? models.items?.[0];
  if (!model) return "No model is set up on this server yet.";
  if (model.state === "loading") {
    const percent = typeof model.progress === "number" ? ` (${Math.round(model.progress * 100)} %)` : "";
    return `The model is loading${percent}. Ask already: the answer starts when it is ready.`;
  }
  if (model.state === "unavailable") return "The model is not available just now.";
  return "";
}

/** Where a conversation stands in time, for the headings of the list. */
export function ageGroup(time, now = new Date()) {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const then = Date.parse(time);
  const day = 86_400_000;
  if (Number.isNaN(then) || then >= midnight) return "Today";
  if (then >= midnight - day) return "Yesterday";
  if (then >= midnight - 6 * day) return "This week";
  if (then >= midnight - 29 * day) return "This month";
  return "Earlier";
}
