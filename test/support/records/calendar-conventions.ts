// The conventions that all calendars share: response shape and common parameters. Each calendar's test file provides
// its path and a record with every field, and tests what is specific to it.
import assert from "node:assert/strict";
import type { RecordInput } from "../clients/api.ts";
import { readingEveryStore } from "../stores/every-store.ts";

export type CalendarFacts = {
  readonly name: string;
  readonly url: string;
  /** A record with every field of the interface, by the JSON type of the field. */
  readonly texts: RecordInput;
  readonly integers: RecordInput;
  readonly flags?: RecordInput;
  /** Absent where the calendar has no such parameter, or other bounds. */
  readonly importance?: "0 to 5";
  readonly tickers?: true;
};

const list = (count: number): string => Array.from({ length: count }, (_, index) => `T${index}`).join(",");

export function calendarConventions({
  name,
  url,
  texts,
  integers,
  flags = {},
  importance,
  tickers,
}: CalendarFacts): void {
  const record = { ...texts, ...integers, ...flags };

  readingEveryStore(`${name}: the response`, (test) => {
    test(`is an object whose only key, ${name}, contains records with every field, as imported`, async (api) => {
      await api.has(name, [record]);
      assert.deepEqual(await api.get(url), { [name]: [record] });
    });

    test("has fields of the documented types", async (api) => {
      await api.has(name, [record]);
      const [found] = (await api.get(url))[name];
      for (const field of Object.keys(texts)) assert.equal(typeof found[field], "string", field);
      for (const field of Object.keys(integers)) assert.ok(Number.isInteger(found[field]), field);
      for (const field of Object.keys(flags)) assert.equal(typeof found[field], "boolean", field);
    });

    test("is JSON only, requires a token, and exists in one version only", async (api) => {
      assert.equal((await api.fetch(url, { accept: "application/json" })).status, 200);
      assert.equal((await api.fetch(url, { accept: "application/xml" })).status, 406);
      assert.equal((await api.request(url)).status, 401);
      assert.equal((await api.request(`${url}?token=${api.token}`)).status, 200);
      const others = ["v2", "v2.1", "v2.2"]
        .map((version) => `/api/${version}/calendar/${name}`)
        .filter((each) => each !== url);
      for (const other of others) assert.equal((await api.fetch(other)).status, 404);
    });
  });

  readingEveryStore(`${name}: conventional parameters`, (test) => {
    test("accept page from 0 to 100000, pagesize up to 1000", async (api) => {
      await api.has(name, [{ id: "a" }, { id: "b" }, { id: "c" }].map(primary));
      assert.deepEqual(await api.ids(`${url}?pagesize=2`), ["c", "b"]);
      assert.deepEqual(await api.ids(`${url}?pagesize=2&page=1`), ["a"]);
      assert.deepEqual(await api.ids(`${url}?pagesize=1000&page=100000`), []);
      await api.errors(`${url}?pagesize=1001`);
      await api.errors(`${url}?page=100001`);
    });

    test("treat parameters[date] as date_from and date_to on the same day; without a date the latest come first", async (api) => {
      await api.has(
        name,
        ["2024-11-04", "2024-11-05", "2024-11-06"].map((date) => primary({ id: date, date })),
      );
      assert.deepEqual(await api.ids(`${url}?parameters[date]=2024-11-05`), ["2024-11-05"]);
      assert.deepEqual(await api.ids(`${url}?parameters[date_from]=2024-11-05&parameters[date_to]=2024-11-05`), [
        "2024-11-05",
      ]);
      assert.deepEqual(await api.ids(`${url}?parameters[date_from]=2024-11-05`), ["2024-11-06", "2024-11-05"]);
      assert.deepEqual(await api.ids(`${url}?parameters[date_to]=2024-11-05`), ["2024-11-05", "2024-11-04"]);
      assert.deepEqual(await api.ids(`${url}?pagesize=1`), ["2024-11-06"]);
    });

    test("treat parameters[updated] as records updated at or after that time, in that order", async (api) => {
      const updates = { a: 3000, b: 1000, c: 2000 };
      await api.has(
        name,
        Object.entries(updates).map(([id, updated]) => primary({ id, updated })),
      );
      assert.deepEqual(await api.ids(`${url}?parameters[updated]=2000`), ["c", "a"]);
    });

    if (importance !== undefined) {
      test("treat parameters[importance], 0 to 5, as greater than or equal", async (api) => {
        await api.has(
          name,
          [0, 3, 5].map((level) => primary({ id: `i${level}`, importance: level })),
        );
        assert.deepEqual(await api.ids(`${url}?parameters[importance]=3`), ["i5", "i3"]);
        assert.deepEqual(await api.ids(`${url}?parameters[importance]=0`), ["i5", "i3", "i0"]);
        await api.errors(`${url}?parameters[importance]=6`);
      });
    }

    if (tickers !== undefined) {
      test("accept at most 50 parameters[tickers]", async (api) => {
        await api.has(
          name,
          ["AAPL", "MSFT", "T"].map((ticker) => primary({ id: ticker, ticker })),
        );
        assert.deepEqual(await api.ids(`${url}?parameters[tickers]=AAPL,T`), ["T", "AAPL"]);
        await api.get(`${url}?parameters[tickers]=${list(50)}`);
        await api.errors(`${url}?parameters[tickers]=${list(51)}`);
      });
    }
  });

  /** Guidance shows primary records by default; other calendars have no such field. */
  function primary(record: RecordInput): RecordInput {
    return "is_primary" in texts ? { is_primary: "true", ...record } : record;
  }
}
