// A mirror reads the shapes in which public services of this interface send records and removals.
import assert from "node:assert/strict";
import { resourceNamed } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { json } from "./support/fake-upstream.ts";
import { daysAgo, mirroring, type Setting } from "./support/foreign.ts";

const calls = resourceNamed("conference-calls");

/** Two ratings of yesterday. */
function fill({ upstream, clock }: Setting): void {
  for (const id of ["a", "b"]) upstream.records.set(id, { id, date: daysAgo(clock, 1), updated: 1_700_000_000 });
}

const seconds = ({ clock }: Setting): number => Math.floor(clock.time / 1000);

sharingEveryStore("a mirror of an upstream", (test) => {
  for (const key of ["conference-calls", "conference"]) {
    test(`that sends conference calls under the key ${key}`, async (api) => {
      await mirroring(api.store, async (setting) => {
        setting.upstream.habits.instead = ({ path, query }, response) => {
          if (path !== calls.path) return false;
          const updated = 1_700_000_000;
          json(response, { [key]: query.get("page") === "0" ? [{ id: "call", date: "2024-11-05", updated }] : [] });
          return true;
        };
        assert.deepEqual((await setting.once({ resources: [calls] })).failures, []);
        assert.deepEqual(await api.ids("/api/v2.1/calendar/conference-calls"), ["call"]);
      });
    });
  }

  test("that sends an empty list in place of an object without records", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits.instead = ({ path }, response) => {
        if (path === "/api/v2.1/calendar/ratings") json(response, []);
        return path === "/api/v2.1/calendar/ratings";
      };
      assert.deepEqual((await setting.once()).failures, []);
    });
  });

  test("that sends numbers as text, and attributes that the interface doesn't have", async (api) => {
    await mirroring(api.store, async (setting) => {
      fill(setting);
      setting.upstream.records.set("c", {
        ...{ id: "c", date: daysAgo(setting.clock, 1), updated: "1700000000" as unknown as number },
        ...{ importance: "3", sector_rank: 1 },
      });
      setting.upstream.records.set("d", { id: "d", date: daysAgo(setting.clock, 1), updated: 5, importance: "" });
      assert.deepEqual((await setting.once()).failures, []);
      const { ratings } = await api.get("/api/v2.1/calendar/ratings?parameters[importance]=3");
      assert.deepEqual(
        ratings.map(({ id, importance, updated }: Record<string, unknown>) => [id, importance, updated]),
        [["c", 3, 1_700_000_000]],
      );
      const [status] = (await setting.status()).resources;
      assert.deepEqual([status?.counts.refused, status?.records], [0, 4]);
      assert.deepEqual(status?.unknown_attributes, { sector_rank: 1 });
    });
  });

  for (const path of ["/api/v2.1/calendar-removed", "/api/v2.1/calendar-removed/"]) {
    const shapes: Record<string, (list: unknown[]) => unknown> = {
      '{"removed": […]}': (removed) => ({ removed }),
      "[…]": (list) => list,
      '{"items": […]}': (items) => ({ items }),
    };
    for (const [shape, wrap] of Object.entries(shapes)) {
      test(`that lists removals at ${path} as ${shape}`, async (api) => {
        await mirroring(api.store, async (setting) => {
          fill(setting);
          let removed: unknown[] = [];
          setting.upstream.habits.instead = (request, response) => {
            if (request.path === path) json(response, wrap(request.query.get("page") === "0" ? removed : []));
            return request.path === path;
          };
          await setting.once();
          setting.upstream.records.delete("b");
          removed = [{ id: "b", type: "ratings", updated: String(seconds(setting)) }];
          assert.deepEqual((await setting.once()).failures, []);
          assert.deepEqual(await setting.ids(), ["a"]);
        });
      });
    }
  }

  for (const type of ["conference-calls", "conference calls", "Conference Calls", "conference"]) {
    test(`that lists removals of the type ${type}`, async (api) => {
      await mirroring(api.store, async (setting) => {
        let exists = true;
        setting.upstream.habits.instead = ({ path, query }, response) => {
          const record = { id: "call", date: "2024-11-05", updated: 1_700_000_000 };
          const first = query.get("page") !== "1";
          if (path === calls.path) json(response, { "conference-calls": exists && first ? [record] : [] });
          else if (path === "/api/v2.1/calendar-removed")
            json(response, { removed: exists ? [] : [{ id: "call", type, updated: seconds(setting) }] });
          else return false;
          return true;
        };
        await setting.once({ resources: [calls] });
        assert.deepEqual(await api.ids("/api/v2.1/calendar/conference-calls"), ["call"]);
        exists = false;
        await setting.once({ resources: [calls] });
        assert.deepEqual(await api.ids("/api/v2.1/calendar/conference-calls"), []);
      });
    });
  }

  test("that serves fewer removals on a page than requested", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits = { tellsRemovals: true, mostOnPage: 10 };
      const ids = Array.from({ length: 60 }, (_, index) => `r${index}`);
      for (const id of ids)
        setting.upstream.records.set(id, { id, date: daysAgo(setting.clock, 1), updated: 1_700_000_000 });
      await setting.once();
      for (const id of ids.slice(5)) setting.upstream.remove(id);
      await setting.once();
      assert.deepEqual(await setting.ids(), ids.slice(0, 5));
    });
  });

  test("that continues to list the removal of a record that it has created again", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits = { tellsRemovals: true };
      fill(setting);
      await setting.once();
      setting.upstream.remove("a");
      await setting.once();
      assert.deepEqual(await setting.ids(), ["b"]);
      setting.clock.time += 10_000;
      const { records, removed } = setting.upstream;
      records.set("a", { id: "a", date: daysAgo(setting.clock, 1), updated: seconds(setting) });
      // So many changes that the next poll begins after this one, but no removal that moves that list's position.
      setting.clock.time += 120_000;
      for (let index = 0; index < 1500; index++) {
        const id = `new${index}`;
        records.set(id, { id, date: daysAgo(setting.clock, 1), updated: seconds(setting) });
      }
      for (const _ of [1, 2, 3]) {
        setting.clock.time += 60_000;
        await setting.once();
        assert.equal((await setting.ids()).length, 1502);
      }
      assert.ok(removed.has("a"));
    });
  });
});
