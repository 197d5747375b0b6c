// `bellwire/client` reads every list of the catalog, in both spellings of every parameter.
import assert from "node:assert/strict";
import { test as plainTest } from "node:test";
import type { CachedPage, RatingsRecord } from "../../client/index.ts";
import { camel, clientLists, parameterName } from "../../src/docs/client-types.ts";
import { parametersOf } from "../../src/docs/example.ts";
import { staleSources } from "../../src/docs/write.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { connect, ratings, recordingFetch } from "../support/clients/bellwire-client.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

const listings = clientLists(catalog, extensions);

type AnyClient = Readonly<Record<string, { page(parameters: object): Promise<{ records: object[] }> }>>;

plainTest("client/catalog.ts and the other generated sources are up to date", async () => {
  assert.deepEqual(await staleSources(), [], "run `npm run docs`");
});

plainTest("no two parameters of a list differ only by their spelling", () => {
  for (const listing of listings) {
    const letters = parametersOf(listing).map((each) => parameterName(each).toLowerCase());
    assert.deepEqual(letters, [...new Set(letters)], listing.name);
  }
});

sharingEveryStore("the client", (test) => {
  test("sends every parameter of every list under its wire name, in any spelling", async (api) => {
    const { fetch, responses } = recordingFetch();
    const client = (await connect(api, { fetch, retries: 0 })) as unknown as AnyClient;
    for (const listing of listings) {
      for (const parameter of parametersOf(listing).filter((each) => !each.opaque && !each.forOtherFormats)) {
        const [value = ""] = parameter.valid;
        const urls = new Set<string>();
        for (const name of [parameterName(parameter), ...parameter.names]) {
          // Some parameters are invalid without others.
          await client[camel(listing.name)]
            ?.page({ [name]: value })
            .catch((error) => assert.equal(error.errors[0].parameter, parameter.names[0]));
          const { url, ignored } = responses.at(-1) ?? assert.fail();
          assert.equal(ignored, null, url);
          urls.add(url);
        }
        assert.equal(urls.size, 1, [...urls].join(" "));
      }
    }
  });

  test("follows the list to its end while records are added, without gaps or duplicates", async (api) => {
    await api.has("ratings", ratings(1000, 250));
    const client = await connect(api);
    const found: RatingsRecord[] = [];
    for await (const rating of client.ratings.list({ dateFrom: "2026-01-01" })) {
      found.push(rating);
      // Above and below what has been read.
      if (found.length % 60 === 0) {
        await api.has("ratings", ratings(2000 + found.length, 3));
        await api.has("ratings", ratings(found.length, 3));
      }
    }
    const ids = found.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const before = ratings(1000, 250).map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id) => before.includes(id)),
      before.toReversed(),
    );
    assert.deepEqual(ids, ids.toSorted().reverse());
  });

  test("counts the pages of lists that have no cursors", async (api) => {
    await api.has(
      "ratings",
      Array.from({ length: 230 }, (_, index) => ({ id: `r${index}`, firm_id: `f${index}`, analyst: `Firm ${index}` })),
    );
    const client = await connect(api);
    const firms = await Array.fromAsync(client.ratingsFirms.list());
    assert.equal(new Set(firms.map(({ id }) => id)).size, 230);
    const { next } = await client.ratingsFirms.page({ pageSize: 200, page: 1 });
    assert.equal(next, undefined);
  });

  test("returns a page with the parameters of the next one, which can be stored", async (api) => {
    await api.has("ratings", ratings(0, 10));
    const { ratings: list } = await connect(api);
    const first = await list.page({ tickers: ["AAPL", "F"], pageSize: 4 });
    const second = await list.page(JSON.parse(JSON.stringify(first.next)));
    const third = await list.page(second.next);
    assert.deepEqual(
      [first, second, third].map(({ records }) => records.length),
      [4, 4, 2],
    );
    assert.equal(third.next, undefined);
    assert.match(first.etag ?? "", /^W\/"/);
    assert.match(first.position ?? "", /^[0-9a-f]+\.\d+$/);
    assert.deepEqual(first.limits, []);
  });

  test("selects fields, and reads single records and values of filters", async (api) => {
    await api.has("ratings", ratings(0, 1));
    await api.has("news", [{ id: 7, title: "Seven", channels: [{ name: "Earnings" }] }]);
    const client = await connect(api);
    assert.deepEqual(await client.ratings.first({ fields: ["ticker", "pt_pct_change"] }), {
      ticker: "AAPL",
      pt_pct_change: "+10.00",
    });
    assert.equal((await client.news.get(7, { displayOutput: "full" }))?.title, "Seven");
    assert.equal((await client.ratings.get(ratings(0, 1)[0]?.id ?? ""))?.ticker, "AAPL");
    assert.equal(await client.news.get(8), undefined);
    assert.deepEqual((await client.newsChannels.page()).records, [{ name: "Earnings" }]);
  });

  test("reads a page from its cache if the server confirms it", async (api) => {
    await api.has("ratings", ratings(0, 3));
    const cache = new Map<string, CachedPage>();
    const { fetch, responses } = recordingFetch();
    const client = await connect(api, { cache, fetch });
    const read = () => client.ratings.page({ pagesize: 2 });
    const pages = [await read(), await read()];
    await api.has("ratings", ratings(3, 1));
    pages.push(await read());
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 304, 200],
    );
    assert.deepEqual(
      pages.map(({ isCached }) => isCached),
      [false, true, false],
    );
    assert.deepEqual([pages[1]?.records, pages[1]?.next], [pages[0]?.records, pages[0]?.next]);
    assert.notDeepEqual(pages[2]?.records, pages[0]?.records);
    const ids = pages[2]?.records.map(({ id }) => id);
    pages[2]?.records.reverse();
    const confirmed = await read();
    assert.deepEqual([confirmed.isCached, confirmed.records.map(({ id }) => id)], [true, ids]);
  });
});
