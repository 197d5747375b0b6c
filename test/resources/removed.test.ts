// Removed records: which are listed, in which order, for how long, and the parameters of the two lists.
import assert from "node:assert/strict";
import { catalog } from "../../src/resources/catalog.ts";
import { news } from "../../src/resources/news.ts";
import { ratings } from "../../src/resources/ratings.ts";
import { type Api, resourceNamed, testNow } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";

/** Writes records and removes them again, one per second. */
async function gone(api: Api, name: string, ids: readonly (string | number)[]): Promise<void> {
  await api.has(
    name,
    ids.map((id) => ({ id })),
  );
  for (const id of ids) {
    assert.equal(await api.store.remove(resourceNamed(name), [String(id)]), 1);
    api.clock.now++;
  }
}

const removedOf = async (api: Api, url: string) => (await api.get(url)).removed;

sharingEveryStore("removed records", (test) => {
  test("are empty lists without a removal", async (api) => {
    assert.equal((await api.fetch("/api/v2/news-removed")).text, '{"removed":[]}');
    assert.equal((await api.fetch("/api/v2.1/calendar-removed")).text, '{"removed":[]}');
  });

  test("are listed with their ID and the second of their removal, newest first", async (api) => {
    await gone(api, "news", [41234567, 5]);
    await gone(api, "ratings", ["a"]);
    assert.equal(
      (await api.fetch("/api/v2/news-removed")).text,
      `{"removed":[{"id":5,"updated":${testNow + 1}},{"id":41234567,"updated":${testNow}}]}`,
    );
    assert.equal(
      (await api.fetch("/api/v2.1/calendar-removed")).text,
      `{"removed":[{"id":"a","type":"ratings","updated":${testNow + 2}}]}`,
    );
  });

  test("are filtered by a since-filter including its own second, oldest first", async (api) => {
    await gone(api, "news", [1, 2, 3]);
    await gone(api, "dividends", ["x", "y"]);
    const ids = async (url: string) => (await removedOf(api, url)).map(({ id }: { id: unknown }) => id);
    assert.deepEqual(await ids(`/api/v2/news-removed?updatedSince=${testNow + 1}`), [2, 3]);
    assert.deepEqual(await ids("/api/v2/news-removed?updatedSince=0"), [1, 2, 3]);
    assert.deepEqual(await ids(`/api/v2/news-removed?updatedSince=${testNow + 9}`), []);
    for (const name of ["parameters[updated]", "parameters%5Bupdated%5D", "updated"]) {
      assert.deepEqual(await ids(`/api/v2.1/calendar-removed?${name}=${testNow + 4}`), ["y"]);
      assert.deepEqual(await ids(`/api/v2.1/calendar-removed?${name}=0`), ["x", "y"]);
    }
  });

  test("are paged with Link headers, in both directions of the list", async (api) => {
    await gone(api, "news", [1, 2, 3, 4, 5]);
    await gone(api, "ratings", ["a", "b", "c"]);
    for (const [first, expected] of [
      ["/api/v2/news-removed?pageSize=2", [5, 4, 3, 2, 1]],
      ["/api/v2/news-removed?pageSize=2&updatedSince=0", [1, 2, 3, 4, 5]],
      ["/api/v2.1/calendar-removed?pageSize=2", ["c", "b", "a"]],
    ] as const) {
      const ids: unknown[] = [];
      for (let url: string | undefined = first; url !== undefined; ) {
        const { json, headers } = await api.fetch(url);
        ids.push(...json.removed.map(({ id }: { id: unknown }) => id));
        url = /^<(.*)>; rel="next"$/.exec(headers.link ?? "")?.[1];
      }
      assert.deepEqual(ids, expected, first);
    }
    for (const path of ["/api/v2/news/7", "/api/v2.1/calendar/ratings/firms?pagesize=1"]) {
      await api.has("news", [{ id: 7 }]);
      await api.has("ratings", [{ id: "x", firm_id: "f", analyst: "Firm" }]);
      assert.equal((await api.fetch(path)).headers.link, undefined);
    }
  });

  test("of the same second are sorted by calendar and ID, in the direction of the list; IDs of news as numbers", async (api) => {
    const removeAll = async (name: string, ids: readonly (string | number)[]) => {
      await api.has(
        name,
        ids.map((id) => ({ id })),
      );
      await api.store.remove(resourceNamed(name), ids.map(String));
    };
    await removeAll("news", [9, 10, 100, 2]);
    await removeAll("ratings", ["b", "a", "é"]);
    await removeAll("conference-calls", ["z"]);
    await removeAll("earnings", ["m"]);
    const newsIds = async (query: string) =>
      (await removedOf(api, `/api/v2/news-removed?${query}`)).map(({ id }: { id: number }) => id);
    assert.deepEqual(await newsIds(""), [100, 10, 9, 2]);
    assert.deepEqual(await newsIds("updatedSince=1"), [2, 9, 10, 100]);
    const inOrder = ["conference-calls z", "earnings m", "ratings a", "ratings b", "ratings é"];
    const calendarIds = async (query: string) =>
      (await removedOf(api, `/api/v2.1/calendar-removed?${query}`)).map(
        ({ type, id }: Record<string, string>) => `${type} ${id}`,
      );
    assert.deepEqual(await calendarIds("updated=1"), inOrder);
    assert.deepEqual(await calendarIds(""), inOrder.toReversed());
    assert.deepEqual(await calendarIds("page=1&pageSize=2&updated=1"), inOrder.slice(2, 4));
  });

  test("can be filtered by calendar", async (api) => {
    const calendars = catalog.filter((resource) => resource !== news);
    for (const { name } of calendars) await gone(api, name, [`of ${name}`]);
    for (const { name } of calendars) {
      const found = await removedOf(api, `/api/v2.1/calendar-removed?type=${name}`);
      assert.deepEqual(
        found.map(({ id, type }: Record<string, string>) => [id, type]),
        [[`of ${name}`, name]],
      );
    }
    assert.equal((await removedOf(api, "/api/v2.1/calendar-removed")).length, calendars.length);
    const [first] = calendars;
    assert.deepEqual(await removedOf(api, `/api/v2.1/calendar-removed?type=${first?.name}&updated=${testNow + 1}`), []);
  });

  test("disappear when the record exists again, and reappear when it is removed again", async (api) => {
    await gone(api, "ratings", ["a", "b"]);
    await api.has("ratings", [{ id: "a" }]);
    const ids = async () => (await removedOf(api, "/api/v2.1/calendar-removed")).map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids(), ["b"]);
    api.clock.now += 50;
    await api.store.remove(ratings, ["a"]);
    assert.deepEqual(await ids(), ["a", "b"]);
    await api.has("earnings", [{ id: "b" }]);
    assert.deepEqual(await ids(), ["a", "b"], "another calendar's record of the same id is another record");
    await api.store.put(ratings, [], {});
    await api.store.remove(ratings, ["a", "unknown"]);
    assert.equal((await ids()).length, 2);
  });

  test("have their ID unchanged, whatever characters it contains", async (api) => {
    const ids = [
      '"',
      "\\",
      "/",
      "a b",
      "\u0001\u001f\u007f\u0080",
      "\n\r\t\b\f",
      "\u2028",
      "é",
      "😀",
      "</script>",
      "'",
    ];
    await gone(api, "guidance", ids);
    const { text } = await api.fetch("/api/v2.1/calendar-removed?updated=0&pageSize=1000");
    const removed = ids.map((id, index) => ({ id, type: "guidance", updated: testNow + index }));
    assert.equal(text, JSON.stringify({ removed }));
  });

  test("have numeric IDs without leading zeros", async (api) => {
    await api.has("news", [{ id: 7 }]);
    assert.equal(await api.store.remove(news, ["007"]), 1);
    assert.equal((await api.fetch("/api/v2/news-removed")).text, `{"removed":[{"id":7,"updated":${testNow}}]}`);
    assert.deepEqual(
      (await api.store.changes(0, 10)).map(({ id }) => id),
      ["7", "7"],
    );
  });

  test("are paged by a hundred by default, and up to a thousand, with either spelling of the page size", async (api) => {
    const ids = Array.from({ length: 130 }, (_, index) => `r${String(index).padStart(3, "0")}`);
    await api.has(
      "ratings",
      ids.map((id) => ({ id })),
    );
    await api.store.remove(ratings, ids);
    const count = async (query: string) => (await removedOf(api, `/api/v2.1/calendar-removed?${query}`)).length;
    assert.deepEqual(
      [await count(""), await count("page=1"), await count("page=2"), await count("pageSize=1000")],
      [100, 30, 0, 130],
    );
    assert.equal(await count("pagesize=7"), 7);
    const { errors } = (await api.fetch("/api/v2.1/calendar-removed?pageSize=7&pagesize=8")).json;
    assert.equal(errors.length, 2);
  });

  test("report every error at once, and list ignored parameters", async (api) => {
    const errors = await api.errors("/api/v2.1/calendar-removed?page=x&pageSize=1001&type=news&parameters[updated]=-1");
    assert.deepEqual(
      errors.map(({ parameter }) => parameter),
      ["page", "pageSize", "parameters[updated]", "type"],
    );
    assert.match(errors[3]?.expected ?? "", /^one of ratings, dividends, /);
    assert.equal((await api.errors("/api/v2/news-removed?updatedSince=now&pageSize=0")).length, 2);
    const { headers } = await api.fetch("/api/v2/news-removed?type=ratings&parameters[updated]=1");
    assert.equal(headers["x-ignored-parameters"], "type,parameters[updated]");
    const both = await api.errors("/api/v2.1/calendar-removed?updated=1&parameters[updated]=2");
    assert.equal(both.length, 2);
  });

  test("change the ETag with removals, restored records, and pruned removals, and otherwise keep it", async (api) => {
    const url = "/api/v2.1/calendar-removed";
    const tag = async (path = url) => (await api.fetch(path)).headers.etag ?? "";
    const fresh = async (before: string) => (await api.fetch(url, { "if-none-match": before })).status;
    const first = await tag();
    const ofNews = await tag("/api/v2/news-removed");
    assert.equal(await fresh(first), 304);
    await gone(api, "economics", ["a", "b"]);
    const second = await tag();
    assert.equal(await fresh(first), 200);
    assert.equal(await tag("/api/v2/news-removed"), ofNews, "a calendar's removal is none of news");
    await api.has("economics", [{ id: "a" }]);
    assert.equal(await fresh(second), 200);
    const third = await tag();
    await api.has("news", [{ id: 1 }]);
    assert.equal(await fresh(third), 304);
    await api.store.pruneChanges({ before: api.clock.now + 1 }, 100);
    assert.equal(await fresh(third), 200);
    assert.deepEqual(await removedOf(api, url), []);
  });

  test("are pruned with the entries of the log, oldest first", async (api) => {
    await gone(api, "ratings", ["a", "b", "c"]);
    assert.ok((await api.store.pruneChanges({ before: testNow + 2 }, 1)) > 0);
    const ids = async () =>
      (await removedOf(api, "/api/v2.1/calendar-removed?updated=0")).map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids(), ["b", "c"]);
    while ((await api.store.pruneChanges({ before: testNow + 2 }, 1)) > 0);
    assert.deepEqual(await ids(), ["c"]);
  });

  test("are derived from a copied log", async (api) => {
    const line = (seq: number, id: string, kind: "created" | "updated" | "removed", resource = "ratings") => ({
      ...{ seq, resource, id, kind, at: seq * 10 },
    });
    await api.store.importChanges([
      line(1, "a", "removed"),
      line(2, "b", "removed"),
      line(3, "b", "created"),
      line(4, "c", "created"),
      line(5, "c", "removed"),
      line(6, "9", "removed", "news"),
    ]);
    await api.store.importChanges([line(7, "a", "created"), line(8, "a", "removed")]);
    assert.deepEqual(await removedOf(api, "/api/v2.1/calendar-removed?updated=0"), [
      { id: "c", type: "ratings", updated: 50 },
      { id: "a", type: "ratings", updated: 80 },
    ]);
    assert.deepEqual(await removedOf(api, "/api/v2/news-removed"), [{ id: 9, updated: 60 }]);
    await api.store.importChanges([line(9, "c", "created")]);
    assert.equal((await removedOf(api, "/api/v2.1/calendar-removed")).length, 1);
  });

  test("are rejected for a key that may only write, and for a wrong version, like every list", async (api) => {
    const writer = await api.key({ scopes: ["write"] });
    for (const url of ["/api/v2/news-removed", "/api/v2.1/calendar-removed"]) {
      const rejected = await api.request(url, { headers: { authorization: `Bearer ${writer}` } });
      assert.deepEqual([rejected.status, rejected.json.code], [403, "key.scope"]);
      assert.equal((await api.request(url)).status, 401);
    }
    const elsewhere = await api.fetch("/api/v2.1/news-removed");
    assert.equal(elsewhere.status, 404);
    assert.match(elsewhere.json.detail, /\/api\/v2\/news-removed\.$/);
    assert.match((await api.fetch("/api/v2/calendar-removed")).json.detail, /\/api\/v2\.1\/calendar-removed\.$/);
    assert.equal((await api.request("/api/v2/news-removed", { method: "POST" })).headers.allow, "GET, HEAD");
    assert.equal((await api.fetch("/api/v2/news-removed/")).status, 200);
  });
});
