// `copy`: moves everything from one database to another, of either kind, and proves that it arrived.
import { createHash } from "node:crypto";
import { UsageError } from "../../config.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { exported } from "../../core/record/encoding.ts";
import type { Row } from "../../core/record/row.ts";
import { progress } from "../../ingest/progress.ts";
import { catalog } from "../../resources/catalog.ts";
import { usageCounts } from "../../store/rows/usage-row.ts";
import type { Store, UsageRow } from "../../store/store.ts";
import { type Command, complain, say } from "../command.ts";
import { openStore } from "../shared/open-store.ts";

const batchSize = 2000;

export const copyCommand: Command = {
  mostWords: 0,
  settings: [],
  options: {
    from: { value: "DATABASE", help: "SQLite file or postgres:// address to read" },
    to: { value: "DATABASE", help: "SQLite file or postgres:// address to fill; made when it is not there" },
  },
  run: async ({ config, options }) => {
    const { from, to } = options;
    if (typeof from !== "string" || typeof to !== "string") throw new UsageError("copy: expected both --from and --to");
    if (from === to) throw new UsageError("copy: --from and --to name the same database");
    const source = await openStore(config, "must exist", "from", from);
    try {
      const target = await openStore(config, "make", "to", to);
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
  await begin(source, target);
  for (const resource of catalog) await copyRecords(source, target, resource);
  await copyKeys(source, target);
  await copyChanges(source, target);
  await copyUsage(source, target);
  // A place is for going on after a stop. Another run looks at everything again, and so mends what differs.
  for (const resource of catalog) await target.setMetadata(placeOf(resource), "");
  return (await verify(source, target)) ? 0 : 1;
}

/** The note that holds the last id that was copied. */
const placeOf = (resource: Resource): string => `copied ${resource.name}`;

/** Only an empty database is filled, or one that an earlier copy of the same source began to fill. */
async function begin(source: Store, target: Store): Promise<void> {
  const { databaseId: database, settings } = await source.state();
  const begun = await target.getMetadata("copy of");
  if (begun === undefined && !((await target.isEmpty()) && (await target.listKeys()).length === 0)) {
    throw new UsageError("--to: expected an empty database; this one holds records or keys");
  }
  if (begun !== undefined && begun !== database) {
    throw new UsageError("--to: expected an empty database; this one holds a copy of another database");
  }
  await target.setMetadata("copy of", database);
  await target.render({ zone: settings.zone, cusip: settings.cusip });
}

async function copyRecords(source: Store, target: Store, resource: Resource): Promise<void> {
  const total = await source.count(resource);
  const bar = progress(process.stderr, resource.name);
  const last = (await target.getMetadata(placeOf(resource))) || undefined;
  let copied = 0;
  let batch: Row[] = [];
  const flush = async () => {
    await target.put(
      resource,
      batch.map((row) => ({ row, stamped: false })),
      { log: false },
    );
    copied += batch.length;
    // What is written again after a stop is found unchanged, so the place may lag behind the records.
    await target.setMetadata(placeOf(resource), String(batch.at(-1)?.id));
    bar.update({ records: copied });
    batch = [];
  };
  const after = last === undefined ? undefined : (resource.fields.id?.fromText(last) as string | number);
  for await (const row of source.scan(resource, after)) {
    batch.push(row);
    if (batch.length >= batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  if (copied > 0) await target.optimize(resource);
  bar.end();
  complain(
    `${resource.name}: ${copied} of ${total} records copied${last === undefined ? "" : " after an earlier start"}`,
  );
}

async function copyKeys(source: Store, target: Store): Promise<void> {
  const there = new Map((await target.listKeys()).map((key) => [key.hash, JSON.stringify(key)]));
  // In the order in which they were made: a name is free again only when its older key is revoked.
  for (const key of await source.listKeys()) if (there.get(key.hash) !== JSON.stringify(key)) await target.addKey(key);
}

async function copyChanges(source: Store, target: Store): Promise<void> {
  let after = await target.lastPosition();
  for (;;) {
    const changes = await source.changes(after, batchSize);
    if (changes.length === 0) break;
    await target.importChanges(changes);
    after = changes.at(-1)?.seq ?? after;
  }
  // What the source has forgotten, before the copy or since an earlier start of it, can't be followed here either.
  const upTo = await source.oldestPosition();
  while ((await target.pruneChanges({ upTo }, batchSize)) > 0);
}

const everyDay = { from: "0000-00-00", to: "9999-99-99" } as const;

/** What an earlier start has copied is not added again. */
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

/** Counts and checksums of everything, on both sides. */
async function verify(source: Store, target: Store): Promise<boolean> {
  let same = true;
  let surplus = false;
  const compare = (what: string, a: Sum, b: Sum) => {
    const equal = a.count === b.count && a.sum === b.sum;
    same &&= equal;
    surplus ||= b.count > a.count;
    say(
      `${equal ? "same" : "DIFFERENT"}  ${what}: ${a.count} and ${b.count}, sha256 ${a.sum.slice(0, 12)} and ${b.sum.slice(0, 12)}`,
    );
  };
  for (const resource of catalog)
    compare(resource.name, await sumRecords(source, resource), await sumRecords(target, resource));
  compare("keys", await sumKeys(source), await sumKeys(target));
  compare("changes", await sumChanges(source), await sumChanges(target));
  compare("usage", await sumUsage(source), await sumUsage(target));
  if (surplus)
    complain("the copy holds what the source does not: it was written to; begin again with an empty database");
  else if (!same) complain("the copy differs: the source was written to meanwhile; run the command again to mend it");
  return same;
}

type Sum = { readonly count: number; readonly sum: string };

async function sumOf(items: AsyncIterable<unknown>): Promise<Sum> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const item of items) {
    hash.update(JSON.stringify(item)).update("\n");
    count++;
  }
  return { count, sum: hash.digest("hex") };
}

async function sumRecords(store: Store, resource: Resource): Promise<Sum> {
  const { rendering } = await store.state();
  async function* records() {
    for await (const row of store.scan(resource)) yield exported(resource, row, rendering);
  }
  return sumOf(records());
}

async function sumKeys(store: Store): Promise<Sum> {
  const keys = await store.listKeys();
  async function* sorted() {
    yield* keys.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  }
  return sumOf(sorted());
}

async function sumUsage(store: Store): Promise<Sum> {
  const keys = [...(await store.lastUsed())].sort(([a], [b]) => (a < b ? -1 : 1));
  async function* rows() {
    for (const [key, at] of keys) {
      yield [key, at];
      yield* await store.usage({ ...everyDay, key });
    }
  }
  return sumOf(rows());
}

async function sumChanges(store: Store): Promise<Sum> {
  async function* lines() {
    for (let after = 0; ; ) {
      const changes = await store.changes(after, batchSize);
      for (const { seq, resource, id, kind, at } of changes) yield [seq, resource, id, kind, at];
      if (changes.length === 0) return;
      after = changes.at(-1)?.seq ?? after;
    }
  }
  return sumOf(lines());
}
