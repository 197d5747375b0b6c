// Any number of records of each resource, with common and rare values, and how to store them.
import assert from "node:assert/strict";
import {
  conferenceCallRecords,
  dividendRecords,
  economicsRecords,
  guidanceRecords,
} from "../../../bench/records/calendars.ts";
import { earningsRecords } from "../../../bench/records/earnings.ts";
import { newsRecords } from "../../../bench/records/news.ts";
import { ratingsRecords, tickersFor } from "../../../bench/records/ratings.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { IncomingRow, Store } from "../../../src/store/store.ts";
import { type RecordInput, testNow } from "../clients/api.ts";

const makers: Readonly<Record<string, (count: number, tickers: number) => Iterable<RecordInput>>> = {
  news: skewedNews,
  ratings: ratingsRecords,
  dividends: dividendRecords,
  guidance: guidanceRecords,
  earnings: earningsRecords,
  economics: economicsRecords,
  "conference-calls": conferenceCallRecords,
};

/** Deterministic for a count, oldest first. */
export function largeRecords(resource: Resource, count: number): Iterable<RecordInput> {
  const make = makers[resource.name] ?? assert.fail(`no records of ${resource.name}`);
  return make(count, tickersFor(count));
}

/** Benchmark news, a few of which have a rare region, author, and content type. */
function* skewedNews(count: number, tickers: number): Generator<RecordInput> {
  let place = 0;
  for (const record of newsRecords(count, tickers)) {
    place++;
    if (place % 997 === 40) yield { ...record, regions: ["UY"] };
    else if (place % 991 === 40) yield { ...record, author: "Nora Seldom", content_type: "video" };
    else yield record;
  }
}

const batchSize = 5000;

export async function putLargeRecords(store: Store, count: number, resources = catalog): Promise<void> {
  for (const resource of resources) {
    let batch: IncomingRow[] = [];
    for (const record of largeRecords(resource, count)) {
      const accepted = validateRecord(resource, record, testNow);
      assert.ok("row" in accepted, `a record of ${resource.name} was refused: ${JSON.stringify(accepted)}`);
      batch.push(accepted);
      if (batch.length < batchSize) continue;
      await store.put(resource, batch, { log: false });
      batch = [];
    }
    await store.put(resource, batch, { log: false });
    await store.optimize(resource);
  }
}
