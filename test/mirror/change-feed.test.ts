// A mirror by the change feed: nothing is missing, hidden attributes included, and every way to lose one's place is survived.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { beatMs } from "../../src/mirror/lease.ts";
import { parseLessons } from "../../src/mirror/lists/discover.ts";
import { type MirrorOptions, mirror } from "../../src/mirror/mirror.ts";
import { type Status, statusOf } from "../../src/mirror/status.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { Store } from "../../src/store/store.ts";
import { type Api, type Given, resourceNamed } from "../support/clients/api.ts";
import { type Listening, listening } from "../support/clients/listening.ts";
import { rowsOf } from "../support/requests/requests.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { exports } from "./support/identical.ts";
import type { Asked } from "./support/pretender.ts";
import { type Between, proxy } from "./support/proxy.ts";
import { virtualClock } from "./support/virtual-clock.ts";

type Setting = {
  readonly upstream: Listening;
  readonly between: Between;
  readonly said: string[];
  has(resource: string, records: readonly Given[]): Promise<void>;
  /** One run; gives what could not be done, and the requests it took. */
  once(options?: Partial<MirrorOptions>): Promise<{ failures: readonly string[]; asked: string[] }>;
  status(): Promise<Status>;
  same(): Promise<void>;
};

const printed = ({ path, query }: Asked): string => `${path}?${query}`;

async function mirroring({ store }: { store: Store }, run: (setting: Setting) => Promise<void>): Promise<void> {
  await listening(async (upstream) => {
    const between = await proxy(`http://127.0.0.1:${upstream.port}`);
    const clock = virtualClock(undefined, beatMs);
    const token = await upstream.key({ scopes: ["read", "replicate"] });
    const said: string[] = [];
    try {
      await run({
        upstream,
        between,
        said,
        has: async (name, records) => {
          const resource = resourceNamed(name);
          await upstream.store.put(
            resource,
            rowsOf(resource, records).map((row) => ({ row, stamped: false })),
          );
        },
        once: async (options) => {
          const before = between.asked.length;
          const failures = await mirror({
            store,
            resources: catalog,
            base: between.url,
            token,
            tokenIn: "auto",
            rate: { requests: 1000, periodMs: 1000 },
            floor: undefined,
            everyMs: 30_000,
            once: true,
            via: "auto",
            recheck: { days: 0, everySeconds: 1 },
            lessons: new Map(),
            adopt: false,
            clock,
            signal: new AbortController().signal,
            batchSize: 500,
            say: (text) => said.push(text),
            onTaken: () => {},
            ...options,
          });
          return { failures, asked: between.asked.slice(before).map(printed) };
        },
        status: async () => {
          const status = await statusOf(store, catalog, clock.time / 1000);
          assert.ok(status);
          return status;
        },
        same: async () => assert.deepEqual(await exports(store), await exports(upstream.store)),
      });
    } finally {
      await between.close();
    }
  });
}

const story = (id: number): Given => ({
  id,
  title: `Story ${id}`,
  created: 1_700_000_000 + id,
  content_type: "story",
  importance: "high",
  regions: ["USA"],
  stocks: [{ name: "AAPL", primary: true }],
  channels: [{ name: "News", id: 7 }],
});
const rating = (id: string): Given => ({ id, date: "2024-11-05", updated: 1_700_000_000, cusip: "38259P508" });

async function fill({ has }: Setting): Promise<void> {
  await has(
    "news",
    Array.from({ length: 120 }, (_, index) => story(index + 1)),
  );
  await has(
    "ratings",
    Array.from({ length: 1100 }, (_, index) => rating(`r${index}`)),
  );
}

/** Changes the upstream's file beneath its server, as a restored backup would. */
function tamper({ upstream }: Setting, sql: string): void {
  const db = new DatabaseSync(upstream.file);
  db.exec(sql);
  db.close();
}

onEveryStore("a mirror by the change feed", (test) => {
  test("brings every attribute, follows what happens, and then costs one request", async (api: Api) => {
    await mirroring(api, async (setting) => {
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
      assert.deepEqual((await setting.once()).asked, ["/changes?after=1220&limit=1000"]);
      await setting.same();
      const { asked } = await setting.once();
      assert.deepEqual(asked, ["/changes?after=1226&limit=1000"]);
      const { via, feed, resources } = await setting.status();
      assert.deepEqual([via, feed], ["changes", { after: 1226, last: 1226, snapshot_left: [] }]);
      assert.equal(resources.find(({ resource }) => resource === "ratings")?.counts.removed, 1);
    });
  });

  test("begins anew with a snapshot when its position is no longer kept, and removes what is gone meanwhile", async (api) => {
    await mirroring(api, async (setting) => {
      await fill(setting);
      await setting.once();
      await setting.upstream.store.remove(resourceNamed("ratings"), ["r0", "r1099", "r700"]);
      await setting.upstream.store.remove(resourceNamed("news"), ["1", "60", "120"]);
      await setting.has("ratings", [rating("new")]);
      await setting.upstream.store.forgetChanges({ upTo: 1226 }, 10_000);
      const { failures, asked } = await setting.once();
      assert.deepEqual(failures, []);
      assert.ok(asked.length < 15, `${asked.length} requests`);
      await setting.same();
    });
  });

  test("begins anew when the upstream is another database, or was set back", async (api) => {
    await mirroring(api, async (setting) => {
      await fill(setting);
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

  test("goes on in the middle of a snapshot", async (api) => {
    await mirroring(api, async (setting) => {
      await fill(setting);
      const stop = new AbortController();
      const stopLater = (): void => {
        if (setting.between.asked.some((asked) => printed(asked).startsWith("/changes/records/ratings"))) stop.abort();
        else setTimeout(stopLater, 1);
      };
      stopLater();
      await setting.once({ signal: stop.signal });
      const { failures, asked } = await setting.once();
      assert.deepEqual(failures, []);
      assert.ok(!asked.some((url) => url.startsWith("/changes/records/news")), asked.join("\n"));
      await setting.same();
    });
  });

  test("takes a snapshot of a resource that is mirrored later", async (api) => {
    await mirroring(api, async (setting) => {
      await fill(setting);
      await setting.once({ resources: [resourceNamed("news")] });
      assert.equal(await api.store.count(resourceNamed("ratings")), 0);
      const { asked } = await setting.once();
      assert.ok(!asked.some((url) => url.startsWith("/changes/records/news")), asked.join("\n"));
      await setting.same();
    });
  });

  test("reads the lists with a key that may not read the feed, and says so", async (api) => {
    await mirroring(api, async (setting) => {
      await fill(setting);
      const token = await setting.upstream.key();
      assert.deepEqual((await setting.once({ token })).failures, []);
      assert.match(
        setting.said.join("\n"),
        /change feed may not be read with this key \(This needs the scope "replicate"/,
      );
      assert.equal((await setting.status()).via, "lists");
      assert.equal(await api.store.count(resourceNamed("ratings")), 1100);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), []);
      // The other way round nothing is given up by itself: lists would take hidden attributes away.
      await setting.once({ via: "changes" });
      await setting.same();
      const lost = await setting.once({ token });
      assert.match(lost.failures.join(), /^\/changes: refused with status 403/);
      await setting.same();
    });
  });

  test("survives an upstream that misbehaves", async (api) => {
    await mirroring(api, async (setting) => {
      await fill(setting);
      setting.between.misbehaving = 0.4;
      assert.deepEqual((await setting.once({ retryMs: 1 })).failures, []);
      await setting.same();
    });
  });

  test("by lists may learn what is not shown, by asking with each filter", async (api) => {
    await mirroring(api, async (setting) => {
      await setting.has("news", [
        story(1),
        { ...story(2), importance: "low", regions: ["Canada", "USA"], content_type: "report" },
        { ...story(3), importance: null, regions: [], content_type: "other" },
      ]);
      const lessons = parseLessons("importance, content_types=story|report, region=USA|CAN", catalog);
      assert.ok(lessons);
      const options: Partial<MirrorOptions> = { via: "lists", lessons, resources: [resourceNamed("news")] };
      assert.deepEqual((await setting.once(options)).failures, []);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), [1]);
      assert.deepEqual(await api.ids("/api/v2/news?importance=low&region=ca&content_types=Report"), [2]);
      assert.deepEqual(await api.ids("/api/v2/news?region=us"), [2, 1]);
      assert.deepEqual(await api.ids("/api/v2/news?content_types=other"), []);
      // What has been learned is not unlearned by the next look, and follows a change.
      await setting.once(options);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), [1]);
      await setting.has("news", [{ ...story(1), importance: "medium", updated: Math.floor(Date.now() / 1000) }]);
      await setting.once(options);
      assert.deepEqual(await api.ids("/api/v2/news?importance=medium"), [1]);
      assert.deepEqual(await api.ids("/api/v2/news?importance=high"), []);
    });
    for (const wrong of ["color", "content_types", "region=", "importance=high=low,x"]) {
      assert.equal(parseLessons(wrong, catalog), undefined, wrong);
    }
  });
});
