// The service worker: it opens the page where the server cannot be reached. With a line every file comes from the
// server, so that page and server are of one version; without one all files come from one complete copy.

const prefix = "rejoinder-page-";
// Files that the page asks for only when it runs.
const also = [
  "/account-ar.js", "/account-audit.js", "/account-closing.js", "/account-consent.js", "/account-en.js",
  "/account-export.js", "/account-import.js", "/account-limits.js", "/account-looks.js", "/account-memory.js",
  "/account-part.js", "/account-people.js", "/account-task.js", "/account-ways.js", "/account.css", "/account.html",
  "/account.js", "/arrival.js", "/device.js", "/fragment.js", "/joining.js", "/let-in.html", "/passkeys.js",
  "/review-ar.js", "/review-change.js", "/review-en.js", "/review-operations.js", "/review.css", "/review.js",
  "/sign-in.html", "/sign-in.js", "/ways.js", "/words-ar.js", "/words-en.js",
];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(refresh().catch(() => {}));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => {
  if (event.data === "refresh") event.waitUntil(refresh().catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const isPage = request.mode === "navigate" && (url.pathname === "/" || url.pathname.startsWith("/c/"));
  // What belongs to an account is the page's business.
  if (!isPage && (request.mode === "navigate" || url.pathname.startsWith("/v1/"))) return;
  event.respondWith(fromServer(request, isPage ? "/" : url.pathname));
});

async function fromServer(request, path) {
  try {
    return await fetch(request);
  } catch (problem) {
    const kept = await (await newest())?.match(path);
    if (kept) return kept;
    throw problem;
  }
}

/** The newest copy that is whole. */
async function newest() {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix)).sort().reverse();
  for (const name of names) {
    const cache = await caches.open(name);
    if (await cache.match("/version")) return cache;
  }
  return undefined;
}

let running;

/** Fetches every file anew, once for all who ask meanwhile. */
function refresh() {
  running ??= replace().finally(() => { running = undefined; });
  return running;
}

/** Only when all files are there do they take the place of the copy before. */
async function replace() {
  const page = await whole("/");
  const named = [...(await page.clone().text()).matchAll(/(?:href|src)="(\/[^"#]+)"/gu)].map((match) => match[1]);
  const paths = [...new Set([...named, ...also])];
  const replies = await Promise.all(paths.map(whole));
  const tags = [page, ...replies].map((reply) => reply.headers.get("ETag")).join();
  const held = await newest();
  if (held && (await (await held.match("/version")).text()) === tags) return;
  const before = await caches.keys();
  const cache = await caches.open(`${prefix}${String(Date.now()).padStart(15, "0")}`);
  await Promise.all([cache.put("/", page), ...paths.map((path, index) => cache.put(path, replies[index]))]);
  await cache.put("/version", new Response(tags));
  await Promise.all(before.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)));
}

/** A file with all of its bytes here. */
async function whole(path) {
  const reply = await fetch(path, { cache: "no-cache" });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  const headers = new Headers(reply.headers);
  // The bytes are as they are after decoding.
  headers.delete("Content-Encoding");
  headers.delete("Vary");
  return new Response(await reply.arrayBuffer(), { headers });
}
