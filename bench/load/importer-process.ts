// The importer process: ten small batches a second through the regular import, alternating news and ratings.
import { setTimeout as pause } from "node:timers/promises";
import { importRecords } from "../../src/ingest/import.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { news } from "../../src/resources/news.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { liveRecord } from "../records/live.ts";
import { type Imported, type ImporterOrder, recordsPerSecond } from "./importer.ts";

const batchesPerSecond = 10;
const batchSize = recordsPerSecond / batchesPerSecond;

let stopped = false;

async function importUntilStopped({ database, run, tickers }: ImporterOrder): Promise<Imported> {
  const store = openSqlite({ file: database });
  // The first record creates the companies, which must not happen during the measurement.
  liveRecord("ratings", run, 0, tickers);
  process.send?.("ready");
  const start = performance.now();
  let written = 0;
  for (let batch = 0; !stopped; batch++) {
    const resource = batch % 2 === 0 ? news : ratings;
    const records = Array.from({ length: batchSize }, (_, place) => ({
      line: place + 1,
      value: liveRecord(batch % 2 === 0 ? "news" : "ratings", run, batch * batchSize + place, tickers),
    }));
    const report = await importRecords(store, resource, [records], {
      now: Math.floor(Date.now() / 1000),
      onRefused: (_line, reasons) => {
        throw new Error(`a live record was refused: ${reasons.join("; ")}`);
      },
    });
    written += report.created;
    const due = start + ((batch + 1) * 1000) / batchesPerSecond;
    await pause(Math.max(0, due - performance.now()));
  }
  await store.close();
  return { records: written, seconds: (performance.now() - start) / 1000 };
}

process.on("message", (message: ImporterOrder | "stop") => {
  if (message === "stop") stopped = true;
  else void importUntilStopped(message).then((imported) => process.send?.(imported, () => process.exit(0)));
});
