// Loads demo data and a demo key into an empty database, once.
import { setImmediate, setTimeout } from "node:timers/promises";
import type { DemoPart, DemoRecord } from "../../../demo/demo.ts";
import { localDay, zone } from "../../core/value/time-zone.ts";
import type { ParsedRecord } from "../../ingest/formats/format.ts";
import { importRecords } from "../../ingest/import.ts";
import { progress } from "../../ingest/progress.ts";
import { hashKey, pageKey } from "../../keys/key.ts";
import type { Store } from "../../store/store.ts";
import { printError } from "../command.ts";
import { createKey } from "../keys/keys.ts";
import { resourceByName } from "../shared/resource-by-name.ts";

/** Small enough for a smooth progress bar, even on a busy machine. */
const batchSize = 1000;

/** A load whose current part began this long ago is considered dead. */
const expirySeconds = 20;

/** Relative time to write a record: news has a full-text index. */
const costOf = (resource: DemoPart["resource"]): number => (resource === "news" ? 8 : 1);

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/**
 * Loads the demo into an empty database, or resumes where a killed process left off; of several processes that start at
 * once, one does it and the others wait. Returns the demo key if this process created it.
 */
export async function loadDemo(store: Store): Promise<string | undefined> {
  if ((await store.getMetadata("demo")) === undefined && !(await store.isEmpty())) return undefined;
  // The time is stored so that a resumed load generates the same records.
  let mine = await store.setMetadataIfAbsent("demo", String(nowSeconds()));
  const resumed = !mine;
  while (!mine) {
    if ((await store.getMetadata("demo")) === "done") return undefined;
    const heard = (await store.getMetadata("demo heard")) ?? (await store.getMetadata("demo")) ?? "0";
    const died = nowSeconds() - Number(heard) > expirySeconds;
    mine = died && (await store.setMetadataIfAbsent(`demo taken over ${heard}`, "yes"));
    if (!mine) await setTimeout(500);
  }
  printError(
    resumed
      ? "Resuming the load of demo data that an earlier start did not finish."
      : "The database is empty: loading demo data (use --no-demo to start without it).",
  );
  return load(store, Number(await store.getMetadata("demo")));
}

async function load(store: Store, moment: number): Promise<string> {
  const started = performance.now();
  const parts = await generateParts(moment);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const totalCost = parts.reduce((sum, { resource, count }) => sum + count * costOf(resource), 0);
  const bar = progress(process.stderr, "demo", { total });
  let done = 0;
  let cost = 0;
  for (const { resource, count, records } of parts) {
    await store.setMetadata("demo heard", String(nowSeconds()));
    await importRecords(store, resourceByName(resource), batches(records), {
      now: moment,
      batchSize,
      onRefused: (line, reasons) => {
        throw new Error(`demo record ${line} of ${resource} was refused: ${reasons.join("; ")}`);
      },
      onBatch: ({ read }) =>
        bar.update({ records: done + read, timeShare: (cost + read * costOf(resource)) / totalCost }),
      bulk: { expected: () => count },
    });
    done += count;
    cost += count * costOf(resource);
  }
  bar.end();
  const seconds = Math.ceil((performance.now() - started) / 1000);
  printError(`Loaded ${total.toLocaleString("en")} demo records in ${seconds} s.`);
  await addPageKey(store);
  // A killed process may have created the key without showing it.
  const key = await createKey(store, await freeName(store, "demo"), { licenses: ["cusip"], expires: "" });
  await store.setMetadata("demo", "done");
  return key;
}

/** Days are New York's, as in the stories. Nothing is dated after `moment`, or a poller would skip what follows. */
async function generateParts(moment: number): Promise<DemoPart[]> {
  const newYork = zone("America/New_York");
  if (newYork === undefined) throw new Error("this Node.js doesn't know the time zone America/New_York");
  // Imported lazily: nearly every start finds a database that is not empty.
  const { demoParts } = await import("../../../demo/demo.ts");
  const parts: DemoPart[] = [];
  for (const part of demoParts({ today: localDay(newYork, moment), now: moment })) {
    parts.push(part);
    await setImmediate();
  }
  return parts;
}

/** Adds the read-only key that the web page uses, so that the demo works without pasting a key. */
async function addPageKey(store: Store): Promise<void> {
  const { databaseId } = await store.state();
  const hash = hashKey(pageKey(databaseId));
  // A killed process may have created it.
  if ((await store.findKey(hash)) !== undefined) return;
  const name = await freeName(store, "page");
  await store.addKey({ name, hash, licenses: [], scopes: ["read"], created: nowSeconds(), expires: "" });
}

/** The name, or a variant if another key has it. */
async function freeName(store: Store, name: string): Promise<string> {
  const isTaken = (await store.listKeys()).some((key) => key.name === name && key.revoked === undefined);
  return isTaken ? `${name}-${nowSeconds()}` : name;
}

async function* batches(records: Iterable<DemoRecord>): AsyncGenerator<ParsedRecord[]> {
  let batch: ParsedRecord[] = [];
  let line = 0;
  for (const value of records) {
    batch.push({ line: ++line, value });
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
    // Lets the process handle requests between batches, if only to respond that it is starting.
    await setImmediate();
  }
  yield batch;
}
