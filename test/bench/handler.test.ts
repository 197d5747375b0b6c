// The baseline handler of the benchmark returns the same values as Bellwire.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startBellwire } from "../../bench/contenders/bellwire.ts";
import type { Contender } from "../../bench/contenders/contender.ts";
import { plainSqlite } from "../../bench/contenders/handler/fill-sqlite.ts";
import { startHandler } from "../../bench/contenders/handler/handler.ts";
import { companies } from "../../bench/records/companies.ts";
import { type BenchData, sqliteData } from "../../bench/records/database.ts";
import { vocabulary } from "../../bench/records/vocabulary.ts";

const ratings = "/api/v2.1/calendar/ratings";
const news = "/api/v2/news";

describe("the benchmark's baseline handler", () => {
  let folder = "";
  let data: BenchData;
  let bellwire: Contender;
  let handler: Contender;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "bellwire-handler-"));
    data = await sqliteData({ ratings: 3000, news: 400, earnings: 100 }, () => {}, folder);
    bellwire = await startBellwire(data.file);
    handler = await startHandler(await plainSqlite(data, () => {}), "ranked");
  });

  after(async () => {
    await Promise.all([bellwire?.stop(), handler?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const both = async (address: string, accept = "application/json") => {
    const token = `${address.includes("?") ? "&" : "?"}token=${data.token}`;
    const responses = [bellwire, handler].map(async ({ url }) => {
      const response = await fetch(`${url}${address}${token}`, { headers: { accept } });
      assert.equal(response.status, 200, address);
      return response.text();
    });
    return Promise.all(responses);
  };

  for (const address of [
    ratings,
    `${ratings}?pagesize=1000&page=2`,
    `${ratings}?parameters[tickers]=${companies(50)[7]?.ticker}&pagesize=7`,
    `${ratings}?parameters[tickers]=${companies(50)
      .slice(0, 50)
      .map(({ ticker }) => ticker)
      .join(",")}`,
    `${ratings}?parameters[date_from]=2019-03-01&parameters[date_to]=2019-05-01&parameters[importance]=3`,
    `${ratings}?parameters[updated]=1700000000`,
    news,
    `${news}?displayOutput=full&pageSize=100&dateTo=2020-01-06`,
    `${news}?tickers=${companies(50)[3]?.ticker}&displayOutput=abstract`,
  ]) {
    test(`returns the same bytes for ${address.slice(0, 90)}`, async () => {
      const [expected, actual] = await both(address);
      assert.equal(actual, expected);
    });
  }

  test("returns the same values for selected fields and simplified ratings", async () => {
    const fields = "id,date,ticker,analyst,rating_current,rating_prior,pt_pct_change";
    const [expected = "", actual = ""] = await both(`${ratings}?simplify=true&pagesize=1000&fields=${fields}`);
    assert.deepEqual(JSON.parse(actual), JSON.parse(expected));
  });

  test("returns the same bytes for XML", async () => {
    const [expected, actual] = await both(`${news}?displayOutput=full&pageSize=100`, "application/xml");
    assert.equal(actual, expected);
  });

  test("finds the same items for a topic, in a different order", async () => {
    const [expected = "", actual = ""] = await both(`${news}?topics=${vocabulary.middle.words[5]}&pageSize=100`);
    const ids = (text: string) => (JSON.parse(text) as { id: number }[]).map(({ id }) => id).sort();
    assert.ok(ids(expected).length > 0);
    assert.deepEqual(ids(actual), ids(expected));
  });

  test("rejects an unknown token", async () => {
    for (const { url } of [bellwire, handler]) {
      assert.equal((await fetch(`${url}${ratings}?token=bw_wrong`)).status, 401);
    }
  });
});
