// Which new record changes a page: the one that stands on it or before it, and no other.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { evaluate, positionOf, touches } from "../../../src/core/query/evaluate.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { runs } from "../../support/budget.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { requests, rowsOf, understand } from "../../support/requests/requests.ts";

for (const resource of catalog) {
  test(`${resource.name}: a page differs without a record that touches it, and without no other`, () => {
    const records = sample(crowd(resource, 60));
    const rows = rowsOf(resource, records);
    const asked = fc.tuple(requests(resource, records, rows), fc.nat(rows.length - 1));
    const property = fc.property(asked, ([url, place]) => {
      const { plan } = understand(resource, url) ?? assert.fail(`${url} is not understood`);
      const others = rows.toSpliced(place, 1);
      const [row] = rows.slice(place);
      const page = evaluate(plan, others);
      const end = page.length === plan.limit ? page.at(-1) : undefined;
      const isTouched = touches(plan, end && positionOf(plan, end), row ?? assert.fail());
      const whole = evaluate(plan, rows);
      const differs = whole.length !== page.length || whole.some((each, index) => each !== page[index]);
      // A page beyond the end of the list stays empty, whatever comes before it.
      if (plan.offset === 0 || differs) assert.equal(isTouched, differs, url);
    });
    fc.assert(property, { seed, numRuns: runs(60, 300) });
  });
}
