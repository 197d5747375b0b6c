// The same day and seed yield the same records in any order of generation, and the past doesn't change.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type DemoRecord, type DemoResource, demoParts, demoRecords, demoResources } from "../../demo/demo.ts";
import { Draw } from "../../demo/draw.ts";
import { isLong, runs } from "../support/budget.ts";
import { generated, text, today } from "./generated.ts";

/** Two years in a long run, else three months: a test below covers that these are the same records. */
const span = isLong ? { today } : { today, from: "2026-03-18" };

function digest(records: Iterable<DemoRecord>): string {
  const hash = createHash("sha256");
  for (const record of records) hash.update(`${JSON.stringify(record)}\n`);
  return hash.digest("hex");
}

test("a resource is the same alone and interleaved with all others", () => {
  const running = [...demoResources].reverse().map((resource) => ({
    resource,
    records: demoRecords(resource, span),
    hash: createHash("sha256"),
  }));
  let left = running;
  while (left.length > 0) {
    left = left.filter(({ records, hash }) => {
      const { value, done } = records.next();
      if (!done) hash.update(`${JSON.stringify(value)}\n`);
      return !done;
    });
  }
  for (const { resource, hash } of running)
    assert.equal(hash.digest("hex"), digest(demoRecords(resource, span)), resource);
});

test("all resources together are the same as each alone, and are counted before they are created", () => {
  const counted = [...demoParts(span)];
  assert.deepEqual(
    counted.map(({ resource }) => resource),
    demoResources,
  );
  for (const { resource, count, records } of counted) {
    const written = [...records];
    assert.equal(written.length, count, resource);
    assert.equal(digest(written), digest(demoRecords(resource, span)), resource);
  }
});

test("a shorter span yields the same records", () => {
  const from = "2026-05-18";
  for (const resource of demoResources) {
    const some = [...demoRecords(resource, { today, from })];
    const ids = new Set(some.map(({ id }) => id));
    assert.deepEqual(
      some,
      generated(resource).filter(({ id }) => ids.has(id)),
      resource,
    );
    if (resource === "news") continue;
    assert.equal(some.length, generated(resource).filter((record) => text(record, "date") >= from).length, resource);
  }
});

test("nothing is reported before it has happened, however early in the day", () => {
  const now = Date.parse("2026-06-17T06:30:00-04:00") / 1000;
  for (const resource of demoResources) {
    for (const record of demoRecords(resource, { today, now, from: "2026-06-15" })) {
      assert.ok(Number(record.updated) <= now, JSON.stringify(record));
    }
  }
});

test("another seed yields other records of the same kind", () => {
  for (const resource of demoResources) {
    const [one, two] = [{ today }, { today, seed: 2 }].map((options) => demoRecords(resource, options).take(200));
    assert.notDeepEqual([...(two ?? [])], [...(one ?? [])], resource);
  }
});

test("the default seed is 1", () => {
  assert.equal(digest(demoRecords("earnings", { today, seed: 1 })), digest(generated("earnings")));
});

test("the host's time zone has no effect", () => {
  const before = process.env.TZ;
  process.env.TZ = "Pacific/Kiritimati";
  try {
    for (const resource of ["news", "earnings"] as const) {
      const list = [...demoRecords(resource, { today }).take(500)];
      assert.deepEqual(list, generated(resource).slice(0, 500));
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

// As of March and of June; what had happened two days before the earlier one is identical in both.
const earlier = "2026-03-18";
const settled = "2026-03-16";
const settledSeconds = Date.parse("2026-03-16T20:00:00-04:00") / 1000;

function settledRecords(resource: DemoResource, records: Iterable<DemoRecord>): DemoRecord[] {
  const from = "2024-06-18";
  return [...records].filter((record) => {
    if (resource !== "news") return text(record, "date") >= from && text(record, "date") <= settled;
    const created = record.created as number;
    return created >= Date.parse(`${from}T00:00:00-04:00`) / 1000 && created <= settledSeconds;
  });
}

test("past events are identical on both days", () => {
  for (const resource of demoResources) {
    const then = settledRecords(resource, demoRecords(resource, { today: earlier }));
    const later = settledRecords(resource, generated(resource));
    assert.ok(then.length > 1000, resource);
    assert.equal(then.length, later.length, resource);
    const byId = new Map(later.map((record) => [record.id, record]));
    for (const record of then) assert.deepEqual(record, byId.get(record.id), resource);
  }
});

test("the ID of a record stays the same when the expected event happens", () => {
  for (const resource of ["earnings", "conference-calls", "economics", "dividends"] as const) {
    const ids = new Set(generated(resource).map((record) => record.id));
    const ahead = [...demoRecords(resource, { today: earlier })].filter((record) => {
      return text(record, "date") > earlier && text(record, "date") <= today;
    });
    assert.ok(ahead.length > 100, resource);
    for (const record of ahead) assert.ok(ids.has(record.id), JSON.stringify(record));
  }
});

test("leap days and distant days work; invalid days are rejected", () => {
  for (const day of ["2028-02-29", "2010-01-01", "2060-12-31"]) {
    for (const resource of demoResources) {
      const count = [...demoRecords(resource, { today: day }).take(runs(1401, Number.POSITIVE_INFINITY))].length;
      assert.ok(count > 1400, `${resource} ${day} ${count}`);
    }
  }
  for (const day of ["2009-12-31", "2061-01-01", "2026-02-30", "today"]) {
    assert.throws(() => demoRecords("earnings", { today: day }).next(), RangeError);
  }
});

test("a draw for one purpose doesn't depend on earlier draws", () => {
  const used = Draw.seeded(7).at("AAPL");
  const fresh = Draw.seeded(7).at("AAPL");
  for (let i = 0; i < 100; i++) used.bits();
  assert.equal(used.at("target", 3).hex(32), fresh.at("target", 3).hex(32));
  assert.notEqual(fresh.at("target", 3).hex(32), fresh.at("target", 4).hex(32));
});

test("draws are evenly distributed", () => {
  const tenths = new Array<number>(10).fill(0);
  const root = Draw.seeded(1).at("spread");
  for (let i = 0; i < 20_000; i++) {
    const tenth = Math.floor(root.at("each", i).unit() * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) assert.ok(count > 1800 && count < 2200, String(tenths));
});
