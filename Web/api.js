// Requests and the three ways in which they fail: the server said no (a refusal with a reason), it could not be
// reached (so nothing is known), or the session is over.

/** The server answered and declined; repeating the same request will not help unless `isTemporary`. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.title ?? `HTTP ${status}`);
    this.status = status;
    this.kind = typeof problem?.type === "string" ? problem.type.replace("/problems/", "") : "unknown";
    this.resetsAt = problem?.resets_at;
    this.retryAfter = problem?.retry_after;
    this.field = problem?.field;
  }

  get isTemporary() {
    return this.status === 408 || (this.status >= 500 && this.kind !== "model-unavailable");
  }
}

/** Nobody answered: offline, the server is down, or the reply was lost on the way. */
export class Unreachable extends Error {}

let signedOut = () => {};

/** Called whenever a request finds the session over. */
export function onSignedOut(callback) {
  signedOut = callback;
}

/** Opens an event stream and gives the reader of its bytes; throws `Refusal` or `Unreachable`. */
export async function stream(path, signal) {
  let response;
  let problem;
  try {
    response = await fetch(path, {
      headers: { Accept: "text/event-stream" }, credentials: "same-origin", cache: "no-store", signal,
    });
    if (response.ok) return response.body.getReader();
    problem = await response.json();
  } catch {
    if (!response || response.ok) throw new Unreachable();
  }
  if (response.status === 401) signedOut();
  throw new Refusal(response.status, problem);
}

/** Sends a file as it is and gives the reply's JSON; throws `Refusal` or `Unreachable`. It may take its time. */
export function upload(path, file) {
  return exchange(path, {
    method: "POST", headers: { Accept: "application/json", "X-Rejoin-Client": "web/1", "Content-Type": "application/octet-stream" },
    body: file,
  });
}

/** Sends a request and gives the reply's JSON; throws `Refusal` or `Unreachable`. */
export async function call(method, path, body, { timeout = 20_000, isLast = false, fields = {} } = {}) {
  const headers = { Accept: "application/json", ...fields };
  // The header that no other site's page can add: with the strict cookie it keeps forged requests out.
  if (method !== "GET") headers["X-Rejoin-Client"] = "web/1";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return exchange(path, {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body), keepalive: isLast,
    signal: AbortSignal.timeout(timeout),
  });
}

async function exchange(path, options) {
  let response;
  let value;
  try {
    response = await fetch(path, { ...options, credentials: "same-origin", cache: "no-store" });
    const text = await response.text();
    value = text === "" ? undefined : JSON.parse(text);
  } catch {
    throw new Unreachable();
  }
  if (response.ok) return value;
  const refusal = new Refusal(response.status, value);
  if (response.status === 401) signedOut();
  throw refusal;
}
