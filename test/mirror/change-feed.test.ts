// A mirror through the change feed is complete, hidden attributes included, and recovers from every lost position.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { parseProbes } from "../../src/mirror/lists/discover.ts";
import type { MirrorOptions } from "../../src/mirror/mirror.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type Api, type RecordInput, resourceNamed } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { mirroringBellwire, type Setting } from "./support/bellwire-upstream.ts";

const story = (id: number): RecordInput => ({
  id,
  title: `Story ${id}`,
  created: 1_700_000_000 + id,
  content_type: "story",
  importance: "high",
  regions: ["USA"],
  stocks: [{ name: "AAPL", primary: true }],
  channels: [{ name: "News", id: 7 }],
});
const rating = (id: string): RecordInput => ({ id, date: "2024-11-05", updated: 1_700_000_000, cusip: "38259P508" });

/** By default more ratings than the feed gives at once. */
async function fill({ has }: Setting, ratings = 1100): Promise<void> {
  await has(
    "news",
    Array.from({ length: 120 }, (_, index) => story(index + 1)),
  );
  await has(
    "ratings",
    Array.from({ length: ratings }, (_, index) => rating(`r${index}`)),
  );
}

/** Changes the upstream's database file under the running server, as restoring a backup would. */
function tamper({ upstream }: Setting, sql: string): void {
  const db = new DatabaseSync(upstream.file, { timeout: 30_000 });
  db.exec(sql);
  db.close();
}

sharingEveryStore("a mirror by the change feed", (test) => {
  test("copies every attribute, follows changes, and costs one request when idle", async (api: Api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      assert.deepEqual((await setting.once()).failures, []);
      await setting.same();
      assert.deepEqual(
        await api.ids("/api/v2/news?importance=high&region=US&primaryTickers=aapl&channels=7&pageSize=1"),
        [120],
      );
      await setting.has("news", [{ ...story(5), title: "Story five" }, story(500)]);
      await setting.upstream.store.remove(resourceNamed("ratings"), ["r7", "r8"]);
      await setting.has("ratings", [rating("r8"), rating("zz")]);
      assert.deepEqual((await setting.once()).requests, ["/changes?after=1220&limit=1000"]);
      await setting.same();
      const { requests } = await setting.once();
      assert.deepEqual(requests, ["/changes?after=1226&limit=1000"]);
      const { via, feed, resources } = await setting.status();
      assert.deepEqual([via, feed], ["changes", { after: 1226, last: 1226, snapshot_left: [] }]);
      assert.equal(resources.find(({ resource }) => resource === "ratings")?.counts.removed, 1);
    });
  });

  test("restarts with a snapshot when its position has expired, and removes what was removed in between", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      await setting.once();
      await setting.upstream.store.remove(resourceNamed("ratings"), ["r0", "r1099", "r700"]);
      await setting.upstream.store.remove(resourceNamed("news"), ["1", "60", "120"]);
      await setting.has("ratings", [rating("new")]);
      await setting.upstream.store.pruneChanges({ upTo: 1226 }, 10_000);
      const { failures, requests } = await setting.once();
      assert.deepEqual(failures, []);
      assert.ok(requests.length < 15, `${requests.length} requests`);
      await setting.same();
    });
  });

  test("restarts when the upstream is another database or was restored from a backup", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting, 60);
      await setting.once();
      tamper(
        setting,
        "update setting set value = 'another' where name = 'database'; delete from ratings where id = 'r3'",
      );
      await setting.once();
      await setting.same();
      tamper(setting, "delete from change; delete from ratings where id > 'r5'");
      await setting.once();
      await setting.same();
    });
  });

  test("resumes in the middle of a snapshot", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      const stop = new AbortController();
      setting.between.instead = ({ path, query }) => {
        if (path === "/changes/records/ratings" && query.has("after")) stop.abort();
        return false;
      };
      await setting.once({ signal: stop.signal });
      assert.equal(stop.signal.aborted, true);
      const { failures, requests } = await setting.once();
      assert.deepEqual(failures, []);
      assert.match(requests[0] ?? "", /^\/changes\/records\/ratings\?.*after=/);
      assert.ok(!requests.some((url) => url.startsWith("/changes/records/news")), requests.join("\n"));
      await setting.same();
    });
  });

  test("takes a snapshot of a resource that is added later", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting, 60);
      await setting.once({ resources: [resourceNamed("news")] });
      assert.equal(await api.store.count(resourceNamed("ratings")), 0);
      const { requests } = await setting.once();
      assert.ok(!requests.some((url) => url.startsWith("/changes/records/news")), requests.join("\n"));
      await setting.same();
    });
  });

  test("falls back to the lists when the token may not read the feed, and logs it", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting, 60);
      const token = await setting.upstream.key();
      assert.deepEqual((await setting.once({ token })).failures, []);
      assert.match(
        setting.logged.join("\n"),
        /token may not read the change feed \(This requires the scope "replicate"/,
      );
      assert.equal((await setting.status()).via, "lists");
      assert.equal(await api.store.count(resourceNamed("ratings")), 60);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), []);
      // It never falls back from the feed to the lists: those would drop hidden attributes.
      await setting.once({ via: "changes" });
      await setting.same();
      const lost = await setting.once({ token });
      assert.match(lost.failures.join(), /^\/changes: refused with status 403/);
      await setting.same();
    });
  });

  test("survives an upstream that misbehaves", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      setting.between.faultRate = 0.4;
      assert.deepEqual((await setting.once({ retryMs: 1 })).failures, []);
      await setting.same();
    });
  });

  test("discovers hidden attributes through filters when reading lists", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await setting.has("news", [
        story(1),
        { ...story(2), importance: "low", regions: ["Canada", "USA"], content_type: "report" },
        { ...story(3), importance: null, regions: [], content_type: "other" },
      ]);
      const lessons = parseProbes("importance, content_types=story|report, region=USA|CAN", catalog);
      assert.ok(lessons);
      const options: Partial<MirrorOptions> = { via: "lists", probes: lessons, resources: [resourceNamed("news")] };
      assert.deepEqual((await setting.once(options)).failures, []);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), [1]);
      assert.deepEqual(await api.ids("/api/v2/news?importance=low&region=ca&content_types=Report"), [2]);
      assert.deepEqual(await api.ids("/api/v2/news?region=us"), [2, 1]);
      assert.deepEqual(await api.ids("/api/v2/news?content_types=other"), []);
      // Discovered attributes survive the next poll and follow changes.
      await setting.once(options);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), [1]);
      await setting.has("news", [{ ...story(1), importance: "medium", updated: Math.floor(Date.now() / 1000) }]);
      await setting.once(options);
      assert.deepEqual(await api.ids("/api/v2/news?importance=medium"), [1]);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), []);
    });
    for (const wrong of ["color", "content_types", "region=", "importance=high=low,x"]) {
      assert.equal(parseProbes(wrong, catalog), undefined, wrong);
    }
  });
});
