// Parameter errors: all of a request at once, each with the parameter, the value received, and what was expected.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

type ParameterError = { parameter: string; given: string; expected: string };
const named = (errors: readonly ParameterError[]) => errors.map(({ parameter, given }) => [parameter, given]).sort();

readingEveryStore("parameter errors", (test) => {
  test("of a news request are all reported at once", async (api) => {
    const errors = await api.errors(
      "/api/v2/news?page=x&pageSize=500&displayOutput=all&date=yesterday&updatedSince=-1&publishedSince=1e9" +
        "&sort=newest&topics=!!!&topic_group_by=xor&format=html&importance=urgent",
    );
    assert.deepEqual(named(errors), [
      ["date", "yesterday"],
      ["displayOutput", "all"],
      ["format", "html"],
      ["importance", "urgent"],
      ["page", "x"],
      ["pageSize", "500"],
      ["publishedSince", "1e9"],
      ["sort", "newest"],
      ["topic_group_by", "xor"],
      ["topics", "!!!"],
      ["updatedSince", "-1"],
    ]);
    for (const error of errors) assert.ok(error.expected.length > 0);
  });

  test("of a calendar request are all reported at once, conflicts and repeats among them", async (api) => {
    const ratings = await api.errors(
      "/api/v2.1/calendar/ratings?page=-1&page=2&parameters[date_from]=2024-02-02&parameters[date_to]=2024-02-01" +
        "&parameters[importance]=6&parameters[action]=Ups&simplify=maybe&fields=id,nope",
    );
    assert.deepEqual(ratings.map(({ parameter }) => parameter).sort(), [
      "fields",
      "page",
      "parameters[action]",
      "parameters[date_from]",
      "parameters[date_to]",
      "parameters[importance]",
      "simplify",
    ]);
    const dividends = await api.errors(
      "/api/v2.2/calendar/dividends?pagesize=0&parameters[dividend_yield_operation]=gt&parameters[date_sort]=paid",
    );
    assert.deepEqual(named(dividends), [
      ["pagesize", "0"],
      ["parameters[date_sort]", "paid"],
      ["parameters[dividend_yield_operation]", "gt"],
    ]);
    const economics = await api.errors("/api/v2.1/calendar/economics?country=US&parameters[importance]=0");
    assert.deepEqual(named(economics), [
      ["country", "US"],
      ["parameters[importance]", "0"],
    ]);
  });

  test("are a 400 whose detail counts them and whose errors have three members each", async (api) => {
    const found = await api.fetch("/api/v2.1/calendar/economics?parameters[importance]=4&pagesize=2000");
    assert.equal(found.status, 400);
    assert.equal(found.headers["content-type"]?.split(";")[0], "application/problem+json");
    assert.equal(found.json.status, 400);
    assert.equal(found.json.code, "request.parameters");
    assert.deepEqual(found.json.errors, [
      { parameter: "pagesize", given: "2000", expected: "an integer from 1 to 1000" },
      { parameter: "parameters[importance]", given: "4", expected: "an integer from 1 to 3" },
    ]);
  });

  test("contain the value as received, in full", async (api) => {
    assert.deepEqual(named(await api.errors("/api/v2/news?page=+x+")), [["page", " x "]]);
    assert.deepEqual(named(await api.errors("/api/v2/news?sort=%22%3Cb%3E%22%0A")), [["sort", '"<b>"\n']]);
    const long = `AAPL,${"x,".repeat(500)}`.replaceAll("x,", () => "!!,");
    assert.deepEqual(named(await api.errors(`/api/v2/news?topics=${long}`)), [["topics", long]]);
    assert.deepEqual(named(await api.errors("/api/v2.1/calendar/ratings?fields=id,%20nope%20,date")), [
      ["fields", "id, nope ,date"],
    ]);
    const found = await api.fetch("/api/v2/news?page=05x");
    assert.equal(typeof found.json.errors[0].given, "string");
  });

  test("use the canonical name of the parameter, however its brackets were sent", async (api) => {
    const errors = await api.errors("/api/v2.1/calendar/ratings?parameters%5Bimportance%5D=9");
    assert.deepEqual(named(errors), [["parameters[importance]", "9"]]);
  });

  test("report a conflict of two parameters with one error for each", async (api) => {
    assert.deepEqual(named(await api.errors("/api/v2/news?date=2024-01-05&dateTo=2024-01-06")), [
      ["date", "2024-01-05"],
      ["dateTo", "2024-01-06"],
    ]);
    assert.deepEqual(named(await api.errors("/api/v2/news?pageSize=10&pagesize=20")), [
      ["pageSize", "10"],
      ["pagesize", "20"],
    ]);
  });

  test("are never repaired: a request with one error gets no partial response", async (api) => {
    await api.has("news", [{ id: 1 }]);
    const found = await api.fetch("/api/v2/news?pageSize=101");
    assert.equal(found.status, 400);
    assert.ok(!Array.isArray(found.json));
    assert.equal(found.headers.etag, undefined);
  });

  test("include a value that isn't percent-encoded UTF-8", async (api) => {
    const errors = await api.errors("/api/v2/news?authors=%FF&tickers=%&page=x");
    assert.deepEqual(errors.map(({ parameter }) => parameter).sort(), ["authors", "page", "tickers"]);
  });
});
