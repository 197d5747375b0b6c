// Demo data: loaded once into an empty database, with a key of its own.
import { setImmediate, setTimeout } from "node:timers/promises";
import type { DemoPart, DemoRecord } from "../../../demo/demo.ts";
import { localDay, zone } from "../../core/value/time-zone.ts";
import type { Loose } from "../../ingest/formats/format.ts";
import { importRecords } from "../../ingest/import.ts";
import { progress } from "../../ingest/progress.ts";
import { hashKey, pageKey } from "../../keys/key.ts";
import type { Store } from "../../store/store.ts";
import { complain } from "../command.ts";
import { createKey } from "../keys/keys.ts";
import { resourceNamed } from "../shared/resource-by-name.ts";

/** Small enough for a bar that moves, even on a busy machine. */
const batchSize = 1000;

/** A load that has not been heard of for so long has died. */
const silentSeconds = 20;

/** A load gives a sign of life this often. */
const signSeconds = 2;

/** The words of a news item are indexed, so it takes about as long to write as this many other records. */
const costOf = (resource: DemoPart["resource"]): number => (resource === "news" ? 8 : 1);

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/**
 * Loads the demo into an empty database, or goes on where a killed start left off; of several processes that start at
 * once one does it, and the others wait. Gives the demo key when this process made it.
 */
export async function loadDemo(store: Store): Promise<string | undefined> {
  if ((await store.getMetadata("demo")) === undefined && !(await store.isEmpty())) return undefined;
  // The moment is remembered, so that a second start makes the same records as the first.
  let mine = await store.setMetadataIfAbsent("demo", String(nowSeconds()));
  const resumed = !mine;
  while (!mine) {
    if ((await store.getMetadata("demo")) === "done") return undefined;
    const heard = (await store.getMetadata("demo heard")) ?? (await store.getMetadata("demo")) ?? "0";
    const died = nowSeconds() - Number(heard) > silentSeconds;
    mine = died && (await store.setMetadataIfAbsent(`demo taken over ${heard}`, "yes"));
    if (!mine) await setTimeout(500);
  }
  complain(
    resumed
      ? "Loading the rest of the demo data, which an earlier start did not finish."
      : "The database is empty: loading demo data (--no-demo starts without).",
  );
  return load(store, Number(await store.getMetadata("demo")));
}

async function load(store: Store, moment: number): Promise<string> {
  const started = performance.now();
  const parts = await gather(moment);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const totalCost = parts.reduce((sum, { resource, count }) => sum + count * costOf(resource), 0);
  const bar = progress(process.stderr, "demo", { total });
  let done = 0;
  let cost = 0;
  for (const { resource, count, records } of parts) {
    await importRecords(store, resourceNamed(resource), batches(store, records), {
      now: moment,
      batchSize,
      onRefused: (line, reasons) => {
        throw new Error(`demo record ${line} of ${resource} was refused: ${reasons.join("; ")}`);
      },
      onBatch: ({ read }) =>
        bar.update({ records: done + read, timeShare: (cost + read * costOf(resource)) / totalCost }),
    });
    done += count;
    cost += count * costOf(resource);
  }
  bar.end();
  const seconds = Math.ceil((performance.now() - started) / 1000);
  complain(`Loaded ${total.toLocaleString("en")} demo records in ${seconds} s.`);
  await addPageKey(store);
  // A start that was killed may have made the key and not shown it.
  const key = await createKey(store, await freeName(store, "demo"), { licenses: ["cusip"], expires: "" });
  await store.setMetadata("demo", "done");
  return key;
}

/** The day is New York's, as in the stories. Nothing is published ahead of the moment: a poller would skip what comes. */
async function gather(moment: number): Promise<DemoPart[]> {
  const newYork = zone("America/New_York");
  if (newYork === undefined) throw new Error("this Node.js does not know the time zone America/New_York");
  // Loaded here alone: nearly every start finds a database that is not empty.
  const { demoParts } = await import("../../../demo/demo.ts");
  const parts: DemoPart[] = [];
  for (const part of demoParts({ today: localDay(newYork, moment), now: moment })) {
    parts.push(part);
    await setImmediate();
  }
  return parts;
}

/** The key that the page is given, so that the demo can be looked at before anything is pasted. It reads, and no more. */
async function addPageKey(store: Store): Promise<void> {
  const { databaseId: database } = await store.state();
  const hash = hashKey(pageKey(database));
  // An earlier start that was killed may have made it.
  if ((await store.findKey(hash)) !== undefined) return;
  const name = await freeName(store, "page");
  await store.addKey({ name, hash, licenses: [], scopes: ["read"], created: nowSeconds(), expires: "" });
}

/** The name, unless a key has it: that one may be somebody's own. */
async function freeName(store: Store, name: string): Promise<string> {
  const isTaken = (await store.listKeys()).some((key) => key.name === name && key.revoked === undefined);
  return isTaken ? `${name}-${nowSeconds()}` : name;
}

async function* batches(store: Store, records: Iterable<DemoRecord>): AsyncGenerator<Loose[]> {
  let batch: Loose[] = [];
  let line = 0;
  let heard = 0;
  for (const value of records) {
    batch.push({ line: ++line, value });
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
    if (nowSeconds() >= heard + signSeconds) {
      heard = nowSeconds();
      await store.setMetadata("demo heard", String(heard));
    }
    // Between two batches the process turns to its requests, if only to say that it is starting.
    await setImmediate();
  }
  yield batch;
}
