// An overloaded process rejects what has waited too long, and continues with the rest.
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import inject from "light-my-request";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer } from "../../../src/http/server.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { startApi } from "../../support/clients/api.ts";
import { waitUntil } from "../../support/wait-until.ts";

const limitMs = 100;
const pageMs = 60;

/** A server on which every page takes a fixed time by its clock, and blocks the process meanwhile. */
async function heavyServer(t: TestContext, lagMs: number) {
  const api = await startApi();
  await api.has("news", [{ id: 1, title: "heavy" }]);
  let ticks = 0;
  /** How far the clock advances each time it is read. */
  let step = 0;
  const server = await buildServer({
    catalog,
    store: {
      ...api.store,
      page: async (plan) => {
        ticks += pageMs;
        return api.store.page(plan);
      },
      // Without commits, no request waits for the state to be read again: each requests its page at once.
      addUsage: async () => {},
    },
    log: createLog("silent"),
    openapi: {},
    now: () => api.clock.now,
    ticks: () => (ticks += step),
    protection: { lagMs },
    hasAdminPort: true,
  });
  const { adminPort = 0 } = await server.listen({ host: "127.0.0.1", port: 0 }, { host: "127.0.0.1", port: 0 });
  t.after(async () => {
    server.closeConnections();
    await server.app.close();
    await api.close();
  });
  /** Requests that all arrive within one event-loop iteration. */
  const together = (count: number, url: string) =>
    Promise.all(Array.from({ length: count }, () => inject(server.handle, { url, headers: { host: "x" } })));
  // From now on the key is cached: requests that arrive together request their pages together.
  await together(1, `/api/v2/news?token=${api.token}&page=x`);
  /** The same on the admin port, with as many connections. */
  const onAdminPort = (count: number, url: string) =>
    Promise.all(Array.from({ length: count }, () => fetch(`http://127.0.0.1:${adminPort}${url}`)));
  /** From now on every request is served later than the limit, whatever happened before. */
  const fallBehind = () => {
    step = 10 * limitMs;
  };
  return { token: api.token, together, onAdminPort, fallBehind, load: server.protection.eventLoopLag };
}

describe("an overloaded process", () => {
  test("serves what arrived first, rejects what has waited too long with Retry-After, and recovers", async (t) => {
    const { token, together, load } = await heavyServer(t, limitMs);
    const url = `/api/v2/news?token=${token}`;
    const responses = await together(12, url);
    // When two have started, the others have waited for two pages by the clock.
    assert.deepEqual(
      responses.map(({ statusCode }) => statusCode),
      [...Array(2).fill(200), ...Array(10).fill(503)],
    );
    for (const { headers, payload } of responses.slice(2)) {
      assert.match(String(headers["retry-after"]), /^[1-9]\d*$/);
      assert.match(String(headers["x-request-id"]), /^\S+$/);
      assert.match(payload, /"code":"server\.busy"/);
    }
    await waitUntil(() => !load.isHigh);
    const [later] = await together(1, url);
    assert.equal(later?.statusCode, 200);
  });

  test("still reports that it is alive", async (t) => {
    const { token, together } = await heavyServer(t, limitMs);
    const busy = together(12, `/api/v2/news?token=${token}`);
    const alive = await together(2, "/livez");
    assert.deepEqual(
      alive.map(({ statusCode }) => statusCode),
      [200, 200],
    );
    assert.ok((await busy).some(({ statusCode }) => statusCode === 503));
  });

  test("still reports whether it is ready, while every list is rejected as busy", async (t) => {
    const { token, together, fallBehind } = await heavyServer(t, limitMs);
    fallBehind();
    // An unusual spelling takes another path through the server.
    for (const path of ["/api/v2/news", "//api/v2/news"]) {
      const [list] = await together(1, `${path}?token=${token}`);
      assert.deepEqual([list?.statusCode, JSON.parse(list?.payload ?? "").code], [503, "server.busy"], path);
    }
    const [ready] = await together(1, "/readyz");
    assert.deepEqual([ready?.statusCode, JSON.parse(ready?.payload ?? "")], [200, { status: "ok" }]);
  });

  test("rejects nothing on the admin port", async (t) => {
    const { token, onAdminPort } = await heavyServer(t, limitMs);
    // An unusual spelling takes another path through the server.
    for (const path of ["/api/v2/news", "//api/v2/news"]) {
      const responses = await onAdminPort(12, `${path}?token=${token}`);
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]), path);
    }
  });

  test("rejects nothing if no limit is set", async (t) => {
    const { token, together } = await heavyServer(t, 0);
    const responses = await together(12, `/api/v2/news?token=${token}`);
    assert.deepEqual(new Set(responses.map(({ statusCode }) => statusCode)), new Set([200]));
  });
});
