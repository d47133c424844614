// Every state in words. One value, `stateOf`, decides what is said, offered and announced about an answer.

import { words } from "/language.js";

/**
 * What is going on with one step of the path: `{ name, words, isRunning, canRetry }`. `name` is one of sending,
 * waiting, unsent, queued, preparing, streaming, reconnecting, offline, stopping, done, stopped, interrupted, refused,
 * failed, withdrawn.
 */
export function stateOf({ entry, answer }) {
  const { states, refusals, reasons, phases } = words();
  if (entry) {
    if (entry.refusal) {
      const why = refusals[entry.refusal.kind] ?? refusals.other;
      return make("unsent", states.notSent(`${why}${untilWords(entry.refusal)}`));
    }
    if (entry.phase !== "waiting") return make("sending", states.sending, true);
    return make("waiting", navigator.onLine ? states.waitingForServer : states.waitingOffline, true);
  }
  const why = reasons[answer.reason] ?? "";
  if (answer.withdrawal !== undefined && ["done", "refused"].includes(answer.state)) {
    return make("withdrawn", states.withdrawn, false, true);
  }
  switch (answer.state) {
    case "done": return make("done", answer.reason === "length" ? states.atLength : "");
    case "stopped": return make("stopped", states.stopped, false, true);
    case "interrupted": return make("interrupted", states.interrupted(why), false, true);
    case "refused": return make("refused", states.refused(`${why}${untilWords(answer)}`), false, true);
    case "failed": return make("failed", states.failed(why), false, true);
    default: break;
  }
  if (answer.isStopping) return make("stopping", states.stopped, true);
  if (answer.line === "offline") return make("offline", states.offline, true);
  if (answer.line === "reconnecting") return make("reconnecting", states.reconnecting, true);
  if (answer.hasText) return make("streaming", "", true);
  if (answer.state === "queued") return make("queued", states.queued(answer.status?.position ?? 0), true);
  return make("preparing", phases[answer.status?.phase] ?? phases.other, true);
}

function make(name, said, isRunning = false, canRetry = false) {
  return { name, words: said, isRunning, canRetry };
}

function untilWords({ resetsAt, retryAfter }) {
  const moment = Date.parse(resetsAt ?? "");
  if (!Number.isNaN(moment)) return words().lifts(moment);
  return retryAfter > 0 ? words().tryIn(retryAfter) : "";
}

/** What the composer says about the models. */
export function modelNote(models, chosen) {
  if (!models) return "";
  const name = chosen ?? models.default;
  const model = models.items?.find((item) => item.name === name) ?? models.items?.[0];
  if (!model) return words().models.none;
  if (model.state === "loading") return words().models.loading(model.progress);
  return model.state === "unavailable" ? words().models.unavailable : "";
}

/** Where a conversation stands in time: the name of its group in the list. */
export function ageGroup(time, now = new Date()) {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const then = Date.parse(time);
  const day = 86_400_000;
  if (Number.isNaN(then) || then >= midnight) return "today";
  if (then >= midnight - day) return "yesterday";
  if (then >= midnight - 6 * day) return "week";
  return then >= midnight - 29 * day ? "month" : "earlier";
}
