// The backfill covers all days, newest first and none twice; polls start from the right position.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { addDays } from "../../src/core/value/time-zone.ts";
import { firstPosition, nextPosition } from "../../src/mirror/lists/deltas.ts";
import {
  afterWindow,
  type DayWindow,
  isFilled,
  newBackfill,
  newerHalf,
  nextWindow,
  windowsLeft,
} from "../../src/mirror/lists/windows.ts";
import { seed } from "../support/records/records.ts";

const today = "2026-01-15";

describe("windows of days", () => {
  test("are contiguous from the open upper end down to the first day, or to the open lower end", () => {
    const floors = fc.option(fc.nat({ max: 4000 }), { nil: undefined });
    const reads = fc.array(fc.record({ pages: fc.integer({ min: 1, max: 11 }), records: fc.nat({ max: 3 }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(floors, reads, (back, results) => {
        const floor = back === undefined ? undefined : addDays(today, -back);
        const windows: DayWindow[] = [];
        let state = newBackfill;
        for (let turn = 0; ; turn++) {
          assert.ok(turn < 10_000, "it ends");
          const window = nextWindow(state, today, floor);
          if (window === undefined) break;
          windows.push(window);
          state = afterWindow(state, window, results[turn % results.length] as never);
        }
        assert.equal(windows[0]?.to, undefined);
        for (const [index, window] of windows.entries()) {
          if (index > 0) assert.equal(window.to, addDays(windows[index - 1]?.from as string, -1));
          if (window.from !== undefined && window.to !== undefined) assert.ok(window.from <= window.to);
        }
        assert.equal(windows.at(-1)?.from, floor);
        assert.ok(isFilled(state, floor));
        assert.equal(state.windows, windows.length);
        assert.equal(windowsLeft(state, today, floor), 0);
      }),
      { seed },
    );
  });

  test("continue below when an earlier first day is configured, without rereading newer days", () => {
    let state = afterWindow(newBackfill, { from: "2026-01-10" }, { pages: 1, records: 5 });
    assert.equal(nextWindow(state, today, "2026-01-10"), undefined);
    assert.deepEqual(nextWindow(state, "2026-02-20", "2026-01-01"), { from: "2026-01-01", to: "2026-01-09" });
    state = afterWindow(state, {}, { pages: 1, records: 0 });
    assert.equal(nextWindow(state, today, "1950-01-01"), undefined);
  });

  test("grow while pages are few, faster over empty days, and shrink when pages are many", () => {
    const width = (pages: number, records: number) =>
      afterWindow({ ...newBackfill, width: 8 }, { from: today }, { pages, records }).width;
    assert.deepEqual([width(1, 0), width(2, 9), width(5, 9), width(40, 9)], [32, 16, 8, 4]);
  });

  test("are split until a single day is left", () => {
    const days = { newest: "2026-03-01", oldest: "2026-01-20" };
    assert.deepEqual(newerHalf({ from: "2026-01-01", to: "2026-01-10" }, days), {
      from: "2026-01-06",
      to: "2026-01-10",
    });
    assert.deepEqual(newerHalf({ from: "2026-01-01", to: "2026-01-02" }, days), {
      from: "2026-01-02",
      to: "2026-01-02",
    });
    assert.equal(newerHalf({ from: "2026-01-02", to: "2026-01-02" }, days), undefined);
    assert.deepEqual(newerHalf({ from: "2026-02-20" }, days), { from: "2026-02-25" });
    assert.equal(newerHalf({ from: "2026-03-01" }, days), undefined);
  });
});

describe("the position of polls", () => {
  test("starts half an hour before the first poll", () => {
    assert.equal(firstPosition(1_000_000), 998_200);
  });

  test("overlaps the newest timestamp by a minute, and by more if half a page has it", () => {
    const stamps = Array.from({ length: 100 }, (_, index) => 999_000 + index * 10);
    assert.equal(nextPosition(0, { began: 1_000_000, stamps }, 40), 999_790);
    assert.equal(nextPosition(0, { began: 1_000_000, stamps }, 1000), 998_200);
    assert.equal(nextPosition(0, { began: 1_000_000, stamps: Array(5000).fill(999_995) }, 1000), 999_935);
  });

  test("ignores timestamps in the future, advances with the clock on a quiet list, and never decreases", () => {
    assert.equal(nextPosition(0, { began: 1_000_000, stamps: [4_000_000_000] }, 100), 998_200);
    assert.equal(nextPosition(5, { began: 1_000_000, stamps: [] }, 100), 998_200);
    assert.equal(nextPosition(999_999, { began: 1_000_000, stamps: [10] }, 100), 999_999);
  });
});
