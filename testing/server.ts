// Starts a server inside a test: the real application on a free port, with its own database, clock, and key.
import { Bellwire } from "../client/index.ts";
import { scopeNames } from "../src/core/access/scope.ts";
import { createLog } from "../src/http/observe/log.ts";
import { buildServer, type ServerOptions } from "../src/http/server.ts";
import type { TestClock } from "../src/http/testing/clock.ts";
import { generateKey, hashKey } from "../src/keys/key.ts";
import { openSqlite } from "../src/open-sqlite.ts";
import { version } from "../src/package.ts";
import { servedLists } from "../src/served-lists.ts";
import type { Store } from "../src/store/store.ts";
import { defaultTime, settableClock, stoppedClock } from "./clock.ts";
import { temporaryDatabase } from "./database.ts";
import { demoDatabase } from "./demo-database.ts";
import { FaultQueue } from "./faults.ts";
import { requireKnownNames } from "./known-names.ts";
import { type ResourceRows, resourceOf, rowsOf } from "./records-to-rows.ts";
import { recordRequest } from "./requests.ts";
import type { ReceivedRequest, StartOptions, TestServer } from "./types.ts";

const optionNames = ["records", "clock", "seed", "faults", "compat"] satisfies (keyof StartOptions)[];

export async function startBellwire(options: StartOptions = {}): Promise<TestServer> {
  requireKnownNames("startBellwire", options, optionNames);
  const clock = stoppedClock(options.clock ?? defaultTime);
  const now = () => Math.floor(clock.now());
  const faults = new FaultQueue();
  for (const fault of options.faults ?? []) faults.add(fault);
  const { records, seed = 1 } = options;
  if (!Number.isSafeInteger(seed)) throw new TypeError(`seed: expected an integer, got ${JSON.stringify(seed)}`);
  const initial = records === undefined ? [] : rowsOf(records, now());
  const database = records === undefined ? await demoDatabase(now(), seed) : temporaryDatabase();
  // One thread for SQLite starts sooner than several, and a test has few requests at once.
  const store = openSqlite({ file: database.file, now, isServing: false });
  const server = await buildServer({ ...serverOptions(clock, options), store });
  const close = async () => {
    server.closeConnections();
    await server.app.close();
    await store.close();
    database.remove();
  };
  try {
    await store.prepare();
    await put(store, initial);
    const token = generateKey();
    await store.addKey({ name: "test", created: now(), hash: hashKey(token), licenses: ["cusip"], scopes: scopeNames });
    const requests: ReceivedRequest[] = [];
    server.app.server.prependListener("request", (request, response) => {
      requests.push(recordRequest(request, response));
      faults.inject(request);
    });
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${port}`;
    return {
      ...{ url, token, requests, close },
      client: new Bellwire({ url, token }),
      clock: settableClock(clock, store),
      fault: (fault) => faults.add(fault),
      put: async (records) => put(store, rowsOf(records, now())),
      remove: async (ids) => {
        for (const [list, values = []] of Object.entries(ids)) await store.remove(resourceOf(list), values.map(String));
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const serverOptions = (clock: TestClock, { compat = false }: StartOptions): Omit<ServerOptions, "store"> => ({
  ...servedLists,
  log: createLog("silent", { write: () => {} }),
  now: clock.now,
  testClock: clock,
  compat,
  info: { version, started: Math.floor(clock.now()), database: "sqlite", metricsOpen: false },
  // The event loop is blocked by a debugger, or by the test itself.
  protection: { lagMs: 0 },
  wrongTokens: 0,
});

async function put(store: Store, records: readonly ResourceRows[]): Promise<void> {
  for (const { resource, rows } of records) await store.put(resource, rows);
}
