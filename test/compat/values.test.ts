// Sizes and values of calendars that clients of other implementations send, with and without the compatibility switch.
import assert from "node:assert/strict";
import { onEveryStore, sharingEveryStore } from "../support/stores/every-store.ts";
import { bothWays, idsOf } from "./both-ways.ts";

const calendar = (name: string) => `/api/v2.1/calendar/${name}`;

sharingEveryStore("page sizes and pages", (test) => {
  test("a size above the limit is lowered to it, and a header says so", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has(
      "news",
      Array.from({ length: 105 }, (_, index) => ({ id: index + 1 })),
    );
    const found = await lenient("/api/v2/news?pageSize=1000");
    assert.equal(found.json.length, 100);
    assert.equal(found.headers["x-adjusted-parameters"], "pageSize=100");
    assert.equal((await strict("/api/v2/news?pageSize=1000")).status, 400);
    const calendars = await lenient(`${calendar("earnings")}?pagesize=5000`);
    assert.equal(calendars.headers["x-adjusted-parameters"], "pagesize=1000");
  });

  test("a size within the limit is left alone, and one that is no number is an error", async (api) => {
    const { lenient } = await bothWays(api);
    assert.equal((await lenient("/api/v2/news?pageSize=100")).headers["x-adjusted-parameters"], undefined);
    for (const size of ["0", "-5", "many"]) assert.equal((await lenient(`/api/v2/news?pageSize=${size}`)).status, 400);
  });

  test("a negative page is the first one, and a header says so", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [{ id: 1 }]);
    const found = await lenient("/api/v2/news?page=-1&pageSize=500");
    assert.deepEqual(idsOf(found), [1]);
    assert.equal(found.headers["x-adjusted-parameters"], "page=0,pageSize=100");
    assert.equal((await strict("/api/v2/news?page=-1")).status, 400);
    assert.equal((await lenient("/api/v2/news?page=100001")).status, 400);
  });
});

sharingEveryStore("values of calendars", (test) => {
  test("dateSort and parameters[date_sort] are asc or desc", async (api) => {
    const { lenient, strict } = await bothWays(api);
    const days = [
      { id: "a", date: "2024-01-01" },
      { id: "b", date: "2024-01-02" },
    ];
    for (const name of ["earnings", "ratings", "economics", "conference-calls"]) {
      await api.has(name, days);
      for (const parameter of ["dateSort", "parameters[date_sort]", "parameters[dateSort]", "date_sort"]) {
        const url = `${calendar(name)}?${parameter}`;
        assert.deepEqual(idsOf(await lenient(`${url}=asc`)), ["a", "b"], url);
        assert.deepEqual(idsOf(await lenient(`${url}=desc`)), ["b", "a"], url);
      }
    }
    assert.equal((await strict(`${calendar("earnings")}?parameters[date_sort]=asc`)).status, 400);
    const unknown = await strict(`${calendar("earnings")}?dateSort=asc`);
    assert.deepEqual([idsOf(unknown), unknown.headers["x-ignored-parameters"]], [["b", "a"], "dateSort"]);
    assert.deepEqual(idsOf(await lenient(`${calendar("earnings")}?dateSort=date:asc`)), ["a", "b"]);
  });

  test("dividends sort by date in either direction, and by the dates they have", async (api) => {
    const { lenient } = await bothWays(api);
    await api.has("dividends", [
      { id: "a", date: "2024-01-01", ex_dividend_date: "2024-03-01" },
      { id: "b", date: "2024-01-02", ex_dividend_date: "2024-02-01" },
    ]);
    const url = "/api/v2.2/calendar/dividends";
    assert.deepEqual(idsOf(await lenient(`${url}?dateSort=asc`)), ["a", "b"]);
    assert.deepEqual(idsOf(await lenient(`${url}?dateSort=ex`)), ["a", "b"]);
    assert.deepEqual(idsOf(await lenient(`${url}?dateSort=desc`)), ["b", "a"]);
  });

  test("isPrimary is true or false", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("guidance", [
      { id: "a", is_primary: "true" },
      { id: "b", is_primary: "false" },
    ]);
    const url = calendar("guidance");
    assert.deepEqual(idsOf(await lenient(`${url}?isPrimary=true`)), ["a"]);
    const secondary = await lenient(`${url}?isPrimary=false`);
    assert.deepEqual(idsOf(secondary), ["b"]);
    assert.equal(secondary.headers["x-adjusted-parameters"], "parameters[is_primary]=N");
    assert.deepEqual(idsOf(await lenient(`${url}?parameters[is_primary]=False`)), ["b"]);
    assert.deepEqual(idsOf(await lenient(`${url}?parameters[is_primary]=all`)).sort(), ["a", "b"]);
    const ignored = await strict(`${url}?isPrimary=false`);
    assert.deepEqual([idsOf(ignored), ignored.headers["x-ignored-parameters"]], [["a"], "isPrimary"]);
    assert.equal((await strict(`${url}?parameters[is_primary]=false`)).status, 400);
  });

  test("importance above the range of economics is the highest of the range", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("economics", [{ id: "a", importance: 3 }, { id: "b", importance: 2 }, { id: "c" }]);
    const url = calendar("economics");
    for (const name of ["importance", "parameters[importance]"]) {
      const found = await lenient(`${url}?${name}=4`);
      assert.deepEqual(idsOf(found), ["a"], name);
      assert.equal(found.headers["x-adjusted-parameters"], "parameters[importance]=3");
    }
    assert.deepEqual(idsOf(await lenient(`${url}?importance=0`)).sort(), ["a", "b", "c"]);
    assert.equal((await strict(`${url}?parameters[importance]=4`)).status, 400);
  });

  test("of several importances the lowest applies", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("ratings", [
      { id: "a", importance: 5 },
      { id: "b", importance: 4 },
      { id: "c", importance: 3 },
    ]);
    const found = await lenient(`${calendar("ratings")}?parameters[importance]=5,4`);
    assert.deepEqual(idsOf(found).sort(), ["a", "b"]);
    assert.equal(found.headers["x-adjusted-parameters"], "parameters[importance]=4");
    assert.equal((await strict(`${calendar("ratings")}?parameters[importance]=4,5`)).status, 400);
    assert.equal((await lenient(`${calendar("ratings")}?parameters[importance]=high`)).status, 400);
  });

  test("updated needs no brackets", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("earnings", [
      { id: "a", updated: 100 },
      { id: "b", updated: 300 },
      { id: "c", updated: 200 },
    ]);
    assert.deepEqual(idsOf(await lenient(`${calendar("earnings")}?updated=150`)), ["c", "b"]);
    assert.equal((await strict(`${calendar("earnings")}?updated=150`)).headers["x-ignored-parameters"], "updated");
  });

  test("a day may be an ISO date-time", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("earnings", [
      { id: "a", date: "2024-11-04" },
      { id: "b", date: "2024-11-05" },
    ]);
    const url = `${calendar("earnings")}?parameters[date_from]`;
    for (const time of ["T00:00:00Z", "T09:30:00.000%2B00:00", "T09:30:00+00:00", "+00:00"]) {
      const found = await lenient(`${url}=2024-11-05${time}`);
      assert.deepEqual(idsOf(found), ["b"], time);
      assert.equal(found.headers["x-adjusted-parameters"], "parameters[date_from]=2024-11-05");
    }
    assert.deepEqual(idsOf(await lenient(`${calendar("earnings")}?date_from=2024-11-05T00:00:00Z`)), ["b"]);
    assert.equal((await strict(`${url}=2024-11-05T00:00:00Z`)).status, 400);
    assert.equal((await lenient(`${url}=2024-13-05T00:00:00Z`)).status, 400);
  });

  test("analyst and firm may be bracketed", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("ratings", [
      { id: "a", analyst_id: "p1", firm_id: "f1" },
      { id: "b", analyst_id: "p2", firm_id: "f2" },
    ]);
    assert.deepEqual(idsOf(await lenient(`${calendar("ratings")}?parameters[analyst]=p1`)), ["a"]);
    assert.deepEqual(idsOf(await lenient(`${calendar("ratings")}?parameters[firm]=f2`)), ["b"]);
    const ignored = await strict(`${calendar("ratings")}?parameters[analyst]=p1`);
    assert.equal(ignored.headers["x-ignored-parameters"], "parameters[analyst]");
  });

  test("event_name finds economic events by name", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("economics", [
      { id: "a", event_name: "CPI YoY" },
      { id: "b", event_name: "GDP" },
      { id: "c", event_name: "Retail Sales" },
    ]);
    const url = calendar("economics");
    assert.deepEqual(idsOf(await lenient(`${url}?event_name=cpi+yoy`)), ["a"]);
    assert.deepEqual(idsOf(await lenient(`${url}?eventName=GDP,CPI+YoY`)).sort(), ["a", "b"]);
    assert.deepEqual(idsOf(await lenient(`${url}?event_name=CPI`)), []);
    assert.equal((await strict(`${url}?event_name=GDP`)).headers["x-ignored-parameters"], "event_name");
  });

  test("countries have two-letter codes, and EUR is the euro area", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("economics", [
      { id: "a", country: "United States" },
      { id: "b", country: "EUR" },
      { id: "c", country: "United Kingdom" },
    ]);
    const url = calendar("economics");
    assert.deepEqual(idsOf(await lenient(`${url}?country=us`)), ["a"]);
    assert.deepEqual(idsOf(await lenient(`${url}?parameters[country]=GB`)), ["c"]);
    const euro = await lenient(`${url}?country=EUR`);
    assert.deepEqual([idsOf(euro), euro.headers["x-adjusted-parameters"]], [["b"], "country=EMU"]);
    for (const code of ["US", "EUR"]) assert.equal((await strict(`${url}?country=${code}`)).status, 400);
    assert.equal((await lenient(`${url}?country=QQ`)).status, 400);
  });
});

onEveryStore("values on a server with --compat", (test) => {
  test(
    "are accepted from every key",
    async (api) => {
      const found = await api.fetch("/api/v2/news?page_size=5000");
      assert.deepEqual([found.status, found.headers["x-adjusted-parameters"]], [200, "pageSize=100"]);
    },
    { compat: true },
  );
});
