// A process that is behind with its work refuses what has waited too long, and goes on with the rest.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { makeLog } from "../../src/http/log.ts";
import { buildServer } from "../../src/http/server.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { startApi } from "../support/api.ts";

/** A server on which every page takes so long, and keeps the process from anything else meanwhile. */
async function heavyServer(t: TestContext, pageMs: number, lagMs: number) {
  const api = await startApi();
  await api.has("news", [{ id: 1, title: "heavy" }]);
  const server = await buildServer({
    catalog,
    store: {
      ...api.store,
      page: async (plan) => {
        const until = performance.now() + pageMs;
        while (performance.now() < until);
        return api.store.page(plan);
      },
    },
    log: makeLog("silent"),
    openapi: {},
    now: () => api.clock.now,
    protection: { lagMs },
    adminApart: true,
  });
  const inside = { host: "127.0.0.1", port: 0 };
  const { port, adminPort = 0 } = await server.listen({ host: "127.0.0.1", port: 0 }, inside);
  t.after(async () => {
    server.cut();
    await server.app.close();
    await api.close();
  });
  /** Sends requests on as many connections at the same moment, and gives their answers. */
  const together = async (count: number, url: string, to = port): Promise<string[]> => {
    const sockets = await Promise.all(
      Array.from(
        { length: count },
        () =>
          // One that was answered before: new ones are taken up one by one.
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(to, "127.0.0.1");
            socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
            socket.once("data", () => resolve(socket));
          }),
      ),
    );
    const answers = sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          let text = "";
          socket.on("data", (piece) => {
            text += piece;
          });
          socket.on("close", () => resolve(text));
        }),
    );
    for (const socket of sockets) socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return Promise.all(answers);
  };
  return { token: api.token, together, adminPort };
}

const statusOf = (answer: string): string => answer.slice(9, 12);

describe("a process that is behind", () => {
  test("answers what came first, refuses what has waited too long with Retry-After, and recovers", async (t) => {
    const { token, together } = await heavyServer(t, 60, 100);
    const answers = await together(12, `/api/v2/news?token=${token}`);
    const good = answers.filter((answer) => statusOf(answer) === "200");
    const refused = answers.filter((answer) => statusOf(answer) === "503");
    assert.equal(good.length + refused.length, 12);
    assert.ok(good.length >= 2 && refused.length >= 2, `${good.length} answered, ${refused.length} refused`);
    for (const answer of refused) {
      assert.match(answer, /^retry-after: [1-9]\d*\r$/im);
      assert.match(answer, /^x-request-id: \S+\r$/im);
      assert.match(answer, /"code":"server\.busy"/);
    }
    const [later = ""] = await together(1, `/api/v2/news?token=${token}`);
    assert.equal(statusOf(later), "200");
  });

  test("still says that it lives", async (t) => {
    const { token, together } = await heavyServer(t, 60, 30);
    const busy = together(8, `/api/v2/news?token=${token}`);
    const alive = await together(2, "/livez");
    assert.deepEqual(alive.map(statusOf), ["200", "200"]);
    await busy;
  });

  test("refuses nothing on the port for administration", async (t) => {
    const { token, together, adminPort } = await heavyServer(t, 60, 100);
    // An odd spelling goes another way.
    for (const path of ["/api/v2/news", "//api/v2/news"]) {
      const answers = await together(12, `${path}?token=${token}`, adminPort);
      assert.deepEqual(new Set(answers.map(statusOf)), new Set(["200"]), path);
    }
  });

  test("refuses nothing where no limit is set", async (t) => {
    const { token, together } = await heavyServer(t, 40, 0);
    const answers = await together(6, `/api/v2/news?token=${token}`);
    assert.deepEqual(new Set(answers.map(statusOf)), new Set(["200"]));
  });
});
