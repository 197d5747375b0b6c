// One server process: listens at once, prepares its database, and shuts down gracefully.
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config.ts";
import type { Rendering } from "../../core/catalog/field.ts";
import type { Ports } from "../../http/listener.ts";
import type { Log } from "../../http/observe/log.ts";
import { buildServer } from "../../http/server.ts";
import { testClock } from "../../http/testing/clock.ts";
import { servedLists } from "../../served-lists.ts";
import { isPostgres, parseList } from "../../settings/setting.ts";
import { type Store, StoreError } from "../../store/store.ts";
import { servedBulkFiles } from "../bulk/served-files.ts";
import { printError } from "../command.ts";
import { tuneHeap } from "../shared/heap.ts";
import { openLog } from "../shared/log.ts";
import { openStore } from "../shared/open-store.ts";
import { stopSignal } from "../shared/stop-signal.ts";
import { describeListenError, type ListenAddresses, listenAddresses } from "./addresses.ts";
import { protectionLimits } from "./protection-settings.ts";
import { pruneRegularly } from "./retention.ts";
import { serverInfo } from "./server-info.ts";
import { webhookDeliverer } from "./webhooks.ts";
import { workerReports } from "./worker-reports.ts";

/** Delay between attempts to prepare the database. */
const retryMs = 1000;

/** How long requests on keep-alive connections still get a 503 response after the last in-flight one ended. */
const lingerMs = 1000;

/** Time for the last of those responses to be sent. */
const lastResponseMs = 20;

/**
 * How much the heap may grow before a full collection, in percent of what is in use. By default Node.js lets it grow to four
 * times that, mostly garbage of past responses. PostgreSQL responses pass through more memory, and there are no reader
 * threads with their own heaps.
 */
const heapGrowth = { sqlite: 40, postgres: 80 };

/** Where a process listens. */
export type Listening = { readonly address: string; readonly adminAddress?: string };

export type ServerProcess = {
  readonly config: Config;
  /** Runs once the database is ready, before the first request reaches it. */
  readonly onReady: (store: Store) => Promise<void>;
  readonly onListening: (listening: Listening, store: Store) => Promise<void>;
  /** Whether this is a worker among several. */
  readonly isWorker?: boolean;
};

/**
 * Serves until a signal. The process reports its address as soon as requests get responses, even if those are 503: it
 * listens while it waits for an unavailable database.
 */
export async function runServer({ config, onReady, onListening, isWorker = false }: ServerProcess): Promise<void> {
  tuneHeap(isPostgres(config.get("database")) ? heapGrowth.postgres : heapGrowth.sqlite);
  const log = openLog(config);
  const clock = config.get("test-mode") === "true" ? testClock() : undefined;
  const now = clock?.now ?? (() => Date.now() / 1000);
  const store = await openStore(config, "create", "database", undefined, { now: () => Math.floor(now()) });
  const addresses = listenAddresses(config);
  const stopping = new AbortController();
  const siblings = isWorker ? workerReports() : undefined;
  const deliverer = webhookDeliverer(config, store, log, now);
  const background = (signal: AbortSignal) => [
    pruneRegularly(store, { days: Number(config.get("change-days")), now, signal }, log),
    deliverer.run(signal),
  ];
  const database = databaseStartup(store, config, onReady, log, background);
  const server = await buildServer({
    ...serverOptions(config, store),
    log,
    now,
    unavailableReason: database.unavailable,
    ...(clock === undefined ? {} : { testClock: clock }),
    info: serverInfo(config, store, siblings?.collect),
    hasAdminPort: addresses.admin !== undefined,
    families: () => deliverer.families(),
    bulk: servedBulkFiles(config, store, now, stopping.signal),
  });
  siblings?.provide(server.reports);
  try {
    let ports: Ports | undefined;
    // A worker takes no request that another could serve: it listens once its database is ready or has failed.
    if (!isWorker) ports = await listen(server, addresses);
    const ready = await database.attempt();
    ports ??= await listen(server, addresses);
    // Before the address is printed: a script that reads it may stop the server at once.
    const signaled = stopSignal();
    await onListening(listeningAt(addresses, ports), store);
    // An error other than a database error ends the process, also in a later attempt.
    await (ready ? signaled : Promise.race([signaled, retry(database).then(() => signaled)]));
  } finally {
    // On any exit: open handles would keep the process alive.
    database.stop();
    stopping.abort();
    await shutDown(server, Number(config.get("stop-seconds")));
    await database.stopped();
    await store.close();
  }
}

const serverOptions = (config: Config, store: Store) => ({
  ...servedLists,
  store,
  compat: config.get("compat") === "true",
  corsOrigins: parseList(config.get("cors-origins")),
  webhookNetworks: parseList(config.get("webhook-networks")),
  streamNewsForm: config.get("stream-news-form") as "rest" | "story",
  cacheBytes: Number(config.get("cache-mb")) * 1024 * 1024,
  trustedProxies: parseList(config.get("proxies")),
  protection: protectionLimits(config),
  wrongTokens: Number(config.get("wrong-tokens")),
  writeLimits: {
    bytes: Number(config.get("write-megabytes")) * 1e6,
    atomicBytes: Number(config.get("atomic-megabytes")) * 1e6,
    memoryBytes: Number(config.get("body-megabytes")) * 1e6,
  },
});

type DatabaseStartup = {
  /** Why requests can't be served yet; undefined when they can. */
  unavailable(): string | undefined;
  /** Prepares the database; false when it is unavailable. */
  attempt(): Promise<boolean>;
  readonly signal: AbortSignal;
  stop(): void;
  /** Resolves when nothing uses the database any longer. */
  stopped(): Promise<void>;
};

function databaseStartup(
  store: Store,
  config: Config,
  onReady: ServerProcess["onReady"],
  log: Log,
  background: (signal: AbortSignal) => readonly Promise<void>[],
): DatabaseStartup {
  let unavailable: string | undefined = "This server is starting.";
  let running: Promise<unknown> | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const attempt = async (): Promise<boolean> => {
    try {
      await prepareDatabase(store, config);
      await onReady(store);
      unavailable = undefined;
      const report = (error: Error) => log.error({ error: error.stack }, "internal error");
      running = Promise.all(background(signal).map((each) => each.catch(report)));
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ error: error.message }, "the database is not ready, retrying");
      // Replicas may be readable while the primary is unavailable.
      unavailable = (await isReadable(store)) ? undefined : "The database is not available.";
      return false;
    }
  };
  return {
    unavailable: () => unavailable,
    attempt,
    signal,
    stop: () => stopping.abort(),
    stopped: async () => void (await running),
  };
}

type Server = Awaited<ReturnType<typeof buildServer>>;

const listen = (server: Server, addresses: ListenAddresses): Promise<Ports> =>
  server.listen(addresses.public, addresses.admin).catch((error: unknown) => {
    throw describeListenError(error, addresses);
  });

function listeningAt({ public: open, admin }: ListenAddresses, { port, adminPort }: Ports): Listening {
  const adminAddress = admin && adminPort && urlOf(admin.host, adminPort);
  return { address: urlOf(open.host, port), ...(adminAddress ? { adminAddress } : {}) };
}

async function shutDown(server: Server, limitSeconds: number): Promise<void> {
  const limit = setTimeout(server.closeConnections, limitSeconds * 1000);
  await server.drain();
  // Until clients have left, requests on their keep-alive connections still get a 503 response.
  await connectionsClosed(server.protection.connections);
  const closing = server.app.close();
  await Promise.race([closing, pause(lastResponseMs)]);
  // The connections left have no complete request.
  server.closeConnections();
  await closing;
  clearTimeout(limit);
}

async function connectionsClosed(connections: { readonly open: number }): Promise<void> {
  for (let waited = 0; connections.open > 0 && waited < lingerMs; waited += lastResponseMs) await pause(lastResponseMs);
}

async function isReadable(store: Store): Promise<boolean> {
  try {
    await store.state();
    return true;
  } catch {
    return false;
  }
}

async function retry({ attempt, signal }: DatabaseStartup): Promise<void> {
  for (;;) {
    await pause(retryMs, undefined, { ref: false });
    if (signal.aborted || (await attempt())) return;
  }
}

/** Runs migrations, and re-encodes records if a setting that affects them was provided and differs. */
async function prepareDatabase(store: Store, config: Config): Promise<void> {
  await store.prepare();
  const zone = config.provided("zone");
  const cusip = config.provided("calendar-cusip") as Rendering["cusip"] | undefined;
  const rendered = await store.render({
    ...(zone === undefined ? {} : { zone }),
    ...(cusip === undefined ? {} : { cusip }),
  });
  if (rendered > 0) printError(`re-encoded ${rendered} records for the new settings`);
}

const urlOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
