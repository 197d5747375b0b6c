// Registers the service worker, once the page has nothing better to do, and sends it the files that were loaded before.

export function installWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = async () => {
    await navigator.serviceWorker.register("/service-worker.js");
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    active?.postMessage(files.filter((path) => path.startsWith("/assets/")));
  };
  const start = () => void register().catch(() => {});
  if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 10_000 });
  else setTimeout(start, 3000);
}
