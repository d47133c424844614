// What can be read without a line: the list, and the conversations that were opened in this browser. A copy is put here
// whenever the server gave a newer one, and everything goes when somebody signs out.

const name = "rejoinder-conversations";
const most = 60;

const open = async () => "caches" in self ? await caches.open(name) : undefined;

/** Keeps what the server gave for a path. */
export async function keep(path, value) {
  try {
    const shelf = await open();
    // The newest stands last, so that the oldest can go.
    await shelf?.delete(path);
    await shelf?.put(path, new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } }));
    for (const request of (await shelf?.keys())?.slice(0, -most) ?? []) await shelf.delete(request);
  } catch {
    // A full or forbidden store: then there is nothing to read offline, and nothing else is lost.
  }
}

/** What was kept for a path, or nothing. */
export async function kept(path) {
  try {
    return await (await (await open())?.match(path))?.json();
  } catch {
    return undefined;
  }
}

/** Forgets a path. */
export async function drop(path) {
  try {
    await (await open())?.delete(path);
  } catch {
    // As above.
  }
}

/** Leaves nothing behind. */
export async function clear() {
  try {
    await caches.delete(name);
  } catch {
    // As above.
  }
}
