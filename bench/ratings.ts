// Ratings for benchmarks, in import form: those of the demo, again and again further back in time. Always the same.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type DemoRecord, demoRecords } from "../src/demo/demo.ts";

const today = "2025-01-31";
const daySeconds = 86_400;
/** A little more than the demo covers, so that no two copies of it overlap. */
const daysApart = 900;

/** The demo's own ids begin with their second in hexadecimal digits; so do these. */
function movedBack(record: DemoRecord, days: number): DemoRecord {
  const seconds = days * daySeconds;
  const id = String(record.id);
  const at = Number.parseInt(id.slice(0, 8), 16) - seconds;
  return {
    ...record,
    id: `${(at >>> 0).toString(16).padStart(8, "0")}${id.slice(8)}`,
    date: new Date(Date.parse(String(record.date)) - seconds * 1000).toISOString().slice(0, 10),
    updated: Math.max(1, Number(record.updated) - seconds),
  };
}

export function* ratingsRecords(count: number): Generator<DemoRecord> {
  const once = [...demoRecords("ratings", { today })];
  const copies = Math.ceil(count / once.length);
  let left = count;
  for (let copy = copies - 1; copy >= 0; copy--) {
    for (const record of once) {
      if (left-- <= 0) return;
      yield movedBack(record, copy * daysApart);
    }
  }
}

export async function writeRatings(file: string, count: number): Promise<void> {
  function* lines() {
    for (const record of ratingsRecords(count)) yield `${JSON.stringify(record)}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}
