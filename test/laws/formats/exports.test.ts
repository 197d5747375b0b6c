// Exports of every list that can be exported: the first records of the list, in its order, and the rest by the link.
import assert from "node:assert/strict";
import { parse as csvParse } from "csv-parse/sync";
import fc from "fast-check";
import type { Listing } from "../../../src/core/catalog/extension.ts";
import type { WireRecord } from "../../../src/core/record/row.ts";
import { parametersOf } from "../../../src/docs/example.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import { runs } from "../../support/budget.ts";
import { type Api, recordsOf } from "../../support/clients/api.ts";
import { realFetch } from "../../support/clients/real-fetch.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { requests, rowsOf } from "../../support/requests/requests.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

const isExportable = (listing: Listing): boolean => parametersOf(listing).some(({ names }) => names[0] === "limit");

/** The request without its page, with parameters added. */
function withQuery(url: string, more: string): string {
  const [path, query = ""] = url.split("?");
  const others = query.split("&").filter((pair) => pair !== "" && !/^(page|pageSize|pagesize|cursor)=/.test(pair));
  return `${path}?${[...others, more].join("&")}`;
}

const nextOf = (link: string | string[] | undefined): string | undefined =>
  /^<(.*)>; rel="next"$/.exec(String(link ?? ""))?.[1];

/** Compares an export of a few records, and the rest of the list by its link, with the whole list as JSON. */
async function agree(api: Api, url: string, limit: number): Promise<number> {
  const all: WireRecord[] = recordsOf((await api.fetch(withQuery(url, "pagesize=100"))).json);
  assert.ok(all.length < 100, url);
  const lines = all.map((record) => `${JSON.stringify(record)}\n`);
  const exported = await realFetch(api, withQuery(url, `output=ndjson&limit=${limit}`));
  assert.equal(exported.status, 200, `${url} returned ${exported.text}`);
  assert.equal(exported.text, lines.slice(0, limit).join(""), url);
  const next = nextOf(exported.headers.link);
  assert.equal(next !== undefined, all.length >= limit, `${url} with ${limit}`);
  if (next !== undefined) {
    const rest = await realFetch(api, next.replace(`limit=${limit}`, "limit=100000"));
    assert.deepEqual([rest.text, rest.headers.link], [lines.slice(limit).join(""), undefined], url);
  }
  const csv = await realFetch(api, withQuery(url, `output=csv&limit=${limit}`));
  const page = await api.fetch(withQuery(url, "output=csv&pagesize=100"));
  const rows = (text: string) => csvParse(text, { record_delimiter: "\r\n" });
  assert.deepEqual(rows(csv.text), rows(page.text).slice(0, limit + 1), url);
  return all.length;
}

sharingEveryStore("exports", (test) => {
  for (const resource of catalog) {
    test(`${resource.name} are exported in the order of the list, with any parameters`, async (api) => {
      assert.ok(isExportable(resource));
      const records = sample(crowd(resource, 60));
      await api.has(resource.name, records);
      let found = 0;
      const url = requests(resource, records, rowsOf(resource, records));
      const property = fc.asyncProperty(url, fc.integer({ min: 1, max: 70 }), async (each, limit) => {
        found += await agree(api, each, limit);
      });
      await fc.assert(property, { seed, numRuns: runs(8, 150) });
      assert.ok(found > 0, "no request found a record");
    });
  }

  test("related lists with a cursor are exported in their order", async (api) => {
    for (const resource of catalog) {
      const records = sample(crowd(resource, 24));
      await api.has(resource.name, records);
      const ids = records.slice(0, 12).map(({ id }) => String(id));
      await api.store.remove(resource, ids);
    }
    const lists = extensions.filter(isExportable);
    assert.deepEqual(
      lists.map(({ name }) => name),
      ["news-removed", "calendar-removed"],
    );
    for (const { path } of lists) for (const limit of [1, 7, 8, 12, 72]) assert.ok((await agree(api, path, limit)) > 0);
  });
});
