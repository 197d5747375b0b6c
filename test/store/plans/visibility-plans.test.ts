// Hiding records from a key costs nothing: lists are scanned like those of a key that sees everything.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { restrict, visibilityOf } from "../../../src/core/access/visibility.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { parseListQuery } from "../../../src/core/query/planner.ts";
import { parseQuery } from "../../../src/core/query/query-string.ts";
import { zone } from "../../../src/core/value/time-zone.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { type Api, startApi, testNow } from "../../support/clients/api.ts";

const newYork = zone("America/New_York") ?? assert.fail("no zone");

async function explained(api: Api, resource: Resource, query: string, terms: { history: string; delay: number }) {
  const reading = parseListQuery(resource, parseQuery(query).query, { zone: newYork });
  assert.ok("ok" in reading, query);
  const window = visibilityOf(terms, newYork);
  const { plan } = reading.ok;
  const seen = window === undefined ? reading.ok : restrict(reading.ok, window(plan, testNow).where);
  return api.store.explain(seen.plan);
}

/** The statement's steps, without those that only fetch the rows of keys. */
const stepsOf = async (...args: Parameters<typeof explained>) => (await explained(...args)).steps;

/** The index by which the first records are found. */
const walkedBy = (steps: readonly string[]): string | undefined =>
  steps.map((step) => /INDEX (\w+)|INTEGER PRIMARY KEY/.exec(step)).find((found) => found !== null)?.[1] ?? "key";

describe("plans of restricted lists", () => {
  let api: Api;
  before(async () => {
    api = await startApi();
    const rows = Array.from({ length: 2000 }, (_, n) => n);
    for (const resource of catalog) {
      const id = (n: number) => (resource.name === "news" ? n + 1 : `r${n}`);
      await api.has(
        resource.name,
        // Within every history.
        rows.map((n) => ({
          id: id(n),
          updated: n + 1,
          ...(resource.name === "news" ? { created: testNow - 10_000 + n } : { date: "2026-01-10" }),
        })),
      );
    }
  });
  after(() => api.close());

  for (const resource of catalog) {
    test(`${resource.name}: neither history nor delay determines the index, and nothing is sorted for them`, async () => {
      const since = resource.name === "news" ? "updatedSince=5" : "parameters[updated]=5";
      for (const query of ["", since, "page=3"]) {
        const whole = await stepsOf(api, resource, query, { history: "", delay: 0 });
        for (const terms of [
          { history: "365d", delay: 0 },
          { history: "", delay: 15 },
          { history: "365d", delay: 15 },
        ]) {
          const steps = await stepsOf(api, resource, query, terms);
          const detail = `${query} with ${JSON.stringify(terms)}: ${steps.join("; ")}`;
          assert.equal(walkedBy(steps), walkedBy(whole), detail);
          assert.ok(!steps.some((step) => step.includes("TEMP B-TREE")), detail);
        }
      }
    });

    test(`${resource.name}: a scan past records hidden by a delay has a timeout`, async () => {
      const limited = async (query: string, delay: number) =>
        (await explained(api, resource, query, { history: "", delay })).sql.includes("in_time()");
      // News is sorted by what its delay is compared with, except when sorted by changes.
      const query = resource.name === "news" ? "updatedSince=5" : "";
      assert.deepEqual([await limited(query, 0), await limited(query, 15)], [false, true]);
      if (resource.name === "news") assert.equal(await limited("", 15), false);
    });
  }
});
