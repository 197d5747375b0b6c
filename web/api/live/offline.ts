// Responses that were shown before, for when the server can't be reached: in the browser's cache storage, apart for each
// key, without the key itself.

const prefix = "bellwire-data-";
const maxResponses = 150;

/** Only in secure contexts; some browsers forbid it in private windows. */
const isAvailable = (): boolean => "caches" in window && window.crypto.subtle !== undefined;

/** Named after a hash of the key. */
async function cacheOf(key: string): Promise<Cache> {
  const digest = await window.crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const name = Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return caches.open(prefix + name);
}

/** Changes happen one after the other, so that nothing is stored after it was to be removed. */
let queue: Promise<void> = Promise.resolve();

function enqueue(change: () => Promise<void>): Promise<void> {
  // Storage may be full or disabled: the page works without it.
  queue = queue.then(change).catch(() => {});
  return queue;
}

const storedHeaders = ["link", "x-stream-position"];

/** Call it with successful responses only. */
export async function storeResponse(url: string, key: string, text: string, headers: Headers): Promise<void> {
  if (!isAvailable()) return;
  const stored = storedHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  await enqueue(async () => {
    const cache = await cacheOf(key);
    // A cache lists its entries in the order in which they were added.
    await cache.delete(url);
    await cache.put(url, new Response(text, { headers: [["content-type", "application/json"], ...stored] }));
    const all = await cache.keys();
    await Promise.all(all.slice(0, -maxResponses).map((each) => cache.delete(each)));
  });
}

export async function storedResponse(url: string, key: string): Promise<Response | undefined> {
  if (!isAvailable()) return undefined;
  try {
    return await (await cacheOf(key)).match(url);
  } catch {
    return undefined;
  }
}

/** Removes the responses of all keys. */
export async function removeResponses(): Promise<void> {
  if (!isAvailable()) return;
  await enqueue(async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)));
  });
}
