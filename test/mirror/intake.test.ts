// Every resource of the catalog declares how a mirror reads it completely.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { heavyFields } from "../../src/core/catalog/resource.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { inputsOf, type Pair, parseUrl, urlOf } from "../support/requests/requests.ts";

const planOf = (resource: (typeof catalog)[number], ...pairs: Pair[]) => {
  const parsed = parseUrl(resource, urlOf(resource, pairs));
  assert.ok(parsed, urlOf(resource, pairs));
  assert.deepEqual(parsed.ignored, []);
  return parsed;
};

describe("the intake of", () => {
  for (const resource of catalog) {
    const { intake } = resource;

    test(`${resource.name} can be read completely`, () => {
      const { plan, view } = planOf(resource, ...Object.entries(intake.unfiltered), [
        intake.size.name,
        String(intake.size.max),
      ]);
      assert.deepEqual(plan.where, []);
      assert.deepEqual([...plan.include].sort(), heavyFields(resource));
      assert.equal(plan.limit, intake.size.max);
      const shown = Object.keys(resource.fields).filter((name) => resource.fields[name]?.shown !== "never");
      const onRequest = shown.some((name) => resource.fields[name]?.shown !== "always");
      assert.deepEqual([...(view.selectedFields ?? shown)].sort(), shown);
      assert.equal(view.selectedFields !== undefined, onRequest);
      const larger: Pair[] = [[intake.size.name, String(intake.size.max + 1)]];
      assert.equal(parseUrl(resource, urlOf(resource, larger)), undefined, "larger pages are rejected");
    });

    test(`${resource.name} can be filtered by days and by its change timestamp`, () => {
      const { from, to, column } = intake.days;
      const days = planOf(
        resource,
        ...Object.entries(intake.unfiltered),
        [from, "2024-11-05"],
        [to, "2024-11-06"],
      ).plan;
      assert.deepEqual(
        days.where.map((each) => "column" in each && each.column),
        [column, column],
      );
      assert.deepEqual(days.order, resource.order);
      const since = planOf(resource, ...Object.entries(intake.unfiltered), [intake.since.name, "5"]).plan;
      assert.deepEqual(since.where, [{ op: "gte", column: intake.since.column, value: 5 }]);
      assert.deepEqual(
        since.order.map(({ column: by, direction }) => [by, direction]),
        [
          [intake.since.column, "asc"],
          ["id", "asc"],
        ],
      );
    });

    test(`${resource.name} has a list of removals with the declared parameters`, () => {
      const list = extensions.find(({ path }) => path === intake.removed.path);
      assert.ok(list, intake.removed.path);
      const names = list.rules.flatMap(({ parameters }) => Object.values(parameters).flatMap((input) => input.names));
      for (const name of ["page", intake.removed.size.name, intake.removed.since])
        assert.ok(names.includes(name), name);
    });

    test(`${resource.name} has filters for the hidden fields that can be discovered`, () => {
      for (const [parameter, { field, values = [] }] of Object.entries(intake.discoverable)) {
        const input = inputsOf(resource).find(({ names }) => names.includes(parameter));
        assert.ok(input, parameter);
        assert.equal(resource.fields[field]?.shown, "never", field);
        for (const value of values) assert.notEqual(input.parse(value), undefined, value);
      }
    });
  }
});
