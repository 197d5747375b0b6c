// CSV and NDJSON of every list: the same records as in JSON, in the same order, read back by two parsers each.
import assert from "node:assert/strict";
import { parse as csvParse } from "csv-parse/sync";
import fc from "fast-check";
import papaparse from "papaparse";
import type { Listing } from "../../../src/core/catalog/extension.ts";
import type { Json, WireRecord } from "../../../src/core/record/row.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import { runs } from "../../support/budget.ts";
import { type Api, type ApiResponse, recordsOf } from "../../support/clients/api.ts";
import { anyRecord, crowd, sample, seed } from "../../support/records/records.ts";
import { parseUrl, requests, rowsOf, urlOf, widest } from "../../support/requests/requests.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

const withOutput = (url: string, output: string): string => `${url}${url.includes("?") ? "&" : "?"}output=${output}`;

/** The columns of a response, whatever its records are. */
function columnsOf({ fields }: Listing, selected: readonly string[] | undefined): string[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.shown !== "never");
  return names.filter((name) => selected?.includes(name) ?? fields[name]?.shown === "always");
}

const mainMembers: Readonly<Record<string, string>> = { channels: "name", image: "url", stocks: "name", tags: "name" };

/** Text that a spreadsheet could run has an apostrophe. */
function harmless(text: string): string {
  const first = text[0] ?? "";
  const isNumber = /^[+-]?(\d+|\d*\.\d+)[%KMBTkmbt]?$/.test(text);
  return "=+-@\t\r\n＝＋－＠".includes(first) && first !== "" && !isNumber ? `'${text}` : text;
}

function cellOf(name: string, value: Json | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string") return harmless(value);
  if (Array.isArray(value))
    return value
      .map((item) => (typeof item === "string" ? item : String((item as WireRecord)[mainMembers[name] ?? ""])))
      .map(harmless)
      .join(";");
  if (typeof value !== "object") return String(value);
  return Object.keys(value ?? {}).length === 0 ? "" : JSON.stringify(value);
}

/** Requests a list as JSON and in both formats, and compares the records. Returns their number. */
async function agree(api: Api, listing: Listing, url: string, selected?: readonly string[]): Promise<number> {
  const json = await api.fetch(url);
  assert.equal(json.status, 200, `${url} returned ${json.text}`);
  const records: WireRecord[] = recordsOf(json.json);
  const found: Record<string, ApiResponse> = {};
  for (const [output, type] of [
    ["csv", "text/csv; charset=utf-8"],
    ["ndjson", "application/x-ndjson; charset=utf-8"],
  ] as const) {
    const response = await api.fetch(withOutput(url, output));
    found[output] = response;
    assert.deepEqual(
      [response.status, response.headers["content-type"]],
      [200, type],
      `${url} returned ${response.text}`,
    );
    assert.deepEqual((await api.fetch(url, { accept: type })).bytes, response.bytes, url);
    assert.equal(response.headers.vary, json.headers.vary);
    assert.notEqual(response.headers.etag, json.headers.etag);
    const { link } = json.headers;
    assert.equal(response.headers.link?.replace(`output=${output}&`, ""), link, url);
    assert.equal(
      (await api.fetch(withOutput(url, output), { "if-none-match": response.headers.etag ?? "" })).status,
      304,
    );
  }
  const { csv, ndjson } = found as { csv: ApiResponse; ndjson: ApiResponse };
  assert.equal(ndjson.text, records.map((record) => `${JSON.stringify(record)}\n`).join(""), url);
  const columns = columnsOf(listing, selected);
  const expected = [columns, ...records.map((record) => columns.map((name) => cellOf(name, record[name])))];
  assert.deepEqual(csvParse(csv.text, { record_delimiter: "\r\n" }), expected, url);
  assert.deepEqual(papaparse.parse(csv.text, { newline: "\r\n", delimiter: "," }).data, [...expected, [""]], url);
  return records.length;
}

sharingEveryStore("tables", (test) => {
  for (const resource of catalog) {
    test(`${resource.name} are the same records in CSV and NDJSON, with any parameters`, async (api) => {
      const records = sample(crowd(resource, 60));
      await api.has(resource.name, records);
      let found = 0;
      const property = fc.asyncProperty(requests(resource, records, rowsOf(resource, records)), async (url) => {
        found += await agree(api, resource, url, parseUrl(resource, url)?.view.selectedFields);
      });
      await fc.assert(property, { seed, numRuns: runs(6, 120) });
      assert.ok(found > 0, "no request found a record");
    });

    test(`any ${resource.name} can be read back from CSV and NDJSON`, async (api) => {
      const list = fc.uniqueArray(anyRecord(resource), { selector: ({ id }) => id, minLength: 1, maxLength: 12 });
      const property = fc.asyncProperty(list, async (records) => {
        await api.has(resource.name, records);
        const url = urlOf(resource, widest(resource));
        assert.equal(await agree(api, resource, url), records.length);
        await api.store.remove(
          resource,
          records.map(({ id }) => String(id)),
        );
        assert.equal(await agree(api, resource, url), 0);
      });
      await fc.assert(property, { seed, numRuns: runs(3, 12) });
    });
  }

  test("related lists are the same records in CSV and NDJSON", async (api) => {
    for (const resource of catalog) {
      const records = sample(crowd(resource, 24));
      await api.has(resource.name, records);
      const removed = records.slice(0, 4).map(({ id }) => String(id));
      assert.equal(await api.store.remove(resource, removed), removed.length);
    }
    for (const listing of extensions) {
      const owner = catalog.find(({ path }) => listing.path === `${path}/{id}`);
      const ids =
        owner === undefined
          ? [""]
          : sample(crowd(owner, 24))
              .slice(3, 5)
              .map(({ id }) => String(id));
      let found = 0;
      for (const id of ids) found += await agree(api, listing, listing.path.replace("{id}", encodeURIComponent(id)));
      assert.ok(found > 0, `${listing.name} has no records`);
    }
  });
});
