// Metrics as text, merged over several processes.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { aggregate, counter, exposition, type Family, gauge, histogram, plain } from "../../src/metrics/family.ts";
import { bounds, Histogram } from "../../src/metrics/histogram.ts";
import { seed } from "../support/records/records.ts";

const printed = (...processes: Family[][]): Promise<string> => exposition(aggregate(processes));

describe("metrics as text", () => {
  test("a family is its help, its type, and its samples, and one without samples is omitted", async () => {
    const families = [
      counter("a_total", "As.", [
        { labels: { of: "x", how: "y" }, value: 3 },
        { labels: {}, value: 0.5 },
      ]),
      gauge("b", "Bs.", []),
    ];
    assert.equal(
      await printed(families),
      '# HELP a_total As.\n# TYPE a_total counter\na_total{of="x",how="y"} 3\na_total 0.5\n',
    );
  });

  test("a label value stays on its line and inside its quotes, whatever it contains", async () => {
    const property = fc.asyncProperty(fc.string(), async (text) => {
      const [, , line = "", end] = (await printed([gauge("a", "A.", [{ labels: { is: text }, value: 1 }])])).split(
        "\n",
      );
      assert.equal(end, "");
      const [, quoted = ""] = /^a\{is="((?:[^"\\]|\\["\\n])*)"\} 1$/.exec(line) ?? assert.fail(line);
      assert.equal(
        quoted.replace(/\\(["\\n])/g, (_, each: string) => (each === "n" ? "\n" : each)),
        text,
      );
    });
    await fc.assert(property, { seed });
  });
});

describe("a histogram", () => {
  test("counts everything once, in cumulative buckets", () => {
    const property = fc.property(fc.array(fc.double({ min: 0, max: 20_000, noNaN: true })), (times) => {
      const counted = new Histogram();
      for (const ms of times) counted.add(ms);
      const samples = counted.samples("t", { of: "x" });
      const buckets = samples.filter(({ metricName }) => metricName === "t_bucket");
      assert.deepEqual(
        buckets.map(({ labels }) => labels.le),
        [...bounds.map(String), "+Inf"],
      );
      for (const [at, { value }] of buckets.entries()) {
        const most = bounds[at] ?? Number.POSITIVE_INFINITY;
        assert.equal(value, times.filter((ms) => ms <= most * 1000).length);
      }
      assert.equal(samples.find(({ metricName }) => metricName === "t_count")?.value, times.length);
      const sum = times.reduce((all, ms) => all + ms, 0) / 1000;
      assert.ok(Math.abs((samples.find(({ metricName }) => metricName === "t_sum")?.value ?? 0) - sum) < 1e-6);
    });
    fc.assert(property, { seed });
  });
});

describe("several processes", () => {
  test("are added up sample by sample, except for values that are the same in all of them", async () => {
    const one: Family[] = [counter("a_total", "As.", plain(1)), gauge("late", "Late.", plain(3), "max")];
    const other: Family[] = [
      counter("a_total", "As.", [...plain(2), { labels: { of: "x" }, value: 5 }]),
      gauge("late", "Late.", plain(2), "max"),
      gauge("only", "Only here.", plain(7)),
    ];
    assert.equal((await printed(one, other)).replace(/^#.*\n/gm, ""), 'a_total 3\na_total{of="x"} 5\nlate 3\nonly 7\n');
  });

  test("yield the same as one that did everything, with each series of a histogram complete", async () => {
    const times = fc.array(fc.double({ min: 0, max: 100, noNaN: true }));
    const property = fc.asyncProperty(fc.array(times), async (processes) => {
      const family = (times: readonly number[]): Family[] => {
        const counted = new Histogram();
        for (const ms of times) counted.add(ms);
        return [
          histogram(
            "t",
            "T.",
            [{ of: "x" }, { of: "y" }].map((labels) => [labels, counted]),
          ),
        ];
      };
      const lines = async (...families: Family[][]) => (await printed(...families)).replace(/(?<=^t_sum.* ).*$/gm, "");
      const all = await lines(family(processes.flat()));
      assert.equal(await lines(family([]), ...processes.map(family)), all);
      assert.match(all, /^#.*\n#.*\n(t_\w+\{.*of="x".*\n)+(t_\w+\{.*of="y".*\n)+$/);
    });
    await fc.assert(property, { seed });
  });
});
