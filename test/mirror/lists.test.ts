// A mirror of an upstream that has only the lists of the interface: every record arrives once and stays up to date.
import assert from "node:assert/strict";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { daysAgo, mirroring, type Setting } from "./support/foreign.ts";

const hour = 3_600_000;

/** A number of ratings on each of the last days. */
function fill({ upstream, clock }: Setting, days: number, each: number): void {
  for (let day = 0; day < days; day++) {
    for (let index = 0; index < each; index++) {
      const id = `r${String(day).padStart(4, "0")}-${String(index).padStart(4, "0")}`;
      const updated = Math.floor(clock.time / 1000) - (day + 1) * 86_400;
      upstream.records.set(id, { id, date: daysAgo(clock, day), updated, ticker: "AAPL" });
    }
  }
}

const onlyDays = ({ query }: { query: URLSearchParams }) =>
  query.has("parameters[date_from]") || query.has("parameters[date_to]");

sharingEveryStore("a mirror by lists", (test) => {
  test("reads everything, newest days first, and then only changes", async (api) => {
    await mirroring(api.store, async (setting) => {
      fill(setting, 400, 7);
      setting.upstream.records.set("far", { id: "far", date: "2031-01-01", updated: 5 });
      setting.upstream.records.set("old", { id: "old", date: "1891-01-01", updated: 5 });
      const { failures, requests } = await setting.once();
      assert.deepEqual(failures, []);
      assert.deepEqual(await setting.ids(), [...setting.upstream.records.keys()].sort());
      const ends = requests.filter(onlyDays).map(({ query }) => query.get("parameters[date_to]") ?? "9999");
      assert.deepEqual(ends, ends.toSorted().reverse());
      assert.ok(requests.length < 30, `${requests.length} requests`);

      const second = await setting.once();
      assert.deepEqual(
        second.requests.map(({ path, query }) => [path, query.has("parameters[updated]"), onlyDays({ query })]),
        [["/api/v2.1/calendar/ratings", true, false]],
      );
      const [status] = (await setting.status()).resources;
      assert.deepEqual([status?.filled, status?.windows_left, status?.records], [true, 0, 2802]);
      assert.ok(status?.lag !== null && (status?.lag ?? 0) < 120);
    });
  });

  test("picks up added, changed, and moved records, including ties within a second", async (api) => {
    await mirroring(api.store, async (setting) => {
      fill(setting, 30, 5);
      await setting.once();
      const now = Math.floor(setting.clock.time / 1000);
      const { records } = setting.upstream;
      records.set("r0003-0001", { id: "r0003-0001", date: "2020-01-01", updated: now, ticker: "MSFT" });
      records.set("tie", { id: "tie", date: "2019-01-01", updated: now });
      await setting.once();
      records.set("tie2", { id: "tie2", date: "2018-01-01", updated: now });
      await setting.once();
      assert.deepEqual(await setting.ids(), [...records.keys()].sort());
      assert.deepEqual(await api.ids("/api/v2.1/calendar/ratings?parameters[tickers]=MSFT"), ["r0003-0001"]);
    });
  });

  test("discovers the upstream's page size", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits = { mostOnPage: 37 };
      fill(setting, 20, 30);
      assert.deepEqual((await setting.once()).failures, []);
      assert.equal((await setting.ids()).length, 600);
    });
  });

  test("splits windows with more records than the upstream serves pages for", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits = { mostOnPage: 20, deepest: 3 };
      fill(setting, 30, 15);
      assert.deepEqual((await setting.once()).failures, []);
      assert.equal((await setting.ids()).length, 450);
      assert.deepEqual((await setting.status()).resources[0]?.gaps, []);
    });
  });

  test("records a gap for a day with more records than the upstream serves pages for", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits = { mostOnPage: 20, deepest: 3 };
      fill(setting, 3, 200);
      assert.deepEqual((await setting.once()).failures, []);
      const gaps = (await setting.status()).resources[0]?.gaps ?? [];
      assert.deepEqual(
        gaps.map(({ from, to }) => [from, to]).slice(1),
        [1, 2].map((day) => [daysAgo(setting.clock, day), daysAgo(setting.clock, day)]),
      );
    });
  });

  test("stores a page's valid records, reports invalid ones, and drops unknown attributes", async (api) => {
    await mirroring(api.store, async (setting) => {
      fill(setting, 3, 5);
      const { records } = setting.upstream;
      records.set("bad", { id: "bad", date: daysAgo(setting.clock, 1), updated: 5, pt_current: 12.5, time: "noon" });
      records.set("new", { id: "new", date: daysAgo(setting.clock, 1), updated: 5, score: 9, ticker: null });
      const { failures } = await setting.once();
      assert.deepEqual(failures, []);
      assert.deepEqual(await setting.ids(), [...records.keys()].filter((id) => id !== "bad").sort());
      const [status] = (await setting.status()).resources;
      assert.equal(status?.counts.refused, 1);
      assert.deepEqual(status?.unknown_attributes, { score: 1 });
      assert.match(
        status?.refusals[0]?.reasons ?? "",
        /^pt_current: expected a decimal.*12\.5; time: expected a clock time.*"noon"/,
      );
      assert.match(setting.logged.join("\n"), /ratings bad: refused: pt_current/);
    });
  });

  test("applies the upstream's list of removals, and restores records that are created again", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits = { tellsRemovals: true };
      fill(setting, 10, 5);
      await setting.once();
      for (const id of ["r0001-0001", "r0009-0004"]) setting.upstream.remove(id);
      await setting.once();
      assert.deepEqual(await setting.ids(), [...setting.upstream.records.keys()].sort());
      setting.upstream.removed.delete("r0001-0001");
      const updated = Math.floor(setting.clock.time / 1000);
      setting.upstream.records.set("r0001-0001", { id: "r0001-0001", date: "2024-01-01", updated });
      await setting.once();
      assert.deepEqual(await setting.ids(), [...setting.upstream.records.keys()].sort());
      assert.equal((await setting.status()).resources[0]?.counts.removed, 2);
    });
  });

  test("finds unlisted removals by reconciliation, hours later and not before", async (api) => {
    await mirroring(api.store, async (setting) => {
      fill(setting, 40, 5);
      await setting.once();
      setting.upstream.remove("r0001-0001");
      setting.upstream.remove("r0020-0002");
      setting.upstream.remove("r0039-0002");
      assert.equal((await setting.once()).requests.filter(onlyDays).length, 0);
      setting.clock.time += 7 * hour;
      const looks: number[] = [];
      do looks.push((await setting.once()).requests.filter(onlyDays).length);
      while (looks.at(-1) !== 0);
      assert.ok(looks.reduce((a, b) => a + b) < 20);
      // Older than the days that are reconciled.
      assert.deepEqual(await setting.ids(), [...setting.upstream.records.keys(), "r0039-0002"].sort());
    });
  });

  test("reconciles everything after an absence in which removals may have expired upstream", async (api) => {
    await mirroring(api.store, async (setting) => {
      setting.upstream.habits = { tellsRemovals: true };
      fill(setting, 300, 3);
      await setting.once();
      for (const id of ["r0001-0001", "r0200-0002", "r0299-0000"]) setting.upstream.remove(id);
      setting.upstream.removed.clear();
      setting.clock.time += 40 * 24 * hour;
      do await setting.once();
      while ((await setting.ids()).length > 897);
      assert.deepEqual(await setting.ids(), [...setting.upstream.records.keys()].sort());
      assert.match(setting.logged.join(), /may have dropped removals/);
    });
  });

  test("removes nothing because of a response that is empty, implausible, or unconfirmed", async (api) => {
    await mirroring(api.store, async (setting) => {
      fill(setting, 14, 5);
      await setting.once();
      const { upstream } = setting;
      const original = new Map(upstream.records);
      const looksAgain = async () => {
        setting.clock.time += 7 * hour;
        return setting.once();
      };
      // A list that is empty or lacks most of its records.
      upstream.records.clear();
      await looksAgain();
      assert.equal((await setting.ids()).length, 70);
      for (const [id, record] of [...original].slice(0, 20)) upstream.records.set(id, record);
      await looksAgain();
      assert.equal((await setting.ids()).length, 70);
      assert.match((await setting.status()).resources[0]?.gaps[0]?.why ?? "", /implausibly many; none was removed/);
      // A list that is short only once.
      for (const [id, record] of original) upstream.records.set(id, record);
      let looks = 0;
      upstream.habits = {
        instead: ({ query }, response) => {
          if (!query.has("parameters[date_from]") || query.has("parameters[date_to]") || ++looks !== 1) return false;
          const few = [...original.values()]
            .filter(({ date }) => date >= (query.get("parameters[date_from]") ?? ""))
            .slice(5);
          response.end(JSON.stringify({ ratings: few.reverse() }));
          return true;
        },
      };
      await looksAgain();
      assert.equal(looks > 1, true);
      assert.equal((await setting.ids()).length, 70);
      assert.deepEqual((await setting.status()).resources[0]?.gaps, []);
    });
  });

  test("reports rejected requests and mirrors the rest", async (api) => {
    await mirroring(api.store, async (setting) => {
      fill(setting, 3, 5);
      const wrong = await setting.once({ token: "wrong" });
      assert.match(wrong.failures.join(), /^ratings: the upstream does not accept the token \(no such key\)/);
      assert.match((await setting.status()).errors.ratings?.text ?? "", /does not accept the token/);
      assert.deepEqual((await setting.once()).failures, []);
      assert.deepEqual((await setting.status()).errors, {});
      assert.equal((await setting.ids()).length, 15);
    });
  });

  test("rejects a database that contains other records or mirrors another upstream", async (api) => {
    await api.has("ratings", [{ id: "mine" }]);
    await mirroring(api.store, async (setting) => {
      fill(setting, 3, 5);
      await assert.rejects(setting.once(), /holds ratings that were not mirrored/);
      assert.deepEqual((await setting.once({ adopt: true })).failures, []);
      assert.equal((await setting.ids()).length, 16);
      await assert.rejects(setting.once({ base: new URL("http://127.0.0.1:1") }), /this database mirrors http/);
    });
  });
});
