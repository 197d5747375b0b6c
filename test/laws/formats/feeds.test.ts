// Atom of every list that is a feed: an entry per record, in the order of the JSON, as a feed parser reads it.
import assert from "node:assert/strict";
import fc from "fast-check";
import { XMLValidator } from "fast-xml-parser";
import { parseAtomFeed } from "feedsmith";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { isWebAddress } from "../../../src/core/output/web-address.ts";
import type { WireRecord } from "../../../src/core/record/row.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { type Api, recordsOf } from "../../support/clients/api.ts";
import { anyRecord, crowd, sample, seed } from "../../support/records/records.ts";
import { requests, rowsOf, urlOf, widest } from "../../support/requests/requests.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

const feeds = catalog.filter(({ entry }) => entry !== undefined);

const moment = (printed: unknown): string => new Date(String(printed)).toISOString().replace(".000", "");

/** As parsers return text: without blanks at both ends, and without characters that XML forbids. */
const plain = (text: unknown): string =>
  String(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the ones that XML 1.0 forbids.
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .trim();

const known = (text: unknown): string | undefined => (plain(text) === "" ? undefined : plain(text));

async function agree(api: Api, resource: Resource, url: string, ids: Map<unknown, string>): Promise<number> {
  const json = await api.fetch(url);
  const records: WireRecord[] = recordsOf(json.json);
  const { status, text, headers } = await api.fetch(`${url}${url.includes("?") ? "&" : "?"}output=atom`);
  assert.equal(status, 200, `${url} returned ${text}`);
  assert.equal(headers["content-type"], "application/atom+xml; charset=utf-8");
  assert.equal(XMLValidator.validate(text), true, text);
  const feed = parseAtomFeed(text);
  const rel = (name: string) => feed.links?.find((each) => each.rel === name)?.href;
  assert.ok(rel("self")?.startsWith(`${resource.path}?`), text);
  assert.equal(rel("next") ?? "", /^<(.*)>/.exec(headers.link ?? "")?.[1] ?? "");
  assert.match(feed.id ?? "", /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(feed.title?.value, resource.title);
  const latest = records.map(({ updated }) => moment(updated)).toSorted();
  assert.equal(feed.updated, latest.at(-1) ?? "1970-01-01T00:00:00Z");
  const isText = url.includes("format=text");
  for (const [index, record] of records.entries()) {
    const entry = feed.entries?.[index] ?? assert.fail(`no entry ${index} of ${url}`);
    // One ID per record, in every feed.
    assert.equal(entry.id, ids.get(record.id) ?? entry.id);
    ids.set(record.id, entry.id ?? assert.fail());
    const { title, created, updated, author, url: page, body, teaser } = record;
    assert.equal(entry.title?.value ?? "", plain(title));
    assert.deepEqual([entry.updated, entry.published], [moment(updated), moment(created)]);
    assert.equal(entry.authors?.[0]?.name, known(author));
    const channels = (record.channels ?? []) as readonly WireRecord[];
    assert.deepEqual(
      (entry.categories ?? []).map(({ term }) => term),
      channels.flatMap(({ name }) => known(name) ?? []),
    );
    const address = isWebAddress(String(page)) ? new URL(String(page)).href : undefined;
    assert.equal(entry.links?.find((each) => each.rel === "alternate")?.href, address);
    assert.equal(entry.summary?.value, known(teaser));
    assert.equal(entry.content?.value, known(body));
    assert.ok(body === "" || entry.content?.type === (isText ? "text" : "html") || known(body) === undefined);
  }
  assert.equal(feed.entries?.length ?? 0, records.length);
  assert.equal(new Set(feed.entries?.map(({ id }) => id)).size, records.length);
  return records.length;
}

sharingEveryStore("feeds", (test) => {
  for (const resource of feeds) {
    test(`${resource.name} are the same records as entries, with any parameters`, async (api) => {
      const records = sample(crowd(resource, 60));
      await api.has(resource.name, records);
      const ids = new Map<unknown, string>();
      let found = 0;
      const property = fc.asyncProperty(requests(resource, records, rowsOf(resource, records)), async (url) => {
        found += await agree(api, resource, url, ids);
      });
      await fc.assert(property, { seed, numRuns: runs(25, 250) });
      assert.ok(found > 0, "no request found a record");
      assert.equal(new Set(ids.values()).size, ids.size);
    });

    test(`any ${resource.name} are read as entries by a feed parser`, async (api) => {
      const list = fc.uniqueArray(anyRecord(resource), { selector: ({ id }) => id, minLength: 1, maxLength: 12 });
      const property = fc.asyncProperty(list, async (records) => {
        try {
          await api.has(resource.name, records);
          assert.equal(await agree(api, resource, urlOf(resource, widest(resource)), new Map()), records.length);
        } finally {
          await api.store.remove(
            resource,
            records.map(({ id }) => String(id)),
          );
        }
      });
      await fc.assert(property, { seed, numRuns: runs(6, 30) });
    });
  }
});
