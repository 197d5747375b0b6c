// Any record is returned as imported: in JSON and XML, through export and import, and with any rendering.
import assert from "node:assert/strict";
import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { exported } from "../../src/core/record/encoding.ts";
import type { Json, Row } from "../../src/core/record/row.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { runs } from "../support/budget.ts";
import { type Api, type RecordInput, recordsOf, startApi, testNow } from "../support/clients/api.ts";
import { byDefault, expectedBody, expectedRecord, firstLook, type Look, type Shown } from "../support/expected.ts";
import { anyRecord, seed } from "../support/records/records.ts";
import { rowsOf, urlOf, widest } from "../support/requests/requests.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

/** Records at a time: few, since each consists of nasty values. */
const most = 12;

const everything = (resource: Resource): string => urlOf(resource, widest(resource));

/** Checks random records in a store without other records of the resource. */
async function holds(
  api: Api,
  resource: Resource,
  check: (records: readonly RecordInput[]) => Promise<void>,
  numRuns = runs(4, 14),
): Promise<void> {
  const records = fc.uniqueArray(anyRecord(resource), { selector: ({ id }) => id, minLength: 1, maxLength: most });
  const property = fc.asyncProperty(records, async (list) => {
    const ids = list.map(({ id }) => String(id));
    try {
      const outcomes = await api.has(resource.name, list);
      assert.ok(outcomes.every((outcome) => outcome === "created"));
      await check(list);
    } finally {
      await api.store.remove(resource, ids);
    }
  });
  await fc.assert(property, { seed, numRuns });
}

/** Expected records in the order of the response: orders are tested elsewhere. */
function inOrder(resource: Resource, returned: readonly Shown[], list: readonly RecordInput[], look: Look): Shown[] {
  const expected = new Map(list.map((record) => [record.id, expectedRecord(resource, record, look, testNow)]));
  assert.deepEqual(new Set(returned.map(({ id }) => id)), new Set(expected.keys()));
  return returned.map(({ id }) => expected.get(id) as Shown);
}

async function responseAs(api: Api, resource: Resource, list: readonly RecordInput[], look: Look): Promise<string> {
  const { text } = await api.fetch(everything(resource));
  const expected = inOrder(resource, recordsOf(JSON.parse(text)), list, look);
  assert.equal(
    text,
    expectedBody(
      resource,
      expected.map((record) => byDefault(resource, record)),
    ),
  );
  return text;
}

async function storedRows(api: Api, resource: Resource): Promise<Row[]> {
  return Array.fromAsync(api.store.scan(resource));
}

async function exportOf(api: Api, resource: Resource): Promise<string[]> {
  const { rendering } = await api.store.state();
  return (await storedRows(api, resource)).map((row) => JSON.stringify(exported(resource, row, rendering)));
}

sharingEveryStore("records", (test) => {
  for (const resource of catalog) {
    test(`any of ${resource.name} are returned as imported, byte for byte`, async (api) => {
      await holds(api, resource, async (list) => {
        await responseAs(api, resource, list, firstLook);
        for (const field of Object.values(resource.fields)) {
          if (field.shown !== "on request" && field.shown !== "with *") continue;
          const all = await api.fetch(urlOf(resource, [...widest(resource), ["fields", "*"]]));
          const expected = inOrder(resource, recordsOf(all.json), list, firstLook);
          assert.equal(all.text, expectedBody(resource, expected));
        }
      });
    });

    test(`importing the same ${resource.name} again changes nothing`, async (api) => {
      await holds(api, resource, async (list) => {
        const before = await api.fetch(everything(resource));
        const last = (await api.store.changes(0, 1_000_000)).at(-1)?.seq ?? 0;
        // Records without their own timestamp got the time of import, which by itself is no change.
        api.clock.now = testNow + 1000;
        const outcomes = await api.has(resource.name, list);
        api.clock.now = testNow;
        assert.deepEqual(new Set(outcomes), new Set(["unchanged"]));
        assert.deepEqual(await api.store.changes(last, 10), []);
        const after = await api.fetch(everything(resource));
        assert.deepEqual([after.text, after.headers.etag], [before.text, before.headers.etag]);
      });
    });

    test(`a change of any single attribute of ${resource.name} is an update and visible`, async (api) => {
      const names = Object.keys(resource.fields).filter((name) => name !== "id");
      for (const [at, name] of names.entries()) {
        const property = fc.asyncProperty(anyRecord(resource), anyRecord(resource), (first, other) =>
          changes(api, resource, first, name, other),
        );
        // Other records for each attribute.
        await fc.assert(property, { seed: seed + at, numRuns: runs(1, 2) });
      }
    });

    test(`an export of ${resource.name} imported elsewhere yields the same responses and the same export`, async (api) => {
      const other = await startApi();
      try {
        await holds(api, resource, async (list) => {
          const lines = await exportOf(api, resource);
          assert.equal(lines.length, list.length);
          // Later, so that a time of import would show if the export had lost the timestamp.
          other.clock.now = testNow + 1000;
          await other.has(
            resource.name,
            lines.map((line) => JSON.parse(line) as RecordInput),
          );
          assert.deepEqual(await exportOf(other, resource), lines);
          assert.deepEqual(await storedRows(other, resource), await storedRows(api, resource));
          await responseAs(other, resource, list, firstLook);
          await other.store.remove(
            resource,
            list.map(({ id }) => String(id)),
          );
        });
      } finally {
        await other.close();
      }
    });

    test(`responses with ${resource.name} can be rendered differently, and back, and nothing is lost`, async (api) => {
      const check = async (list: readonly RecordInput[]) => {
        const [first, rows, lines] = [
          await api.fetch(everything(resource)),
          await storedRows(api, resource),
          await exportOf(api, resource),
        ];
        const looks: readonly Look[] = [
          { zone: "UTC", cusip: "string" },
          { zone: "Asia/Kathmandu", cusip: "integer" },
          { zone: "Asia/Kathmandu", cusip: "string" },
          firstLook,
        ];
        for (const look of looks) {
          assert.equal(await api.store.render(look), list.length);
          await responseAs(api, resource, list, look);
          assert.deepEqual(await storedRows(api, resource), rows);
        }
        assert.equal((await api.fetch(everything(resource))).text, first.text);
        assert.deepEqual(await exportOf(api, resource), lines);
        assert.equal(await api.store.render(firstLook), 0);
      };
      // Each run renders every record four times, which is the slowest part.
      await holds(api, resource, check, runs(2, 6));
    });

    if (resource.formats.includes("xml")) {
      test(`the XML of ${resource.name} is equivalent to the JSON`, async (api) => {
        await holds(api, resource, async (list) => {
          const { text, headers } = await api.fetch(everything(resource), { accept: "application/xml" });
          assert.equal(headers["content-type"], "application/xml; charset=utf-8");
          const { result } = reader.parse(text) as { result: { item: Xml[] } };
          const json = recordsOf(await api.get(everything(resource))) as Shown[];
          const expected = inOrder(resource, json, list, firstLook).map((record) => byDefault(resource, record));
          assert.deepEqual(result.item, expected.map(asXml));
        });
      });
    }
  }
});

/** Imports a record, then the same with one attribute of another: an update exactly if that makes it a different record. */
async function changes(
  api: Api,
  resource: Resource,
  first: RecordInput,
  name: string,
  other: RecordInput,
): Promise<void> {
  const second = { ...first, [name]: other[name] ?? (resource.fields[name]?.required ? first[name] : null) };
  // Losing its updated timestamp doesn't change a record: the time of import by itself is no change.
  const [before, after] = rowsOf(resource, [first, second]).map((row) => JSON.stringify(row));
  const silent = name === "updated" && !resource.fields.created && !(Number(second.updated) >= 1);
  const outcome = before === after || silent ? "unchanged" : "updated";
  try {
    await api.has(resource.name, [first]);
    const { etag } = (await api.fetch(everything(resource))).headers;
    const last = (await api.store.changes(0, 1_000_000)).at(-1)?.seq ?? 0;
    assert.deepEqual(await api.has(resource.name, [second]), [outcome]);
    const lines = (await api.store.changes(last, 10)).map(({ id, kind }) => [id, kind]);
    assert.deepEqual(lines, outcome === "unchanged" ? [] : [[String(first.id), outcome]]);
    assert.equal((await api.fetch(everything(resource))).headers.etag === etag, outcome === "unchanged");
    await responseAs(api, resource, [outcome === "unchanged" ? first : second], firstLook);
  } finally {
    await api.store.remove(resource, [String(first.id)]);
  }
}

type Xml = string | { [name: string]: Xml | Xml[] };

const reader = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  // For character references, which it decodes only with these.
  htmlEntities: true,
  isArray: (name) => name === "item",
});

/** A value as the parser returns it: text without characters that XML forbids, lists as items, an empty list as nothing. */
function asXml(value: Json): Xml {
  if (Array.isArray(value)) return value.length === 0 ? "" : { item: value.map(asXml) };
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asXml(member as Json)]));
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the ones that XML 1.0 forbids.
  return String(value).replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
}
