// What must outlive the tab: unsent turns, stops not yet delivered, drafts. One key each, so that
// two tabs never overwrite each other's entries. Where the browser allows no storage, memory has to do.

const prefix = "rejoin.";
const memory = new Map();

function persistent() {
  try {
    localStorage.setItem(`${prefix}probe`, "1");
    localStorage.removeItem(`${prefix}probe`);
    return true;
  } catch {
    return false;
  }
}
const isPersistent = persistent();

export function read(key) {
  try {
    const text = isPersistent ? localStorage.getItem(prefix + key) : memory.get(key);
    return text === null || text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function write(key, value) {
  const text = JSON.stringify(value);
  memory.set(key, text);
  if (!isPersistent) return;
  try {
    localStorage.setItem(prefix + key, text);
  } catch {
    // Full storage: the entry lives in memory for as long as the tab does.
  }
}

export function remove(key) {
  memory.delete(key);
  if (isPersistent) localStorage.removeItem(prefix + key);
}

/** The values of every key that starts with `start`. */
export function all(start) {
  const keys = isPersistent
    ? Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
    : [...memory.keys()];
  return keys.filter((key) => key.startsWith(start)).map(read).filter((value) => value !== undefined);
}

/** Leaves nothing of an account behind, but for the entries named in `kept`. */
export function clear(kept = []) {
  const goes = (key) => !kept.includes(key);
  for (const key of [...memory.keys()].filter(goes)) memory.delete(key);
  if (!isPersistent) return;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix) && goes(key.slice(prefix.length))) localStorage.removeItem(key);
  }
}

/** Calls back with the key whenever another tab changed an entry. */
export function onForeignChange(callback) {
  window.addEventListener("storage", (event) => {
    if (event.key === null) callback("");
    else if (event.key.startsWith(prefix)) callback(event.key.slice(prefix.length));
  });
}
