// `copy`: copies everything from one database to another, of either kind, and verifies the result.
import { createHash } from "node:crypto";
import { UsageError } from "../../config.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { exported } from "../../core/record/encoding.ts";
import { loadLimits, textLength } from "../../ingest/import.ts";
import { type Progress, progress } from "../../ingest/progress.ts";
import { catalog } from "../../resources/catalog.ts";
import { usageCounts } from "../../store/rows/usage-row.ts";
import type { Change, IncomingRow, Store, UsageRow } from "../../store/store.ts";
import { type Command, print, printError } from "../command.ts";
import { tuneHeapForBulk } from "../shared/heap.ts";
import { openStore } from "../shared/open-store.ts";

const batchSize = 2000;

export const copyCommand: Command = {
  maxArgs: 0,
  settings: [],
  options: {
    from: { value: "DATABASE", help: "SQLite file or postgres:// URL to read" },
    to: { value: "DATABASE", help: "SQLite file or postgres:// URL to fill; created if it doesn't exist" },
  },
  run: async ({ config, options }) => {
    const { from, to } = options;
    if (typeof from !== "string" || typeof to !== "string") throw new UsageError("copy: expected both --from and --to");
    if (from === to) throw new UsageError("copy: expected --from and --to to be different databases");
    tuneHeapForBulk();
    const source = await openStore(config, "must exist", "from", from);
    try {
      const target = await openStore(config, "create", "to", to);
      try {
        return await copy(source, target);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  },
};

async function copy(source: Store, target: Store): Promise<number> {
  await source.prepare();
  await target.prepare();
  await claimTarget(source, target);
  for (const resource of catalog) await copyRecords(source, target, resource);
  await copyKeys(source, target);
  await copyLinks(source, target);
  await copyChanges(source, target);
  await copyUsage(source, target);
  return (await verify(source, target)) ? 0 : 1;
}

/** Accepts only an empty target, or one with an earlier copy of the same source. */
async function claimTarget(source: Store, target: Store): Promise<void> {
  const { databaseId, settings } = await source.state();
  const begun = await target.getMetadata("copy of");
  if (begun === undefined && !((await target.isEmpty()) && (await target.listKeys()).length === 0)) {
    throw new UsageError("--to: expected an empty database; this one holds records or keys");
  }
  if (begun !== undefined && begun !== databaseId) {
    throw new UsageError("--to: expected an empty database; this one holds a copy of another database");
  }
  await target.setMetadata("copy of", databaseId);
  await target.render({ zone: settings.zone, cusip: settings.cusip });
}

async function copyRecords(source: Store, target: Store, resource: Resource): Promise<void> {
  const total = await source.count(resource);
  const bar = progress(process.stderr, resource.name, { total, phase: "copying" });
  const isEmpty = (await target.count(resource)) === 0;
  const copied = await (isEmpty ? loadAll : putAll)(source, target, resource, bar);
  const isOptimized = isEmpty && target.loading.rebuilds;
  if (copied > 0 && !isOptimized) await target.optimize(resource);
  bar.end();
  printError(`${resource.name}: ${copied} of ${total} records copied`);
}

/** Fills an empty table in one transaction. */
async function loadAll(source: Store, target: Store, resource: Resource, bar: Progress): Promise<number> {
  const records = await source.count(resource);
  const load = await target.load(resource, { log: false, rebuild: true, records });
  let copied = 0;
  let batch = { records: 0, text: 0 };
  try {
    for await (const row of source.scan(resource)) {
      load.add({ row, stamped: false });
      copied++;
      batch.records++;
      batch.text += textLength(row);
      if (batch.records < loadLimits.records && batch.text < loadLimits.text) continue;
      await load.flush();
      batch = { records: 0, text: 0 };
      bar.update({ records: copied });
    }
    await load.commit(bar.phase);
  } catch (error) {
    // What isn't committed is lost even if this fails: the first error is the cause.
    await load.rollback().catch(() => {});
    throw error;
  }
  return copied;
}

/** Scans all records, and writes those that differ. */
async function putAll(source: Store, target: Store, resource: Resource, bar: Progress): Promise<number> {
  let copied = 0;
  let batch: IncomingRow[] = [];
  const flush = async () => {
    await target.put(resource, batch, { log: false });
    copied += batch.length;
    bar.update({ records: copied });
    batch = [];
  };
  for await (const row of source.scan(resource)) {
    batch.push({ row, stamped: false });
    if (batch.length >= batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return copied;
}

async function copyKeys(source: Store, target: Store): Promise<void> {
  const there = new Map((await target.listKeys()).map((key) => [key.hash, JSON.stringify(key)]));
  // In order of creation: a name can be reused only after its older key was revoked.
  for (const key of await source.listKeys()) if (there.get(key.hash) !== JSON.stringify(key)) await target.addKey(key);
}

async function copyLinks(source: Store, target: Store): Promise<void> {
  const there = new Map((await target.listLinks()).map((link) => [link.id, link]));
  for (const link of await source.listLinks()) {
    const { requests, lastUsed, ...row } = link;
    const copied = there.get(link.id);
    if (JSON.stringify(copied) === JSON.stringify(link)) continue;
    await target.addLink(row);
    if (lastUsed !== undefined)
      await target.addUsage([], lastUsed, [{ link: link.id, requests: requests - (copied?.requests ?? 0) }]);
  }
}

async function copyChanges(source: Store, target: Store): Promise<void> {
  for await (const { changes, after, upTo } of logBatches(source, await target.lastPosition()))
    await target.importChanges(changes, await source.recordVersions(after, upTo));
  // What the source has pruned, before the copy or since it started, must not be in the target either.
  const upTo = await source.oldestPosition();
  while ((await target.pruneChanges({ upTo }, batchSize)) > 0);
}

const everyDay = { from: "0000-00-00", to: "9999-99-99" } as const;

/** Adds only what an earlier run has not copied. */
async function copyUsage(source: Store, target: Store): Promise<void> {
  for (const [key, at] of await source.lastUsed()) {
    const rowName = ({ day, resource }: UsageRow) => `${day} ${resource}`;
    const there = new Map((await target.usage({ ...everyDay, key })).map((row) => [rowName(row), row]));
    const missing = (await source.usage({ ...everyDay, key })).map((row) => {
      const counted = usageCounts.map((name) => [name, row[name] - (there.get(rowName(row))?.[name] ?? 0)]);
      return { ...row, ...Object.fromEntries(counted) } as UsageRow;
    });
    for (let from = 0; from < missing.length; from += batchSize)
      await target.addUsage(missing.slice(from, from + batchSize), at);
  }
}

/** Compares counts and checksums of everything on both sides. */
async function verify(source: Store, target: Store): Promise<boolean> {
  let same = true;
  let surplus = false;
  const compare = (what: string, a: Checksum, b: Checksum) => {
    const equal = a.count === b.count && a.sum === b.sum;
    same &&= equal;
    surplus ||= b.count > a.count;
    print(
      `${equal ? "same" : "DIFFERENT"}  ${what}: ${a.count} and ${b.count}, sha256 ${a.sum.slice(0, 12)} and ${b.sum.slice(0, 12)}`,
    );
  };
  for (const resource of catalog)
    compare(resource.name, await checksumRecords(source, resource), await checksumRecords(target, resource));
  compare("keys", await checksumKeys(source), await checksumKeys(target));
  compare("links", await checksumLinks(source), await checksumLinks(target));
  compare("changes", await checksumChanges(source), await checksumChanges(target));
  compare("versions", await checksumVersions(source), await checksumVersions(target));
  compare("usage", await checksumUsage(source), await checksumUsage(target));
  if (surplus)
    printError(
      "the target holds data that the source doesn't, so something wrote to it; start over with an empty database",
    );
  else if (!same)
    printError("the copy differs because the source changed during the copy; run the command again to repair it");
  return same;
}

type Checksum = { readonly count: number; readonly sum: string };

async function checksum(items: AsyncIterable<unknown>): Promise<Checksum> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const item of items) {
    hash.update(JSON.stringify(item)).update("\n");
    count++;
  }
  return { count, sum: hash.digest("hex") };
}

async function checksumRecords(store: Store, resource: Resource): Promise<Checksum> {
  const { rendering } = await store.state();
  async function* records() {
    for await (const row of store.scan(resource)) yield exported(resource, row, rendering);
  }
  return checksum(records());
}

async function checksumKeys(store: Store): Promise<Checksum> {
  const keys = await store.listKeys();
  async function* sorted() {
    yield* keys.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  }
  return checksum(sorted());
}

async function checksumLinks(store: Store): Promise<Checksum> {
  const links = await store.listLinks();
  async function* each() {
    yield* links;
  }
  return checksum(each());
}

async function checksumUsage(store: Store): Promise<Checksum> {
  const keys = [...(await store.lastUsed())].sort(([a], [b]) => (a < b ? -1 : 1));
  async function* rows() {
    for (const [key, at] of keys) {
      yield [key, at];
      yield* await store.usage({ ...everyDay, key });
    }
  }
  return checksum(rows());
}

async function checksumChanges(store: Store): Promise<Checksum> {
  async function* lines() {
    for await (const { changes } of logBatches(store))
      for (const { seq, resource, id, kind, at } of changes) yield [seq, resource, id, kind, at];
  }
  return checksum(lines());
}

async function checksumVersions(store: Store): Promise<Checksum> {
  async function* versions() {
    for await (const { after, upTo } of logBatches(store))
      for (const { seq, resource, id, json, hidden } of await store.recordVersions(after, upTo))
        yield [seq, resource, id, json, hidden];
  }
  return checksum(versions());
}

type LogBatch = { readonly changes: readonly Change[]; readonly after: number; readonly upTo: number };

async function* logBatches(store: Store, from = 0): AsyncGenerator<LogBatch> {
  for (let after = from; ; ) {
    const changes = await store.changes(after, batchSize);
    const upTo = changes.at(-1)?.seq;
    if (upTo === undefined) return;
    yield { changes, after, upTo };
    after = upTo;
  }
}
