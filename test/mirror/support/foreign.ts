// A foreign in-memory upstream of ratings that implements only the interface, with configurable quirks.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { heartbeatMs } from "../../../src/lease/lease.ts";
import { type MirrorOptions, mirror } from "../../../src/mirror/mirror.ts";
import { type MirrorStatus, mirrorStatus } from "../../../src/mirror/status.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { Store } from "../../../src/store/store.ts";
import { resourceNamed } from "../../support/clients/api.ts";
import { type FakeUpstream, fakeUpstream, json, type ReceivedRequest } from "./fake-upstream.ts";
import { type VirtualClock, virtualClock } from "./virtual-clock.ts";

export type Rating = { id: string; date: string; updated: number; [name: string]: unknown };

export type Habits = {
  /** Maximum page size, smaller than the interface's. */
  mostOnPage?: number;
  /** Deeper pages are refused. */
  deepest?: number;
  /** Whether it has the list of removed records. */
  tellsRemovals?: boolean;
  /** Sends another response; returns whether it did. */
  instead?: (request: ReceivedRequest, response: ServerResponse) => boolean;
};

export type Foreign = {
  readonly server: FakeUpstream;
  readonly records: Map<string, Rating>;
  readonly removed: Map<string, number>;
  habits: Habits;
  /** Removes a record at the upstream's current time. */
  remove(id: string): void;
};

const ratings = resourceNamed("ratings");

export async function foreign(clock: VirtualClock, habits: Habits = {}): Promise<Foreign> {
  const records = new Map<string, Rating>();
  const removed = new Map<string, number>();
  const seconds = () => Math.floor(clock.time / 1000);
  const server = await fakeUpstream((request, response) => {
    const { path, query } = request;
    response.setHeader("date", new Date(clock.time).toUTCString());
    if (upstream.habits.instead?.(request, response)) return;
    if (query.get("token") !== "let-me-in" && request.headers.authorization !== "Bearer let-me-in")
      return void response.writeHead(401).end('{"message":"no such key"}');
    const page = Number(query.get("page") ?? 0);
    const size = Number(query.get("pagesize") ?? query.get("pageSize") ?? 10);
    if (page > (upstream.habits.deepest ?? 100_000)) return void response.writeHead(400).end('{"message":"too deep"}');
    const taken = Math.min(size, upstream.habits.mostOnPage ?? 1000);
    const cut = <T>(list: T[]): T[] => list.slice(page * taken, (page + 1) * taken);
    if (path === ratings.path) return json(response, { ratings: cut(found(query)) });
    if (path === "/api/v2.1/calendar-removed" && upstream.habits.tellsRemovals) {
      const since = Number(query.get("parameters[updated]") ?? 0);
      const lines = [...removed].filter(([, at]) => at >= since).sort(([, a], [, b]) => a - b);
      return json(response, { removed: cut(lines).map(([id, updated]) => ({ id, type: "ratings", updated })) });
    }
    response.writeHead(404).end();
  });
  const found = (query: URLSearchParams): Rating[] => {
    const from = query.get("parameters[date_from]") ?? "";
    const to = query.get("parameters[date_to]") ?? "9999";
    const since = query.get("parameters[updated]");
    const list = [...records.values()].filter(
      ({ date, updated }) => date >= from && date <= to && updated >= Number(since ?? 0),
    );
    const key = ({ date, updated, id }: Rating) => (since === null ? `${date} ${id}` : `${updated} ${id}`);
    list.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    return since === null ? list.reverse() : list;
  };
  const upstream: Foreign = {
    server,
    records,
    removed,
    habits,
    remove: (id) => {
      records.delete(id);
      removed.set(id, seconds());
    },
  };
  return upstream;
}

/** The day this many days before the clock's. */
export const daysAgo = (clock: VirtualClock, days: number): string =>
  new Date(clock.time - days * 86_400_000).toISOString().slice(0, 10);

export type Setting = {
  readonly clock: VirtualClock;
  readonly upstream: Foreign;
  readonly logged: string[];
  /** Runs the mirror once; returns its failures and the requests it sent. */
  once(options?: Partial<MirrorOptions>): Promise<{ failures: readonly string[]; requests: ReceivedRequest[] }>;
  status(): Promise<MirrorStatus>;
  /** IDs in the mirror's database. */
  ids(): Promise<string[]>;
};

/** Options of a single run on a virtual clock. */
export const runOptions = (
  clock: VirtualClock,
  logged: string[],
): Omit<MirrorOptions, "store" | "resources" | "base" | "token" | "tokenIn" | "reconcile"> => ({
  isSubset: false,
  rate: { requests: 1000, periodMs: 1000 },
  floor: undefined,
  everyMs: 30_000,
  once: true,
  via: "auto",
  probes: new Map(),
  adopt: false,
  clock,
  signal: new AbortController().signal,
  batchSize: 500,
  log: (text) => logged.push(text),
  onIngested: () => {},
});

/** A foreign upstream and a mirror of it into a store. */
export async function mirroring(store: Store, run: (setting: Setting) => Promise<void>): Promise<void> {
  const clock = virtualClock(undefined, heartbeatMs);
  const upstream = await foreign(clock);
  const logged: string[] = [];
  try {
    await run({
      clock,
      upstream,
      logged,
      once: async (options) => {
        const before = upstream.server.requests.length;
        const failures = await mirror({
          store,
          resources: [ratings],
          base: upstream.server.url,
          token: "let-me-in",
          tokenIn: "query",
          ...runOptions(clock, logged),
          reconcile: { days: 30, everySeconds: 6 * 3600 },
          ...options,
        });
        return { failures, requests: upstream.server.requests.slice(before) };
      },
      status: async () => {
        const status = await mirrorStatus(store, catalog, Math.floor(clock.time / 1000));
        assert.ok(status);
        return status;
      },
      ids: async () => {
        const rows = await Array.fromAsync(store.scan(ratings));
        return rows.map(({ id }) => String(id));
      },
    });
  } finally {
    await upstream.server.close();
  }
}
