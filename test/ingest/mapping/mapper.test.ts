// Mapped records: other names, other spellings of values, derived IDs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { InputInfo } from "../../../src/ingest/formats/format.ts";
import { Mapper } from "../../../src/ingest/mapping/mapper.ts";
import { type MappingText, parseMapping, parseMappingFile } from "../../../src/ingest/mapping/mapping.ts";
import { catalog } from "../../../src/resources/catalog.ts";

const resourceNamed = (name: string) => catalog.find((each) => each.name === name) as (typeof catalog)[number];

function mapped(resource: string, value: unknown, text: MappingText = {}, info: InputInfo = {}): unknown {
  const mapper = new Mapper(resourceNamed(resource), parseMapping(resourceNamed(resource), text));
  const record = mapper.map({ line: 1, value: structuredClone(value) }, info);
  return "value" in record ? { ...(record.value as object) } : record;
}

describe("values in a file", () => {
  test("may be numbers for decimals, without exponents and without loss", () => {
    const accepted = { pt_current: 230.5, pt_prior: -0.000_000_15, adjusted_pt_current: 1e20 };
    assert.deepEqual(mapped("ratings", accepted), {
      pt_current: "230.5",
      pt_prior: "-0.00000015",
      adjusted_pt_current: 1e20,
    });
  });

  test("may be clock times without seconds, and session codes of one letter", () => {
    assert.deepEqual(mapped("ratings", { time: "9:30" }), { time: "09:30:00" });
    assert.deepEqual(mapped("ratings", { time: "16:05" }), { time: "16:05:00" });
    for (const [letter, code] of [
      ["A", "amc"],
      ["b", "bmo"],
      ["D", "dmh"],
      ["x", "x"],
      ["09:30:00", "09:30:00"],
    ])
      assert.deepEqual(mapped("earnings", { time: letter }), { time: code });
  });

  test("may be tickers as a list of text or one text, under stocks or tickers", () => {
    const stocks = [{ name: "AAPL" }, { name: "BRK.B" }];
    for (const value of [["AAPL", "BRK.B"], "AAPL, BRK.B", [{ name: "AAPL" }, "BRK.B"]]) {
      assert.deepEqual(mapped("news", { stocks: value }), { stocks });
      assert.deepEqual(mapped("news", { tickers: value }), { stocks });
    }
    assert.deepEqual(mapped("news", { tickers: "7203" }, {}, { values: "text" }), { stocks: [{ name: "7203" }] });
  });

  test("may be timestamps in RFC 2822, and in a time zone that the user specifies", () => {
    assert.deepEqual(mapped("news", { created: "Fri, 5 Jun 2020 14:30:54 GMT" }), { created: 1_591_367_454 });
    assert.deepEqual(mapped("ratings", { updated: "2020-06-05T14:30:54Z" }), { updated: 1_591_367_454 });
    assert.deepEqual(mapped("news", { created: "2020-06-05 16:30:54" }), { created: "2020-06-05 16:30:54" });
    const text = { "stamps-in": "Europe/Berlin" };
    assert.deepEqual(mapped("news", { created: "2020-06-05 16:30:54" }, text), { created: 1_591_367_454 });
  });

  test("in our own format keep their types: text is not converted to integers or booleans", () => {
    const record = { importance: "3", confirmed: "true", id: 7 };
    assert.deepEqual(mapped("dividends", record), record);
  });

  test("from other programs may be text for integers and booleans, and numbers for text", () => {
    const record = {
      importance: "3",
      frequency: "4.0",
      confirmed: "TRUE",
      id: 7,
      end_regular_dividend: 0,
      cusip: "12345",
    };
    assert.deepEqual(mapped("dividends", record, {}, { values: "foreign" }), {
      importance: 3,
      frequency: 4,
      confirmed: true,
      id: "7",
      end_regular_dividend: false,
      cusip: "12345",
    });
  });
});

describe("a mapping", () => {
  test("renames columns, splits timestamps into day and time in New York, sets missing values, and drops columns", () => {
    const text = {
      map: ["ticker=symbol", "date=when:date", "time=when:time"],
      set: ["exchange=NASDAQ", "importance=2"],
      ignore: ["n"],
    };
    assert.deepEqual(mapped("ratings", { symbol: "F", when: "2020-06-05T02:30:54Z", n: 1, exchange: "NYSE" }, text), {
      ticker: "F",
      date: "2020-06-04",
      time: "22:30:54",
      exchange: "NYSE",
      importance: 2,
    });
  });

  test("uses midnight for a day, unless its time is used too", () => {
    const value = { when: "2020-06-05T00:00:00Z" };
    assert.deepEqual(mapped("ratings", value, { map: ["date=when:date"] }), { date: "2020-06-05" });
    assert.deepEqual(mapped("ratings", value, { map: ["date=when:date", "time=when:time"] }), {
      date: "2020-06-04",
      time: "20:00:00",
    });
    assert.deepEqual(mapped("ratings", { date: "2020-06-05 00:00:00" }), { date: "2020-06-05" });
    assert.deepEqual(mapped("ratings", { when: 1_591_367_454 }, { map: ["date=when:date"] }), { date: "2020-06-05" });
  });

  test("leaves unknown attributes to be rejected, or drops and counts them, inside lists too", () => {
    const resource = resourceNamed("news");
    const value = { id: 1, foo: 1, stocks: [{ name: "F", bar: 1 }] };
    assert.deepEqual(mapped("news", value), value);
    const mapper = new Mapper(resource, parseMapping(resource, { "ignore-unknown": true }));
    for (const line of [1, 2]) {
      const record = mapper.map({ line, value }, {}) as { value: object };
      assert.deepEqual({ ...record.value }, { id: 1, stocks: [{ name: "F" }] });
    }
    assert.deepEqual(Object.fromEntries(mapper.dropped), { foo: 2, "stocks[].bar": 2 });
  });

  test("survives columns with hostile names", () => {
    const value = JSON.parse('{"id":"a","__proto__":{"x":1},"toString":2}');
    const names = Object.keys(mapped("ratings", value, {}, { values: "foreign" }) as object);
    assert.deepEqual(names.sort(), ["__proto__", "id", "toString"]);
  });
});

/** Titles from which the same 32-bit ID is derived. */
const collidingTitles = ["Title 27673", "Title 36379"];

describe("a derived ID", () => {
  const idOf = (resource: string, value: object, names: string[], map: string[] = []) =>
    (mapped(resource, value, { "id-from": names, map }) as { id?: unknown }).id;

  test("depends only on the values, not on the order or the names of columns", () => {
    const id = idOf("ratings", { ticker: "F", date: "2024-11-05", notes: "x" }, ["ticker", "date"]);
    assert.match(String(id), /^[0-9a-f]{24}$/);
    assert.equal(idOf("ratings", { date: "2024-11-05", ticker: "F" }, ["ticker", "date"]), id);
    assert.equal(idOf("ratings", { date: "2024-11-05", s: "F" }, ["ticker", "date"], ["ticker=s"]), id);
    assert.notEqual(idOf("ratings", { ticker: "F", date: "2024-11-06" }, ["ticker", "date"]), id);
  });

  test("is an integer in the range of the field for news, and no two records of an import share one", () => {
    const resource = resourceNamed("news");
    const mapper = new Mapper(resource, parseMapping(resource, { "id-from": ["title"] }));
    const titles = ["Title 1", ...collidingTitles, "Title 1"];
    const ids = titles.map(
      (title) => (mapper.map({ line: 1, value: { title } }, {}) as { value: { id: number } }).value.id,
    );
    assert.ok(ids.every((id) => Number.isSafeInteger(id) && id >= 1 && id < 2 ** 32));
    assert.deepEqual([new Set(ids).size, ids[0]], [3, ids[3]]);
  });

  test("never replaces one that the record has, and requires at least one value", () => {
    assert.equal(idOf("ratings", { id: "mine", ticker: "F" }, ["ticker"]), "mine");
    assert.equal(idOf("ratings", { date: "2024-11-05" }, ["ticker"]), undefined);
    assert.notEqual(idOf("ratings", { row: 5 }, ["row"]), undefined);
  });
});

describe("the settings of a mapping", () => {
  const ratings = resourceNamed("ratings");

  test("are rejected with the flag, what was received, and what was expected", () => {
    for (const [text, message] of [
      [{ map: ["tikcer=symbol"] }, /^--map: ratings has no field "tikcer"; its fields: .*ticker/],
      [{ map: ["ticker"] }, /^--map: expected FIELD=COLUMN, got "ticker"$/],
      [{ set: ["=x"] }, /^--set: expected FIELD=VALUE, got "=x"$/],
      [{ "stamps-in": "Berlin" }, /^--stamps-in: expected a time zone such as Europe\/Berlin, got "Berlin"$/],
    ] as const)
      assert.throws(() => parseMapping(ratings, text), { message });
  });

  test("may be in a file", () => {
    const content =
      '{"map":{"ticker":"symbol"},"set":{"importance":3},"ignore":["n"],"id-from":["ticker"],"stamps-in":"UTC"}';
    assert.deepEqual(parseMappingFile("m.json", content), {
      map: ["ticker=symbol"],
      set: ["importance=3"],
      ignore: ["n"],
      "ignore-unknown": false,
      "id-from": ["ticker"],
      "stamps-in": "UTC",
    });
    for (const wrong of [
      "x",
      "[]",
      '{"maps":{}}',
      '{"map":[]}',
      '{"ignore":"n"}',
      '{"ignore-unknown":"yes"}',
      '{"stamps-in":1}',
    ])
      assert.throws(() => parseMappingFile("m.json", wrong), /^Error: --mapping: "m.json": expected .*, got /, wrong);
  });
});
