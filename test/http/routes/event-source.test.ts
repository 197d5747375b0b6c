// A browser's EventSource on a page of another origin: follows a stream, and resumes after its connection was cut.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createSite } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { browserTest } from "../../support/browser/browser-test.ts";
import { startApi } from "../../support/clients/api.ts";
import { waitUntil } from "../../support/wait-until.ts";

const listening = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

/** Forwards connections to a port, until they are cut. */
function cuttable(target: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .pipe(other)
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(other);
          socket.destroy();
        });
    }
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { server, cut };
}

/** Opens an EventSource; `lines` has its events, and `failed` when it gives up. */
const follow = (page: Page, url: string) =>
  page.evaluate((target) => {
    const lines: string[] = [];
    Object.assign(globalThis, { lines });
    const source = new EventSource(target);
    for (const action of ["created", "updated", "removed"])
      source.addEventListener(action, (event) =>
        lines.push(`${action} ${JSON.parse((event as MessageEvent).data).id}`),
      );
    source.addEventListener("open", () => lines.push("open"));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) lines.push("failed");
    });
  }, url);

const linesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { lines: string[] }).lines);

browserTest(
  "EventSource follows a stream from an allowed origin, and misses nothing while it is cut",
  async (browser) => {
    const site = createSite((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
    const sitePort = await listening(site);
    const api = await startApi({ corsOrigins: [`http://127.0.0.1:${sitePort}`] });
    const { server, cut } = cuttable(await api.port());
    const url = `http://127.0.0.1:${await listening(server)}/api/v2.1/calendar/ratings/stream?token=${api.token}`;
    const page = await browser.newPage();
    const has = (count: number) => waitUntil(async () => (await linesOf(page)).length >= count, `${count} lines`);
    try {
      await page.goto(`http://127.0.0.1:${sitePort}`);
      await follow(page, `${url}&parameters[tickers]=F`);
      await has(1);
      await api.has("ratings", [{ id: "a", ticker: "F" }]);
      await has(2);
      cut();
      await api.has("ratings", [
        { id: "b", ticker: "F" },
        { id: "other", ticker: "GM" },
      ]);
      await api.has("ratings", [{ id: "a", ticker: "GM" }]);
      await has(5);
      assert.deepEqual(await linesOf(page), ["open", "created a", "open", "created b", "removed a"]);

      // "localhost" is another origin, and not an allowed one.
      await page.goto(`http://localhost:${sitePort}`);
      await follow(page, url);
      await has(1);
      assert.deepEqual(await linesOf(page), ["failed"]);
    } finally {
      await page.close();
      cut();
      server.close();
      site.close();
      await api.close();
    }
  },
);
