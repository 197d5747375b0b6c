// Pages projected as text equal parsing, selecting, transforming, and serializing each record.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Rendering } from "../../../src/core/catalog/field.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import type { Transform } from "../../../src/core/catalog/rule.ts";
import type { View } from "../../../src/core/query/planner.ts";
import { encodeRecord } from "../../../src/core/record/encoding.ts";
import { projectionOf } from "../../../src/core/record/projection.ts";
import type { Json } from "../../../src/core/record/row.ts";
import { type Zone, zone } from "../../../src/core/value/time-zone.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { simplifyRatings } from "../../../src/resources/simplify.ts";
import { runs } from "../../support/budget.ts";
import { type Shown, viewed } from "../../support/expected.ts";
import { anyRecord, seed } from "../../support/records/records.ts";
import { rowsOf } from "../../support/requests/requests.ts";

const rendering: Rendering = { zone: zone("America/New_York") as Zone, cusip: "integer" };

/** The JSON of records as returned by a store, including heavy values. */
function storedJson(resource: Resource, records: Parameters<typeof rowsOf>[1]): string[] {
  return rowsOf(resource, records).map((row) => {
    const { fragments, heavy } = encodeRecord(resource, row, rendering);
    return fragments.map((piece, index) => piece + (heavy[index] ?? "")).join("");
  });
}

/** Changes of any field: of its type, of its length, to something that must be escaped. */
const turned: Transform = {
  name: "turned",
  members: Object.fromEntries(
    catalog.flatMap(({ fields }) => Object.keys(fields).map((name) => [name, (value: Json) => [value, '"\\']])),
  ),
};
const emptied: Transform = { name: "emptied", members: { ticker: () => "", title: () => null, id: (value) => value } };

for (const resource of catalog) {
  const shown = Object.keys(resource.fields).filter((name) => resource.fields[name]?.shown === "always");
  const derivable = Object.keys(resource.fields).filter((name) => resource.fields[name]?.derive !== undefined);

  test(`any view of ${resource.name} is the same as text and record by record`, () => {
    const view: fc.Arbitrary<View> = fc.record(
      {
        selectedFields: fc.subarray([...shown, ...derivable].sort()),
        transforms: fc.subarray([simplifyRatings, turned, emptied]),
      },
      { requiredKeys: ["transforms"] },
    );
    const records = fc.array(anyRecord(resource), { maxLength: 5 });
    fc.assert(
      fc.property(records, view, (list, projection) => {
        const stored = storedJson(resource, list);
        const expected = stored.map((json) => {
          const record = JSON.parse(json) as Shown;
          const whole = Object.entries(resource.fields).flatMap(([name, { derive }]) => {
            if (derive !== undefined) return [[name, derive.compute(...derive.from.map((each) => record[each]))]];
            return record[name] === undefined ? [] : [[name, record[name]]];
          });
          return JSON.stringify(viewed(resource, Object.fromEntries(whole), projection));
        });
        const reshape = projectionOf(resource, projection) ?? assert.fail("it should be possible");
        assert.equal(reshape.page(stored.join(",")), expected.join(","));
      }),
      { seed, numRuns: runs(30, 150) },
    );
  });
}

const ratings = catalog.find(({ name }) => name === "ratings") as Resource;
const shapedAs = (view: View, records: string): string | undefined => projectionOf(ratings, view)?.page(records);

test("a field that is neither in the text of a record nor derivable from it can't be projected", () => {
  assert.equal(projectionOf(ratings, { selectedFields: ["id", "ratings_accuracy"], transforms: [] }), undefined);
  assert.deepEqual(projectionOf(ratings, { selectedFields: ["id", "pt_pct_change"], transforms: [] })?.derived, [
    "pt_pct_change",
  ]);
});

test("selecting no fields yields empty records, and no records yield nothing", () => {
  assert.equal(shapedAs({ selectedFields: [], transforms: [] }, '{"id":"a"},{"id":"b"}'), "{},{}");
  assert.equal(shapedAs({ selectedFields: ["id"], transforms: [] }, ""), "");
  assert.equal(shapedAs({ transforms: [simplifyRatings] }, ""), "");
});

test("records of a newer form, with more fields, and those that omit some are read", () => {
  const records = '{"a":1,"date":"2024-01-01","id":"a","zone":"z"},{"id":"b","j":"{}"},{"date":"2024-01-03"}';
  assert.equal(
    shapedAs({ selectedFields: ["date", "id"], transforms: [] }, records),
    '{"date":"2024-01-01","id":"a"},{"id":"b"},{"date":"2024-01-03"}',
  );
  const news = catalog.find(({ name }) => name === "news") as Resource;
  const nested = '{"a":[{"id":"]}"}],"id":1,"j":{"title":"\\\\"},"title":"t"},{"title":"u"},{}';
  assert.equal(
    projectionOf(news, { selectedFields: ["id", "title"], transforms: [] })?.page(nested),
    '{"id":1,"title":"t"},{"title":"u"},{}',
  );
});

test("text that looks like the end of a record, or like a name, is text", () => {
  for (const notes of [
    "},{",
    '},{"',
    '},{"id":"x"',
    ',"ticker":"X"',
    '{"id":',
    '"},{"id":"',
    "},{,",
    "},{}",
    ',\\"ticker":',
  ]) {
    const record = JSON.stringify({ id: notes, notes, ticker: "T" });
    for (const selectedFields of [["ticker"], ["id"], ["notes", "ticker"], ["id", "date"]]) {
      const expected = JSON.stringify(
        Object.fromEntries(Object.entries(JSON.parse(record)).filter(([name]) => selectedFields.includes(name))),
      );
      assert.equal(shapedAs({ selectedFields, transforms: [] }, `${record},${record}`), `${expected},${expected}`);
    }
  }
});

test("strings end at their own quote, however long they are and whatever is escaped before it", () => {
  for (const length of [0, 28, 29, 30, 31, 32, 33, 34, 35, 100]) {
    for (const end of ["", "\\", '"', '\\"', '"\\', "\\\\", '"}],{"id":"']) {
      const name = "x".repeat(length) + end;
      const record = JSON.stringify({ id: "a", name, notes: "n" });
      assert.equal(shapedAs({ selectedFields: ["id", "notes"], transforms: [] }, record), '{"id":"a","notes":"n"}');
      assert.equal(shapedAs({ selectedFields: ["name"], transforms: [] }, record), JSON.stringify({ name }));
    }
  }
});

test("malformed records are rejected instead of looping", () => {
  for (const damaged of ['{"id":"a', '{"id":"a\\"}', '{"id":1', "[]"]) {
    assert.throws(() => shapedAs({ selectedFields: ["id"], transforms: [] }, damaged), /stored record/);
  }
  const news = catalog.find(({ name }) => name === "news") as Resource;
  for (const damaged of ['{"id":1', '{"id', '{"id":"a\\"}', '{"id":[{"a":1}', '{"id":[1,2}', "[]"])
    assert.throws(() => projectionOf(news, { selectedFields: ["id"], transforms: [] })?.page(damaged), /stored record/);
});
