// A mirror follows by stream: it reads what the upstream announces, long before its next check is due.
import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { systemClock } from "../../src/lease/clock.ts";
import { mirror } from "../../src/mirror/mirror.ts";
import { mirrorStatus } from "../../src/mirror/status.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { Store } from "../../src/store/store.ts";
import { type Api, resourceNamed } from "../support/clients/api.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { openTestStore, ownPostgres, type StoreName, sqliteDatabase } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { runOptions } from "./support/foreign.ts";
import { proxy } from "./support/proxy.ts";
import { virtualClock } from "./support/virtual-clock.ts";

const ratings = resourceNamed("ratings");
const now = () => Math.floor(Date.now() / 1000);
const hourMs = 3_600_000;

type Mirror = {
  readonly store: Store;
  readonly logged: string[];
  /** Whether the stream of the upstream is open. */
  isStreaming(): Promise<boolean>;
  ids(): Promise<string[]>;
};

type Options = { readonly base: URL; readonly token: string; readonly everyMs?: number; readonly name: StoreName };

/** Mirrors into another database until `run` is over. */
async function mirroring({ base, token, name, everyMs = hourMs }: Options, run: (mirror: Mirror) => Promise<void>) {
  const own = name === "postgres" ? await ownPostgres("mirror") : undefined;
  const file = own === undefined ? sqliteDatabase() : undefined;
  const store = await openTestStore(own?.url ?? file?.name ?? "", now);
  const stop = new AbortController();
  const logged: string[] = [];
  const following = mirror({
    ...runOptions(virtualClock(), logged),
    ...{ store, resources: catalog, isSubset: false, base, token, tokenIn: "auto", everyMs, once: false },
    ...{ clock: systemClock, signal: stop.signal, reconcile: { days: 0, everySeconds: 1 } },
  });
  // Reported once the test is over.
  following.catch(() => {});
  try {
    await run({
      store,
      logged,
      isStreaming: async () => (await mirrorStatus(store, catalog, now()))?.streaming === true,
      ids: async () => (await store.rowsAfter(ratings, undefined, 100)).map(({ id }) => String(id)),
    });
  } finally {
    stop.abort();
    await following;
    await store.close();
    await own?.drop();
    await file?.release();
  }
}

const addressOf = async (api: Api) => new URL(`http://127.0.0.1:${await api.port()}`);

/** Passes connections on until they are cut; then new ones wait until it is mended. */
async function cuttable(target: URL) {
  const open = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let isCut = false;
  const pass = (client: Socket): void => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  };
  const server = createServer((client) => {
    if (!isCut) return pass(client);
    open.add(client);
    client.on("error", () => {}).once("close", () => open.delete(client));
    waiting.push(() => pass(client));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}`),
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => {
      isCut = false;
      for (const passOn of waiting.splice(0)) passOn();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

onEveryStore("a mirror that checks for changes once an hour", (test, name) => {
  for (const { source, scopes } of [
    { source: "the change feed", scopes: ["read", "replicate"] },
    { source: "lists", scopes: ["read"] },
  ] as const)
    test(`reads ${source} as soon as the upstream announces a change, and so has it at once`, async (api) => {
      api.clock.now = now();
      await api.has("ratings", [{ id: "a" }]);
      const token = await api.key({ scopes: [...scopes] });
      await mirroring({ base: await addressOf(api), token, name }, async ({ isStreaming, ids, store, logged }) => {
        await waitUntil(isStreaming, "the stream is open");
        await waitUntil(async () => (await ids()).join() === "a", "the first records");
        await api.has("ratings", [{ id: "b" }]);
        await waitUntil(async () => (await ids()).join() === "a,b", "the new record");
        await api.has("news", [{ id: 7, title: "x", created: now(), updated: now() }]);
        await waitUntil(async () => (await store.count(resourceNamed("news"))) === 1, "a record of another resource");
        await api.store.remove(ratings, ["a"]);
        await waitUntil(async () => (await ids()).join() === "b", "the removal");
        assert.deepEqual(
          logged.filter((line) => line.includes("has a stream")),
          ["the upstream has a stream of changes: they are read as soon as it announces them"],
        );
      });
    });

  test("reads what changed while its stream was cut, as soon as the stream is open again", async (api) => {
    api.clock.now = now();
    const between = await cuttable(await addressOf(api));
    const token = await api.key({ scopes: ["read", "replicate"] });
    try {
      await mirroring({ base: between.url, token, name }, async ({ isStreaming, ids }) => {
        await waitUntil(isStreaming, "the stream is open");
        between.cut();
        await waitUntil(async () => !(await isStreaming()), "the stream is cut");
        await api.has("ratings", [{ id: "meanwhile" }]);
        between.mend();
        await waitUntil(async () => (await ids()).join() === "meanwhile", "the record");
        await api.has("ratings", [{ id: "then" }]);
        await waitUntil(async () => (await ids()).join() === "meanwhile,then", "the next record");
      });
    } finally {
      await between.close();
    }
  });
});

onEveryStore("a mirror of an upstream without a usable stream", (test, name) => {
  for (const [what, status, type] of [
    ["responds with 404", 404, "application/json"],
    ["sends a page instead", 200, "text/html"],
    ["accepts no more streams", 429, "application/json"],
  ] as const)
    test(`checks for changes at intervals if the upstream ${what}`, async (api) => {
      api.clock.now = now();
      const between = await proxy((await addressOf(api)).href);
      let refused = 0;
      between.instead = ({ path }, response) => {
        if (path !== "/api/v1/stream") return false;
        refused++;
        response.writeHead(status, { "content-type": type, "retry-after": "3600" }).end("<html></html>");
        return true;
      };
      const token = await api.key({ scopes: ["read", "replicate"] });
      try {
        await mirroring({ base: between.url, token, name, everyMs: 20 }, async ({ ids, isStreaming }) => {
          await waitUntil(() => refused === 1, "the stream is refused");
          await api.has("ratings", [{ id: "a" }]);
          await waitUntil(async () => (await ids()).join() === "a", "the record");
          assert.equal(await isStreaming(), false);
          assert.equal(refused, 1);
        });
      } finally {
        await between.close();
      }
    });
});
