// The change feed and its snapshot over HTTP: what a follower gets, how it continues, and when it must start over.
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { ratings } from "../../../src/resources/ratings.ts";
import { type Body, resourceNamed, testNow } from "../../support/clients/api.ts";
import { follower, replicating } from "../../support/clients/replicating.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

onEveryStore("the change feed", (test) => {
  test("is empty if the log is empty", async (api) => {
    const get = await follower(api);
    const { databaseId: database } = await api.store.state();
    assert.deepEqual(await get("/changes"), { database, changes: [], next: 0, last: 0 });
  });

  test("returns entries in order, each with the current record, including hidden attributes", async (api) => {
    const get = await follower(api);
    const item = {
      id: 7,
      title: "One",
      created: "Tue, 05 Nov 2024 09:30:00 -0500",
      body: "<p>b</p>",
      importance: "high",
      content_type: "story",
      regions: ["USA"],
      channels: [{ id: 3, name: "Earnings" }],
      stocks: [{ name: "AAPL", primary: true }],
    };
    await api.has("news", [item]);
    await api.has("ratings", [{ id: "a", date: "2024-11-05", cusip: "12345A789" }, { id: "b" }]);
    api.clock.now += 5;
    await api.store.remove(ratings, ["b"]);
    const { database, changes, next, last } = await get("/changes");
    assert.equal(database, (await api.store.state()).databaseId);
    assert.equal(next, last);
    assert.deepEqual(
      changes.map(({ record: _record, ...line }: Body) => line),
      [
        { seq: 1, resource: "news", id: "7", kind: "created", at: testNow },
        { seq: 2, resource: "ratings", id: "a", kind: "created", at: testNow },
        { seq: 3, resource: "ratings", id: "b", kind: "created", at: testNow },
        { seq: 4, resource: "ratings", id: "b", kind: "removed", at: testNow + 5 },
      ],
    );
    const { updated, ...record } = changes[0].record;
    assert.deepEqual(record, item);
    assert.equal(updated, item.created);
    assert.deepEqual(changes[1].record, { cusip: "12345A789", date: "2024-11-05", id: "a", updated: testNow });
    assert.ok(!("record" in changes[2]) && !("record" in changes[3]), "a record that is gone is not there");
    for (const { resource, record: taken } of changes.slice(0, 2))
      assert.ok("row" in validateRecord(resourceNamed(resource), taken, 1), "what is returned can be imported");
  });

  test("continues from next, in batches of any size, without repeating an entry", async (api) => {
    const get = await follower(api);
    for (let n = 0; n < 7; n++) await api.has("ratings", [{ id: `r${n}` }]);
    for (const limit of [1, 2, 3, 7, 8, 1000]) {
      const seen: number[] = [];
      for (let after: number = 0; ; ) {
        const { changes, next, last } = await get(`/changes?after=${after}&limit=${limit}`);
        seen.push(...changes.map(({ seq }: Body) => seq));
        assert.ok(next === seen.at(-1));
        after = Number(next);
        if (next === last) break;
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7], `by ${limit}`);
    }
    assert.deepEqual((await get("/changes?after=7")).changes, []);
    assert.equal((await get("/changes?after=7")).next, 7);
  });

  test("of one resource skips entries of others, and the position moves past them", async (api) => {
    const get = await follower(api);
    await api.has("ratings", [{ id: "a" }]);
    await api.has("news", [{ id: 1 }, { id: 2 }]);
    await api.has("ratings", [{ id: "b" }]);
    await api.has("news", [{ id: 3 }]);
    const first = await get("/changes?resource=ratings&limit=1");
    assert.deepEqual([first.changes.length, first.next, first.last], [1, 1, 5]);
    const second = await get(`/changes?resource=ratings&after=${first.next}`);
    assert.deepEqual([second.changes.map(({ id }: Body) => id), second.next], [["b"], 5]);
    assert.deepEqual((await get("/changes?resource=earnings")).next, 5);
  });

  test("returns 410 for a position before the oldest change, with where to continue and how to start over", async (api) => {
    const request = await replicating(api);
    for (let n = 0; n < 4; n++) {
      await api.has("ratings", [{ id: `r${n}` }]);
      api.clock.now += 100;
    }
    await api.store.pruneChanges({ before: testNow + 150 }, 100);
    for (const after of [0, 1]) {
      const { status, json, headers } = await request(`/changes?after=${after}`);
      assert.deepEqual([status, json.code], [410, "changes.gone"]);
      assert.match(json.detail, /oldest position to continue from is 2\..*\/changes\/records\//);
      assert.equal(headers["cache-control"], "no-store");
    }
    assert.equal((await request("/changes")).status, 410);
    assert.deepEqual(
      (await request("/changes?after=2")).json.changes.map(({ seq }: Body) => seq),
      [3, 4],
    );
  });

  test("doesn't require starting over because of unused sequence numbers", async (api) => {
    const get = await follower(api);
    await api.store.importChanges([{ seq: 40, resource: "ratings", id: "a", kind: "removed", at: 5 }]);
    assert.equal((await get("/changes?after=3")).changes.length, 1);
  });

  test("rejects a position beyond the newest, and reports all errors at once", async (api) => {
    const request = await replicating(api);
    await api.has("ratings", [{ id: "a" }]);
    const beyond = await request("/changes?after=2");
    assert.equal(beyond.status, 400);
    assert.deepEqual(beyond.json.errors, [
      { parameter: "after", given: "2", expected: "a position up to 1, the newest one" },
    ]);
    const wrong = await request("/changes?after=x&limit=1001&resource=weather&other=1");
    assert.deepEqual(
      wrong.json.errors.map(({ parameter }: Body) => parameter),
      ["after", "resource", "limit"],
    );
    for (const limit of ["0", "1001", "-1"]) assert.equal((await request(`/changes?limit=${limit}`)).status, 400);
    assert.equal((await request("/changes?other=1&tickers=A")).headers["x-ignored-parameters"], "other,tickers");
  });

  test("requires a key with the scope replicate, in the header", async (api) => {
    const key = await api.key({ scopes: ["replicate"] });
    for (const url of ["/changes", "/changes/records/news"]) {
      assert.equal((await api.request(url)).json.code, "key.missing");
      const plain = await api.fetch(url);
      assert.deepEqual([plain.status, plain.json.code], [403, "key.scope"]);
      assert.match(plain.json.detail, /"replicate"/);
      const inQuery = await api.request(`${url}?token=${key}`);
      assert.deepEqual([inQuery.status, inQuery.json.code], [401, "key.header"]);
      assert.ok(!inQuery.text.includes(key) && !api.log.join("").includes(key), "the key was disclosed");
      assert.equal((await api.request(url, { headers: { authorization: `token ${key}` } })).status, 200);
      const posted = await api.request(url, { method: "POST", headers: { authorization: `token ${key}` } });
      assert.deepEqual([posted.status, posted.headers.allow], [405, "GET, HEAD"]);
    }
    const reading = await api.request("/api/v2/news", { headers: { authorization: `token ${key}` } });
    assert.equal(reading.json.code, "key.scope");
  });

  test("rejects a key that doesn't see everything, even with the scope", async (api) => {
    await api.has("ratings", [{ id: "a" }]);
    const scopes = ["read", "replicate"];
    for (const terms of [{ history: "365d" }, { delay: 15 }, { history: "2024-01-01", delay: 1 }]) {
      const headers = { authorization: `Bearer ${await api.key({ scopes, ...terms })}` };
      for (const url of ["/changes", "/changes/records/ratings"]) {
        const { status, json } = await api.request(url, { headers });
        assert.deepEqual(
          [status, json.code, json.detail],
          [
            403,
            "key.scope",
            'The scope "replicate" requires access to all records; this key has a history limit or a delay.',
          ],
        );
      }
      assert.equal((await api.request("/api/v2.1/calendar/ratings", { headers })).status, 200);
    }
  });

  test("returns responses that are not cacheable and compressed on request, with their length on HEAD", async (api) => {
    const request = await replicating(api);
    const key = await api.key({ scopes: ["replicate"] });
    await api.has(
      "ratings",
      Array.from({ length: 50 }, (_, n) => ({ id: `r${n}` })),
    );
    for (const url of ["/changes", "/changes/records/ratings"]) {
      const plain = await request(url);
      assert.equal(plain.headers["cache-control"], "no-store");
      assert.equal(plain.headers.etag, undefined);
      assert.equal(plain.headers["content-type"], "application/json; charset=utf-8");
      const packed = await request(url, { "accept-encoding": "gzip" });
      assert.equal(packed.headers["content-encoding"], "gzip");
      assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
      const head = await api.request(url, { method: "HEAD", headers: { authorization: `token ${key}` } });
      assert.deepEqual([head.status, head.text], [200, ""]);
      assert.equal(head.headers["content-length"], String(plain.bytes.length));
      assert.equal((await request(url, { accept: "application/xml" })).status, 406);
    }
  });
});

onEveryStore("the snapshot", (test) => {
  test("returns records sorted by ID, with the position to follow from", async (api) => {
    const get = await follower(api);
    const { databaseId: database } = await api.store.state();
    assert.deepEqual(await get("/changes/records/ratings"), { database, last: 0, records: [] });
    await api.has("news", [{ id: 90 }, { id: 9 }, { id: 100 }]);
    const first = await get("/changes/records/news?limit=2");
    assert.deepEqual([first.last, first.records.map(({ id }: Body) => id), first.next], [3, [9, 90], "90"]);
    const second = await get("/changes/records/news?limit=2&after=90");
    assert.deepEqual(
      second.records.map(({ id }: Body) => id),
      [100],
    );
    assert.ok(!("next" in second));
  });

  test("continues from any ID, including one of blanks", async (api) => {
    const get = await follower(api);
    const ids = [" ", "  ", " a", "a ", "a&b=c", "%41", "a+b", "é", "😀", '"', "\\", "\t", "/"];
    await api.has(
      "guidance",
      ids.map((id) => ({ id })),
    );
    const seen: string[] = [];
    for (let after = ""; seen.length <= ids.length; ) {
      const { records, next } = await get(`/changes/records/guidance?limit=1&after=${encodeURIComponent(after)}`);
      seen.push(...records.map(({ id }: Body) => id));
      if (next === undefined) break;
      after = next;
    }
    assert.deepEqual(
      seen,
      ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
  });

  test("lists the resources for an unknown one, and what was expected for an invalid position", async (api) => {
    const request = await replicating(api);
    for (const url of ["/changes/records", "/changes/records/weather"]) {
      const { status, json } = await request(url);
      assert.equal(status, 404);
      assert.match(json.detail, /\/changes\/records\/ is followed by one of news, ratings, /);
    }
    const { json } = await request("/changes/records/news?after=x&limit=0");
    assert.deepEqual(
      json.errors.map(({ parameter }: Body) => parameter),
      ["after", "limit"],
    );
    assert.equal((await request(`/changes/records/ratings?after=${"x".repeat(300)}`)).status, 400);
  });

  test("ends a response early if its records are large, and loses nothing", async (api) => {
    const get = await follower(api);
    const body = "x".repeat(50_000);
    // Slightly more than one response holds.
    const ids = Array.from({ length: 360 }, (_, index) => index + 1);
    for (let at = 0; at < ids.length; at += 100)
      await api.has(
        "news",
        ids.slice(at, at + 100).map((id) => ({ id, body })),
      );
    const byFeed: number[] = [];
    const bySnapshot: number[] = [];
    let [responses, pages] = [0, 0];
    for (let after = 0, last = 1; after < last; responses++) {
      const { changes, next, last: newest } = await get(`/changes?after=${after}&limit=1000`);
      byFeed.push(...changes.map(({ record }: Body) => record.id));
      [after, last] = [next, newest];
    }
    for (let next: string | undefined = ""; next !== undefined; pages++) {
      const page: Body = await get(`/changes/records/news?after=${next}`);
      bySnapshot.push(...page.records.map(({ id }: Body) => id));
      next = page.next;
    }
    assert.deepEqual([byFeed, bySnapshot], [ids, ids]);
    assert.ok(responses > 1);
    assert.ok(pages > 1);
  });
});
