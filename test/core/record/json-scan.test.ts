// Members of stored records are found by their position, whatever the records before and after contain.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { memberScanner, valueAt } from "../../../src/core/record/json-scan.ts";
import { runs } from "../../support/budget.ts";
import { seed } from "../../support/records/records.ts";

const names = ["a", "b", "c", "d"];

/** Short texts of few letters, so that members of different records often have the same position. */
const value = fc.oneof(fc.string({ unit: fc.constantFrom("x", '"', "\\", ",", "}", "{"), maxLength: 6 }), fc.nat(99));
/** All have the first member, as records do. */
const records = fc.array(fc.record({ a: value, b: value, c: value, d: value }, { requiredKeys: ["a"] }), {
  maxLength: 6,
});

for (const isFlat of [true, false]) {
  test(`any members of any records are found ${isFlat ? "by searching" : "by scanning"}`, () => {
    const property = fc.property(records, fc.subarray(names), (list, wanted) => {
      const scanner = memberScanner(names, new Set(wanted), isFlat);
      // In the order of their names, as they are stored.
      const ordered = list.map((each) =>
        Object.fromEntries(names.flatMap((name) => Object.entries(each).filter(([own]) => own === name))),
      );
      const text = ordered.map((each) => JSON.stringify(each)).join(",");
      let at = 0;
      for (const each of ordered) {
        at = scanner.scan(text, at) + 1;
        for (const name of wanted) {
          const member = names.indexOf(name);
          const isThere = scanner.starts[member] !== -1;
          const found = isThere
            ? valueAt(text, scanner.values[member] as number, scanner.ends[member] as number)
            : undefined;
          assert.deepEqual(found, each[name], `${name} of ${JSON.stringify(each)} in ${text}`);
        }
      }
      assert.equal(at, text === "" ? 0 : text.length + 1);
    });
    fc.assert(property, { seed, numRuns: runs(300, 3000) });
  });
}

test("a member is not confused with that of the next record at the same offset", () => {
  for (let length = 0; length < 60; length++) {
    const scanner = memberScanner(names, new Set(["a", "c"]), true);
    const list = [
      { a: 1, b: "x".repeat(length), c: 1 },
      { a: 1, b: "", c: 2 },
      { a: 1, c: 3 },
    ];
    const text = list.map((each) => JSON.stringify(each)).join(",");
    let at = 0;
    for (const { c } of list) {
      at = scanner.scan(text, at) + 1;
      assert.equal(valueAt(text, scanner.values[2] as number, scanner.ends[2] as number), c, text);
      assert.notEqual(scanner.starts[2], -1, text);
    }
  }
});
