// A database with the demo around a day: small enough for a test, the same for a day and a seed, and loaded once.
import { readFile } from "node:fs/promises";
import { demoParts } from "../demo/demo.ts";
import { addDays, localDay, type Zone, zone } from "../src/core/value/time-zone.ts";
import { camel } from "../src/docs/client-types.ts";
import { openSqlite } from "../src/open-sqlite.ts";
import { catalog } from "../src/resources/catalog.ts";
import { copyDatabase, type TemporaryDatabase, temporaryDatabase } from "./database.ts";
import { rowsOf } from "./records-to-rows.ts";

/** Days before and after that of the clock. */
const days = 7;

/** Databases with the demo, by time and seed. */
const templates = new Map<string, Promise<Uint8Array>>();

/** `now`: Unix seconds. */
export async function demoDatabase(now: number, seed: number): Promise<TemporaryDatabase> {
  const key = `${now} ${seed}`;
  const template = templates.get(key) ?? loadDemo(now, seed);
  templates.set(key, template);
  return copyDatabase(await template);
}

async function loadDemo(now: number, seed: number): Promise<Uint8Array> {
  const { file, remove } = temporaryDatabase();
  const store = openSqlite({ file, now: () => now, isServing: false });
  const all = rowsOf(demoRecords(now, seed), now);
  await store.prepare();
  for (const { resource, rows } of all) await store.put(resource, rows);
  await store.close();
  const bytes = await readFile(file);
  remove();
  return bytes;
}

/** Records by list, as known at `now`. */
function demoRecords(now: number, seed: number): Record<string, object[]> {
  const today = localDay(zone("America/New_York") as Zone, now);
  const last = addDays(today, days);
  const records: Record<string, object[]> = {};
  for (const part of demoParts({ today, now, seed, from: addDays(today, -days) })) {
    const column = catalog.find(({ name }) => name === part.resource)?.intake.days.column ?? "";
    // Timestamps are never ahead of the clock; days of calendars are, by months.
    const isNear = (value: unknown): boolean => typeof value !== "string" || value <= last;
    records[camel(part.resource)] = [...part.records].filter((record) => isNear(record[column]));
  }
  return records;
}
