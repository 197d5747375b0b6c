// The value that stands for "unknown" is valid in imports and unchanged by them, for every field of the catalog.
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../../src/resources/catalog.ts";

for (const { name, fields } of catalog) {
  test(`${name}: importing the empty value of a field leaves it empty`, () => {
    for (const [field, { required, empty, validate, members = {} }] of Object.entries(fields)) {
      const reject = () => assert.fail(`${field} rejects its empty value`);
      if (!required) assert.deepEqual(validate(empty, reject), empty);
      for (const member of Object.values(members))
        if (!member.required) assert.deepEqual(member.validate(member.empty, reject), member.empty);
    }
  });
}
