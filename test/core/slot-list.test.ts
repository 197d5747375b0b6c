// Items in reused slots: listed in insertion order, whatever was added and removed before.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SlotList } from "../../src/core/slot-list.ts";
import { seed } from "../support/records/records.ts";

test("items added and removed in any order are listed in insertion order", () => {
  // A number removes the item at that position; undefined adds another.
  const steps = fc.array(fc.option(fc.nat(20)), { maxLength: 100 });
  const property = fc.property(steps, (all) => {
    const places = new SlotList<object>();
    const expected: { thing: object; place: number }[] = [];
    let most = 0;
    for (const step of all) {
      if (step === null) {
        const thing = {};
        expected.push({ thing, place: places.add(thing) });
      } else for (const { place } of expected.splice(step, 1)) places.remove(place);
      most = Math.max(most, expected.length);
      assert.equal(places.size, expected.length);
      const listed = places.all();
      assert.equal(listed.length, expected.length);
      assert.ok(listed.every((each, index) => each === expected[index]?.thing));
      assert.ok(
        expected.every(({ place }) => place < most),
        "more places than were ever needed",
      );
    }
  });
  fc.assert(property, { seed });
});
