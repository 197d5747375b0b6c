// `bellwire/testing`: what a server under test has, and how a test controls it.
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { BellwireError } from "../../client/index.ts";
import { newsItem, type Records, rating, startBellwire, type TestServer } from "../../testing/index.ts";

const directories = (): string[] =>
  ["/dev/shm", tmpdir()].flatMap((root) => globSync(join(root, `bellwire-testing-${process.pid}-*`)));

describe("a server with records", () => {
  let server: TestServer;
  before(async () => {
    server = await startBellwire({ records: { ratings: [rating({ id: "a", ticker: "AAPL" })], news: [] } });
  });
  after(() => server.close());

  test("has these records and no others", async () => {
    assert.deepEqual(
      (await server.client.ratings.page()).records.map(({ id }) => id),
      ["a"],
    );
    assert.deepEqual((await server.client.news.page()).records, []);
    assert.deepEqual((await server.client.earnings.page()).records, []);
  });

  test("accepts its key in the URL, and no other key", async () => {
    assert.equal((await fetch(`${server.url}/api/v2/news?token=${server.token}`)).status, 200);
    assert.equal((await fetch(`${server.url}/api/v2/news?token=other`)).status, 401);
  });

  test("reports the requests that it received, with the status of the response", async () => {
    server.requests.length = 0;
    await server.client.ratings.page({ tickers: ["AAPL", "F"] });
    await server.client.ratings.page({ "parameters[date]": "today" } as object).catch(() => {});
    assert.deepEqual(
      server.requests.map(({ method, path, status }) => ({ method, path, status })),
      [200, 400].map((status) => ({ method: "GET", path: "/api/v2.1/calendar/ratings", status })),
    );
    assert.equal(server.requests[0]?.query.get("parameters[tickers]"), "AAPL,F");
    assert.equal(server.requests[0]?.headers.authorization, `Bearer ${server.token}`);
  });

  test("sends records that are added, changed, and removed to streams", async () => {
    const changes = server.client.ratings.follow({}, { since: (await server.client.ratings.page()).position ?? "" });
    await server.put({ ratings: [rating({ id: "b", ticker: "F" })] });
    await server.put({ ratings: [rating({ id: "b", ticker: "GM" })] });
    await server.remove({ ratings: ["b"] });
    const seen: unknown[] = [];
    for await (const { action, id, record } of changes) {
      seen.push([action, id, record?.ticker]);
      if (seen.length === 3) break;
    }
    assert.deepEqual(seen, [
      ["created", "b", "F"],
      ["updated", "b", "GM"],
      ["removed", "b", undefined],
    ]);
  });

  test("fails as often as a fault says, only on its path, and without a pause before the retry", async () => {
    server.requests.length = 0;
    server.fault({ status: 503, times: 2, path: "/api/v2/news" });
    await server.client.ratings.page();
    await server.client.news.page();
    assert.deepEqual(
      server.requests.map(({ path, status }) => [path, status]),
      [
        ["/api/v2.1/calendar/ratings", 200],
        ["/api/v2/news", 503],
        ["/api/v2/news", 503],
        ["/api/v2/news", 200],
      ],
    );
  });

  test("cuts connections and truncates bodies, which a client takes for no response", async () => {
    server.requests.length = 0;
    server.fault({ cut: true });
    server.fault({ truncate: true });
    assert.equal((await server.client.ratings.page({ tickers: "AAPL" })).records.length, 1);
    assert.deepEqual(
      server.requests.map(({ status }) => status),
      [undefined, 200, 200],
    );
  });

  test("rejects a fault that isn't one", () => {
    assert.throws(() => server.fault({ status: 200 }), /expected delayMs .* got status=200/);
    assert.throws(() => server.fault({}), /got nothing/);
    assert.throws(
      () => server.fault({ status: 503, tiems: 2 } as never),
      /fault: no option "tiems": expected status, .* times, path/,
    );
    assert.throws(() => server.fault({ cut: true, times: 0 }), /times from 1, got 0/);
  });

  test("rejects invalid records with every reason, and a list that it doesn't have", async () => {
    const invalid = { ratings: [{ id: "x", date: "soon", tikcer: "F" }] } as unknown as Records;
    await assert.rejects(server.put(invalid), {
      message: 'ratings[0]: tikcer: no such attribute\nratings[0]: date: expected a day as YYYY-MM-DD, got "soon"',
    });
    await assert.rejects(
      server.put({ options: [] } as unknown as Records),
      /no list "options": expected news, ratings/,
    );
  });
});

describe("the clock", () => {
  test("stands at noon of January 15, 2026, until it is set", async () => {
    await using server = await startBellwire({ records: {} });
    assert.equal(server.clock.now.toISOString(), "2026-01-15T12:00:00.000Z");
    await server.put({ ratings: [rating({ id: "a" })] });
    await server.clock.set("2026-02-01T00:00:00Z");
    await server.put({ ratings: [rating({ id: "b" })] });
    const updated = (await server.client.ratings.page({ updated: 0 })).records.map((each) => [each.id, each.updated]);
    assert.deepEqual(updated, [
      ["a", Date.UTC(2026, 0, 15, 12) / 1000],
      ["b", Date.UTC(2026, 1, 1) / 1000],
    ]);
  });

  test("can start anywhere and run on", async () => {
    await using server = await startBellwire({ records: {}, clock: new Date(Date.UTC(2030, 5, 1)) });
    assert.equal(server.clock.now.getTime(), Date.UTC(2030, 5, 1));
    await server.clock.set(1_900_000_000, { running: true });
    const first = server.clock.now;
    while (server.clock.now.getTime() === first.getTime());
    assert.ok(server.clock.now > first);
    await assert.rejects(server.clock.set("noon"), /expected a Date, Unix seconds, .* got "noon"/);
  });
});

describe("the demo", () => {
  test("is the same for a clock and a seed, and includes every list", async () => {
    const read = async (options: { seed?: number; clock?: string }) => {
      await using server = await startBellwire(options);
      const { news, ratings, earnings, economics } = server.client;
      const pages = [news.page(), ratings.page(), earnings.page(), economics.page()];
      return await Promise.all(pages.map(async (page) => (await page).records));
    };
    const one = await read({});
    for (const records of one) assert.ok(records.length > 10);
    assert.deepEqual(await read({}), one);
    assert.notDeepEqual(await read({ seed: 2 }), one);
  });

  test("surrounds the clock by a week", async () => {
    await using server = await startBellwire({ clock: "2025-06-10T15:00:00Z" });
    const days = (await Array.fromAsync(server.client.economics.list())).map(({ date }) => date).sort();
    assert.ok((days[0] ?? "") >= "2025-06-03" && (days.at(-1) ?? "") <= "2025-06-17", days.join());
  });

  test("is another database in each server: no ETag of one is valid for the other", async () => {
    const pages = await Promise.all(
      [1, 2].map(async () => {
        await using server = await startBellwire();
        return await server.client.news.page();
      }),
    );
    assert.notEqual(pages[0]?.etag, pages[1]?.etag);
  });
});

test("a closed server leaves neither a listener nor a file", async () => {
  const before = directories();
  const server = await startBellwire({ records: { news: [newsItem()] } });
  assert.ok(directories().length > before.length);
  await server.close();
  assert.deepEqual(directories(), before);
  await assert.rejects(fetch(server.url));
});

test("rejects options that it doesn't have", async () => {
  await assert.rejects(
    startBellwire({ record: {} } as never),
    /startBellwire: no option "record": expected records, clock/,
  );
  await assert.rejects(startBellwire({ seed: "a" as never }), /seed: expected an integer, got "a"/);
  await assert.rejects(startBellwire({ faults: [{ stauts: 503 } as never] }), /fault: no option "stauts"/);
});

test("faults can be set before the first request", async () => {
  await using server = await startBellwire({ records: {}, faults: [{ status: 401 }] });
  await assert.rejects(server.client.news.page(), (error) => error instanceof BellwireError && error.status === 401);
});

test("compat serves what clients of other implementations expect", async () => {
  await using server = await startBellwire({ records: {}, compat: true });
  const response = await fetch(`${server.url}/api/v2.1/calendar/dividends?token=${server.token}&pagesize=5000`);
  assert.equal(response.status, 200);
});
