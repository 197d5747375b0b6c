// A foreign upstream of ratings, in memory: it speaks the interface and nothing more, with habits of its own.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { beatMs } from "../../../src/mirror/lease.ts";
import { type MirrorOptions, mirror } from "../../../src/mirror/mirror.ts";
import { type Status, statusOf } from "../../../src/mirror/status.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { Store } from "../../../src/store/store.ts";
import { resourceNamed } from "../../support/clients/api.ts";
import { type Asked, json, type Pretender, pretender } from "./pretender.ts";
import { type VirtualClock, virtualClock } from "./virtual-clock.ts";

export type Rating = { id: string; date: string; updated: number; [name: string]: unknown };

export type Habits = {
  /** Gives smaller pages than it is asked for. */
  mostOnPage?: number;
  /** Refuses deeper pages. */
  deepest?: number;
  /** Has the list of removed records. */
  tellsRemovals?: boolean;
  /** Answers something else, where this gives true. */
  instead?: (asked: Asked, response: ServerResponse) => boolean;
};

export type Foreign = {
  readonly there: Pretender;
  readonly records: Map<string, Rating>;
  readonly removed: Map<string, number>;
  habits: Habits;
  /** Removes a record, as of the upstream's clock. */
  remove(id: string): void;
};

const ratings = resourceNamed("ratings");

export async function foreign(clock: VirtualClock, habits: Habits = {}): Promise<Foreign> {
  const records = new Map<string, Rating>();
  const removed = new Map<string, number>();
  const seconds = () => Math.floor(clock.time / 1000);
  const there = await pretender((asked, response) => {
    const { path, query } = asked;
    response.setHeader("date", new Date(clock.time).toUTCString());
    if (upstream.habits.instead?.(asked, response)) return;
    if (query.get("token") !== "let-me-in" && asked.headers.authorization !== "Bearer let-me-in")
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
    there,
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

/** Days before the day of the clock. */
export const daysAgo = (clock: VirtualClock, days: number): string =>
  new Date(clock.time - days * 86_400_000).toISOString().slice(0, 10);

export type Setting = {
  readonly clock: VirtualClock;
  readonly upstream: Foreign;
  readonly said: string[];
  /** One run of the mirror until all is there; gives what could not be done, and the requests it took. */
  once(options?: Partial<MirrorOptions>): Promise<{ failures: readonly string[]; asked: Asked[] }>;
  status(): Promise<Status>;
  /** Ids that are here. */
  ids(): Promise<string[]>;
};

/** A foreign upstream and a mirror of it into a store. */
export async function mirroring(store: Store, run: (setting: Setting) => Promise<void>): Promise<void> {
  const clock = virtualClock(undefined, beatMs);
  const upstream = await foreign(clock);
  const said: string[] = [];
  try {
    await run({
      clock,
      upstream,
      said,
      once: async (options) => {
        const before = upstream.there.asked.length;
        const failures = await mirror({
          store,
          resources: [ratings],
          base: upstream.there.url,
          token: "let-me-in",
          tokenIn: "query",
          rate: { requests: 1000, periodMs: 1000 },
          floor: undefined,
          everyMs: 30_000,
          once: true,
          via: "auto",
          recheck: { days: 30, everySeconds: 6 * 3600 },
          lessons: new Map(),
          adopt: false,
          clock,
          signal: new AbortController().signal,
          batchSize: 500,
          say: (text) => said.push(text),
          onTaken: () => {},
          ...options,
        });
        return { failures, asked: upstream.there.asked.slice(before) };
      },
      status: async () => {
        const status = await statusOf(store, catalog, Math.floor(clock.time / 1000));
        assert.ok(status);
        return status;
      },
      ids: async () => {
        const rows = await Array.fromAsync(store.all(ratings));
        return rows.map(({ id }) => String(id));
      },
    });
  } finally {
    await upstream.there.close();
  }
}
