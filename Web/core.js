// The core in the browser: `core.wasm`, compiled from the same Swift as the server's and the clients'. It reads events,
// folds answers, reads Markdown and decides about scrolling; what is here only moves bytes in and out.

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let exports;

/** Whether this browser can run the core at all. */
export const isPossible = typeof WebAssembly === "object";

/** Loads the core; nothing else of this file may be called before it has. */
export async function loadCore() {
  const module = await WebAssembly.compileStreaming(fetch("/core.wasm"));
  const imports = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    (imports[space] ??= {})[name] = surroundings[name] ?? (() => 0);
  }
  exports = (await WebAssembly.instantiate(module, imports)).exports;
}

// What the Swift runtime asks of its surroundings: the seed of its dictionaries, and numbers. The rest serves traps.
const surroundings = {
  random_get(start, count) {
    crypto.getRandomValues(new Uint8Array(exports.memory.buffer, start, count));
    return 0;
  },
  // A number as text, and where it goes: gives how many characters were read.
  number(start, result) {
    const bytes = new Uint8Array(exports.memory.buffer, start);
    const text = decoder.decode(bytes.subarray(0, Math.min(bytes.indexOf(0), 400)));
    const found = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/u.exec(text)?.[0] ?? "";
    new DataView(exports.memory.buffer).setFloat64(result, Number(found), true);
    return found.length;
  },
  proc_exit(code) { throw new Error(`core: ${code}`); },
};

/** Calls with bytes as the last two arguments. */
function withBytes(bytes, call) {
  const start = exports.malloc(Math.max(1, bytes.length));
  try {
    new Uint8Array(exports.memory.buffer, start, bytes.length).set(bytes);
    return call(start, bytes.length);
  } finally {
    exports.free(start);
  }
}

/** The bytes that a call left, valid until the next call. */
function reply(count) {
  if (count < 0) throw new Error("core: no such handle");
  return new Uint8Array(exports.memory.buffer, exports.rejoin_reply(), count);
}

const replyText = (count) => decoder.decode(reply(count));
const replyJSON = (count) => JSON.parse(replyText(count));

/** What feeding an answer's log came to. */
export const outcomes = { growing: 0, ended: 1, broken: 2 };

/** One answer inside the core. */
export class CoreAnswer {
  #handle = exports.rejoin_open();

  /** Takes an answer as the server stored it. */
  load(json) {
    withBytes(encoder.encode(JSON.stringify(json)), (start, count) => exports.rejoin_load(this.#handle, start, count));
  }
  feed(bytes) { return withBytes(bytes, (start, count) => exports.rejoin_feed(this.#handle, start, count)); }
  reopen() { exports.rejoin_reopen(this.#handle); }
  get seq() { return exports.rejoin_seq(this.#handle); }
  get head() { return replyJSON(exports.rejoin_head(this.#handle)); }
  get text() { return replyText(exports.rejoin_text(this.#handle)); }
  /** What changed of the text's blocks, or all of them; valid until the next call. */
  patch(isWhole) { return reply(exports.rejoin_patch(this.#handle, isWhole)); }
  /** From here on sentences that are new are said. */
  speak() { exports.rejoin_speak(this.#handle); }
  get said() { return replyJSON(exports.rejoin_said(this.#handle)); }
  close() { exports.rejoin_close(this.#handle); }
}

/** A stream of events whose data is wanted as it is. */
export class CoreFeed {
  #handle = exports.rejoin_feed_open();

  /** The data of the events that are whole now. */
  take(bytes) {
    return replyJSON(withBytes(bytes, (start, count) => exports.rejoin_feed_take(this.#handle, start, count)));
  }
  close() { exports.rejoin_feed_close(this.#handle); }
}

/** Where the reader is, and whether the view follows. */
export const scroll = {
  moved: (offset) => exports.rejoin_scrolled(offset),
  resized: (length, window, above) => exports.rejoin_resized(length, window, above),
  jump: () => exports.rejoin_jump(),
  get isFollowing() { return exports.rejoin_follows() !== 0; },
};
