// Write transactions on the primary: one at a time, each with its version bump and notification.
import type pg from "pg";
import type { Resource } from "../../../core/catalog/resource.ts";
import { schemaHash } from "../../../core/record/schema-hash.ts";
import { encodeRow, tablesOf } from "../../rows/row-encoding.ts";
import { CountDelta } from "../../sql/count-delta.ts";
import { BusyError, type Store } from "../../store.ts";
import { upsertSetting } from "../metadata.ts";
import { locks } from "../migrate.ts";
import { createMutex } from "../pool/mutex.ts";
import type { Query } from "../pool/pool.ts";
import type { Node } from "../replicas/node.ts";
import { channel, readState } from "../replicas/node-state.ts";
import { batches } from "../rows.ts";
import { insertVersions, pruneChanges } from "./change-log.ts";
import { beginLoad } from "./load.ts";
import { writeCounts } from "./write-counts.ts";
import { insertChanges, removeRows, rerender, writeRows } from "./write-records.ts";

type Work<T> = (client: pg.PoolClient, query: Query) => Promise<{ result: T; changed: boolean }>;

/** Runs work in a transaction and, if it changed anything, increments the named version. */
export type Write = <T>(version: string, work: Work<T>) => Promise<T>;

/** A single writer at a time makes positions of the change log commit in order, so that no reader skips one. */
export function createWriter(primary: Node, timeoutMs: number): Write {
  // Writers of one process wait here: in the database, each would occupy a connection that readers need.
  const mutex = createMutex(timeoutMs, () => new BusyError("too many writes are waiting"));
  return async (version, work) => {
    const result = await mutex(() =>
      primary.pool.transaction(async (client, query) => {
        // Rows are written by key. Without statistics, as after a large insert, the planner would scan whole tables
        // instead.
        await query("select pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true)", locks.write);
        const done = await work(client, query);
        if (done.changed) {
          await bumpVersion(query, version);
          await query("select pg_notify($1, '')", channel);
        }
        return done.result;
      }),
    );
    // It has committed, even if the server fails now.
    await primary.refresh().catch(() => {});
    return result;
  };
}

export function writesOn(
  write: Write,
  catalog: readonly Resource[],
  now: () => number,
): Pick<Store, "put" | "loading" | "load" | "remove" | "importChanges" | "pruneChanges" | "render"> {
  return {
    put: (resource, rows, { log = true } = {}) =>
      write(resource.name, async (client, query) => {
        const { rendering } = await readState(query);
        const delta = new CountDelta(tablesOf(resource));
        const encoded = rows.map((row) => ({ ...row, encoded: encodeRow(delta.tables, row.row, rendering) }));
        const options = { rendering, at: log ? now() : undefined, hasRemovals: true };
        const result = await writeRows(client, query, delta, encoded, options);
        await writeCounts(query, delta);
        return { result, changed: result.some((outcome) => outcome !== "unchanged") };
      }),
    // Readers scan past records that aren't committed, at about a microsecond each. Writers wait in a queue.
    loading: { rebuilds: false, records: 5000, seconds: 5, pauseMilliseconds: 0 },
    load: (resource, { log = true } = {}) => beginLoad(write, resource, log ? now() : undefined),
    remove: (resource, ids) =>
      write(resource.name, async (client, query) => {
        const result = await removeRows(client, query, resource, ids, now());
        return { result, changed: result > 0 };
      }),
    importChanges: (changes, versions = []) =>
      write("changes", async (client, query) => {
        await insertChanges(client, query, changes);
        await insertVersions(query, versions);
        for (const name of new Set(changes.map(({ resource }) => resource))) await bumpVersion(query, name);
        return { result: undefined, changed: true };
      }),
    pruneChanges: (cutoff, limit) =>
      write("removals", async (_client, query) => {
        const { entries, removals } = await pruneChanges(query, cutoff, limit);
        return { result: entries + removals, changed: removals > 0 };
      }),
    render: (settings) =>
      write(catalog[0]?.name ?? "", async (client, query) => {
        const { settings: old } = await readState(query);
        const updated = {
          zone: settings.zone ?? old.zone,
          cusip: settings.cusip ?? old.cusip,
          form: schemaHash(catalog),
        };
        const isSame = updated.zone === old.zone && updated.cusip === old.cusip && updated.form === old.form;
        if (isSame) return { result: 0, changed: false };
        for (const [name, value] of Object.entries(updated)) await query(upsertSetting, name, value);
        return { result: await renderAll(client, query, catalog), changed: true };
      }),
  };
}

async function renderAll(client: pg.PoolClient, query: Query, catalog: readonly Resource[]): Promise<number> {
  const { rendering } = await readState(query);
  let rendered = 0;
  for (const resource of catalog) {
    for await (const batch of batches(query, resource)) {
      await rerender(client, query, resource, batch, rendering);
      rendered += batch.length;
    }
    await bumpVersion(query, resource.name);
  }
  return rendered;
}

async function bumpVersion(query: Query, name: string): Promise<void> {
  await query(
    `insert into version (name, seq) values ($1, coalesce((select max(seq) from change), 1))
     on conflict (name) do update set seq = greatest(excluded.seq, version.seq + 1)`,
    name,
  );
}
