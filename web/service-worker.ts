// Service worker: serves the page itself while the server can't be reached, from what was loaded before. Records are cached
// by the page, by key (`api/offline.ts`); the worker never sees a key.

type ExtendableEvent = Event & { waitUntil(promise: Promise<unknown>): void };
type WorkerFetchEvent = ExtendableEvent & {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
};
type WorkerMessageEvent = ExtendableEvent & { readonly data: unknown };
type NotificationEvent = ExtendableEvent & { readonly notification: Notification };
type WindowClient = { navigate(url: string): Promise<unknown>; focus(): Promise<unknown> };
type WorkerScope = {
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: WorkerFetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: WorkerMessageEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: NotificationEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly location: Location;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window" }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

const worker = self as unknown as WorkerScope;

const cacheName = "bellwire-page-1";

/** All views share one document. */
const documentPath = "/";
const refreshed = ["/openapi.json", "/manifest.webmanifest", "/icon.svg"];

/** Files of earlier versions are dropped eventually. */
const maxFiles = 100;

worker.addEventListener("install", (event) => {
  const store = async () => (await caches.open(cacheName)).addAll([documentPath, ...refreshed]);
  // Everything is fetched first if possible, so a new worker can replace an old one at any time.
  event.waitUntil(store().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const removeOthers = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("bellwire-page-") && name !== cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(removeOthers());
});

/** Files that the page loaded before there was a worker. */
worker.addEventListener("message", (event) => {
  const files = (Array.isArray(event.data) ? event.data : []).filter(
    (path): path is string => typeof path === "string" && path.startsWith("/assets/"),
  );
  event.waitUntil(Promise.all(files.map((path) => fromCacheFirst(new Request(path)).catch(() => {}))));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") {
    if (!/^\/(docs|api|admin|changes|metrics|livez|readyz|llms|mcp)(\b|$)/.test(pathname))
      event.respondWith(fromNetworkFirst(request, documentPath));
  } else if (pathname.startsWith("/assets/")) event.respondWith(fromCacheFirst(request));
  else if (refreshed.includes(pathname)) event.respondWith(fromNetworkFirst(request, pathname));
});

worker.addEventListener("notificationclick", (event) => {
  const { data } = event.notification;
  event.notification.close();
  const show = async () => {
    const [window] = await worker.clients.matchAll({ type: "window" });
    if (window === undefined) return worker.clients.openWindow(String(data));
    await window.focus();
    return window.navigate(String(data));
  };
  event.waitUntil(show());
});

/** Files have a hash in their names and never change. */
async function fromCacheFirst(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const cached = await cache.match(request.url, { ignoreVary: true });
  if (cached !== undefined) return cached;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request.url, response.clone());
    const files = (await cache.keys()).filter(({ url }) => url.includes("/assets/"));
    await Promise.all(files.slice(0, -maxFiles).map((each) => cache.delete(each)));
  }
  return response;
}

/** Only a successful response replaces the cached one. */
async function fromNetworkFirst(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    const isDocument = path !== documentPath || response.headers.get("content-type")?.startsWith("text/html") === true;
    if (response.ok && !response.redirected && isDocument) await cache.put(path, response.clone());
    return response;
  } catch (error) {
    const cached = await cache.match(path, { ignoreVary: true });
    if (cached === undefined) throw error;
    return cached;
  }
}
