// The service worker: it opens the page where the server cannot be reached. With a line every file comes from the
// server, so that page and server are of one version; without one all files come from one complete copy.

const prefix = "rejoinder-page-";
// Files that the page asks for only when it runs.
const also = ["/words-en.js", "/words-ar.js", "/core.wasm", "/manifest.json", "/icon-192.png"];

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
    const kept = await (await newest())?.match(path, { ignoreVary: true });
    if (kept) return kept;
    throw problem;
  }
}

async function newest() {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix)).sort();
  return names.length > 0 ? caches.open(names.at(-1)) : undefined;
}

/** Fetches every file anew; only when all are there they take the place of the copy before. */
async function refresh() {
  const page = await fetch("/", { cache: "no-cache" });
  if (!page.ok) return;
  const text = await page.clone().text();
  const named = [...text.matchAll(/(?:href|src)="(\/[^"#]+)"/gu)].map((match) => match[1]);
  const paths = [...new Set([...named, ...also])];
  const replies = await Promise.all(paths.map((path) => fetch(path, { cache: "no-cache" })));
  if (!replies.every((reply) => reply.ok)) return;
  const tags = [page, ...replies].map((reply) => reply.headers.get("ETag")).join();
  const held = await newest();
  if (held && (await (await held.match("/version"))?.text()) === tags) return;
  const before = await caches.keys();
  const cache = await caches.open(`${prefix}${String(Date.now()).padStart(15, "0")}`);
  await Promise.all([cache.put("/", page), ...paths.map((path, index) => cache.put(path, replies[index]))]);
  await cache.put("/version", new Response(tags));
  await Promise.all(before.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)));
}
