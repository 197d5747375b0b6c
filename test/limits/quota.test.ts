// Properties of a quota: a fixed number of requests per day or month in the service's time zone, at any hour.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { QuotaPeriod } from "../../src/core/access/terms.ts";
import { localDay, type Zone, zone } from "../../src/core/value/time-zone.ts";
import { periodOf, QuotaCount } from "../../src/limits/quota.ts";
import "../support/budget.ts";

const named = (name: string): Zone => zone(name) as Zone;
const zones = fc
  .constantFrom("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe")
  .map(named);
const kinds = fc.constantFrom<QuotaPeriod>("day", "month");
const instants = fc.integer({ min: 0, max: 4_000_000_000 });

describe("a period", () => {
  test("contains its instant, ends where the next begins, and is named by its days", () => {
    fc.assert(
      fc.property(zones, kinds, instants, (zone, per, now) => {
        const { name, from, before } = periodOf({ per, zone }, now);
        assert.ok(from <= now && now < before);
        assert.equal(localDay(zone, now).slice(0, name.length), name);
        assert.notEqual(periodOf({ per, zone }, before).name, name);
        assert.equal(periodOf({ per, zone }, before).from, before);
        assert.equal(periodOf({ per, zone }, before - 1).name, name);
        assert.equal(periodOf({ per, zone }, from).name, name);
      }),
    );
  });

  test("has 23 or 25 hours on days when clocks change, and a month has all of its days", () => {
    const newYork = named("America/New_York");
    const hours = (day: string) => {
      const { from, before } = periodOf({ per: "day", zone: newYork }, Date.parse(`${day}T12:00:00-05:00`) / 1000);
      return (before - from) / 3600;
    };
    assert.deepEqual(["2026-03-08", "2026-11-01", "2026-01-15"].map(hours), [23, 25, 24]);
    const december = periodOf({ per: "month", zone: newYork }, Date.parse("2026-12-31T23:59:59-05:00") / 1000);
    assert.deepEqual(december, { name: "2026-12", from: 1_796_101_200, before: 1_798_779_600 });
  });
});

describe("a quota", () => {
  test("lets exactly its number through in each period, whenever requests arrive", () => {
    fc.assert(
      fc.property(
        zones,
        kinds,
        fc.integer({ min: 1, max: 50 }),
        instants,
        fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 200 }),
        (zone, per, requests, start, pauses) => {
          const quota = new QuotaCount({ requests, per, zone });
          const attempts = new Map<string, number>();
          const through = new Map<string, number>();
          let now = start;
          for (const pause of pauses) {
            now += pause;
            const { name } = periodOf({ per, zone }, now);
            attempts.set(name, (attempts.get(name) ?? 0) + 1);
            if (quota.remaining(now) === 0) continue;
            quota.spend(now);
            through.set(name, (through.get(name) ?? 0) + 1);
          }
          for (const [name, count] of attempts) assert.equal(through.get(name), Math.min(count, requests));
        },
      ),
    );
  });
});
