// Demo data: loaded once into an empty database, with a key of its own.
import { setImmediate } from "node:timers/promises";
import { localDay } from "../core/zone.ts";
import { demoRecords, demoResources } from "../demo/demo.ts";
import type { Loose } from "../ingest/formats/format.ts";
import { importRecords } from "../ingest/import.ts";
import { progress } from "../ingest/progress.ts";
import type { Store } from "../store/store.ts";
import { complain, resourceNamed } from "./command.ts";
import { createKey } from "./keys.ts";

const batchSize = 500;

/** Loads the demo into an empty database, or goes on where a killed start left off. Gives the demo key when it is new. */
export async function loadDemo(store: Store): Promise<string | undefined> {
  const begun = await store.note("demo");
  if (begun === "done" || (begun === undefined && !(await store.isEmpty()))) return undefined;
  const { rendering } = await store.state();
  const now = Math.floor(Date.now() / 1000);
  // The day is remembered, so that a second start makes the same records as the first.
  const today = begun ?? localDay(rendering.zone, now);
  if (begun === undefined) await store.setNote("demo", today);
  complain(
    begun === undefined
      ? "The database is empty: loading demo data (--no-demo starts without)."
      : "Loading the rest of the demo data, which an earlier start did not finish.",
  );
  const bar = progress(process.stderr, "demo", undefined);
  let records = 0;
  for (const name of demoResources) {
    const before = records;
    await importRecords(store, resourceNamed(name), batches(name, today), {
      now,
      onRefused: (line, reasons) => {
        throw new Error(`demo record ${line} of ${name} was refused: ${reasons.join("; ")}`);
      },
      onBatch: ({ read }) => {
        records = before + read;
        bar.update({ bytes: 0, records });
      },
    });
  }
  bar.end();
  complain(`Loaded ${records} demo records.`);
  const names = (await store.listKeys()).filter(({ revoked }) => revoked === undefined).map(({ name }) => name);
  // A start that was killed may have made the key and not shown it; a key of that name may also be somebody's own.
  const name = names.includes("demo") ? `demo-${now}` : "demo";
  const key = await createKey(store, name, { licenses: ["cusip"], expires: "" });
  await store.setNote("demo", "done");
  return key;
}

/** Between two batches the process turns to its requests, if only to say that it is starting. */
async function* batches(name: (typeof demoResources)[number], today: string): AsyncGenerator<Loose[]> {
  let batch: Loose[] = [];
  let line = 0;
  for (const value of demoRecords(name, { today })) {
    batch.push({ line: ++line, value });
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
    await setImmediate();
  }
  yield batch;
}
