// Asserts that two databases are indistinguishable to clients.
import assert from "node:assert/strict";
import fc from "fast-check";
import { exported } from "../../../src/core/record/encoding.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { Store } from "../../../src/store/store.ts";
import { runs } from "../../support/budget.ts";
import { type Api, type Body, type RecordInput, recordsOf, resourceNamed } from "../../support/clients/api.ts";
import { seed } from "../../support/records/records.ts";
import { type Pair, requests, rowsOf, urlOf, widest } from "../../support/requests/requests.ts";

/** Everything in import form, by resource, one line per record. */
export async function exports(store: Store): Promise<Record<string, string[]>> {
  const { rendering } = await store.state();
  const all: Record<string, string[]> = {};
  for (const resource of catalog) {
    const lines: string[] = [];
    for await (const row of store.scan(resource)) lines.push(JSON.stringify(exported(resource, row, rendering)));
    all[resource.name] = lines;
  }
  return all;
}

/** Parameters that filter by hidden attributes. */
const hidden = ["content_types", "importance", "region", "primaryTickers"];

/** Whether a database with only the visible attributes can serve a request identically. */
export function usesVisibleAttributes(url: string): boolean {
  if (!url.startsWith(`${resourceNamed("news").path}?`)) return true;
  const query = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  const byId = (query.get("channels") ?? "").split(",").some((channel) => /^\s*\d+\s*$/.test(channel));
  return !byId && hidden.every((name) => !query.has(name));
}

/** Random requests over all resources, whose values are those of the records. */
export async function randomRequests(store: Store, count: number): Promise<string[]> {
  const { rendering } = await store.state();
  const urls: string[] = [];
  for (const resource of catalog) {
    const records: RecordInput[] = [];
    let seen = 0;
    for await (const row of store.scan(resource))
      if (seen++ % runs(7, 97) === 0) records.push(exported(resource, row, rendering));
    const numRuns = Math.ceil(count / catalog.length);
    urls.push(...fc.sample(requests(resource, records, rowsOf(resource, records)), { seed, numRuns }));
  }
  return urls;
}

/** Asserts that both services send the same response to every request; returns the last one. */
export async function assertSameResponses(one: Api, other: Api, urls: readonly string[]): Promise<Body> {
  let last: Body;
  for (const url of urls) {
    const [a, b] = [await one.fetch(url), await other.fetch(url)];
    assert.equal(a.status, 200, url);
    assert.ok(a.text === b.text, `${url} has the responses ${a.text.slice(0, 300)} and ${b.text.slice(0, 300)}`);
    last = a.json;
  }
  return last;
}

/** Compares every list page by page, with all visible attributes. */
export async function assertSameLists(one: Api, other: Api): Promise<void> {
  for (const resource of catalog) {
    for (let page = 0; ; page++) {
      const requests: Pair[] = [
        ...widest(resource),
        ...Object.entries(resource.intake.unfiltered),
        ["page", String(page)],
      ];
      const url = urlOf(resource, requests.filter(once));
      const last = await assertSameResponses(one, other, [url]);
      if (recordsOf(last).length === 0) break;
    }
  }
}

const once = ([name]: Pair, index: number, all: readonly Pair[]): boolean =>
  all.findLastIndex(([other]) => other === name) === index;
