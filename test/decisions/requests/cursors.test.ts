// Link headers and cursors: the next page, what is repeated from the request, and which cursors are rejected.
import assert from "node:assert/strict";
import { cursorAt } from "../../../src/core/query/cursor.ts";
import { type ApiResponse, recordsOf, resourceNamed } from "../../support/clients/api.ts";
import { parseUrl } from "../../support/requests/requests.ts";
import { type ReadApi, readingEveryStore, sharingEveryStore } from "../../support/stores/every-store.ts";

const ratings = "/api/v2.1/calendar/ratings";
const days = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, date: `2024-11-0${9 - at}`, ticker: at < 6 ? "F" : "GM" }));

/** The URL of the next page. */
const nextOf = ({ headers, text }: ApiResponse): string =>
  /^<([^<>]+)>; rel="next"$/.exec(headers.link ?? "")?.[1] ?? assert.fail(`no link: ${text}`);

/** The cursor of the next page. */
const cursorOf = (found: ApiResponse): string =>
  /[?&]cursor=([\w-]+)$/.exec(nextOf(found))?.[1] ?? assert.fail("no cursor");

/** IDs of every page, following Link headers. */
async function pagesFrom(api: ReadApi, url: string): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let next: string | undefined = url; next !== undefined; ) {
    const found = await api.fetch(next);
    pages.push(recordsOf(found.json).map(({ id }) => id));
    assert.ok(pages.length < 20, `${next} leads back`);
    next = found.headers.link === undefined ? undefined : nextOf(found);
  }
  return pages;
}

readingEveryStore("Link", (test) => {
  test("points from each full page to the next one, and is missing on a partial page", async (api) => {
    await api.has("ratings", days(5));
    assert.deepEqual(await pagesFrom(api, `${ratings}?pagesize=2`), [["r0", "r1"], ["r2", "r3"], ["r4"]]);
    assert.equal((await api.fetch(ratings)).headers.link, undefined);
    assert.equal((await api.fetch(`${ratings}?parameters[tickers]=NONE`)).headers.link, undefined);
  });

  test("of a full last page points to an empty list", async (api) => {
    await api.has("ratings", days(4));
    assert.deepEqual(await pagesFrom(api, `${ratings}?pagesize=2`), [["r0", "r1"], ["r2", "r3"], []]);
  });

  test("continues from any page requested by number", async (api) => {
    await api.has("ratings", days(7));
    assert.deepEqual(await pagesFrom(api, `${ratings}?page=1&pagesize=2`), [["r2", "r3"], ["r4", "r5"], ["r6"]]);
  });

  test("contains the request as sent, except for page, cursor, and token", async (api) => {
    await api.has("ratings", days(9));
    const sent = "parameters%5Btickers%5D=f,+gm&typo=%41&typo=<&pagesize=2&simplify=0";
    const repeated = sent.replace("<", "%3C");
    const first = await api.request(`/${ratings}/?token=${api.token}&page=1&${sent}`);
    assert.match(nextOf(first), /^\/api\/v2\.1\/calendar\/ratings\?/);
    assert.equal(nextOf(first).split("&cursor=")[0], `${ratings}?${repeated}`);
    const second = await api.fetch(nextOf(first));
    assert.equal(nextOf(second).split("&cursor=")[0], `${ratings}?${repeated}`);
    assert.notEqual(cursorOf(second), cursorOf(first));
  });

  test("is on every list, in every view, and on HEAD", async (api) => {
    for (const [name, path] of [
      ["news", "/api/v2/news"],
      ["ratings", ratings],
      ["dividends", "/api/v2.2/calendar/dividends"],
      ["guidance", "/api/v2.1/calendar/guidance"],
      ["earnings", "/api/v2.1/calendar/earnings"],
      ["economics", "/api/v2.1/calendar/economics"],
      ["conference-calls", "/api/v2.1/calendar/conference-calls"],
    ] as const) {
      const ids = name === "news" ? [1, 2] : ["a", "b"];
      await api.has(
        name,
        ids.map((id) => ({ id, ...(name === "guidance" ? { is_primary: "true" } : {}) })),
      );
      assert.deepEqual(await pagesFrom(api, `${path}?pageSize=1`), [[ids[1]], [ids[0]], []], name);
      const { link } = (await api.fetch(`${path}?pageSize=1`)).headers;
      const headers = { authorization: `Bearer ${api.token}` };
      assert.equal((await api.request(`${path}?pageSize=1`, { method: "HEAD", headers })).headers.link, link);
    }
    const xml = await api.fetch("/api/v2/news?pageSize=1", { accept: "application/xml" });
    assert.match((await api.fetch(nextOf(xml), { accept: "application/xml" })).text, /<id>1<\/id>/);
    for (const view of ["displayOutput=full", "displayOutput=full&format=text", "displayOutput=abstract"]) {
      assert.deepEqual(await pagesFrom(api, `/api/v2/news?${view}&pageSize=1`), [[2], [1], []], view);
    }
    for (const view of ["fields=id", "fields=*", "simplify=true", "fields=id,date&simplify=true"]) {
      assert.deepEqual(await pagesFrom(api, `${ratings}?${view}&pagesize=1`), [["b"], ["a"], []], view);
    }
    const unnamed = await api.fetch(`${ratings}?fields=ticker&pagesize=1`);
    assert.deepEqual(await api.ids(nextOf(unnamed).replace("fields=ticker", "fields=id")), ["a"]);
  });

  test("never contains a key", async (api) => {
    await api.has("news", [{ id: 1 }, { id: 2 }]);
    const bearer = { authorization: `Bearer ${api.token}` };
    for (const [query, headers] of [
      [`token=${api.token}&pageSize=1`, {}],
      [`pageSize=1&%74oken=${api.token}`, {}],
      [`pageSize=1&Token=${api.token}`, bearer],
      [`pageSize=1&apikey=${api.token}`, bearer],
      [`pageSize=1&x=%62w%5f${api.token.slice(3)}`, bearer],
      ["pageSize=1", bearer],
    ] as const) {
      for (const accept of ["application/json", "application/xml"]) {
        const found = await api.request(`/api/v2/news?${query}`, { headers: { ...headers, accept } });
        assert.match(nextOf(found), /^\/api\/v2\/news\?pageSize=1&cursor=[\w-]+$/, query);
      }
    }
  });

  test("is missing on a 304 or a problem, and is exposed to other origins", async (api) => {
    await api.has("news", [{ id: 1 }]);
    const full = await api.fetch("/api/v2/news?pageSize=1", { origin: "https://app.example" });
    assert.ok(full.headers.link);
    assert.ok(full.headers["access-control-expose-headers"]?.split(", ").includes("Link"));
    const etag = String(full.headers.etag);
    const same = await api.fetch("/api/v2/news?pageSize=1", { "if-none-match": etag });
    assert.deepEqual([same.status, same.headers.link], [304, undefined]);
    assert.notEqual((await api.fetch(nextOf(full))).headers.etag, etag);
    assert.equal((await api.fetch("/api/v2/news?pageSize=x")).headers.link, undefined);
  });

  test("belongs to its own request, even if the response was cached for another one", async (api) => {
    await api.has("ratings", days(3));
    for (let again = 0; again < 3; again++) {
      for (const query of ["pagesize=1", "pagesize=01", "pageSize=1", "oops=1&pagesize=1"]) {
        const found = await api.fetch(`${ratings}?${query}`);
        assert.equal(nextOf(found).split("&cursor=")[0], `${ratings}?${query}`);
        assert.deepEqual(await api.ids(nextOf(found)), ["r1"]);
      }
    }
  });
});

sharingEveryStore("cursor", (test) => {
  test("continues after its record, even if records are added or removed, including that record", async (api) => {
    await api.has("ratings", days(6));
    const next = nextOf(await api.fetch(`${ratings}?pagesize=2`));
    await api.has("ratings", [
      { id: "newer", date: "2024-12-01" },
      { id: "before", date: "2024-11-08", time: "00:00:00" },
      { id: "between", date: "2024-11-07", time: "09:00:00" },
    ]);
    await api.store.remove(resourceNamed("ratings"), ["r1", "r3"]);
    assert.deepEqual(await api.ids(next), ["between", "r2"]);
    assert.deepEqual(await pagesFrom(api, next), [["between", "r2"], ["r4", "r5"], []]);
  });

  test("distinguishes records that differ only in their IDs, in both directions", async (api) => {
    const ids = ["B", "_", "a", "é", "Ａ", "😀"];
    await api.has(
      "earnings",
      ids.map((id) => ({ id, date: "2024-11-05", time: "amc", updated: 5 })),
    );
    const earnings = "/api/v2.1/calendar/earnings";
    const single = ids.map((id) => [id]);
    assert.deepEqual(await pagesFrom(api, `${earnings}?pagesize=1`), [...single.toReversed(), []]);
    for (const asc of ["parameters[date_sort]=date:asc", "parameters[updated]=5"]) {
      assert.deepEqual(await pagesFrom(api, `${earnings}?${asc}&pagesize=1`), [...single, []], asc);
    }
  });

  test("reads the position from the record's order columns, whatever else the record contains", async (api) => {
    const odd = '},{"action_company":"x","id":"y","date":"2000-01-01"},{"author":"z","created":"x","id":1},{';
    await api.has(
      "ratings",
      ["a", 'q"},{"', "\\", "\u0001\u2028"].map((id) => ({ id, date: "2024-11-05", notes: odd, action_pt: odd })),
    );
    assert.deepEqual((await pagesFrom(api, `${ratings}?pagesize=1`)).flat(), ['q"},{"', "a", "\\", "\u0001\u2028"]);
    await api.has(
      "news",
      [1, 2, 3].map((id) => ({ id, title: odd, author: odd, body: odd, tags: [{ name: odd }, { name: odd }] })),
    );
    for (const view of ["displayOutput=full", "sort=id:desc", "sort=updated:desc&displayOutput=full"]) {
      assert.deepEqual((await pagesFrom(api, `/api/v2/news?pageSize=1&${view}`)).flat(), [3, 2, 1], view);
    }
  });

  test("of a ranked search continues within its rank and through the following ones", async (api) => {
    const placed = [
      { id: 10, created: 100, title: "gold" },
      { id: 11, created: 900, title: "gold again" },
      { id: 20, created: 300, title: "x", tags: [{ name: "gold" }] },
      { id: 21, created: 950, title: "x", tags: [{ name: "gold" }], body: "gold" },
      { id: 30, created: 500, title: "x", body: "<p>gold</p>" },
      { id: 31, created: 990, title: "x", body: "silver and gold" },
    ];
    await api.has("news", placed);
    const all = [11, 10, 21, 20, 31, 30];
    for (const size of [1, 2, 3, 4, 5, 6]) {
      const pages = await pagesFrom(api, `/api/v2/news?topics=gold&pageSize=${size}`);
      assert.deepEqual(pages.flat(), all, `${size} a page`);
      const silver = await pagesFrom(api, `/api/v2/news?topics=gold,silver&topic_group_by=and&pageSize=${size}`);
      assert.deepEqual(silver.flat(), [31]);
    }
    const inTags = nextOf(await api.fetch("/api/v2/news?topics=gold&pageSize=3"));
    await api.has("news", [
      { id: 40, created: 1, title: "gold" },
      { id: 41, created: 999, title: "x", tags: [{ name: "gold" }] },
      { id: 42, created: 200, title: "x", tags: [{ name: "gold" }] },
      { id: 43, created: 999, title: "x", body: "gold" },
    ]);
    assert.deepEqual((await pagesFrom(api, inTags)).flat(), [20, 42, 43, 31, 30]);
  });

  test("respects the filters of its request, including those on the sort column", async (api) => {
    await api.has("ratings", days(8));
    const range = "parameters[date_from]=2024-11-04&parameters[date_to]=2024-11-08";
    const inRange = [["r1", "r2"], ["r3", "r4"], ["r5"]];
    assert.deepEqual(await pagesFrom(api, `${ratings}?${range}&pagesize=2`), inRange);
    assert.deepEqual(await pagesFrom(api, `${ratings}?${range}&parameters[tickers]=f&pagesize=2`), inRange);
    await api.has(
      "news",
      [1, 2, 3, 4].map((id) => ({ id, created: `2024-11-0${id}T15:00:00Z` })),
    );
    const some = "dateFrom=2024-11-02&dateTo=2024-11-03&pageSize=1";
    assert.deepEqual(await pagesFrom(api, `/api/v2/news?${some}`), [[3], [2], []]);
    assert.deepEqual(await pagesFrom(api, `/api/v2/news?${some}&sort=created:asc`), [[2], [3], []]);
    // Even if someone makes up a position outside of them.
    for (const [name, query, position, ids] of [
      ["ratings", range, ["2024-12-31", "", "x"], ["r1", "r2", "r3", "r4", "r5"]],
      ["ratings", "parameters[date_to]=2024-11-03", ["2024-11-05", "", "x"], ["r6", "r7"]],
      ["ratings", "parameters[updated]=2000000000", [5, "x"], []],
      ["news", "dateFrom=2024-11-02&dateTo=2024-11-03", [2_000_000_000, 1], [3, 2]],
      ["news", "publishedSince=1730646000", [5, 1], [3, 4]],
    ] as const) {
      const resource = resourceNamed(name);
      const url = `${resource.path}?${query}`;
      const plan = parseUrl(resource, url)?.plan ?? assert.fail(url);
      assert.deepEqual(await api.ids(`${url}&cursor=${cursorAt(plan, position)}`), ids, url);
    }
  });

  test("works with any page size and view, and for equivalent spellings of the request", async (api) => {
    await api.has("ratings", days(6));
    const cursor = cursorOf(await api.fetch(`${ratings}?parameters[tickers]=F&pagesize=1`));
    for (const [query, ids] of [
      ["parameters[tickers]=F", ["r1", "r2", "r3", "r4", "r5"]],
      ["parameters[tickers]=F&pagesize=2", ["r1", "r2"]],
      ["pageSize=2&parameters%5Btickers%5D=+f,F", ["r1", "r2"]],
      ["parameters[tickers]=F&pagesize=2&fields=id&simplify=true&page=0&oops=1", ["r1", "r2"]],
    ] as const) {
      assert.deepEqual(await api.ids(`${ratings}?${query}&cursor=${cursor}`), ids, query);
      assert.deepEqual(await api.ids(`${ratings}?cursor=+${cursor}%20&${query}`), ids, query);
    }
  });

  test("of another request, or a damaged one, is rejected with its truncated value and what was expected", async (api) => {
    await api.has("ratings", days(6));
    await api.has("earnings", days(6));
    const cursor = cursorOf(await api.fetch(`${ratings}?parameters[tickers]=F&pagesize=1`));
    const expected = "a cursor from the Link header of the same request";
    const input = `${cursor.slice(0, 24)}…`;
    for (const url of [
      ratings,
      `${ratings}?parameters[tickers]=GM`,
      `${ratings}?parameters[tickers]=F,GM`,
      `${ratings}?parameters[tickers]=F&parameters[importance]=0`,
      `${ratings}?parameters[tickers]=F&parameters[updated]=0`,
      "/api/v2.1/calendar/earnings?parameters[tickers]=F",
      "/api/v2/news?tickers=F",
    ]) {
      const target = `${url}${url.includes("?") ? "&" : "?"}cursor=${cursor}`;
      assert.deepEqual(await api.errors(target), [{ parameter: "cursor", given: input, expected }], url);
    }
    const own = `${ratings}?parameters[tickers]=F&cursor=`;
    const flipped = cursor.endsWith("A") ? "B" : "A";
    for (const damaged of [cursor.slice(0, -1), `${cursor}A`, cursor.slice(0, -1) + flipped, `2${cursor.slice(1)}`]) {
      const truncated = `${damaged.slice(0, 24)}…`;
      assert.deepEqual(await api.errors(own + damaged), [{ parameter: "cursor", given: truncated, expected }], damaged);
    }
    for (const wrong of ["x", "1", "null", "-1", "../../.."]) {
      assert.deepEqual(await api.errors(own + wrong), [{ parameter: "cursor", given: wrong, expected }]);
    }
    const twice = await api.errors(`${own}${cursor}&cursor=${cursor}`);
    assert.deepEqual(twice, [{ parameter: "cursor", given: input, expected: "to be sent once" }]);
  });

  test("is reported along with all other errors if it is malformed", async (api) => {
    const errors = await api.errors(`${ratings}?cursor=x&pagesize=0&parameters[importance]=9`);
    assert.deepEqual(errors.map(({ parameter }) => parameter).sort(), ["cursor", "pagesize", "parameters[importance]"]);
  });

  test("with a page above 0 is rejected, with one error for each", async (api) => {
    await api.has("ratings", days(3));
    const cursor = cursorOf(await api.fetch(`${ratings}?pagesize=1`));
    assert.deepEqual(await api.errors(`${ratings}?page=2&pagesize=1&cursor=${cursor}`), [
      { parameter: "page", given: "2", expected: "0, or no cursor" },
      { parameter: "cursor", given: `${cursor.slice(0, 24)}…`, expected: "no cursor with a page above 0" },
    ]);
    assert.deepEqual(await api.ids(`${ratings}?page=00&pagesize=1&cursor=${cursor}`), ["r1"]);
    assert.deepEqual(await api.ids(`${ratings}?page=&pagesize=1&cursor=${cursor}`), ["r1"]);
  });
});
