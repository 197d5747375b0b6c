// IDs of feed items: the same at every fetch, in range, and never those of another record.
import assert from "node:assert/strict";
import { test as nodeTest } from "node:test";
import fc from "fast-check";
import { exported } from "../../src/core/record/encoding.ts";
import { validateRecord } from "../../src/core/record/validate.ts";
import { candidateId, fingerprint } from "../../src/feeds/identity.ts";
import { type Api, resourceNamed } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { openTestStore, sqliteDatabase } from "../support/stores/stores.ts";
import { feedServer, inShort, item, rss, visitWith } from "./feed-server.ts";
import "../support/budget.ts";

const all = "/api/v2/news?pageSize=100&sort=id:asc";

const titles = async (api: Api): Promise<Record<string, number>> =>
  Object.fromEntries((await api.get(all)).map(({ id, title }: { id: number; title: string }) => [title, id]));

const titled = (guid: string, title: string): string => item(guid, `<title>${title}</title>`);

/** Two guids of a feed with colliding IDs: with 32 bits, they exist among a few hundred thousand. */
function falling(feed: string): [string, string] {
  const seen = new Map<number, string>();
  for (let n = 0; ; n++) {
    const id = candidateId(fingerprint(feed, `guid ${n}`), 0);
    const other = seen.get(id);
    if (other !== undefined) return [other, `guid ${n}`];
    seen.set(id, `guid ${n}`);
  }
}

nodeTest("every ID is a valid news ID and depends only on the feed and the item", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat({ max: 5 }), (path, key, n) => {
      // `fc.webUrl()` takes more than a second to prepare.
      const feed = `https://feeds.example/${encodeURIComponent(path)}`;
      const id = candidateId(fingerprint(feed, key), n);
      assert.ok(Number.isInteger(id) && id >= 1 && id <= 4_294_967_295);
      assert.equal(candidateId(fingerprint(feed, key), n), id);
    }),
  );
});

sharingEveryStore("IDs of feed items", (test) => {
  test("two items with colliding IDs are both stored, each under its ID, whichever is seen alone", (api) =>
    feedServer(async (server) => {
      const [a, b] = falling(server.url);
      server.give(rss(titled(a, "A")));
      await visitWith(api, server.url);
      server.give(rss(titled(b, "B") + titled(a, "A")));
      assert.equal(inShort(await visitWith(api, server.url)), "1 created, 0 updated, 1 unchanged");
      const ids = await titles(api);
      assert.equal(ids.A, candidateId(fingerprint(server.url, a), 0));
      assert.equal(ids.B, candidateId(fingerprint(server.url, b), 1));
      for (const document of [titled(b, "B"), titled(a, "A"), titled(b, "B") + titled(a, "A")]) {
        server.give(rss(document));
        assert.match(inShort(await visitWith(api, server.url)), /^0 created, 0 updated/);
      }
      // The ID that the other had to avoid becomes free: neither item gets a new one.
      await api.store.remove(resourceNamed("news"), [String(ids.A)]);
      server.give(rss(titled(b, "B, later")));
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 1 updated, 0 unchanged");
      assert.deepEqual(await titles(api), { "B, later": ids.B });
    }));

  test("a record from another source with the same ID is not changed", (api) =>
    feedServer(async (server) => {
      const id = candidateId(fingerprint(server.url, "1"), 0);
      await api.has("news", [{ id, title: "From elsewhere" }]);
      server.give(rss(titled("1", "From the feed")));
      assert.equal(inShort(await visitWith(api, server.url)), "1 created, 0 updated, 0 unchanged");
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 0 updated, 1 unchanged");
      const next = candidateId(fingerprint(server.url, "1"), 1);
      assert.deepEqual(await titles(api), { "From elsewhere": id, "From the feed": next });
    }));

  test("a record from another source that takes the ID of an item keeps it: the item gets another one", (api) =>
    feedServer(async (server) => {
      server.give(rss(titled("1", "From the feed")));
      await visitWith(api, server.url);
      const { "From the feed": id } = await titles(api);
      await api.has("news", [{ id, title: "From elsewhere" }]);
      assert.equal(inShort(await visitWith(api, server.url)), "1 created, 0 updated, 0 unchanged");
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 0 updated, 1 unchanged");
      assert.equal((await titles(api))["From elsewhere"], id);
    }));

  test("the same item in two feeds is two news items", (api) =>
    feedServer(async (server) => {
      server.give(rss(item("1")));
      await visitWith(api, `${server.url}?a`);
      assert.equal(inShort(await visitWith(api, `${server.url}?b`)), "1 created, 0 updated, 0 unchanged");
    }));

  test("a password in the URL doesn't affect IDs", (api) =>
    feedServer(async (server) => {
      server.give(rss(item("1")));
      await visitWith(api, server.url);
      const secret = server.url.replace("//", "//user:secret@");
      assert.equal(inShort(await visitWith(api, `${secret}#top`)), "0 created, 0 updated, 1 unchanged");
      assert.equal(server.requests[1]?.headers.authorization, `Basic ${btoa("user:secret")}`);
    }));

  test("items moved to another database by export and import keep their IDs there", (api) =>
    feedServer(async (server) => {
      const [a, b] = falling(server.url);
      server.give(rss(titled(a, "A") + titled(b, "B")));
      await visitWith(api, server.url);
      const news = resourceNamed("news");
      const { rendering } = await api.store.state();
      const rows = await api.store.rowsAfter(news, undefined, 10);
      const moved = rows.flatMap((row) => {
        const accepted = validateRecord(news, exported(news, row, rendering), api.clock.now);
        return "row" in accepted ? [accepted] : [];
      });
      const database = sqliteDatabase();
      const store = await openTestStore(database.name, () => api.clock.now);
      try {
        assert.deepEqual(await store.put(news, moved), ["created", "created"]);
        api.clock.now += 60;
        assert.equal(inShort(await visitWith({ ...api, store }, server.url)), "0 created, 0 updated, 2 unchanged");
      } finally {
        await store.close();
        await database.release();
      }
    }));

  test("an item that was removed stays removed, whatever the feed contains later", (api) =>
    feedServer(async (server) => {
      server.give(rss(titled("1", "Removed") + titled("2", "Stays")));
      await visitWith(api, server.url);
      const { Removed: id, Stays: staysId } = await titles(api);
      await api.store.remove(resourceNamed("news"), [String(id)]);
      server.give(rss(titled("1", "Removed, and changed") + titled("2", "Stays")));
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 0 updated, 2 unchanged");
      assert.deepEqual(await titles(api), { Stays: staysId });
    }));

  test("an item that has an ID but wasn't written, as after a kill, is written at the next poll", (api) =>
    feedServer(async (server) => {
      const print = fingerprint(server.url, "1");
      await api.store.setMetadataIfAbsent(`feed id ${candidateId(print, 0)}`, print);
      server.give(rss(titled("1", "One")));
      assert.equal(inShort(await visitWith(api, server.url)), "1 created, 0 updated, 0 unchanged");
      assert.deepEqual(await titles(api), { One: candidateId(print, 0) });
    }));

  test("two concurrent polls create each item once", (api) =>
    feedServer(async (server) => {
      server.give(rss(["1", "2", "3", "4", "5"].map((guid) => titled(guid, guid)).join("")));
      const other = await openTestStore(api.file, () => api.clock.now);
      try {
        await Promise.all([visitWith(api, server.url), visitWith({ ...api, store: other }, server.url)]);
        assert.deepEqual(Object.keys(await titles(api)).sort(), ["1", "2", "3", "4", "5"]);
      } finally {
        await other.close();
      }
    }));
});
