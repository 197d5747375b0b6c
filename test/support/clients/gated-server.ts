// A server whose reads stop at a gate, for tests of concurrency.
import type { TestContext } from "node:test";
import inject from "light-my-request";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer } from "../../../src/http/server.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { Store } from "../../../src/store/store.ts";
import { waitUntil } from "../wait-until.ts";
import { type Body, startApi } from "./api.ts";

export type Gate = {
  /** Names of the reads that have started, in order. */
  readonly begun: readonly string[];
  /** Makes reads with that name wait until they are released. */
  hold(name: string): void;
  release(name: string): void;
  /** Resolves when a read with that name has started so many times. */
  began(name: string, times?: number): Promise<void>;
};

/** The store with gates for pages, by number; for the change log, by position; and for snapshots, by resource. */
export function gatedStore(store: Store): { readonly store: Store; readonly gate: Gate } {
  const begun: string[] = [];
  const held = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>();
  const pass = async (name: string): Promise<void> => {
    begun.push(name);
    await held.get(name)?.opened;
  };
  const gate: Gate = {
    begun,
    hold: (name) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(name, { opened: promise, open: resolve });
    },
    release: (name) => held.get(name)?.open(),
    began: (name, times = 1) =>
      waitUntil(() => begun.filter((each) => each === name).length >= times, `${name} is read`),
  };
  const gated: Store = {
    ...store,
    page: async (plan, ...rest) => {
      await pass(`page ${plan.offset / plan.limit}`);
      return store.page(plan, ...rest);
    },
    changes: async (after, ...rest) => {
      await pass(`changes ${after}`);
      return store.changes(after, ...rest);
    },
    rowsAfter: async (resource, ...rest) => {
      await pass(`snapshot ${resource.name}`);
      return store.rowsAfter(resource, ...rest);
    },
  };
  return { store: gated, gate };
}

/** A listening server on a gated store, where one request of a key reads at a time. */
export async function gatedServer(t: TestContext) {
  const api = await startApi();
  const { store, gate } = gatedStore(api.store);
  const server = await buildServer({
    catalog,
    store,
    log: createLog("silent"),
    openapi: {},
    now: () => api.clock.now,
    cacheBytes: 1024 * 1024,
    protection: { keyConcurrency: 1 },
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  t.after(async () => {
    for (const name of gate.begun) gate.release(name);
    server.closeConnections();
    await server.app.close();
    await api.close();
  });
  const { connections, keyConcurrency } = server.protection;
  const get = async (path: string, key: string, signal: AbortSignal | null = null) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
    return { status: response.status, json: (await response.json()) as Body };
  };
  /** Without a connection, so that requests arrive in the order sent. */
  const send = async (url: string, key: string) => {
    const { statusCode, payload } = await inject(server.handle, { url, headers: { authorization: `Bearer ${key}` } });
    return { status: statusCode, json: JSON.parse(payload) as Body };
  };
  return { api, gate, connections, keyConcurrency, get, send };
}
