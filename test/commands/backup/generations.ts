// Databases for backup tests: all records of one carry the same word, so that a mixture of two is detected.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { openSqlite } from "../../../src/open-sqlite.ts";
import { resourceNamed } from "../../support/clients/api.ts";
import { bellwireWrites, folder } from "../support/bellwire.ts";

const ratings = resourceNamed("ratings");
const batchSize = 1000;

/** Rows that name their batch; at least a kilobyte each, so that a backup takes a while. */
const rowsOf = (generation: string, length = 12_000) =>
  Array.from({ length: batchSize }, (_, n) => {
    const record = { id: `r${n}`, date: "2024-11-05", ticker: generation, notes: "x".repeat(length), updated: 1 };
    const accepted = validateRecord(ratings, record, 1);
    assert.ok("row" in accepted);
    return accepted;
  });

/** A closed database of one generation, with news in its full-text index, in a separate folder. */
export async function databaseOf(generation: string, length?: number): Promise<string> {
  const file = join(mkdtempSync(join(folder, "backup-")), "test.db");
  const store = openSqlite({ file });
  await store.put(ratings, rowsOf(generation, length));
  const news = resourceNamed("news");
  const items = Array.from({ length: 300 }, (_, n) =>
    validateRecord(news, { id: n + 1, title: `Title ${n}`, created: n + 1, body: `<p>${generation} body ${n}</p>` }, 1),
  );
  await store.put(
    news,
    items.flatMap((item) => ("row" in item ? [item] : [])),
  );
  await store.close();
  return file;
}

/** The generations of a database's records: exactly one when it is intact. */
export function generations(file: string): string[] {
  // Opened as the service does, which recovers from a killed process.
  const db = new DatabaseSync(file);
  try {
    db.exec("pragma journal_mode = wal");
    assert.deepEqual({ ...db.prepare("pragma integrity_check").get() }, { integrity_check: "ok" });
    assert.equal(db.prepare("select count(*) as n from ratings").get()?.n, batchSize);
    return db
      .prepare("select distinct ticker from ratings")
      .all()
      .map(({ ticker }) => String(ticker));
  } finally {
    db.close();
  }
}

export const around = (file: string): string[] => readdirSync(dirname(file)).sort();
export const exportOf = (database: string, resource = "ratings") =>
  bellwireWrites(["export", resource, "--database", database]);

/** Overwrites the middle of a page that holds records. */
export function damagePage(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xff, 4096 * 40 + 5, 4096 * 44);
  writeFileSync(file, bytes);
}
