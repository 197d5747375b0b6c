// Numbers as text, over several processes, for whatever is counted.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { counter, type Family, gauge, joined, plain, printFamilies } from "../../src/metrics/family.ts";
import { bounds, Histogram } from "../../src/metrics/histogram.ts";
import { seed } from "../support/records/records.ts";

describe("metrics as text", () => {
  test("a family is its help, its kind and its samples, and one without samples is left out", () => {
    const families = [
      counter("a_total", "As.", [
        { labels: { of: "x", how: "y" }, value: 3 },
        { labels: {}, value: 0.5 },
      ]),
      gauge("b", "Bs.", []),
    ];
    assert.equal(
      printFamilies(families),
      '# HELP a_total As.\n# TYPE a_total counter\na_total{of="x",how="y"} 3\na_total 0.5\n',
    );
  });

  test("whatever a label holds, it stays on its line and inside its quotes", () => {
    const property = fc.property(fc.string(), (text) => {
      const printed = printFamilies([gauge("a", "A.", [{ labels: { is: text }, value: 1 }])]);
      const [, , line = "", end] = printed.split("\n");
      assert.equal(end, "");
      const [, quoted = ""] = /^a\{is="((?:[^"\\]|\\["\\n])*)"\} 1$/.exec(line) ?? assert.fail(line);
      assert.equal(
        quoted.replace(/\\(["\\n])/g, (_, each: string) => (each === "n" ? "\n" : each)),
        text,
      );
    });
    fc.assert(property, { seed });
  });
});

describe("a histogram", () => {
  test("counts everything once, in buckets that never shrink", () => {
    const property = fc.property(fc.array(fc.double({ min: 0, max: 20_000, noNaN: true })), (times) => {
      const histogram = new Histogram();
      for (const ms of times) histogram.add(ms);
      const samples = histogram.samples({ of: "x" });
      const buckets = samples.filter(({ suffix }) => suffix === "_bucket");
      assert.deepEqual(
        buckets.map(({ labels }) => labels.le),
        [...bounds.map(String), "+Inf"],
      );
      for (const [at, { value }] of buckets.entries()) {
        const most = bounds[at] ?? Number.POSITIVE_INFINITY;
        assert.equal(value, times.filter((ms) => ms <= most * 1000).length);
      }
      assert.equal(samples.find(({ suffix }) => suffix === "_count")?.value, times.length);
      const sum = times.reduce((all, ms) => all + ms, 0) / 1000;
      assert.ok(Math.abs((samples.find(({ suffix }) => suffix === "_sum")?.value ?? 0) - sum) < 1e-6);
    });
    fc.assert(property, { seed });
  });
});

describe("several processes", () => {
  test("are added up sample by sample, but for what is the same in all of them", () => {
    const one: Family[] = [counter("a_total", "As.", plain(1)), gauge("late", "Late.", plain(3), "largest")];
    const other: Family[] = [
      counter("a_total", "As.", [...plain(2), { labels: { of: "x" }, value: 5 }]),
      gauge("late", "Late.", plain(2), "largest"),
      gauge("only", "Only here.", plain(7)),
    ];
    assert.equal(
      printFamilies(joined([one, other])).replace(/^#.*\n/gm, ""),
      'a_total 3\na_total{of="x"} 5\nlate 3\nonly 7\n',
    );
  });

  test("give the same as one that did all of it", () => {
    const property = fc.property(fc.array(fc.array(fc.double({ min: 0, max: 100, noNaN: true }))), (processes) => {
      const family = (times: readonly number[]): Family => {
        const histogram = new Histogram();
        for (const ms of times) histogram.add(ms);
        return { name: "t", kind: "histogram", help: "T.", join: "sum", samples: histogram.samples({}) };
      };
      const counts = (families: readonly Family[]) =>
        families.flatMap(({ samples }) => samples.filter(({ suffix }) => suffix !== "_sum").map(({ value }) => value));
      const all = counts([family(processes.flat())]);
      assert.deepEqual(counts(joined([[family([])], ...processes.map((times) => [family(times)])])), all);
    });
    fc.assert(property, { seed });
  });
});
