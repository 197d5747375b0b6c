// Extensions are read through indexes, regardless of the number of records.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseListQuery } from "../../../src/core/query/planner.ts";
import { parseQuery, withPathParameters } from "../../../src/core/query/query-string.ts";
import { zone } from "../../../src/core/value/time-zone.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import { startApi } from "../../support/clients/api.ts";

const requests: Readonly<Record<string, readonly string[]>> = {
  "news-item": ["", "displayOutput=full"],
  "news-channels": [""],
  "news-removed": ["", "updatedSince=5", "page=50"],
  "ratings-analysts": ["", "page=3&pagesize=1000"],
  "ratings-firms": [""],
  "calendar-removed": ["", "updated=5", "type=ratings", "type=ratings&updated=5"],
  companies: ["", "search=apple"],
  days: ["parameters[date_from]=2026-01-01&parameters[date_to]=2026-12-31&pagesize=400"],
};

/** Collected keys, values found one after the other, and those of the request; everything else is looked up. */
const gathered = /SCAN (k|p|v|q|CONSTANT ROW|e VIRTUAL TABLE INDEX 1:)$/;

describe("extensions [sqlite]", () => {
  for (const listing of extensions) {
    test(`${listing.name}: only the index of the requested order is scanned`, async () => {
      const api = await startApi();
      try {
        for (const request of requests[listing.name] ??
          (listing.name.endsWith("-item") ? [""] : assert.fail("no request"))) {
          const { query } = withPathParameters(
            parseQuery(request).query,
            listing.path.includes("{id}") ? { id: "5" } : {},
          );
          const reading = parseListQuery(listing, query, { zone: zone("UTC") ?? assert.fail() });
          assert.ok("ok" in reading);
          const { plan } = reading.ok;
          const plans = listing.computed?.sources(plan).map((each) => each.plan) ?? [plan];
          const steps = (await Promise.all(plans.map((each) => api.store.explain(each)))).flatMap(({ steps }) => steps);
          const scans = steps
            .filter((step) => step.includes("SCAN ") && !gathered.test(step))
            .map((step) => step.trim());
          const isWholeList = request === "" && listing.name === "calendar-removed";
          assert.deepEqual(scans, isWholeList ? ["SCAN removal USING COVERING INDEX removal_by_at"] : [], request);
          const sorts = steps.filter((step) => step.includes("TEMP B-TREE")).map((step) => step.trim());
          // IDs of removed news compare as numbers, which no index contains; channels may share their newest item.
          const expected: Readonly<Record<string, string>> = {
            "news-removed": "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
            "news-channels": "USE TEMP B-TREE FOR DISTINCT",
          };
          const sort = expected[listing.name];
          assert.deepEqual(sorts, sort === undefined ? [] : [sort], request);
        }
      } finally {
        await api.close();
      }
    });
  }
});
