// One process that serves: listens at once, makes its database ready, and stops with grace.
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Config } from "../../config.ts";
import type { Rendering } from "../../core/catalog/field.ts";
import type { Ports } from "../../http/listener.ts";
import { buildServer } from "../../http/server.ts";
import { testClock } from "../../http/testing/clock.ts";
import { version } from "../../package.ts";
import { catalog } from "../../resources/catalog.ts";
import { extensions } from "../../resources/lists/extensions.ts";
import { isPostgres, listOf } from "../../settings/setting.ts";
import { type Store, StoreError } from "../../store/store.ts";
import { pageFolder } from "../../web-files.ts";
import { complain } from "../command.ts";
import { logOf } from "../shared/log.ts";
import { openStore } from "../shared/open-store.ts";
import { stopSignal } from "../shared/stop-signal.ts";
import { listenFailure, placesOf } from "./addresses.ts";
import { protectionOf } from "./protection-settings.ts";
import { keepForgetting } from "./retention.ts";
import { aboutOf } from "./server-info.ts";
import { siblings } from "./worker-metrics.ts";

/** Between two attempts to make the database ready. */
const retryMs = 1000;

/** For how long at most requests on kept connections are still refused in words, once nothing is under way. */
const lingerMs = 1000;

/** For the last such refusal to be sent. */
const lastMs = 20;

/**
 * How much the heap may grow, in percent of what is in use, before all of it is collected. Left alone, Node.js lets it grow
 * to four times that, with what answers under way have left behind. Answers of PostgreSQL pass through more memory, and
 * there is no thread beside this one that has a heap of its own.
 */
const heapGrowth = { sqlite: 40, postgres: 80 };

/** Where a process listens. */
export type Listening = { readonly address: string; readonly adminAddress?: string };

/** What is done once the database is ready; gives nothing a request could wait for. */
type Ready = (store: Store) => Promise<void>;

/**
 * Serves until a signal. The address is told as soon as requests are answered, be it 503: a database that is away is
 * waited for. `onReady` runs once the database can be used, before the first request is let through to it.
 */
export async function serveHere(
  config: Config,
  onReady: Ready,
  onListening: (listening: Listening, store: Store) => Promise<void>,
  isOneOfSeveral = false,
): Promise<void> {
  const growth = isPostgres(config.get("database")) ? heapGrowth.postgres : heapGrowth.sqlite;
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  // So little of what is new outlives a collection that helpers cost more than they do.
  setFlagsFromString("--no-parallel-scavenge");
  const log = logOf(config);
  const clock = config.get("test-mode") === "true" ? testClock() : undefined;
  const now = clock?.now ?? (() => Date.now() / 1000);
  const store = await openStore(config, "make", "database", undefined, {
    now: () => Math.floor(now()),
  });
  const places = placesOf(config);
  const { open, admin } = places;
  const others = isOneOfSeveral ? siblings() : undefined;
  let waiting: string | undefined = "This server is starting.";
  const server = await buildServer({
    catalog,
    extensions,
    store,
    log,
    openapi: async () => (await import("../../docs/openapi.ts")).openapi(catalog, { version }, extensions),
    pageFolder,
    corsOrigins: listOf(config.get("cors-origins")),
    cacheBytes: Number(config.get("cache-mb")) * 1024 * 1024,
    waiting: () => waiting,
    now,
    ...(clock === undefined ? {} : { testClock: clock }),
    about: aboutOf(config, store, others?.ask),
    proxies: listOf(config.get("proxies")),
    protection: protectionOf(config),
    wrongTokens: Number(config.get("wrong-tokens")),
    adminApart: admin !== undefined,
    writeLimits: {
      bytes: Number(config.get("write-megabytes")) * 1e6,
      atomicBytes: Number(config.get("atomic-megabytes")) * 1e6,
      memoryBytes: Number(config.get("body-megabytes")) * 1e6,
    },
  });
  others?.tell(server.families);
  const stopped = new AbortController();
  const retention = {
    days: Number(config.get("change-days")),
    now,
    signal: stopped.signal,
  };
  let forgetting: Promise<void> | undefined;
  const attempt = async (): Promise<boolean> => {
    try {
      await makeReady(store, config);
      await onReady(store);
      waiting = undefined;
      forgetting = keepForgetting(store, retention, log).catch((error: Error) => {
        log.error({ error: error.stack }, "fault");
      });
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ error: error.message }, "the database is not ready; trying again");
      // Replicas may answer while the primary is away.
      waiting = (await isReadable(store)) ? undefined : "The database is not available.";
      return false;
    }
  };
  try {
    const listen = () =>
      server.listen(open, admin).catch((error: unknown) => {
        throw listenFailure(error, places);
      });
    let ports: Ports | undefined;
    // One of several takes no request that another could answer: it listens when it is ready, or can't be for now.
    if (!isOneOfSeveral) ports = await listen();
    const ready = await attempt();
    ports ??= await listen();
    const { port, adminPort } = ports;
    const adminAddress = admin && adminPort && addressOf(admin.host, adminPort);
    // Before the address is printed: a script that reads it may stop the server at once.
    const signalled = stopSignal();
    await onListening({ address: addressOf(open.host, port), ...(adminAddress ? { adminAddress } : {}) }, store);
    // What is no matter of waiting ends the process, as it would have done at the first attempt.
    await (ready ? signalled : Promise.race([signalled, retry(attempt, stopped.signal).then(() => signalled)]));
  } finally {
    // Whatever ended it: what is left open would keep the process.
    stopped.abort();
    const limit = setTimeout(server.cut, Number(config.get("stop-seconds")) * 1000);
    await server.drain();
    // Whoever was told to try again elsewhere is gone by then; a request on a kept connection is still told so.
    await untilLeft(server.protection.connections);
    const closing = server.app.close();
    await Promise.race([closing, pause(lastMs)]);
    // What is left has never asked for anything, or not to its end.
    server.cut();
    await closing;
    clearTimeout(limit);
    await forgetting;
    await store.close();
  }
}

async function untilLeft(connections: { readonly open: number }): Promise<void> {
  for (let waited = 0; connections.open > 0 && waited < lingerMs; waited += lastMs) await pause(lastMs);
}

async function isReadable(store: Store): Promise<boolean> {
  try {
    await store.state();
    return true;
  } catch {
    return false;
  }
}

async function retry(attempt: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
    if (signal.aborted || (await attempt())) return;
  }
}

/** Migrations, and settings that shape answers where they were given. */
async function makeReady(store: Store, config: Config): Promise<void> {
  await store.prepare();
  const zone = config.given("zone");
  const cusip = config.given("calendar-cusip") as Rendering["cusip"] | undefined;
  const rendered = await store.render({
    ...(zone === undefined ? {} : { zone }),
    ...(cusip === undefined ? {} : { cusip }),
  });
  if (rendered > 0) complain(`rendered ${rendered} records again for the new settings`);
}

const addressOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
