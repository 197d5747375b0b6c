// Usage counts: nothing is counted twice or lost, whatever the store does meanwhile.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Zone, zone } from "../../src/core/value/time-zone.ts";
import { UsageCounter, type UsageEvent } from "../../src/limits/usage.ts";
import type { UsageRow } from "../../src/store/store.ts";
import "../support/budget.ts";

const utc = zone("UTC") as Zone;
const midnight = Date.parse("2026-01-16T00:00:00Z") / 1000;
const read = (resource: string) => ({ use: "read", resource });

const used: fc.Arbitrary<UsageEvent> = fc.record({
  key: fc.constantFrom("", "a", "b"),
  link: fc.constantFrom("", "l", "m"),
  route: fc.constantFrom(read("news"), read("ratings"), { use: "admin", resource: "" }),
  status: fc.constantFrom(200, 304, 400, 403, 429, 500),
  records: fc.nat(100),
  bytes: fc.nat(10_000),
});

type Step = { readonly used: UsageEvent } | { readonly seconds: number } | { readonly flush: "ok" | "fails" };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: used.map((each) => ({ used: each })) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 50_000 }).map((seconds) => ({ seconds })) },
    { weight: 1, arbitrary: fc.constantFrom<"ok" | "fails">("ok", "fails").map((flush) => ({ flush })) },
  ),
  { maxLength: 200 },
);

describe("usage", () => {
  test("counts every authenticated response once, by its day, even if batches are lost", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (input) => {
        let now = midnight - 60;
        let fails = false;
        const stored: UsageRow[] = [];
        /** Counted but not written. */
        const linkUses = new Map<string, number[]>();
        const usage = new UsageCounter({
          write: async (rows, _at, links) => {
            if (fails) throw new Error("away");
            for (const { link, requests } of links) add(linkUses, [link], [-requests]);
            const names = rows.map(({ day, key, resource }) => `${day} ${key} ${resource}`);
            assert.equal(new Set(names).size, names.length, "a row stands in a batch once");
            stored.push(...rows);
          },
          zone: async () => utc,
          now: () => now,
        });
        const expected = new Map<string, number[]>();
        // The day is known once the first counts are written.
        usage.count({ key: "a", link: "", route: read("news"), status: 200, records: 0, bytes: 0 });
        await usage.flush();
        add(expected, ["2026-01-15", "a", "news"], [1, 0, 0, 0, 0]);
        for (const step of input) {
          if ("seconds" in step) now += step.seconds;
          else if ("flush" in step) {
            fails = step.flush === "fails";
            await usage.flush();
          } else {
            usage.count(step.used);
            const { key, route, status, records, bytes } = step.used;
            if (key === "") continue;
            if (step.used.link !== "") add(linkUses, [step.used.link], [1]);
            const day = new Date(now * 1000).toISOString().slice(0, 10);
            const counts = [1, records, bytes, status >= 400 && status !== 429 ? 1 : 0, status === 429 ? 1 : 0];
            add(expected, [day, key, route.resource || route.use], counts);
          }
        }
        fails = false;
        assert.ok(await usage.flush());
        const sums = new Map<string, number[]>();
        for (const { day, key, resource, ...row } of stored)
          add(sums, [day, key, resource], [row.requests, row.records, row.bytes, row.errors, row.limited]);
        assert.deepEqual([...sums].sort(), [...expected].sort());
        assert.ok([...linkUses.values()].every(([count]) => count === 0));
      }),
    );
  });
});

describe("usage written concurrently", () => {
  test("writes one batch after another, and resolves only after the counts are written", async () => {
    const events: string[] = [];
    const opens: (() => void)[] = [];
    const usage = new UsageCounter({
      write: async ([row]) => {
        events.push(`begin ${row?.key}`);
        await new Promise<void>((resolve) => opens.push(resolve));
        events.push(`end ${row?.key}`);
      },
      zone: async () => utc,
      now: () => midnight,
    });
    const count = (key: string) =>
      usage.count({ key, link: "", route: read("news"), status: 200, records: 0, bytes: 0 });
    const flushed = (name: string) => usage.flush().then(() => events.push(`flushed ${name}`));
    const turns = () => new Promise((resolve) => setImmediate(resolve));
    count("a");
    const all = [flushed("1")];
    await turns();
    count("b");
    all.push(flushed("2"), flushed("3"));
    opens.shift()?.();
    await turns();
    count("c");
    all.push(flushed("4"));
    await turns();
    assert.deepEqual(events, ["begin a", "end a", "flushed 1", "begin b"]);
    while (opens.length > 0) {
      opens.shift()?.();
      await turns();
    }
    await Promise.all(all);
    assert.deepEqual(
      events.filter((event) => !event.startsWith("flushed")),
      ["begin a", "end a", "begin b", "end b", "begin c", "end c"],
    );
    assert.ok(events.indexOf("flushed 3") > events.indexOf("end b"));
    assert.ok(events.indexOf("flushed 4") > events.indexOf("end c"));
  });
});

type Sums = Map<string, number[]>;

function add(sums: Sums, names: readonly string[], counts: readonly number[]): void {
  const name = names.join(" ");
  sums.set(
    name,
    counts.map((count, at) => count + (sums.get(name)?.[at] ?? 0)),
  );
}
